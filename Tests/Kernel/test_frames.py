# SPDX-License-Identifier: MIT
"""Unusual events of panels."""
from bench import KEY, OK, bench, rest
from harness import Client, transcript, wait_until
from harness.uinput import (ABS_MT_DISTANCE, ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_SLOT, ABS_MT_TOOL_TYPE, ABS_MT_TOUCH_MAJOR,
                            ABS_MT_TRACKING_ID, ABS_X, ABS_Y, BTN_TOUCH, EV_ABS, EV_KEY, EV_SYN, SYN_MT_REPORT, SYN_REPORT, Touchscreen)

REPORT = (EV_SYN, SYN_REPORT, 0)
MT_TOOL_FINGER, MT_TOOL_PALM = 0, 2


def slot(number, *values):
    """Events for one slot: ("id", 7), ("x", 100), ("y", 100), …"""
    codes = {"id": ABS_MT_TRACKING_ID, "x": ABS_MT_POSITION_X, "y": ABS_MT_POSITION_Y,
             "major": ABS_MT_TOUCH_MAJOR, "tool": ABS_MT_TOOL_TYPE, "distance": ABS_MT_DISTANCE}
    return [(EV_ABS, ABS_MT_SLOT, number), *((EV_ABS, codes[name], value) for name, value in values)]


def at(point):
    return ("x", point[0]), ("y", point[1])


def presses(client, region, phase="end"):
    return transcript(client.gestures(gesture="press", phase=phase, region=region))


def touches(watcher):
    """The contacts in the next `touches` line: {slot: (x, y)}."""
    return {each["slot"]: (each["x"], each["y"]) for each in watcher.wait(event="touches")["contacts"]}


def test_a_contact_replaced_without_a_lift_is_two_contacts():
    """The tracking id in a slot changes from N to M."""
    panel, client = bench.prepare()
    rest()
    panel.down(*KEY)
    panel.replace(*OK)
    rest()
    panel.up()
    lines = presses(client, "ok")
    assert lines == ["press begin key", "press cancel key sync_lost", "press begin ok", "tap ok", "press end ok"], lines


def test_a_slot_ends_and_begins_in_one_frame():
    panel, client = bench.prepare()
    rest()
    panel.raw([*slot(0, ("id", 500), *at(KEY)), REPORT])
    panel.raw([*slot(0, ("id", -1), ("id", 501), *at(OK)), REPORT])
    rest()
    panel.raw([*slot(0, ("id", -1)), REPORT])
    lines = presses(client, "ok")
    # A lift and a landing in the same frame are ordered by id.
    assert lines == ["press begin key", "press end key", "press begin ok", "tap ok", "press end ok"], lines


def test_a_landing_at_the_last_position_of_the_slot_has_no_axes():
    """The kernel delivers only changes: the second finger lands at the same x, the same y, or both."""
    panel, client = bench.prepare()
    x, y = KEY
    panel.raw([*slot(3, ("id", 510), ("x", x), ("y", y)), REPORT, *slot(3, ("id", -1)), REPORT])
    places = []
    for identifier, says in enumerate(([], [("x", x + 20)], [("y", y + 20)], [("x", x), ("y", y + 20)]), 511):
        panel.raw([*slot(3, ("id", identifier), *says), REPORT])
        panel.raw([*slot(3, ("id", -1)), REPORT])
    for line in client.gestures(until=5, gesture="press", phase="end"):
        if line["phase"] == "begin":
            places.append((line["x"], line["y"]))
    assert places == [(x, y), (x, y), (x + 20, y), (x + 20, y + 20), (x, y + 20)], places


def test_a_slot_that_does_not_exist():
    """The kernel keeps the previous slot. The daemon must end up with the kernel's contacts."""
    panel, client = bench.prepare()
    with Client() as watcher, panel.opened() as descriptor:
        watcher.request("subscribe", events=["touches"])
        panel.raw([*slot(2, ("id", 520), *at(KEY)), REPORT])
        panel.raw([*slot(99, ("x", OK[0])), *slot(-5, ("y", OK[1] + 7)), REPORT])
        panel.raw([*slot(10, ("id", 521), *at(OK)), REPORT])
        kernel = {number: values[1:] for number, values in panel.kernel_slots(descriptor).items()}
        wait_until(lambda: touches(watcher) == kernel, f"the daemon has what the kernel has, {kernel}")
        panel.raw([*slot(2, ("id", -1)), REPORT])
    wait_until(lambda: not bench.devices(device="panel")[0]["contacts"], "the contact is gone")


def test_btn_touch_is_not_needed():
    """The panel declares BTN_TOUCH, but never sends it."""
    panel, client = bench.prepare()
    rest()
    panel.raw([*slot(0, ("id", 530), *at(OK)), REPORT])
    rest()
    panel.raw([*slot(0, ("id", -1)), REPORT])
    lines = presses(client, "ok")
    assert lines == ["press begin ok", "tap ok", "press end ok"], lines


