# SPDX-License-Identifier: MIT
"""Runs the tests of the QML module and of GesturedSocket (tst_*.qml) with the daemon and a fake panel, which they ask this test to
touch.

    python3 -m pytest clients/qt
"""
import os
import select
import shutil
import subprocess
import tempfile

from harness import ROOT, Daemon
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
    if verb == "restart":
        daemon.kill()
        daemon.panel.lift()
        daemon.start()
    elif verb == "swipe":
        daemon.panel.swipe(x, y, *target)
    else:
        getattr(daemon.panel, verb)(x, y)


def start(daemon, *words):
    return subprocess.Popen(
        [RUNNER, "-input", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "GESTURED_SOCKET": daemon.path, "QT_FORCE_STDERR_LOGGING": "1"})


def run(cleanup, daemon, file, folder):
    """Runs the tests of a file, with the modules of a folder. Returns how many have passed."""
    process = start(daemon, f"{HERE}/tests/{file}", "-import", folder)
    cleanup.callback(process.stdout.close)
    cleanup.callback(process.kill)
    lines = []
    for line in process.stdout:
        lines.append(line)
        _, found, words = line.partition("TOUCH ")
        if found:
            touch(daemon, *words.split())
    assert process.wait() == 0, "".join(lines)
    return sum(line.startswith("PASS") for line in lines)


class ModuleTests:
    def setup_class(self):
        self.build = tempfile.mkdtemp(prefix="gestured-qt.", dir="/tmp")
        subprocess.run(["cmake", "-S", HERE, "-B", self.build, "-DCMAKE_BUILD_TYPE=Release"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["cmake", "--build", self.build], check=True, stdout=subprocess.DEVNULL)

    def teardown_class(self):
        shutil.rmtree(self.build)

    def test_items_are_regions(self):
        daemon = self.cleanup.enter_context(Daemon(CONFIGURATION))
        daemon.start()
        assert run(self.cleanup, daemon, "tst_region.qml", self.build) == 10


class SocketTests:
    def bridge(self):
        with open(os.path.join(ROOT, "clients/harness.toml"), encoding="utf-8") as file:
            daemon = self.cleanup.enter_context(Daemon(file.read()))
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
        assert run(self.cleanup, daemon, "tst_socket.qml", daemon.folder) == 7

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
        process = start(daemon, f"{daemon.folder}/tst_example.qml")
        self.cleanup.callback(process.stdout.close)
        self.cleanup.callback(process.wait)
        self.cleanup.callback(process.kill)
        # Its subscription begins some time after it has started.
        for _ in range(200):
            daemon.panel.tap()
            if select.select([process.stdout], [], [], 0.1)[0] and "open ok" in process.stdout.readline():
                return
        raise AssertionError("the example prints nothing")
