# SPDX-License-Identifier: MIT
"""Fixtures for the tests of pages: the daemon on a fake panel, and the bridge that serves the pages."""
import json
import os
import select
import signal
import subprocess
from functools import partial

from harness import PATIENCE, ROOT, Daemon, FakePanel, free_port, program
from harness.process import memory

HERE = os.path.dirname(os.path.abspath(__file__))
OUTPUT = (1024, 768)
# The commands that every page may send, and those that a page needs if its elements are regions
DEFINING = ["subscribe", "status", "devices", "regions", "state", "ping", "at", "define_regions", "put_region", "remove_region"]


class Fixture(Daemon):
    """The panel and the daemon. Touches are in output pixels."""

    def __init__(self, configuration=os.path.join(HERE, "fixture.toml"), start=True):
        with open(configuration, encoding="utf-8") as file:
            super().__init__(file.read(), partial(FakePanel, output=OUTPUT))
        if start:
            self.start()


class Bridge:
    """Runs gestured-web, which serves the folder `root` and the project's folder `web`. Only root can choose its `user`."""

    def __init__(self, fixture, root=os.path.join(HERE, "site"), commands=DEFINING, user=None, **settings):
        self.user = user
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}/"
        self.file = os.path.join(fixture.folder, f"web-{self.port}.toml")
        settings = {"version": 1, "listen": f"127.0.0.1:{self.port}", "socket": fixture.path, "assets": os.path.join(ROOT, "clients/web"),
                    "root": root, "commands": commands, **settings}
        with open(self.file, "w", encoding="utf-8") as file:
            # Strings and lists of strings are written in the same way in JSON and TOML.
            file.writelines(f"{key} = {json.dumps(value)}\n" for key, value in settings.items())
        self.start()

    def start(self):
        self.process = subprocess.Popen([program("gestured-web"), "--config", self.file], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, user=self.user)
        # The bridge prints its address when it listens.
        if not select.select([self.process.stdout], [], [], PATIENCE)[0] or not self.process.stdout.readline():
            self.close()
            raise AssertionError("the bridge does not start")

    def kill(self, number=signal.SIGKILL):
        self.process.send_signal(number)
        self.process.wait(PATIENCE)
        self.process.stdout.close()

    def close(self):
        if self.process.poll() is None:
            self.kill()

    def memory(self):
        """The bridge's resident memory in KiB."""
        return memory(self.process.pid, "VmRSS")