def test_a_single_touch_panel_is_one_contact():
    """Resistive and infrared panels report only BTN_TOUCH, ABS_X and ABS_Y."""
    bench.prepare()
    no_slots = {code: None for code in (ABS_MT_SLOT, ABS_MT_TRACKING_ID, ABS_MT_POSITION_X, ABS_MT_POSITION_Y)}
    with second_panel(axes=no_slots) as second:
        for x, y in (KEY, OK):
            second.raw([(EV_ABS, ABS_X, x), (EV_ABS, ABS_Y, y), (EV_KEY, BTN_TOUCH, 1), REPORT])
            rest()
            second.raw([(EV_KEY, BTN_TOUCH, 0), REPORT])
        lines = presses(bench.client, "ok")
        assert lines == ["press begin key", "press end key", "press begin ok", "tap ok", "press end ok"], lines


def test_a_panel_with_slots_alone():
    """Some drivers have neither ABS_X and ABS_Y nor BTN_TOUCH."""
    bench.prepare()
    with second_panel(axes={ABS_X: None, ABS_Y: None}, keys=()) as second:
        second.raw([*slot(0, ("id", 1), *at(OK)), REPORT])
        rest()
        second.raw([*slot(0, ("id", -1)), REPORT])
        lines = presses(bench.client, "ok")
        assert lines == ["press begin ok", "tap ok", "press end ok"], lines


def unslotted(*points):
    """A frame in protocol A: all contacts that are down, in any order, without ids."""
    events = []
    for x, y in points:
        events += [(EV_ABS, ABS_MT_POSITION_X, x), (EV_ABS, ABS_MT_POSITION_Y, y), (EV_SYN, SYN_MT_REPORT, 0)]
    return [*(events or [(EV_SYN, SYN_MT_REPORT, 0)]), REPORT]


def test_a_panel_without_slots():
    """In protocol A contacts are matched by distance."""
    bench.prepare()
    with second_panel(axes={ABS_MT_SLOT: None, ABS_MT_TRACKING_ID: None}) as second:
        rest()
        second.raw(unslotted(KEY))
        second.raw(unslotted(OK, KEY))
        rest()
        second.raw(unslotted((KEY[0] + 5, KEY[1] + 3), OK))
        second.raw(unslotted((KEY[0] + 8, KEY[1] + 5)))
        lines = presses(bench.client, "ok")
        assert lines == ["press begin key", "press begin ok", "tap ok", "press end ok"], lines
        second.raw(unslotted())
        lines = bench.client.gestures(gesture="press", phase="end")
        assert transcript(lines) == ["press end key"], lines
        assert (lines[0]["x"], lines[0]["y"]) == (KEY[0] + 8, KEY[1] + 5), lines


def test_palms_hands_and_hovering_fingers():
    bench.prepare()
    more = {ABS_MT_TOUCH_MAJOR: (0, 1000, 0), ABS_MT_TOOL_TYPE: (0, 15, 0), ABS_MT_DISTANCE: (0, 100, 0)}
    with second_panel(axes=more) as second:
        client = bench.client
        # A finger becomes a palm.
        second.raw([*slot(0, ("id", 1), *at(KEY), ("tool", MT_TOOL_FINGER)), REPORT])
        second.raw([*slot(0, ("tool", MT_TOOL_PALM)), REPORT, *slot(0, ("id", -1), ("tool", MT_TOOL_FINGER)), REPORT])
        # A contact that is a palm from the start, and a hand 40 mm wide, which is detected from its second report
        # on.
        second.raw([*slot(1, ("id", 2), *at(KEY), ("tool", MT_TOOL_PALM)), REPORT, *slot(1, ("id", -1), ("tool", MT_TOOL_FINGER)), REPORT])
        second.raw([*slot(2, ("id", 3), *at(KEY), ("major", 400)), REPORT,
                    *slot(2, ("major", 410)), REPORT, *slot(2, ("id", -1), ("major", 0)), REPORT])
        # A finger hovers, touches, and hovers again.
        second.raw([*slot(3, ("id", 4), *at(KEY), ("distance", 30)), REPORT])
        hovering = client.drain()
        second.raw([*slot(3, ("distance", 0)), REPORT])
        second.raw([*slot(3, ("distance", 30)), REPORT, *slot(3, ("id", -1)), REPORT])
        lines = presses(client, "key")
    assert transcript(hovering) == ["press begin key", "press cancel key palm"] * 2, transcript(hovering)
    assert lines == ["press begin key", "press end key"], lines


def second_panel(**changes):
    """Yields another panel that the daemon uses."""
    second = Touchscreen(name="second panel", **changes)
    try:
        bench.client.wait(event="device", change="added", device="second", seconds=10)
    except BaseException:
        second.unplug()
        raise
    return second
