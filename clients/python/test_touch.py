# SPDX-License-Identifier: MIT
"""Tests of gestured_pytest.py, and of what docs/trying.md says about it."""
import os
import re
import subprocess
import sys
from pathlib import Path

from harness import ROOT, program

PAGE = Path(ROOT, "docs/trying.md").read_text()
PANEL = """version = 1
[[region]]
id = "ok"
shape = "full"
gestures = ["tap", "swipe"]
"""


def block(language):
    return re.search(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S)[1]


def run_pytest(folder, *arguments):
    """Runs pytest with the plugin and no other settings."""
    environment = {**os.environ, "PYTHONPATH": str(Path(ROOT, "clients/python")), "GESTURECTL": program("gesturectl")}
    environment.pop("PYTEST_ADDOPTS", None)
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "gestured_pytest", "-p", "no:cacheprovider", *arguments],
        cwd=folder, env=environment, capture_output=True, text=True, check=False)


class PluginTests:
    def test_the_examples_of_the_page_pass(self, tmp_path):
        (tmp_path / "panel.toml").write_text(PANEL)
        (tmp_path / "panel.expect").write_text(block("expect"))
        (tmp_path / "test_panel.py").write_text(block("python"))
        done = run_pytest(tmp_path)
        assert done.returncode == 0 and "2 passed" in done.stdout, done.stdout + done.stderr

    def test_what_differs_is_shown(self, tmp_path):
        (tmp_path / "panel.toml").write_text(PANEL)
        (tmp_path / "panel.expect").write_text("--config panel.toml\ntap ok\n---\nok swipe\n")
        (tmp_path / "test_panel.py").write_text('def test(touch):\n    touch("panel.toml", "tap okk")\n')
        done = run_pytest(tmp_path)
        assert "2 failed" in done.stdout, done.stdout + done.stderr
        assert "- ok swipe  did not come" in done.stdout and 'did you mean "ok"' in done.stdout, done.stdout

    def test_a_missing_program_is_named(self, tmp_path):
        (tmp_path / "panel.expect").write_text("tap ok\n---\nok tap\n")
        done = run_pytest(tmp_path, "--gesturectl", "/nowhere/gesturectl")
        assert done.returncode == 1 and "/nowhere/gesturectl" in done.stdout, done.stdout
