# SPDX-License-Identifier: MIT
"""gestured-keys on the desktop of labwc, as on a Raspberry Pi. Only Debian 13 has labwc."""
import os
import subprocess

from bench import HOLD, OK, bench
from compositor import FOLDER, session
from harness import wait_until
from keys import hold, panel_with_keys

# labwc has an output of 1280 x 720 pixels, because it is headless.
SCALE = 1280 / 1920


def rows(connection):
    """The rows of the picture on the screen, as soon as it does not change any more."""
    def picture():
        environment = {**os.environ, "XDG_RUNTIME_DIR": str(FOLDER), "WAYLAND_DISPLAY": connection.getpeername()}
        return subprocess.run(["grim", "-t", "ppm", "-"], env=environment, stdout=subprocess.PIPE, check=True, timeout=20).stdout

    first, _ = wait_until(lambda: (pair := (picture(), picture()))[0] == pair[1] and pair, "the picture is still")
    kind, size, _, pixels = first.split(b"\n", 3)
    width, height = map(int, size.split())
    assert kind == b"P6" and (width, height) == (1280, 720), (kind, size)
    return [pixels[3 * width * row:3 * width * (row + 1)] for row in range(height)]


def corner(before, after):
    """The left and the top of the area that differs."""
    pairs = [(row, *pair) for row, pair in enumerate(zip(before, after)) if pair[0] != pair[1]]
    return min(len(os.path.commonprefix(pair)) // 3 for _, *pair in pairs), pairs[0][0]


def test_a_right_click_opens_the_menu_of_labwc_at_the_finger():
    with panel_with_keys() as (panel, _), session("labwc") as connection:
        def opens():
            panel.tap(OK)
            before = rows(connection)
            hold(panel, HOLD, 0.8)
            after = rows(connection)
            # The first click also moves the pointer.
            return (before, after) if before != after and corner(before, after)[0] > 800 else None

        left, top = corner(*wait_until(opens, "the menu opens"))
        bench.note(f"the menu opens at {left}, {top} for a finger at {HOLD[0] * SCALE:g}, {HOLD[1] * SCALE:g}")
        # The panel has 10 units per millimetre.
        assert max(abs(left - HOLD[0] * SCALE), abs(top - HOLD[1] * SCALE)) <= 20 * SCALE
