# SPDX-License-Identifier: MIT
"""Panels that come and go."""
import subprocess

from bench import KEY, bench, test
from harness import transcript
from uitouch import Touchscreen


@test
def a_bad_cable():
    """In and out, faster than udev follows: in the end there is one panel, and it works."""
    bench.prepare()
    bench.panel.unplug()
    for _ in range(6):
        flicker = Touchscreen(name="uinput panel")
        flicker.down(*KEY)
        flicker.unplug()
    bench.plug()
    # the daemon may still be at one of those that are gone: let udev tell all first
    subprocess.run(["udevadm", "settle"], check=True)
    panel, client = bench.prepare()
    devices = [device for device in client.request("devices")["devices"] if device["state"] != "absent"]
    assert [(device["device"], device["state"]) for device in devices if device["device"] != "second"] == [("panel", "ready")], devices
    panel.tap(KEY)
    lines = client.gestures(gesture="press", phase="end")
    assert transcript(lines) == ["press begin key", "press end key"], transcript(lines)
