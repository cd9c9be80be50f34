# SPDX-License-Identifier: MIT
"""The size, the syntax and the types of the file gestured.js."""
import os
import re
import subprocess

from fixture import HERE
from harness import ROOT

MODULE = os.path.join(ROOT, "clients/web", "gestured.js")
MOST_BYTES = 12 * 1024
# Finds Debian's packages even if this version of Node does not search Debian's folder.
ENVIRONMENT = {**os.environ, "NODE_PATH": "/usr/share/nodejs"}


class ModuleTests:
    def test_it_is_small(self):
        command = ["terser", "--module", "--ecma", "2022", "-c", "passes=3,unsafe_arrows", "-m", "--", MODULE]
        small = subprocess.run(command, env=ENVIRONMENT, stdout=subprocess.PIPE, check=True).stdout
        assert len(small) > 1000
        assert len(small) <= MOST_BYTES
        # The minified file is a valid module.
        subprocess.run(["node", "--input-type=module", "--check", "-"], input=small, check=True)

    def test_its_connection_in_node(self):
        run = subprocess.run(
            ["node", "--test", os.path.join(HERE, "module", "lies.test.mjs")], capture_output=True, text=True, timeout=60)
        assert run.returncode == 0, run.stdout[-5000:]
        assert re.search(r"# pass [1-9]|ℹ pass [1-9]", run.stdout)

    def test_its_types(self):
        command = ["tsc", "--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom", "--moduleResolution", "node"]
        compiler = subprocess.run([*command, os.path.join(HERE, "types.ts")], env=ENVIRONMENT, stdout=subprocess.PIPE, text=True)
        assert compiler.stdout == ""

    def test_its_types_have_what_it_exports(self):
        with open(MODULE, encoding="utf-8") as module, open(MODULE.replace(".js", ".d.ts"), encoding="utf-8") as types:
            exported, typed = (re.findall(r"^export (?:class|const|function) (\w+)", file.read(), re.M) for file in (module, types))
        assert exported == typed

    def test_the_types_of_the_client_in_node(self):
        """The client's types are generated from its comments."""
        check = subprocess.run([os.path.join(HERE, "../../scripts/make-types"), "check"], stderr=subprocess.PIPE, text=True)
        assert (check.returncode, check.stderr) == (0, "")
