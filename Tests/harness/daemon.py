# SPDX-License-Identifier: MIT
"""The daemon on a fake panel, in a folder of its own."""
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from .basics import PATIENCE, program, wait_until
from .client import Client
from .panel import FakePanel


class Daemon:
    """A fake panel and, from `start` to `kill`, a daemon that reads it with this configuration (TOML).

    `panel` makes the fake panel in a folder. `command` starts the daemon: the words of a wrapper, then the daemon's path.
    """

    def __init__(self, configuration, panel=FakePanel, command=None):
        self.folder = tempfile.mkdtemp(prefix="gestured.", dir="/tmp")
        self.path = os.path.join(self.folder, "gestured.sock")
        self.file = Path(self.folder, "gestured.toml")
        self.file.write_text(configuration, encoding="utf-8")
        self.command = command
        self.process = None
        self.panel = panel(self.folder)

    def configure(self, addition):
        """Adds to the configuration. Takes effect with `start` or a reload."""
        self.file.write_text(self.file.read_text(encoding="utf-8") + addition, encoding="utf-8")

    def open_to_others(self):
        """Allows programs of other users to connect and to read the configuration."""
        os.chmod(self.folder, 0o755)
        os.chmod(self.path, 0o666)

    def start(self, *preloaded, **environment):
        """Starts the daemon, and returns when a client sees that the panel is ready."""
        words = [*(self.command or [program("gestured")]), "-c", str(self.file), "--socket", self.path]
        with open(os.path.join(self.folder, "log"), "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log,
                                            env={**os.environ, **environment, **self.panel.environment(*preloaded)})
        wait_until(self._is_ready, lambda: "the daemon starts; its log:\n" + self.log(), PATIENCE)

    def _is_ready(self):
        assert self.process.poll() is None, "the daemon has ended; its log:\n" + self.log()
        try:
            with self.client() as client:
                return any(device["state"] == "ready" for device in client.state["devices"])
        except (FileNotFoundError, ConnectionRefusedError):
            return False

    def client(self):
        return Client(self.path, PATIENCE)

    def ask(self, command, **keys):
        """The reply to a request of a new client, even if it is a refusal."""
        with self.client() as client:
            return client.ask(command, PATIENCE, **keys)

    def reload(self, configuration):
        """Replaces the configuration. Returns the daemon's reply, which may be a refusal."""
        self.file.write_text(configuration, encoding="utf-8")
        return self.ask("reload")

    def kill(self, number=signal.SIGKILL):
        self.process.send_signal(number)
        self.process.wait(PATIENCE)

    def log(self):
        with open(os.path.join(self.folder, "log"), encoding="utf-8") as file:
            return file.read()

    def close(self):
        if self.process and self.process.poll() is None:
            self.kill()
        # Tests may run the daemon behind a proxy that verifies its lines (Tests/Tools/StreamProxy) and reports violations
        # in the log.
        broken = [line for line in self.log().split("\n") if "stream: line " in line] if self.process else []
        self.panel.end()
        shutil.rmtree(self.folder, ignore_errors=True)
        assert not broken, broken

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
