# SPDX-License-Identifier: MIT
"""Runs the tests in Tests/Web/inspector with Node. They test the inspector's modules that do not use the DOM."""
import os
import re
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))


class ModuleTests:
    def test_the_modules_in_node(self):
        folder = os.path.join(HERE, "inspector")
        files = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".test.mjs")]
        run = subprocess.run(["node", "--test", *files], capture_output=True, text=True)
        assert run.returncode == 0, run.stdout[-5000:]
        assert re.search(r"# pass [1-9]|ℹ pass [1-9]", run.stdout)
