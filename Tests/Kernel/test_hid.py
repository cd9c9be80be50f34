# SPDX-License-Identifier: MIT
"""Panels that use the kernel's driver hid-multitouch, as most panels do."""
import time

from bench import KEY, OK, PAGES, bench, rest
from harness import transcript
from hidtouch import HidTouchscreen

WIDTH, HEIGHT = 3840, 2160


def units(x, y):
    """Converts a point of the output to the panel's coordinates."""
    return x * WIDTH / 1920, y * HEIGHT / 1080


def plugged_in():
    """Yields another panel that the daemon uses. Its name is in kernel.toml."""
    panel = HidTouchscreen(name="second panel", size=(WIDTH, HEIGHT))
    try:
        bench.client.wait(event="device", change="added", device="second", seconds=10)
        assert panel.driver == "hid-multitouch", panel.driver
    except BaseException:
        panel.unplug()
        raise
    return panel


def test_a_tap_and_a_swipe_through_the_driver_of_real_panels():
    _, client = bench.prepare()
    with plugged_in() as panel:
        device, = bench.devices(device="second")
        output = device["output"]
        assert abs(output["width_mm"] - 192) < 1 and abs(output["height_mm"] - 108) < 1, output
        panel.report({5: units(*OK)})
        rest()
        panel.report({})
        lines = client.gestures(gesture="press", phase="end")
        assert transcript(lines) == ["press begin ok", "tap ok", "press end ok"], transcript(lines)
        assert abs(lines[0]["x"] - OK[0]) < 1 and abs(lines[0]["y"] - OK[1]) < 1, lines[0]
        x, y = PAGES
        for step in range(25):
            panel.report({6: units(x - 300 + step * 25, y)})
            rest(1 / 120)
        panel.report({})
        swipe = client.wait(gesture="swipe")
        assert (swipe["region"], swipe["direction"]) == ("pages", "right"), swipe
        assert abs(swipe["distance_mm"] - 60) < 1, swipe


def test_the_driver_lifts_a_contact_that_is_no_longer_reported():
    """If a panel stops sending while a finger is down, the kernel lifts the finger 100 ms later."""
    _, client = bench.prepare()
    with plugged_in() as panel:
        panel.report({1: units(*KEY)})
        begin = client.wait(gesture="press", phase="begin")
        end = client.wait(gesture="press", phase="end")
        assert 90 <= end["held_ms"] < 400, end
        panel.report({1: units(*KEY)})
        again = client.wait(gesture="press", phase="begin")
        assert again["sequence"] != begin["sequence"], again
        begun = time.monotonic()
        panel.unplug()
        cancel = client.wait(gesture="press", phase="cancel")
        delay = cancel["arrived"] - begun
        assert cancel["reason"] == "device_removed", cancel
    bench.note(f"lifted after {end['held_ms']} ms; cancelled {delay * 1000:.1f} ms after the unplug")
