# SPDX-License-Identifier: MIT
"""The devices that the daemon uses, and those that it refuses."""
import contextlib
import grp
import os
import pwd
from pathlib import Path

from bench import KEY, OK, bench
from harness import Client, transcript, wait_until
from harness.process import Stopped, status_of
from harness.service import command, main_process
from harness.uinput import ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_SLOT, ABS_MT_TRACKING_ID, ABS_X, ABS_Y, BTN_TOUCH, Touchscreen


def test_udev_tags_the_panel_and_the_daemon_takes_it():
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


def test_a_touchpad_is_left_alone():
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


PEN, STYLUS = 0x140, 0x14B
NO_SLOTS = {code: None for code in (ABS_MT_SLOT, ABS_MT_TRACKING_ID, ABS_MT_POSITION_X, ABS_MT_POSITION_Y)}
ONE_AXIS = {**NO_SLOTS, ABS_Y: None}
WIDEST = (-(1 << 31), (1 << 31) - 1, 0)

# Devices with the expected state and words of the reason. kernel.toml has a [[device]] for "second panel".
VERDICTS = {
    "a touchpad": ({"touchpad": True}, "refused", "touchscreens only"),
    "a pen tablet": ({"axes": NO_SLOTS, "keys": (BTN_TOUCH, PEN, STYLUS)}, "refused", "touchscreens only"),
    "64 slots": ({"slots": 64}, "ready", None),
    "65 slots": ({"slots": 65}, "refused", "65 slots"),
    "99 slots": ({"slots": 99}, "refused", "99 slots"),
    "one axis, with a [[device]]": ({"name": "second panel", "axes": ONE_AXIS}, "refused", "axes"),
    "nothing that touches, with a [[device]]": ({"name": "second panel", "axes": NO_SLOTS, "keys": ()}, "refused", "BTN_TOUCH"),
    "a touchpad, with a [[device]]": ({"name": "second panel", "touchpad": True}, "ready", None),
    "no INPUT_PROP_DIRECT": ({"properties": ()}, "ready", None),
    "no INPUT_PROP_DIRECT and no key, with a [[device]]": ({"name": "second panel", "properties": (), "keys": ()}, "ready", None),
    "no resolution": ({"resolution": 0}, "ready", None),
    "an absurd resolution": ({"resolution": (1 << 31) - 1}, "ready", None),
    "a negative resolution": ({"resolution": -10}, "ready", None),
    "the widest ranges": ({"axes": {ABS_MT_POSITION_X: WIDEST, ABS_MT_POSITION_Y: WIDEST}}, "ready", None),
    "negative ranges": ({"axes": {ABS_MT_POSITION_X: (-500, -100, 1), ABS_MT_POSITION_Y: (-900, 900, 1)}}, "ready", None),
    "two units": ({"axes": {ABS_MT_POSITION_X: (0, 1, 0), ABS_MT_POSITION_Y: (0, 1, 0)}}, "ready", None),
    "a name of control characters": ({"name": "\"\\\x1b[31m\x07\n{\x7f\udcff\udc80é"}, "ready", None),
}


def test_each_odd_device_has_its_verdict():
    """Each device is used, or refused with a reason. The used ones are touched at their corners, which must not affect the
    panel."""
    panel, client = bench.prepare()
    problems = []
    # A device that is not a touchscreen needs a udev rule from the administrator, even if a [[device]] matches it.
    asked = Path("/run/udev/rules.d/99-asked-for.rules")
    asked.parent.mkdir(parents=True, exist_ok=True)
    asked.write_text('ACTION!="remove", SUBSYSTEM=="input", KERNEL=="event*", ATTRS{name}=="second panel", '
                     'RUN+="/usr/bin/setfacl -m u:gestured:r $env{DEVNAME}"\n')
    command("udevadm", "control", "--reload")
    for what, (changes, state, words) in VERDICTS.items():
        with bench.another(**changes) as odd:
            command("udevadm", "settle")
            wait_until(lambda: not bench.devices(node=odd.node, state="failed"), f"{what} is opened", 10)
            verdict = bench.verdict(odd)
            reason = verdict.get("reason", "")
            if verdict["state"] != state or words and words not in reason:
                problems.append(f"{what}: {verdict['state']} {reason}")
            if state == "ready":
                for axis in (1, 2):
                    odd.frame({0: (odd.axes[ABS_MT_POSITION_X][axis - 1], odd.axes[ABS_MT_POSITION_Y][axis - 1])})
                    odd.up()
        panel.down(*KEY)
        panel.up()
        ends = client.gestures(gesture="press", phase="end", device="panel")
        assert transcript(ends)[-1] == "press end key", f"{what}: {transcript(ends)}"
    asked.unlink()
    command("udevadm", "control", "--reload")
    assert not problems, "; ".join(problems)
    bench.note(f"{len(VERDICTS)} devices")


