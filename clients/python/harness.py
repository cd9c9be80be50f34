# SPDX-License-Identifier: MIT
"""The real daemon on a fake panel (.build/fakepanel), for tests of clients.

The variable PROGRAMS names the folder of the daemon, by default that of `make build`.
"""
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# A limit in seconds for waits whose condition never holds.
PATIENCE = 120.0

# Shared by the tests of the clients in all languages.
CONFIGURATION = os.path.join(ROOT, "clients", "harness.toml")


def program(name):
    """Returns the path of a built program, such as gestured."""
    return os.path.join(os.environ.get("PROGRAMS", os.path.join(ROOT, ".build/stripped")), name)


class Harness:
    """A panel and, from `start` to `kill`, a daemon that reads it."""

    def __init__(self, configuration=CONFIGURATION):
        self.folder = tempfile.mkdtemp(prefix="gestured.", dir="/tmp")
        self.path = os.path.join(self.folder, "gestured.sock")
        self.panel = subprocess.Popen(
            [os.path.join(ROOT, ".build/fakepanel")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "TMPDIR": self.folder})
        self.root = self._answer("ROOT ")[len("ROOT "):]
        self.tell("add 0")
        shutil.copy(configuration, os.path.join(self.folder, "gestured.toml"))
        self.daemon = None
        self.finger = 0
        # The panel's time is ahead of the clock, so that the length of a touch does not depend on the machine's speed.
        self.time = int(self.tell("state").rsplit("=", 1)[1]) + 10_000_000

    def configure(self, addition):
        """Adds to the daemon's configuration; must be called before `start`."""
        with open(os.path.join(self.folder, "gestured.toml"), "a") as file:
            file.write(addition)

    def start(self):
        with open(os.path.join(self.folder, "log"), "a") as log:
            self.daemon = subprocess.Popen(
                [program("gestured"), "-c", os.path.join(self.folder, "gestured.toml"), "--socket", self.path],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log,
                env={**os.environ, "LD_PRELOAD": "libumockdev-preload.so.0", "UMOCKDEV_DIR": self.root})
        end = time.monotonic() + PATIENCE
        # Waits until a client reports that the panel is ready.
        while b'"state":"ready"' not in self._first_lines():
            if time.monotonic() > end or self.daemon.poll() is not None:
                raise AssertionError("the daemon does not start; its log:\n" + self.log())
            time.sleep(0.02)

    def _first_lines(self):
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(1)
            try:
                client.connect(self.path)
                file = client.makefile("rb")
                return file.readline() + file.readline()
            except OSError:
                return b""

    def kill(self, number=signal.SIGKILL):
        self.daemon.send_signal(number)
        self.daemon.wait(PATIENCE)

    def log(self):
        with open(os.path.join(self.folder, "log")) as file:
            return file.read()

    def close(self):
        if self.daemon and self.daemon.poll() is None:
            self.kill()
        # Tests may run the daemon behind a proxy that checks its lines: see Tests/Tools/StreamProxy.
        broken = [line for line in self.log().split("\n") if "stream: line " in line] if self.daemon else []
        self.panel.stdin.close()
        self.panel.wait(PATIENCE)
        self.panel.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        assert not broken, broken

    def tell(self, *commands):
        """Sends commands, and returns the answer to the last one."""
        self.panel.stdin.write("".join(command + "\n" for command in commands))
        self.panel.stdin.flush()
        for command in commands:
            answer = self._answer("OK ", "ERROR ")
            assert answer.startswith("OK "), f"{command}: {answer}"
        return answer

    def _answer(self, *starts):
        for line in self.panel.stdout:
            if line.startswith(starts):
                return line.rstrip("\n")
        raise AssertionError("the fake panel has ended")

    def _frame(self, after_ms, events):
        self.time += after_ms * 1000
        return f"at {self.time}", "frame " + events

    def _landing(self, x, y):
        self.finger += 1
        return self._frame(1000, f"3 47 0 3 57 {self.finger} 3 53 {x} 3 54 {y} 1 330 1")

    def _lifting(self):
        return self._frame(84, "3 47 0 3 57 -1 1 330 0")

    def land(self, x=100, y=100):
        self.tell(*self._landing(x, y))

    def move(self, x, y=100):
        self.tell(*self._frame(10, f"3 47 0 3 53 {x} 3 54 {y}"))

    def lift(self):
        self.tell(*self._lifting())

    def tap(self, x=100, y=100, times=1):
        self.tell(*(part for _ in range(times) for part in (*self._landing(x, y), *self._lifting())))
