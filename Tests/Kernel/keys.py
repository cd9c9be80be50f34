# SPDX-License-Identifier: MIT
"""gestured-keys as a service, and its bindings for the regions of kernel.toml."""
import contextlib
from pathlib import Path

from bench import bench, rest
from harness.service import systemctl

UNIT = "gestured-keys.service"
SETTINGS = Path("/etc/gestured/keys.toml")
BINDINGS = """version = 1
[[binding]]
gesture = "press"
region = "key"
hold = "space"
[[binding]]
gesture = "tap"
region = "ok"
keys = ["leftalt+left", "esc"]
[[binding]]
gesture = "long_press"
click = "right"
[[binding]]
gesture = "repeat"
keys = "volumeup"
[[binding]]
gesture = "drag"
wheel = { x = true, y = true, step = 50 }
[[binding]]
gesture = "page"
click = "left"
"""
SPACE, LEFTALT, LEFT, ESC, VOLUMEUP, BTN_LEFT, BTN_RIGHT = 57, 56, 105, 1, 115, 0x110, 0x111
# The events of a tap on `ok`
TYPED = [f"key {key} {state}" for key, state in (
    (LEFTALT, "down"), (LEFT, "down"), (LEFT, "up"), (LEFTALT, "up"), (ESC, "down"), (ESC, "up"))]


@contextlib.contextmanager
def service(bindings):
    """Runs gestured-keys with these bindings."""
    SETTINGS.write_text(bindings)
    systemctl("start", UNIT)
    try:
        yield
    finally:
        systemctl("stop", UNIT)
        SETTINGS.unlink()


def grabbed(text):
    """The configuration, with the panel for the gestures alone."""
    return text.replace("output = { size = [1920, 1080] }", 'output = { size = [1920, 1080] }\nshare = "grab"', 1)


@contextlib.contextmanager
def panel_with_keys(bindings=BINDINGS, change=grabbed):
    """The panel and the daemon's client, while gestured-keys does this for its gestures."""
    bench.prepare()
    with bench.configured(change):
        panel, client = bench.prepare()
        with service(bindings):
            yield panel, client


def hold(panel, at, seconds):
    panel.frame({0: at})
    rest(seconds)
    panel.up()
