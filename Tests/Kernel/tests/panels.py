# SPDX-License-Identifier: MIT
"""Which devices the daemon takes, and which it leaves alone."""
from bench import KEY, bench, test
from harness import Client, command
from uitouch import Touchscreen


@test
def udev_tags_the_panel_and_the_daemon_takes_it():
    client = bench.client or bench.connect()
    panel = bench.plug()
    line = client.wait(event="device", change="added", device="panel", seconds=10)
    assert (line["node"], line["name"]) == (panel.node, "uinput panel"), line
    tags = command("udevadm", "info", "-q", "property", "-n", panel.node).stdout
    assert "ID_INPUT_TOUCHSCREEN=1" in tags, tags
    another = Client()
    assert {"device": "panel", "state": "ready"} in another.state["devices"], another.state
    another.close()
    device, = (device for device in client.request("devices")["devices"] if device["device"] == "panel")
    output = device["output"]
    assert (output["width"], output["height"]) == (1920, 1080), output
    assert abs(output["width_mm"] - 192) < 0.2 and abs(output["height_mm"] - 108) < 0.2, output


@test
def a_touchpad_is_left_alone():
    panel, client = bench.prepare()
    with Touchscreen(name="a touchpad", touchpad=True) as touchpad, Touchscreen(name="second panel") as second:
        client.wait(event="device", change="added", device="second", seconds=10)
        command("udevadm", "settle")
        ready = {device["node"] for device in client.request("devices")["devices"] if device["state"] == "ready"}
        assert ready == {panel.node, second.node}, ready
        touchpad.frame({0: KEY})
        panel.tap(KEY)
        lines = client.gestures(gesture="press", phase="end")
        assert {line["device"] for line in lines} == {"panel"}, lines
