# SPDX-License-Identifier: MIT
"""The events that a program prints."""
import subprocess
import threading
import time

from harness import wait_until


class Printed:
    """The events that a program prints, as words. `_take` yields the words of a line."""

    def __init__(self, *command, **options):
        self._words, self._taken = [], 0
        self._process = subprocess.Popen(["stdbuf", "-oL", *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self._process.stdout:
            self._words.extend(self._take(line))

    def _take(self, line):
        raise NotImplementedError

    def new(self, wait=0.15, until=None, seconds=5):
        """The events since the last call. Reads until the event `until`, and then for `wait` seconds more to detect surplus
        events."""
        if until:
            wait_until(lambda: until in self._words[self._taken:], lambda: f"{self._process.args[2]} prints {until}: {self._words[self._taken:]}", seconds)
        time.sleep(wait)
        new = self._words[self._taken:]
        self._taken += len(new)
        return new

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait(10)
