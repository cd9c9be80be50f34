# SPDX-License-Identifier: MIT
"""Runs the tests of the QML module and of GesturedSocket (tst_*.qml) with the daemon and a fake panel, which they ask this test to
touch.

    python3 -m pytest clients/qt
"""
import collections
import contextlib
import json
import os
import re
import select
import shutil
import socket
import subprocess
import tempfile

from harness import PATIENCE, ROOT, Daemon, wait_until
from harness.panel import UNITS
from Web.fixture import Bridge

HERE = os.path.join(ROOT, "clients/qt")
RUNNER = "/usr/lib/qt6/bin/qmltestrunner"
CONFIGURATION = """
version = 1
[[device]]
id = "panel"
match = { name = "Fake Panel" }
output = { size = [1600, 1600], size_mm = [200, 200] }
"""


def touch(daemon, verb, *places):
    x, y, *target = [round(float(place) * UNITS) for place in places]
    if verb == "stop":
        daemon.kill()
        daemon.panel.lift()
    elif verb == "start":
        daemon.start()
    elif verb == "lift":
        daemon.panel.lift()
    elif verb == "swipe":
        daemon.panel.swipe(x, y, *target)
    else:
        getattr(daemon.panel, verb)(x, y)


class RunnerTests:
    """Runs files of QML. `modules` is the folder of the modules that they import."""
    modules = HERE

    def daemon(self, configuration=CONFIGURATION):
        return self.cleanup.enter_context(Daemon(configuration))

    def start(self, file, path):
        """Starts the tests of a file, with the daemon at this socket."""
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "GESTURED_SOCKET": path, "QT_FORCE_STDERR_LOGGING": "1"}
        process = subprocess.Popen([RUNNER, "-input", file, "-import", self.modules], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True, env=environment)
        self.cleanup.callback(process.stdout.close)
        self.cleanup.callback(process.wait)
        self.cleanup.callback(process.kill)
        return process

    @contextlib.contextmanager
    def runner(self, file, path):
        """Runs the tests of a file, and yields the lines that they print."""
        process = self.start(f"{HERE}/tests/{file}", path)
        lines = []
        yield (lines.append(line) or line for line in process.stdout)
        assert process.wait() == 0, "".join(lines)
        with open(f"{HERE}/tests/{file}", encoding="utf-8") as source:
            functions = set(re.findall(r"function (test_\w+?)(?:_data)?\(", source.read()))
        passed = {line.split("::")[-1].partition("(")[0] for line in lines if line.startswith("PASS")}
        assert passed == {"initTestCase", "cleanupTestCase", *functions}, "".join(lines)

    def run(self, file, daemon):
        with self.runner(file, daemon.path) as lines:
            for line in lines:
                _, found, words = line.partition("TOUCH ")
                if found:
                    touch(daemon, *words.split())


