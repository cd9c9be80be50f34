# SPDX-License-Identifier: MIT
"""Panels are plugged in and unplugged."""
import contextlib
import os
import subprocess
import time
from pathlib import Path

from bench import KEY, OK, bench
from harness import transcript, wait_until
from harness.process import memory
from harness.service import command, main_process
from harness.uinput import ABS_MT_POSITION_X, ABS_MT_SLOT, EV_ABS, EV_SYN, SYN_REPORT, Touchscreen


def test_a_bad_cable():
    """A panel is plugged in and out faster than udev can follow. In the end the daemon must have one working panel."""
    bench.prepare()
    bench.panel.unplug()
    for _ in range(6):
        flicker = Touchscreen(name="uinput panel")
        flicker.down(*KEY)
        flicker.unplug()
    bench.plug()
    # The daemon may still be handling earlier events, so wait until udev has sent all of them.
    subprocess.run(["udevadm", "settle"], check=True)
    panel, client = bench.prepare()
    devices = [device for device in client.request("devices")["devices"] if device["state"] != "absent"]
    assert [(device["device"], device["state"]) for device in devices if device["device"] != "second"] == [("panel", "ready")], devices
    panel.tap(KEY)
    lines = client.gestures(gesture="press", phase="end")
    assert transcript(lines) == ["press begin key", "press end key"], transcript(lines)


def descriptors():
    """The number of open descriptors of the daemon. Excludes udev's files and folders, which it may be reading at the time."""
    folder, count = f"/proc/{main_process()}/fd", 0
    for number in os.listdir(folder):
        with contextlib.suppress(FileNotFoundError):
            count += not os.readlink(f"{folder}/{number}").startswith(("/sys/", "/run/udev/", "/etc/udev/"))
    return count


def states(client):
    """The number of devices in each state. The machine is busy, so the reply may take a long time."""
    return client.request("status", seconds=30)["devices"]


def test_sixty_four_panels_at_once():
    """The daemon uses all panels, and the last one works. After they are unplugged, no descriptor and no device is left."""
    panel, client = bench.prepare()
    before, first = descriptors(), memory(main_process())
    begun = time.monotonic()
    with contextlib.ExitStack() as stack:
        panels = [stack.enter_context(Touchscreen(name="one of many")) for _ in range(64)]
        wait_until(lambda: states(client)["ready"] == 65, "all are taken", 90, pause=0.2)
        took = time.monotonic() - begun
        # Another file may be open briefly.
        wait_until(lambda: descriptors() == before + 128, "each panel has its node and the file of its contacts", 10)
        largest = memory(main_process())
        for one in panels:
            one.down(*KEY)
        lines = client.gestures(until=64, gesture="press", phase="begin", seconds=30)
        assert len({line["device"] for line in lines}) == 64, transcript(lines)
        panels[-1].up()
        client.wait(gesture="press", phase="end", device=os.path.basename(panels[-1].node))
    cancels = client.gestures(until=63, gesture="press", phase="cancel", seconds=30)
    assert {line["reason"] for line in cancels} == {"device_removed"}, transcript(cancels)
    wait_until(lambda: states(client)["ready"] == 1 and sum(states(client).values()) == 1, "all are gone", 30, pause=0.2)
    assert descriptors() == before, (before, descriptors())
    turn = client.request("status", seconds=30)["longest_turn_us"] / 1000
    bench.note(f"taken within {took:.1f} s; longest turn {turn:.0f} ms; "
            f"{first} kB, {largest} kB with them, {memory(main_process())} kB afterwards")


def test_plugged_in_again_and_again():
    """With the real udev, neither descriptors nor memory leak."""
    rounds = bench.options.rounds or 20
    panel, client = bench.prepare()
    warm, before, first = rounds // 3, 0, 0
    for index in range(warm + rounds):
        bench.panel.down(*KEY)
        bench.unplug()
        client.wait(event="device", change="removed", device="panel", seconds=10)
        bench.plug()
        client.wait(event="device", change="added", device="panel", seconds=10)
        if index == warm - 1:
            before, first = descriptors(), memory(main_process())
    grown = memory(main_process()) - first
    assert descriptors() == before, (before, descriptors())
    assert grown <= 64, f"{grown} kB more"
    bench.note(f"{rounds} times, after {warm} to warm up: {first} kB {grown:+d} kB, {before} descriptors")


