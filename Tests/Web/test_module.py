# SPDX-License-Identifier: MIT
"""gestured.js as a file."""
import os
import subprocess
import unittest

from bed import ROOT

MODULE = os.path.join(ROOT, "web", "gestured.js")
MOST_BYTES = 12 * 1024


class ModuleTests(unittest.TestCase):
    def test_it_is_small(self):
        # Debian's terser, also with a nodejs that does not look into Debian's folder.
        command = ["terser", "--module", "--ecma", "2022", "-c", "passes=3,unsafe_arrows", "-m", "--", MODULE]
        environment = {**os.environ, "NODE_PATH": "/usr/share/nodejs"}
        small = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True).stdout
        self.assertGreater(len(small), 1000)
        self.assertLessEqual(len(small), MOST_BYTES)
        # What is minified is still a module that a browser would take.
        subprocess.run(["node", "--input-type=module", "--check", "-"], input=small, check=True)


if __name__ == "__main__":
    unittest.main()
