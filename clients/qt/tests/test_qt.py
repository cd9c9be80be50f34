# SPDX-License-Identifier: MIT
"""Builds the QML module and runs its tests (tst_*.qml) with the daemon and a fake panel, which they ask this test to touch.

    python3 -m pytest clients/qt
"""
import os
import shutil
import subprocess
import tempfile

from harness import Daemon
from harness.basics import ROOT
from harness.panel import UNITS

HERE = os.path.join(ROOT, "clients/qt")
RUNNER = "/usr/lib/qt6/bin/qmltestrunner"
CONFIGURATION = """
version = 1
[[device]]
id = "panel"
match = { name = "Fake Panel" }
output = { size = [1600, 1600], size_mm = [200, 200] }
"""


class ModuleTests:
    def setup_class(self):
        self.build = tempfile.mkdtemp(prefix="gestured-qt.", dir="/tmp")
        subprocess.run(["cmake", "-S", HERE, "-B", self.build, "-DCMAKE_BUILD_TYPE=Release"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["cmake", "--build", self.build], check=True, stdout=subprocess.DEVNULL)

    def teardown_class(self):
        shutil.rmtree(self.build)

    def touch(self, daemon, verb, *places):
        x, y, *target = [round(float(place) * UNITS) for place in places]
        if verb == "restart":
            daemon.kill()
            daemon.panel.lift()
            daemon.start()
        elif verb == "swipe":
            daemon.panel.swipe(x, y, *target)
        else:
            getattr(daemon.panel, verb)(x, y)

    def test_items_are_regions(self):
        daemon = Daemon(CONFIGURATION)
        self.cleanup.callback(daemon.close)
        daemon.start()
        process = subprocess.Popen(
            [RUNNER, "-input", f"{HERE}/tests/tst_region.qml", "-import", self.build], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "GESTURED_SOCKET": daemon.path, "QT_FORCE_STDERR_LOGGING": "1"})
        self.cleanup.callback(process.kill)
        lines = []
        for line in process.stdout:
            lines.append(line)
            _, found, words = line.partition("TOUCH ")
            if found:
                self.touch(daemon, *words.split())
        assert process.wait() == 0, "".join(lines)
        assert sum(line.startswith("PASS") for line in lines) == 10