def test_a_node_used_again_inherits_nothing():
    """A device is unplugged with a finger on it, and another one takes over its node."""
    panel, client = bench.prepare()
    with contextlib.ExitStack() as stack:
        second = stack.enter_context(Touchscreen(name="second panel"))
        client.wait(event="device", change="added", device="second", seconds=10)
        second.down(*KEY, slot=4)
        old = client.wait(gesture="press", phase="begin", device="second")
        node = second.node
        second.unplug()
        other = stack.enter_context(Touchscreen(name="another panel", size=(3840, 1080), resolution=20))
        assert other.node == node, (other.node, node)
        added = client.wait(event="device", change="added", node=node, seconds=10)
        assert added["device"] == os.path.basename(node) and added["name"] == "another panel", added
        # If the daemon had kept slot 4 of the first device, it would treat this contact as the old one.
        other.raw([(EV_ABS, ABS_MT_SLOT, 4), (EV_ABS, ABS_MT_POSITION_X, 3000), (EV_SYN, SYN_REPORT, 0)])
        other.down(*OK, slot=0)
        begin = client.wait(gesture="press", phase="begin")
        assert begin["device"] == added["device"] and begin["sequence"] != old["sequence"], begin
        assert (begin["region"], begin["x"]) == ("ok", OK[0]), begin
        client.drain()
        other.unplug()
        client.wait(event="device", change="removed", node=node)
        touchpad = stack.enter_context(Touchscreen(name="a touchpad", touchpad=True))
        assert touchpad.node == node, (touchpad.node, node)
        wait_until(lambda: bench.devices(node=node, state="refused"), "the touchpad is refused")
    wait_until(lambda: not bench.devices(node=node), "the touchpad is gone")


def test_twins_are_told_apart_by_where_they_are_plugged_in():
    """Two panels of the same model are distinguished by udev's ID_PATH, whichever is plugged in first."""
    panel, client = bench.prepare()
    rules = Path("/run/udev/rules.d/99-twins.rules")
    rules.parent.mkdir(parents=True, exist_ok=True)
    rules.write_text('SUBSYSTEM=="input", KERNEL=="event*", ATTRS{phys}=="twin/*", ENV{ID_PATH}="platform-$attr{phys}"\n')
    command("udevadm", "control", "--reload")

    def with_twins(configuration):
        twins = "".join(f'[[device]]\nid = "{side}"\nmatch = {{ name = "twin", path = "platform-twin/{side}" }}\n'
                        f'output = {{ size = [1920, 1080], rotation = {turn} }}\n\n' for side, turn in (("left", 0), ("right", 180)))
        return configuration.replace("[[device]]", twins + "[[device]]", 1)

    try:
        with bench.configured(with_twins):
            for order in (("left", "right"), ("right", "left")):
                with contextlib.ExitStack() as stack:
                    twins = {side: stack.enter_context(Touchscreen(name="twin", phys=f"twin/{side}")) for side in order}
                    for _ in order:
                        client.wait(event="device", change="added", name="twin", seconds=10)
                    for side, (x, y) in (("left", KEY), ("right", (1919 - KEY[0], 1079 - KEY[1]))):
                        twins[side].down(x, y)
                        begin = client.wait(gesture="press", phase="begin")
                        assert (begin["device"], begin["region"]) == (side, "key"), begin
                        twins[side].up()
                        client.wait(gesture="press", phase="end")
                for _ in order:
                    client.wait(event="device", change="removed", name="twin", seconds=10)
    finally:
        rules.unlink()
        command("udevadm", "control", "--reload")
