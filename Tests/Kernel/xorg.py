# SPDX-License-Identifier: MIT
"""Xorg on the panels of the guest, and what `xinput test-xi2` prints in it.

    with xorg(), Xinput() as application:
        panel.tap(OK)
        application.new()     # ["key 1 down", "key 1 up"]

Xorg has no display, and receives devices through libinput. The keyboards of gestured-keys have a German layout.
"""
import contextlib
import os
import re
import subprocess
from pathlib import Path

from compositor import SIZE, running
from harness import wait_until
from harness.service import command
from printed import Printed

LOG = Path("/tmp/xorg.log")
NAME = ":7"
ENVIRONMENT = {**os.environ, "DISPLAY": NAME}
CONFIGURATION = f"""Section "Monitor"
  Identifier "monitor"
  HorizSync 1-1000
  VertRefresh 1-1000
EndSection
Section "Device"
  Identifier "dummy"
  Driver "dummy"
  VideoRam 16384
EndSection
Section "Screen"
  Identifier "screen"
  Device "dummy"
  Monitor "monitor"
  SubSection "Display"
    Modes "{SIZE[0]}x{SIZE[1]}"
  EndSubSection
EndSection
Section "InputClass"
  Identifier "keys"
  MatchProduct "gestured keys"
  Option "XkbLayout" "de"
EndSection
"""


@contextlib.contextmanager
def xorg(*options):
    """Runs Xorg with these options."""
    file = Path("/tmp/xorg.conf")
    file.write_text(CONFIGURATION)
    command("udevadm", "settle")
    # Writes the number of the display as soon as programs can use it.
    reader, writer = os.pipe()
    with LOG.open("w") as log, running(["Xorg", NAME, "-config", file, "-noreset", "-displayfd", str(writer), *options], stdout=log, stderr=log, pass_fds=[writer]):
        os.close(writer)
        with os.fdopen(reader) as ready:
            assert ready.readline().strip() == NAME[1:], f"Xorg has ended: {LOG.read_text()[-2000:]}"
        yield


def in_xorg(*words):
    """Runs a command of X, and returns its output."""
    return subprocess.run(words, env=ENVIRONMENT, capture_output=True, text=True, check=True, timeout=20).stdout


class Xinput(Printed):
    """The events of `xinput test-xi2 --root`, which gets all keys and pointers: "key 57 down" (with the code of
    input-event-codes.h), "at 100,200", "button 3 up", "wheel y 76" (120 for each step since the start)."""

    KINDS = {"2": "key {} down", "3": "key {} up", "4": "button {} down", "5": "button {} up"}
    # X adds this to the codes of keys.
    OFFSET = 8

    def __init__(self):
        self._event = {}
        super().__init__("xinput", "test-xi2", "--root", env=ENVIRONMENT)

    def _take(self, line):
        found = re.match(r"EVENT type (\d+)|\s+(\w+): (.*)", line)
        if not found:
            return
        kind, key, value = found.groups()
        if kind:
            self._event = {"kind": kind}
        elif key == "windows":
            # The last line of an event
            yield from self._words_of(self._event)
        else:
            self._event[key] = value

    def _words_of(self, event):
        """The words of an event of the two virtual devices, which have the events of all others."""
        if event["device"].split()[0] not in ("2", "3") or "repeat" in event["flags"] or "emulated" in event["flags"]:
            return
        if event["kind"] in self.KINDS:
            detail = int(event["detail"])
            yield self.KINDS[event["kind"]].format(detail - self.OFFSET if event["kind"] in "23" else detail)
        elif event["kind"] == "6":
            if "0" in event:
                x, y = event["root"].split("/")
                yield f"at {float(x):.0f},{float(y):.0f}"
            for axis in set(event) & {"2", "3"}:
                yield f"wheel {'xy'[int(axis) - 2]} {float(event[axis]):.0f}"
