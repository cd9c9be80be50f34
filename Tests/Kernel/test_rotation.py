# SPDX-License-Identifier: MIT
"""A panel that turns with its screen: sway turns its output, and the user service calls gesturectl rotate."""
import pytest

from compositor import OUTPUT, SIZE, compositor, in_session, make_user, swaymsg, warm_up
from harness import wait_until
from harness.service import command
from sharing import shared

# The names of the transforms: sway counts the quarters the other way round than wl_output.
ROTATIONS = {
    "normal": "0", "90": "270", "180": "180", "270": "90",
    "flipped": "flipped", "flipped-90": "flipped-270", "flipped-180": "flipped-180", "flipped-270": "flipped-90",
}
REGIONS = [(f"{top}-{left}", x, y) for y, top in enumerate(("top", "bottom")) for x, left in enumerate(("left", "right"))]
CONFIGURATION = f"""version = 1
[access]
control_uids = ["kiosk"]
[[device]]
id = "panel"
match = {{ name = "uinput panel" }}
output = {{ size = [{SIZE[0]}, {SIZE[1]}] }}
share = "forward"
""" + "".join(f"""
[[region]]
id = "{name}"
shape = {{ rect = ["{50 * x}%", "{50 * y}%", "50%", "50%"] }}
gestures = ["tap"]
""" for name, x, y in REGIONS)


def turned(rotation):
    return command("gesturectl", "rotate", "panel").stdout.strip() == rotation


def test_a_tap_in_each_corner_is_where_the_compositor_has_it():
    """The application hears sway, which turns the touches of the twin; the gestures come from the daemon."""
    make_user()
    with shared(CONFIGURATION) as (panel, client):
        try:
            with compositor() as application, in_session("/usr/lib/gestured/follow-rotation", "sway", OUTPUT, "panel"):
                warm_up(application, panel)
                # sway turns the touches of panels that are mapped to an output, as a built-in one is by itself.
                swaymsg("input", "type:touch", "map_to_output", OUTPUT)
                for transform, rotation in ROTATIONS.items():
                    swaymsg("output", OUTPUT, "transform", transform)
                    wait_until(lambda: turned(rotation), f"the panel is turned to {rotation}", 10)
                    width, height = SIZE[::-1] if "90" in rotation or "270" in rotation else SIZE
                    application.touches()
                    seen = set()
                    for x in (100, SIZE[0] - 100):
                        for y in (80, SIZE[1] - 80):
                            client.drain()
                            panel.tap((x, y))
                            tap, down = client.wait(gesture="tap"), application.touches()[0]
                            place = tuple(map(int, down.split()[2].split(",")))
                            assert place == pytest.approx((tap["x"], tap["y"]), abs=2), f"{transform}: {down}, {tap}"
                            corner = next(name for name, right, bottom in REGIONS
                                          if (place[0] > width / 2, place[1] > height / 2) == (right, bottom))
                            assert tap["region"] == corner, f"{transform}: {down}, {tap}"
                            seen.add(corner)
                    assert len(seen) == 4, f"{transform}: {seen}"
        finally:
            client.request("set_output", device="panel")