def test_empty_and_reversed_ranges_are_refused():
    """The kernel refuses such ranges from a driver, but EVIOCSABS can set them. This test sets them before the daemon opens the
    device."""
    bench.prepare()
    for minimum, maximum in ((1919, 0), (5, 5), (0, -(1 << 31))):
        with contextlib.ExitStack() as stack:
            with Stopped(main_process()):
                odd = stack.enter_context(bench.another())
                odd.set_axis(ABS_MT_POSITION_X, minimum, maximum, 10)
            verdict = bench.verdict(odd)
            assert verdict["state"] == "refused" and "x axis" in verdict["reason"], verdict
            assert f"{minimum} to {maximum}" in verdict["reason"], verdict


def doubled(panel):
    """Doubles the number of units on the panel's x axis (EVIOCSABS), as calibration tools and udev's hwdb do."""
    for code in (ABS_X, ABS_MT_POSITION_X):
        panel.set_axis(code, 0, 2 * 1920 - 1, 20)


def measures_doubled(panel, client):
    panel.up()
    panel.down(2 * OK[0], OK[1])
    begin = client.wait(gesture="press", phase="begin")
    assert (begin["region"], begin["x"]) == ("ok", OK[0]), begin
    panel.up()
    client.wait(gesture="press", phase="end")
    bench.unplug()


def test_other_axes_are_seen_when_events_are_lost():
    """The daemon notices the changed axis when it reads the slots again: active gestures are cancelled, and the panel's
    description is updated."""
    panel, client = bench.prepare()
    panel.down(*KEY)
    client.wait(gesture="press", phase="begin", region="key")
    with Stopped(main_process()):
        doubled(panel)
        for step in range(400):
            panel.move(KEY[0] + step % 50, KEY[1] + step % 40)
    cancel = client.wait(gesture="press", phase="cancel")
    client.wait(event="device", change="added", device="panel", seconds=10)
    measures_doubled(panel, client)
    bench.note(f"cancelled with {cancel['reason']}")


def test_other_axes_are_seen_when_udev_reports_a_change():
    panel, client = bench.prepare()
    doubled(panel)
    command("udevadm", "trigger", "--action=change", panel.node)
    client.wait(event="device", change="added", device="panel", seconds=10)
    measures_doubled(panel, client)


def reads(node, user, *groups):
    """Whether a process of this user and these groups may read the device node."""
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([grp.getgrnam(name).gr_gid for name in groups])
            os.setgid(pwd.getpwnam("nobody").pw_gid)
            os.setuid(pwd.getpwnam(user).pw_uid)
            os.close(os.open(node, os.O_RDONLY | os.O_NONBLOCK))
            os._exit(0)
        except PermissionError:
            os._exit(13)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_the_daemon_reads_touchscreens_only():
    """The rule does not change any other user's rights, even if the seat's user also gets access. The panel is plugged in before
    the rule is installed."""
    panel, client = bench.prepare()
    rights = {"gestured": reads(panel.node, "gestured"), "group gestured": reads(panel.node, "nobody", "gestured"),
              "group input": reads(panel.node, "nobody", "input"), "nobody": reads(panel.node, "nobody")}
    assert rights == {"gestured": True, "group gestured": False, "group input": True, "nobody": False}, rights
    assert os.stat(panel.node).st_mode & 0o777 == 0o660, oct(os.stat(panel.node).st_mode)
    assert status_of(main_process(), "Groups").split() == [str(grp.getgrnam("gestured").gr_gid)]
    pad = Touchscreen(name="some pad", touchpad=True)
    try:
        command("udevadm", "settle")
        assert not reads(pad.node, "gestured") and reads(pad.node, "nobody", "input")
    finally:
        pad.unplug()

    # The udev rules for seats remove access rights that were granted to individual users.
    late = Path("/run/udev/rules.d/71-seat-test.rules")
    late.parent.mkdir(parents=True, exist_ok=True)
    late.write_text('SUBSYSTEM=="input", KERNEL=="event*", TAG+="uaccess", TAG+="seat"\n')
    try:
        command("udevadm", "control", "--reload")
        command("udevadm", "trigger", "--settle", panel.node)
        assert reads(panel.node, "gestured"), command("getfacl", panel.node).stdout
    finally:
        late.unlink()
        command("udevadm", "control", "--reload")

    # Without the right, the daemon reports the remedy. It uses the panel as soon as it has the right again.
    rule = Path("/usr/lib/udev/rules.d/74-gestured.rules")
    text = rule.read_text()
    rule.unlink()
    try:
        command("udevadm", "control", "--reload")
        bench.unplug()
        bench.plug()
        failed = wait_until(lambda: [device["reason"] for device in bench.devices(state="failed") if "denied" in device["reason"]],
                            "the panel cannot be opened")
    finally:
        rule.write_text(text)
        command("udevadm", "control", "--reload")
        command("udevadm", "trigger", "--subsystem-match=input")
    assert "74-gestured.rules" in failed[0], failed
    wait_until(bench.ready, "the daemon reads the panel", 10)
    bench.note(failed[0])
