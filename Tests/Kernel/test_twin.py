# SPDX-License-Identifier: MIT
"""A shared panel: the touches that libinput receives from its twin. `test_application` tests with a compositor."""
import os
import signal
import time
from pathlib import Path

from bench import administered, bench
from harness import wait_until
from harness.process import Stopped
from harness.service import command, main_process, systemctl, unit_property
from sharing import CORNER, DROP_IN, EDGE, MENU, OPEN, Libinput, configuration, enable, forwarded, slots, twin


def properties(node):
    lines = command("udevadm", "info", "--query=property", f"--name={node}").stdout.splitlines()
    return dict(line.split("=", 1) for line in lines)


def attribute(node, name):
    return Path("/sys/class/input", os.path.basename(node), "device", name).read_text().strip()


def test_an_administrator_lets_the_service_pass_touches_on():
    """Until sharing is enabled, the panel works as with share = "listen"."""
    bench.prepare()
    said = command("gesturectl", "share").stdout
    assert said.startswith("not enabled"), said
    assert command("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "gesturectl", "share", "--enable", check=False).returncode == 77
    said = command("gesturectl", "share", "--enable").stdout.splitlines()
    assert said == [f"linked {DROP_IN} to /usr/share/gestured/gestured-share.conf", "systemctl daemon-reload", "systemctl restart gestured.service"], said
    assert unit_property("WatchdogUSec") == "2s", unit_property("WatchdogUSec")
    assert "user:gestured:rw-" in command("getfacl", "--omit-header", "--absolute-names", "/dev/uinput").stdout
    command("systemd-analyze", "verify", "--man=no", "gestured.service")
    bench.prepare()
    assert command("gesturectl", "share").stdout == f"enabled by {DROP_IN}\n"
    score = command("systemd-analyze", "security", "gestured.service", "--no-pager").stdout.strip().splitlines()[-1]
    command("gesturectl", "share", "--disable")
    assert not DROP_IN.exists() and unit_property("WatchdogUSec") == "10s"
    assert "gestured" not in command("getfacl", "--omit-header", "--absolute-names", "/dev/uinput").stdout
    bench.prepare()
    enable()
    bench.note(score.split(":", 1)[-1].strip())


def test_the_twin_is_like_the_panel():
    """The twin has the panel's name, ids, axes and properties, and those set by an administrator's udev rules."""
    site = {"ID_SEAT": "seat-kiosk", "WL_OUTPUT": "HDMI-A-1", "WL_SEAT": "kiosk", "LIBINPUT_CALIBRATION_MATRIX": "0 -1 1 1 0 0"}
    with administered(**site), forwarded() as (panel, _):
        node = twin(panel)
        for name in ("name", "id/bustype", "id/vendor", "id/product", "id/version", "properties", "capabilities/abs", "capabilities/key"):
            values = attribute(panel.node, name), attribute(node, name)
            # With cancel = "palm" the twin would have one more axis.
            assert values[0] == values[1], (name, values)
        assert attribute(node, "phys") == f"gestured/{os.path.basename(panel.node)}"
        with panel.opened() as of_panel, panel.opened(node=node) as of_twin:
            for code in panel.axes:
                assert panel.range(of_panel, code) == panel.range(of_twin, code), code
        found = properties(node)
        assert {key: found.get(key) for key in site} == site, found
        assert found.get("ID_INPUT_TOUCHSCREEN") == "1" and properties(panel.node)["ID_SEAT"] == site["ID_SEAT"]
        assert "seat-kiosk" in found["TAGS"], found["TAGS"]
        assert bench.devices(node=node, state="refused") or not bench.devices(node=node), "the daemon uses its own twin as a panel"


def test_touches_outside_of_regions_come_at_once():
    with forwarded() as (panel, _), Libinput(twin(panel)) as libinput:
        panel.tap(OPEN)
        assert libinput.new(until="UP 0") == ["DOWN 0", "UP 0"]
        panel.frame({0: OPEN, 1: (1200, 600), 4: (1300, 700)})
        panel.move(1210, 620, 1)
        wait_until(lambda: slots(panel, twin(panel)) == {0: OPEN, 1: (1210, 620), 4: (1300, 700)}, "the twin has the panel's slots")
        panel.replace(300, 300, 4)
        panel.up()
        got = libinput.new(until="UP 1")
        assert [word for word in got if word.endswith("4")] == ["DOWN 4", "UP 4", "DOWN 4", "UP 4"], got
        assert sorted(got[:3]) == ["DOWN 0", "DOWN 1", "DOWN 4"] and libinput.complaints == [], (got, libinput.complaints)


def test_a_captured_touch_never_comes():
    with forwarded() as (panel, client), Libinput(twin(panel)) as libinput:
        panel.tap(CORNER)
        client.wait(gesture="tap", region="corner")
        panel.down(*CORNER)
        panel.glide(CORNER, OPEN)
        panel.down(*OPEN, slot=1)
        panel.up()
        assert libinput.new(until="UP 1") == ["DOWN 1", "UP 1"]


def test_a_held_touch_comes_late_or_never():
    with forwarded() as (panel, client), Libinput(twin(panel)) as libinput:
        panel.swipe(MENU, (1700, 700))
        client.wait(gesture="swipe", region="menu")
        assert libinput.new() == []
        panel.tap(MENU)
        assert libinput.new(until="UP 0") == ["DOWN 0", "UP 0"]


def claim(panel, client):
    """Puts down a finger whose touch a drag claims, and another one whose touch it does not claim."""
    panel.down(*OPEN, slot=1)
    panel.glide(EDGE, (960, 800))
    client.wait(gesture="drag", phase="begin", region="edge")


def finish(panel, client):
    panel.glide((960, 800), (960, 500))
    panel.up(0)
    client.wait(gesture="drag", phase="end", region="edge")


def test_a_claimed_touch_lifts_once_it_stands_still():
    with forwarded("lift") as (panel, client), Libinput(twin(panel)) as libinput:
        claim(panel, client)
        got = libinput.new(until="UP 0", wait=0)
        assert got[0] == "DOWN 1" and "DOWN 0" in got and got[-1] == "UP 0", got
        finish(panel, client)
        assert libinput.new() == [], "libinput gets events of a claimed touch"
        panel.up()
        panel.tap(OPEN)
        assert libinput.new(until="UP 0") == ["UP 1", "DOWN 0", "UP 0"]
        assert libinput.complaints == [], libinput.complaints


def test_a_claimed_touch_becomes_a_palm():
    with forwarded("palm") as (panel, client), Libinput(twin(panel)) as libinput:
        claim(panel, client)
        got = libinput.new(until="CANCEL 0")
        assert got[0] == "DOWN 1" and got[-1] == "CANCEL 0", got
        finish(panel, client)
        assert libinput.new() == [], "libinput gets events of a claimed touch"
        panel.up()
        panel.tap(OPEN)
        assert libinput.new(until="UP 0") == ["UP 1", "DOWN 0", "UP 0"], "the slot is still a palm"
        assert libinput.complaints == [], libinput.complaints


def test_lost_events_are_recovered():
    """The daemon is stopped while the kernel drops events. Afterwards the twin has the panel's slots."""
    with forwarded() as (panel, client), Libinput(twin(panel)) as libinput:
        panel.frame({0: OPEN, 1: (1200, 600), 2: (1300, 700)})
        libinput.new(until="DOWN 2")
        resyncs = client.request("status")["resyncs"]
        with Stopped(main_process()):
            panel.up(1)
            panel.replace(400, 300, 2)
            panel.down(500, 800, slot=3)
            for step in range(400):
                panel.move(900 + step % 50, 500 + step % 40, 0)
        wait_until(lambda: client.request("status")["resyncs"] > resyncs, "SYN_DROPPED is seen")
        wait_until(lambda: slots(panel, twin(panel)) == panel.contacts, "the twin has the panel's slots")
        got = libinput.new()
        assert {"UP 1", "UP 2", "DOWN 2", "DOWN 3"} <= set(got), got
        panel.up()
        assert libinput.new(until="UP 3") and slots(panel, twin(panel)) == {}
        assert libinput.complaints == [], libinput.complaints


def test_random_frames_come_as_they_are():
    """Random landings, movements and lifts outside the regions: after each frame the twin has the same slots as the panel."""
    count = bench.options.rounds or 300
    with forwarded() as (panel, client), Libinput(twin(panel)) as libinput:
        node, random = twin(panel), bench.random
        place = lambda: (random.randrange(300, 1500), random.randrange(300, 950))  # noqa: E731
        for number in range(count):
            contacts = {slot: place() if random.random() < 0.5 else at for slot, at in panel.contacts.items() if random.random() < 0.8}
            for slot in range(panel.slots):
                if slot not in panel.contacts and random.random() < 0.1:
                    contacts[slot] = place()
            panel.frame(contacts)
            if number % 10 == 0:
                wait_until(lambda: slots(panel, node) == panel.contacts, f"frame {number}: {slots(panel, node)} becomes {panel.contacts}", pause=0.001)
        panel.up()
        wait_until(lambda: slots(panel, node) == {}, "all lift")
        got = libinput.new(0.5)
        assert libinput.complaints == [], libinput.complaints
        assert len([word for word in got if word.startswith("DOWN")]) == len([word for word in got if word.startswith("UP")])


def test_fingers_lift_when_the_service_stops():
    with forwarded() as (panel, client), Libinput(twin(panel)) as libinput:
        panel.frame({0: OPEN, 1: (1200, 600)})
        libinput.new(until="DOWN 1")
        systemctl("stop", "gestured.service")
        got = libinput.new(until="REMOVED")
        assert got == ["UP 0", "UP 1", "REMOVED"], got
        assert twin(panel) is None
        with panel.reader() as other:
            other.grab()
        panel.up()
        bench.prepare()


def test_fingers_lift_when_the_panel_is_unplugged():
    with forwarded() as (panel, client), Libinput(twin(panel)) as libinput:
        panel.frame({0: OPEN, 1: (1200, 600), 2: (1300, 700)})
        libinput.new(until="DOWN 2")
        bench.unplug()
        got = libinput.new(until="REMOVED")
        assert got == ["UP 0", "UP 1", "UP 2", "REMOVED"], got
        bench.prepare()


def test_fingers_lift_after_the_daemon_was_killed():
    with forwarded() as (panel, client), Libinput(twin(panel)) as libinput:
        panel.frame({0: OPEN, 1: (1200, 600), 2: (1300, 700)})
        libinput.new(until="DOWN 2")
        begun = time.monotonic()
        os.kill(main_process(), signal.SIGKILL)
        libinput.new(until="UP 2", wait=0)
        took = time.monotonic() - begun
        assert took < 2, took
        panel.up()
        bench.prepare()
        panel.tap(OPEN)
        wait_until(lambda: slots(panel, twin(panel)) == {}, "all is up")
    bench.note(f"after {took:.2f} s")


def test_a_hung_daemon_is_no_dead_panel():
    """The watchdog of the drop-in kills the hung daemon within 2 s, and the next daemon takes over."""
    with forwarded() as (panel, client), Libinput(twin(panel)) as libinput:
        panel.down(*OPEN)
        libinput.new(until="DOWN 0")
        process = main_process()
        os.kill(process, signal.SIGSTOP)
        begun = time.monotonic()
        libinput.new(until="UP 0", wait=0, seconds=6)
        took = time.monotonic() - begun
        assert main_process() != process and took < 4, took
        panel.up()
        bench.prepare()
    bench.note(f"{took:.1f} s after it hung")


def test_five_fingers_give_the_panel_to_the_application():
    with forwarded() as (panel, client), panel.reader() as other, Libinput(twin(panel)) as libinput:
        panel.frame({finger: (400 + 200 * finger, 600) for finger in range(5)})
        got = libinput.new(until="REMOVED")
        assert got[5:] == [f"UP {finger}" for finger in range(5)] + ["REMOVED"], got
        assert is_free(other) and bench.devices(device="panel", grab="given_back")
        panel.up()
        bench.unplug()
        bench.prepare()


def is_free(other):
    try:
        other.grab()
    except OSError:
        return False
    other.grab(False)
    return True


def test_a_panel_that_another_program_has_grabbed_is_reported():
    """The evdev driver of Xorg grabs panels."""
    bench.prepare()
    enable()
    panel, client = bench.prepare()
    with panel.reader() as other:
        other.grab()
        with bench.configured(lambda _: configuration()):
            wait_until(lambda: bench.devices(device="panel", grab="other"), "it is reported")
            assert "other" in command("gesturectl", "devices").stdout
        other.grab(False)


def test_three_crashes_switch_sharing_off():
    """The panel then works as without the daemon, until an administrator enables sharing again."""
    with forwarded() as (panel, client):
        systemctl("restart", "gestured.service")
        for _ in range(3):
            process = wait_until(main_process, "it runs")
            bench.prepare()
            os.kill(process, signal.SIGKILL)
            wait_until(lambda: main_process() not in (0, process), "it is started again", 10)
        bench.prepare()
        wait_until(lambda: "disabled until the next boot after three crashes" in command("gesturectl", "share").stdout, "it is off")
        wait_until(lambda: twin(panel) is None, "the twin of the crashed daemon is removed")
        with panel.reader() as other:
            assert is_free(other)
        command("gesturectl", "share", "--enable")
        bench.prepare()
        wait_until(lambda: twin(panel), "it is passed on again", 10)
