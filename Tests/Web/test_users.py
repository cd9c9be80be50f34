# SPDX-License-Identifier: MIT
"""The users that may connect to the bridge, the number of pages that may connect to the daemon, and `gesturectl web`."""
import http.server
import os
import pwd
import re
import socket
import subprocess
import threading
import urllib.request

import pytest

from fixture import Bridge, Fixture
from harness import GUEST, PATIENCE, free_port, program
from websocket import WebSocket

REQUESTS = {
    "/healthz": "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "/events": "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "/socket": "GET /socket HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
               "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n",
}
ALL = {"/healthz": "HTTP/1.1 200", "/events": "HTTP/1.1 200", "/socket": "HTTP/1.1 101"}
NOTHING = dict.fromkeys(ALL, "")


class UserTests:
    def setup_method(self):
        self.fixture = Fixture(start=False)
        self.cleanup.callback(self.fixture.close)

    def serve(self, addition="", **settings):
        """Starts the daemon with an addition to its configuration, and a bridge without rights."""
        self.fixture.configure(addition)
        self.fixture.start()
        self.fixture.open_to_others()
        bridge = Bridge(self.fixture, user=GUEST, **settings)
        self.cleanup.callback(bridge.close)
        return bridge

    @staticmethod
    def visit(port, user, host="127.0.0.1"):
        """The beginning of each kind of answer to this user; empty if the bridge has hung up."""
        answers = {}
        for path, request in REQUESTS.items():
            # A socket belongs to the user who creates it, so this process acts as that user.
            os.seteuid(pwd.getpwnam(user).pw_uid)
            try:
                connection = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
            finally:
                os.seteuid(0)
            with connection:
                connection.settimeout(PATIENCE)
                connection.connect((host, port))
                try:
                    connection.sendall(request.encode())
                    answers[path] = connection.recv(len(ALL[path])).decode()
                except ConnectionError:
                    answers[path] = ""
        return answers

    @pytest.mark.skipif(os.getuid() != 0, reason="only root can connect as other users")
    def test_users_that_may_connect(self):
        bridge = self.serve(users=["mail"])
        for user, expected in (("mail", ALL), ("root", ALL), ("daemon", NOTHING), ("nobody", NOTHING)):
            assert self.visit(bridge.port, user) == expected

    @pytest.mark.skipif(os.getuid() != 0, reason="only root can connect as other users")
    def test_users_by_number_and_names_that_nobody_has(self):
        bridge = self.serve(users=[1, "there-is-no-such-user"])
        assert self.visit(bridge.port, "daemon") == ALL
        assert self.visit(bridge.port, "mail") == NOTHING

    @pytest.mark.skipif(os.getuid() != 0, reason="only root can connect as other users")
    def test_users_of_the_other_loopback_address(self):
        port = free_port()
        self.serve(listen=f"[::1]:{port}", users=["mail"])
        assert self.visit(port, "mail", "::1") == ALL
        assert self.visit(port, "daemon", "::1") == NOTHING

    @pytest.mark.skipif(os.getuid() != 0, reason="only root can connect as other users")
    def test_everybody_may_connect_unless_users_are_named(self):
        assert self.visit(self.serve().port, "daemon") == ALL

    def pages(self, bridge, count):
        """Connects this many pages. Returns the first line that each receives from the daemon."""
        pages = []
        for _ in range(count):
            pages.append(WebSocket(bridge.port))
            self.cleanup.callback(pages[-1].close)
        return [page.line() for page in pages]

    def check_limit(self, bridge, limit):
        assert [line.get("event") for line in self.pages(bridge, limit)] == ["hello"] * limit
        with WebSocket(bridge.port) as page:
            error = page.line()["error"]
            assert error["code"] == "busy"
            assert f"has {limit} connections already" in error["message"]
            assert page.message() is None
            assert page.code == 1013

    def test_sixteen_pages_unless_the_daemon_allows_more(self):
        self.check_limit(self.serve(), 16)

    def test_as_many_pages_as_the_daemon_allows(self):
        self.check_limit(self.serve("[daemon]\nmax_clients_per_user = 20\n"), 20)

    def web(self, address, *arguments, path=os.environ["PATH"]):
        return subprocess.run([program("gesturectl"), "web", "--address", address, *arguments], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=PATIENCE, env={**os.environ, "PATH": path})

    def test_gesturectl_web(self):
        bridge = self.serve()
        for host in ("127.0.0.1", "localhost"):
            address = f"{host}:{bridge.port}"
            run = self.web(address)
            assert (run.returncode, run.stderr) == (0, "")
            url, tunnel = run.stdout.splitlines()
            assert url == f"http://{address}/"
            there = f"and open http://127.0.0.1:{bridge.port}/ there"
            assert re.search(f"^from another machine: ssh -L {bridge.port}:{address} \\S+@\\S+, {there}$", tunnel)
            with urllib.request.urlopen(url) as page:
                assert page.status == 200

    def test_gesturectl_web_as_a_code(self):
        bridge = self.serve()
        program = os.path.join(self.fixture.folder, "qrencode")
        with open(program, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho \"code: $*\"\n")
        os.chmod(program, 0o755)
        run = self.web(f"127.0.0.1:{bridge.port}", "--qr", path=f"{self.fixture.folder}:{os.environ['PATH']}")
        assert (run.returncode, run.stdout.splitlines()[2:]) == (0, [f"code: -t UTF8 {bridge.address}"])
        run = self.web(f"127.0.0.1:{bridge.port}", "--qr", path="/nonexistent")
        assert run.returncode == 69
        assert "apt install qrencode" in run.stderr

    def test_gesturectl_web_without_the_daemon(self):
        bridge = self.serve()
        self.fixture.kill()
        run = self.web(f"127.0.0.1:{bridge.port}")
        assert (run.returncode, run.stdout.splitlines()[0]) == (0, bridge.address)
        assert run.stderr == f"gesturectl: the daemon is not running: no program listens at {self.fixture.path}\n"

    def test_gesturectl_web_of_something_else(self):
        with http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler) as server:
            server.RequestHandlerClass.log_message = lambda *_: None
            threading.Thread(target=server.handle_request, daemon=True).start()
            run = self.web(f"127.0.0.1:{server.server_port}")
        assert (run.returncode, run.stdout) == (69, "")
        assert "this is not gestured-web" in run.stderr
