# SPDX-License-Identifier: MIT
"""Two panels in front of two screens: `gesturectl calibrate --screens` finds out which lies on which, and a compositor that gets its
lines passes touches to the right screen. sway 1.7 also follows the rules for udev, which wlroots 0.18 does not read any more."""
import contextlib
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from bench import bench, rest
from compositor import FOLDER, Application, session, version
from harness import connected, wait_until
from harness.service import command

SCREENS = ("HEADLESS-1", "HEADLESS-2")
ROOT = {**os.environ, "HOME": "/root"}
LABWC = FOLDER / ".config/labwc/rc.xml"
COMPOSITORS = {"sway": (), "labwc": ("labwc",)}


def has_cross(connection, screen):
    """Whether the middle of a screen is white and its corner black."""
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(FOLDER), "WAYLAND_DISPLAY": connection.getpeername()}
    picture = subprocess.run(["grim", "-o", screen, "-t", "ppm", "-"], env=environment, stdout=subprocess.PIPE, check=True, timeout=20).stdout
    _, size, _, pixels = picture.split(b"\n", 3)
    width, height = map(int, size.split())
    middle = 3 * (height // 2 * width + width // 2)
    return pixels[middle:middle + 3] == b"\xff\xff\xff" and pixels[:3] == b"\0\0\0"


def found(connection, panels):
    """Holds a finger on the panel of each screen while the screen has the cross. Returns what the tool prints."""
    with subprocess.Popen(["gesturectl", "calibrate", "--screens"], env={**ROOT, "WAYLAND_DISPLAY": connection.getpeername()},
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as tool:
        for screen in SCREENS:
            line = tool.stderr.readline()
            while not line.endswith(f"hold a finger on the cross on {screen}\n"):
                assert line, tool.communicate()
                line = tool.stderr.readline()
            wait_until(lambda: [each for each in SCREENS if has_cross(connection, each)] == [screen], f"only {screen} has the cross", 10)
            panels[screen].down(500, 500)
            rest(0.6)
            panels[screen].up()
        printed, said = tool.communicate(timeout=30)
    assert tool.returncode == 0 and "to keep it, pass --write or --udev with --last" in said, said
    return printed


def check_touches(connection, panels, printed):
    """The middle of each panel is the middle of its screen, and of no other."""
    sizes = dict(zip(SCREENS, re.findall(r"size = \[(\d+), (\d+)\]", printed)))
    with contextlib.ExitStack() as stack:
        applications = {screen: stack.enter_context(contextlib.closing(Application(connected(connection.getpeername()), screen)))
                        for screen in SCREENS}

        def lands(panel):
            panel.tap((960, 540))
            return {screen: touches for screen, each in applications.items() if (touches := each.touches())}

        # An application hears of the seat's touchscreens only at a touch.
        for screen in SCREENS:
            wait_until(lambda: lands(panels[screen]), f"an application gets a tap of the panel of {screen}", 20)
        for screen in SCREENS:
            heard = lands(panels[screen])
            assert list(heard) == [screen], f"{screen}: {heard}"
            place = tuple(map(int, heard[screen][0].split()[2].split(",")))
            middle = tuple(int(side) / 2 for side in sizes[screen])
            assert place == pytest.approx(middle, abs=2), f"{screen}: {heard}"


@contextlib.contextmanager
def configured(name, lines):
    """A session of the compositor, in whose configuration these lines are."""
    LABWC.parent.mkdir(parents=True, exist_ok=True)
    LABWC.write_text("<?xml version='1.0'?>\n<labwc_config>\n" + "\n".join(lines if name == "labwc" else ()) + "\n</labwc_config>\n")
    with session(*COMPOSITORS[name], outputs=2, lines=lines if name == "sway" else ()) as connection:
        yield connection


@pytest.mark.parametrize("name", COMPOSITORS)
def test_touches_land_on_the_screen_that_the_panel_lies_on(name):
    if not shutil.which(name):
        pytest.skip("Debian 12 has no labwc")
    first, _ = bench.prepare()
    with bench.another("second panel") as second:
        # The other order would also be right by chance.
        panels = dict(zip(SCREENS, (second, first)))
        wait_until(lambda: len(bench.devices(state="ready")) == 2, "both panels are ready")
        with configured(name, []) as connection:
            printed = found(connection, panels)
            with pytest.raises(AssertionError):
                check_touches(connection, panels, printed)
        lines = [line for line in printed.splitlines() if line.startswith({"sway": "input \"", "labwc": "<touch "}[name])]
        assert len(lines) == 2, printed
        with configured(name, lines) as connection:
            check_touches(connection, panels, printed)

        # The rules that the last touches make, without the lines.
        written = subprocess.run(["gesturectl", "calibrate", "--screens", "--udev", "--last"], env=ROOT, capture_output=True, text=True, check=True)
        assert set(written.stdout.splitlines()) == set(printed.splitlines()), written
        assert written.stderr.count("wrote /etc/udev/rules.d/99-gestured-screen-") == 2, written
        try:
            command("udevadm", "control", "--reload")
            for screen, panel in panels.items():
                command("udevadm", "trigger", "--settle", panel.node)
                properties = command("udevadm", "info", "-q", "property", "-n", panel.node).stdout
                assert f"WL_OUTPUT={screen}\n" in properties, properties + "".join(map(Path.read_text, Path("/etc/udev/rules.d").iterdir()))
            if name == "sway" and version() < (1, 8):
                with configured(name, []) as connection:
                    check_touches(connection, panels, printed)
                bench.note("also by WL_OUTPUT")
        finally:
            for device in ("panel", "second"):
                command("gesturectl", "calibrate", "--screens", "--reset", device)
            command("udevadm", "control", "--reload")
            for panel in panels.values():
                command("udevadm", "trigger", "--settle", panel.node)