class ModuleTests(RunnerTests):
    # The kernel tests use this build.
    modules = os.path.realpath(os.path.join(ROOT, ".build/qt"))

    def setup_class(self):
        subprocess.run(["cmake", "-S", HERE, "-B", self.modules, "-DCMAKE_BUILD_TYPE=Release"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["cmake", "--build", self.modules], check=True, stdout=subprocess.DEVNULL)

    def test_the_example_of_the_page(self):
        with open(os.path.join(ROOT, "docs/clients.md"), encoding="utf-8") as page:
            source = re.search(r"```qml\n([^`]*import Gestured\n.*?)```", page.read(), re.DOTALL).group(1)
        daemon = self.daemon()
        daemon.start()
        tests = os.path.join(daemon.folder, "tst_page.qml")
        # The runner shows what is in an item, as long as a test runs.
        around = "import QtTest\nItem {\n    TestCase { when: windowShown; function test_() { wait(60000); } }\n    Window {"
        with open(tests, "w", encoding="utf-8") as file:
            file.write(source.replace("Window {", around) + "}\n")
        with contextlib.closing(self.start(tests, daemon.path).stdout) as lines:
            with daemon.client() as client:
                wait_until(lambda: client.request("regions", region="app.ok")["regions"], "the item is a region")
            daemon.panel.tap(10, 10)
            assert any("tapped at" in line for line in lines)

    def test_items_are_regions(self):
        daemon = self.daemon()
        daemon.start()
        self.run("tst_region.qml", daemon)

    def test_regions_last_as_long_as_their_items(self):
        self.run("tst_life.qml", self.daemon())

    def test_the_daemon_is_told_of_a_move_before_the_frame_that_shows_it(self):
        """As soon as a frame is shown, the test in QML sends a request that says where the item is in it."""
        folder = self.cleanup.enter_context(tempfile.TemporaryDirectory(prefix="gestured-qt.", dir="/tmp"))
        path = os.path.join(folder, "socket")
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(path)
            listener.listen()
            listener.settimeout(PATIENCE)
            with self.runner("tst_frames.qml", path) as lines:
                connection, _ = listener.accept()
                with connection, connection.makefile("rb") as requests:
                    # The program does not wait for its last replies.
                    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                        self.check_frames(connection, map(json.loads, requests))
                collections.deque(lines, 0)
        assert self.shown == 30

    def check_frames(self, connection, requests):
        """Answers as the daemon would, until the connection ends."""
        def send(**line):
            connection.sendall(json.dumps(line).encode() + b"\n")

        send(event="hello", server="gestured 0", instance="1", protocol=1, capabilities=[], rights=["define"], config_generation=1)
        told, self.shown = None, 0
        for request in requests:
            if request["cmd"] == "put_region":
                told = float(request["region"]["shape"]["rect"][0].rstrip("%"))
            elif request["cmd"] == "ping":
                assert abs(told - request["shown"]) < 0.001, (told, request)
                self.shown += 1
            send(reply=request["cmd"], id=request["id"], ok=True)
            if request["cmd"] == "subscribe":
                send(event="state", seq=0, devices=[], scene="default", active=[])


class SocketTests(RunnerTests):
    def bridge(self):
        with open(os.path.join(ROOT, "clients/harness.toml"), encoding="utf-8") as file:
            daemon = self.daemon(file.read())
        daemon.start()
        bridge = Bridge(daemon)
        self.cleanup.callback(bridge.close)
        return daemon, bridge

    def test_a_program_without_the_module(self):
        daemon, bridge = self.bridge()
        # Files in QML cannot read the environment. They learn the address from a module.
        module = os.path.join(daemon.folder, "Bridge")
        os.mkdir(module)
        for name, text in [("qmldir", "module Bridge\nsingleton Bridge 1.0 Bridge.qml\n"), ("Bridge.qml", (
                "pragma Singleton\nimport QtQml\n"
                f'QtObject {{ readonly property url url: "ws://127.0.0.1:{bridge.port}/socket" }}\n'))]:
            with open(os.path.join(module, name), "w", encoding="utf-8") as file:
                file.write(text)
        self.modules = daemon.folder
        self.run("tst_socket.qml", daemon)

    def test_the_example(self):
        daemon, bridge = self.bridge()
        shutil.copy(f"{HERE}/GesturedSocket.qml", daemon.folder)
        with open(f"{HERE}/example_socket.qml", encoding="utf-8") as file:
            example = file.read().replace(":8990/", f":{bridge.port}/")
        # Debian 12 has no program that shows a file.
        test = "import QtTest\nTestCase { Example {} function test_until_it_is_killed() { wait(1e6); } }\n"
        for name, text in [("Example.qml", example), ("tst_example.qml", test)]:
            with open(os.path.join(daemon.folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        process = self.start(f"{daemon.folder}/tst_example.qml", daemon.path)
        # Its subscription begins some time after it has started.
        for _ in range(200):
            daemon.panel.tap()
            if select.select([process.stdout], [], [], 0.1)[0] and "open ok" in process.stdout.readline():
                return
        raise AssertionError("the example prints nothing")
