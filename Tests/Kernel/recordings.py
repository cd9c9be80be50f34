# SPDX-License-Identifier: MIT
"""Recordings of real panels, played on a virtual panel with the same axes. They are not part of the project."""
import json
import os
import re
import time
from pathlib import Path

import pytest

from harness.uinput import ABS_MT_SLOT, EV_ABS, EV_KEY, EV_SYN, Touchscreen

FOLDER = Path(os.environ.get("GESTURED_SHARED_DATA", "/nonexistent"))
BTN_TOUCH = 0x14A
CODES = {
    "SYN_REPORT": (EV_SYN, 0), "BTN_TOUCH": (EV_KEY, BTN_TOUCH), "ABS_MT_SLOT": (EV_ABS, 0x2F), "ABS_MT_TOUCH_MAJOR": (EV_ABS, 0x30),
    "ABS_MT_POSITION_X": (EV_ABS, 0x35), "ABS_MT_POSITION_Y": (EV_ABS, 0x36), "ABS_MT_TOOL_TYPE": (EV_ABS, 0x37),
    "ABS_MT_TRACKING_ID": (EV_ABS, 0x39), "ABS_MT_DISTANCE": (EV_ABS, 0x3B), "ABS_X": (EV_ABS, 0), "ABS_Y": (EV_ABS, 1),
}


class Recording:
    """`axes` maps codes to (minimum, maximum, resolution), and `frames` are pairs of a time in seconds and events."""

    def __init__(self, axes, events):
        self.axes = axes
        self.frames, frame = [], []
        for seconds, *event in events:
            frame.append(tuple(event))
            if event[:2] == [EV_SYN, 0]:
                if len(frame) > 1:  # not the empty one at the end of some
                    self.frames.append((seconds, frame))
                frame = []

    def landings(self):
        return sum(event[1] == 0x39 and event[2] >= 0 for _, frame in self.frames for event in frame)

    def panel(self):
        """A panel with these axes, and no others."""
        axes = {**{code: None for code in range(0x40)}, **self.axes}
        return Touchscreen(name="uinput panel", slots=self.axes[ABS_MT_SLOT][1] + 1, axes=axes)

    def play(self, panel):
        """Plays the frames in their time. Yields after each, because a compositor disconnects applications that do not read."""
        begun, first = time.monotonic(), self.frames[0][0]
        for seconds, frame in self.frames:
            time.sleep(max(0, begun + seconds - first - time.monotonic()))
            panel.raw(frame)
            yield


def evemu(name):
    """The recording in a file in the format of evemu."""
    text = _text(name)
    axes = {int(code, 16): (int(least), int(most), int(resolution or 0))
            for code, least, most, resolution in re.findall(r"^A: (\w+) (-?\d+) (-?\d+) \d+ \d+(?: (\d+))?", text, re.M)}
    events = [(float(seconds), int(kind, 16), int(code, 16), int(value))
              for seconds, kind, code, value in re.findall(r"^E: (\S+) (\w+) (\w+) (-?\d+)", text, re.M)]
    return Recording(axes, events)


def case(identifier):
    """A case in evdev-protocol.json."""
    cases = json.loads(_text("evdev-protocol.json"))["cases"]
    found = next(each for each in cases if each["id"] == identifier)
    axes = {CODES[name][1]: (axis[0], axis[1], axis[4] if len(axis) > 4 else 0) for name, axis in found["device"].items() if name in CODES}
    return Recording(axes, [(milliseconds / 1000, *CODES[name], value) for milliseconds, name, value in found["events"]])


def _text(name):
    path = FOLDER / name
    if not path.exists():
        pytest.skip(f"needs the recordings of real panels, which are not part of the project: {path} is missing")
    return path.read_text()
