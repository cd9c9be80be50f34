#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the daemon as a systemd service on a real kernel: `bed test` runs this in the guest.

Each test prints `ok NAME (seconds)` or `FAIL NAME: why`; the last line is `N passed, N failed`.
"""
import argparse
import grp
import os
import pwd
import re
import signal
import statistics
import subprocess
import sys
import time
import traceback
from pathlib import Path

import harness
from harness import (CONFIGURATION, SOCKET, UNIT, Client, Stopped, command, main_process, override, resident,
                     status_of, systemctl, transcript, unit_property, wait_until, wakeups)
from uitouch import Touchscreen

HERE = Path(__file__).parent
TESTS = []

# Points in the regions of kernel.toml
KEY, OK, BUY, PAIR, HOLD, VOLUME = ((150 + 300 * column, 150) for column in range(6))
PAGES, MAP = (450, 740), (1450, 740)
EVERYTHING = ["gesture", "device", "config"]


def test(function):
    TESTS.append(function)
    return function


class Bench:
    """The panel, and the client that watches; both are made anew where a test has used them up."""

    def __init__(self):
        self.panel = None
        self.client = None
        self.clients = []
        self.programs = None

    def plug(self):
        self.panel = Touchscreen(name="uinput panel")
        return self.panel

    def connect(self):
        self.client = Client()
        self.clients.append(self.client)
        return self.client

    def prepare(self):
        """No contact down, the panel ready, everything read."""
        if self.panel is None:
            self.plug()
        if self.panel.contacts:
            self.panel.up()
        if self.client is None or not self.client.is_open():
            self.connect()
        wait_until(self.ready, "the daemon calls the panel ready", 10)
        self.client.drain()
        return self.panel, self.client

    def ready(self):
        devices = self.client.request("devices")["devices"]
        return any(device["device"] == "panel" and device["state"] == "ready" and device["node"] == self.panel.node
                   for device in devices)


bench = Bench()


# The service


@test
def socket_activation_starts_the_service():
    """Nothing runs until somebody connects; the socket belongs to root and the group."""
    assert unit_property("ActiveState") == "inactive", unit_property("ActiveState")
    status = os.stat(SOCKET)
    group = grp.getgrgid(status.st_gid).gr_name
    assert (status.st_mode & 0o777, group) == (0o660, "gestured"), (oct(status.st_mode), group)
    begun = time.monotonic()
    client = bench.connect()
    seconds = time.monotonic() - begun
    assert client.hello["protocol"] == 1, client.hello
    wait_until(lambda: unit_property("ActiveState") == "active", "the service is active")
    return f"hello after {seconds * 1000:.0f} ms"


@test
def only_root_and_the_group_may_connect():
    def connects(group):
        child = os.fork()
        if child == 0:
            try:
                os.setgroups([])
                os.setgid(group)
                os.setuid(pwd.getpwnam("nobody").pw_uid)
                Client().close()
                os._exit(0)
            except PermissionError:
                os._exit(13)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    assert connects(pwd.getpwnam("nobody").pw_gid) == 13
    assert connects(grp.getgrnam("gestured").gr_gid) == 0


@test
def service_is_notify_and_unprivileged():
    assert unit_property("Type") == "notify"
    assert unit_property("SubState") == "running"
    process = main_process()
    user = int(status_of(process, "Uid").split()[0])
    assert user != 0, "it runs as root"
    assert int(status_of(process, "CapEff"), 16) == 0, status_of(process, "CapEff")
    assert status_of(process, "NoNewPrivs") == "1"
    assert status_of(process, "Seccomp") == "2", "no system call filter"
    assert unit_property("StatusText"), "no STATUS="
    command("systemd-analyze", "verify", "--man=no", f"/usr/lib/systemd/system/{UNIT}", "/usr/lib/systemd/system/gestured.socket")
    score = command("systemd-analyze", "security", UNIT, "--no-pager").stdout.strip().splitlines()[-1]
    return f"{pwd.getpwuid(user).pw_name}; {score.split(':', 1)[-1].strip()}"


# The panel


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


# Gestures


@test
def press_begins_and_ends():
    panel, client = bench.prepare()
    panel.down(*KEY)
    begin = client.wait(gesture="press", phase="begin")
    assert (begin["region"], begin["device"], begin["fingers"], begin["inside"]) == ("key", "panel", 1, True), begin
    assert (begin["x"], begin["y"]) == KEY, begin
    panel.up()
    end = client.wait(gesture="press", phase="end")
    assert end["sequence"] == begin["sequence"] and end["inside"] is True, end
    assert end["held_ms"] == (end["time_us"] - begin["time_us"]) // 1000, (begin, end)


@test
def press_is_quick():
    """From the write to the kernel to the line at a client."""
    panel, client = bench.prepare()
    delays = []
    for _ in range(30):
        begun = time.monotonic()
        panel.down(*KEY)
        delays.append(client.wait(gesture="press", phase="begin")["arrived"] - begun)
        panel.up()
        client.wait(gesture="press", phase="end")
        time.sleep(0.05)  # a person's fastest; a panel that lands more than 40 a second is in a storm
    delays.sort()
    assert statistics.median(delays) < 0.02, delays
    return f"median {statistics.median(delays) * 1000:.2f} ms, worst {delays[-1] * 1000:.2f} ms"


@test
def tap_is_told():
    panel, client = bench.prepare()
    panel.tap(OK)
    lines = client.gestures(gesture="press", phase="end")
    assert transcript(lines) == ["press begin ok", "tap ok", "press end ok"], transcript(lines)
    tap = lines[1]
    assert tap["count"] == 1 and 40 <= tap["duration_ms"] < 500, tap
    assert (tap["u"], tap["v"]) == (0.5, 0.5), tap


@test
def double_tap_is_told():
    panel, client = bench.prepare()
    panel.tap(BUY)
    time.sleep(0.1)  # between min_gap and gap
    panel.tap(BUY)
    lines = client.gestures(until=2, gesture="press", phase="end")
    told = [line for line in transcript(lines) if not line.startswith("press")]
    assert told == ["tap buy", "double_tap buy"], transcript(lines)
    double, = (line for line in lines if line["gesture"] == "double_tap")
    assert double["count"] == 2, double


@test
def swipe_has_its_direction():
    panel, client = bench.prepare()
    x, y = PAGES
    for direction, (dx, dy) in {"left": (-300, 0), "right": (300, 0), "up": (0, -250), "down": (0, 250)}.items():
        panel.swipe((x - dx, y - dy), (x + dx, y + dy), seconds=0.25)
        swipe = client.wait(gesture="swipe")
        assert swipe["direction"] == direction and swipe["name"] == "page", swipe
        length = 2 * (abs(dx) + abs(dy)) / 10
        assert abs(swipe["distance_mm"] - length) < 0.5, (length, swipe)
        assert (swipe["start"]["x"], swipe["start"]["y"]) == (x - dx, y - dy), swipe
        assert swipe["velocity_mm_s"] > 80, swipe


@test
def a_slow_movement_is_no_swipe():
    panel, client = bench.prepare()
    x, y = PAGES
    panel.swipe((x - 300, y), (x + 300, y), seconds=0.7)
    panel.tap(KEY)
    lines = client.gestures(gesture="press", phase="end")
    assert transcript(lines) == ["press begin key", "press end key"], transcript(lines)


@test
def two_finger_tap_is_told():
    panel, client = bench.prepare()
    x, y = PAIR
    panel.tap((x - 80, y), (x + 80, y))
    lines = client.gestures(gesture="two_finger_tap")
    assert transcript(lines) == ["press begin pair", "press cancel pair multi_touch", "two_finger_tap pair"], transcript(lines)
    assert lines[-1]["fingers"] == 2, lines[-1]


@test
def long_press_begins_and_ends():
    panel, client = bench.prepare()
    panel.down(*HOLD)
    lines = client.gestures(gesture="long_press", phase="begin")
    assert transcript(lines) == ["press begin hold", "long_press begin hold"], transcript(lines)
    assert lines[1]["time_us"] - lines[0]["time_us"] == 500_000, lines
    late = lines[1]["arrived"] - lines[0]["arrived"] - 0.5
    panel.up()
    lines = client.gestures(gesture="press", phase="end")
    assert transcript(lines) == ["long_press end hold", "press end hold"], transcript(lines)
    assert lines[0]["held_ms"] >= 500, lines[0]
    return f"the line came {late * 1000:.1f} ms after its time"


@test
def repeat_repeats_until_the_lift():
    panel, client = bench.prepare()
    panel.down(*VOLUME)
    lines = client.gestures(gesture="repeat", n=5)
    panel.up()
    lines += client.gestures(gesture="press", phase="end")
    landed = lines[0]["time_us"]
    repeats = [line for line in lines if line["gesture"] == "repeat"]
    assert [line["n"] for line in repeats] == list(range(1, len(repeats) + 1)), repeats
    assert [(line["time_us"] - landed) // 1000 for line in repeats] == \
        [300 + 100 * index for index in range(len(repeats))], repeats
    panel.tap(KEY, hold=0.3)
    later = client.gestures(gesture="press", phase="end")
    assert transcript(later) == ["press begin key", "press end key"], transcript(later)


@test
def drag_begins_moves_and_ends():
    panel, client = bench.prepare()
    x, y = MAP
    watcher = Client()
    watcher.request("subscribe", events=["gesture"])
    watcher.wait(event="state")
    panel.glide((x - 300, y), (x + 300, y), seconds=0.5)
    panel.up()
    told = watcher.gestures(gesture="drag", phase="end")
    phases = [line["phase"] for line in told]
    assert phases[0] == "begin" and phases[-1] == "end" and set(phases[1:-1]) == {"update"}, phases
    begin, *updates, end = told
    assert (begin["dx"], begin["dy"]) == (0, 0), begin
    # nobody reads while the finger moves: what does not fit into the socket is merged, and counted
    moved = sum(1 + line.get("coalesced", 0) for line in updates)
    assert moved > 20, moved
    # 600 px travelled, less the 3 mm before it began
    assert (end["x"], end["y"]) == (x + 300, y) and abs(end["dx"] - 570) < 1 and end["dy"] == 0, end
    assert end["vx"] > 500 and end["predicted"]["x"] > end["x"], end
    assert [line["dx"] for line in updates] == sorted(line["dx"] for line in updates), updates
    # who says nothing gets no updates
    assert transcript(client.gestures(gesture="drag", phase="end")) == ["drag begin map", "drag end map"]
    watcher.close()
    return f"{len(updates)} lines of {moved} updates"


@test
def fingers_in_two_regions_do_not_disturb_each_other():
    panel, client = bench.prepare()
    panel.frame({0: KEY})
    panel.frame({0: KEY, 1: OK})
    time.sleep(0.05)
    panel.frame({0: KEY})
    lines = client.gestures(gesture="press", phase="end", region="ok")
    assert transcript(lines) == ["press begin key", "press begin ok", "tap ok", "press end ok"], transcript(lines)
    panel.up()
    client.wait(gesture="press", phase="end", region="key")


@test
def a_contact_replaced_without_a_lift_is_two_contacts():
    """A tracking id that changes from N to M in one slot."""
    panel, client = bench.prepare()
    panel.down(*KEY)
    time.sleep(0.05)  # past min_gap since the test before lifted from OK: no bounce
    panel.replace(*OK)
    time.sleep(0.05)
    panel.up()
    lines = client.gestures(gesture="press", phase="end", region="ok")
    assert transcript(lines) == ["press begin key", "press cancel key sync_lost", "press begin ok", "tap ok", "press end ok"], \
        transcript(lines)


# Losses


@test
def unplugged_in_mid_press():
    panel, client = bench.prepare()
    panel.down(*KEY)
    begin = client.wait(gesture="press", phase="begin")
    begun = time.monotonic()
    panel.unplug()
    bench.panel = None
    lines = client.collect(event="device", change="removed", device="panel")
    assert transcript(lines) == ["press cancel key device_removed", "device removed panel"], transcript(lines)
    assert lines[0]["sequence"] == begin["sequence"], lines
    delay = lines[0]["arrived"] - begun
    assert delay < 0.1, f"the cancel came after {delay * 1000:.0f} ms"
    bench.plug()
    begun = time.monotonic()
    client.wait(event="device", change="added", device="panel", seconds=10)
    back = time.monotonic() - begun
    panel, client = bench.prepare()
    panel.tap(KEY)
    lines = client.gestures(gesture="press", phase="end")
    assert transcript(lines) == ["press begin key", "press end key"], transcript(lines)
    return f"cancelled after {delay * 1000:.1f} ms, taken again {back * 1000:.0f} ms after its node appeared"


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


@test
def one_panel_lost_leaves_the_other_alone():
    panel, client = bench.prepare()
    second = Touchscreen(name="second panel")
    client.wait(event="device", change="added", device="second", seconds=10)
    panel.down(*KEY)
    second.down(*OK)
    client.wait(gesture="press", phase="begin", device="second")
    second.unplug()
    cancel = client.wait(gesture="press", phase="cancel")
    assert (cancel["device"], cancel["reason"]) == ("second", "device_removed"), cancel
    panel.up()
    lines = client.gestures(gesture="press", phase="end")
    assert [line["device"] for line in lines] == ["panel"], lines


def behind_its_back(change, survivor=None):
    """Stops the daemon, fills the kernel's buffer until it drops, then `change` happens, then goes on."""
    panel, client = bench.panel, bench.client
    before = client.request("status")["resyncs"]
    with Stopped(main_process()):
        change()
        for step in range(400):
            slot, (x, y) = survivor
            panel.move(x + step % 50, y + step % 40, slot)
        panel.move(x, y, slot)
    wait_until(lambda: client.request("status")["resyncs"] > before, "SYN_DROPPED is seen")


@test
def syn_dropped_keeps_survivors_and_cancels_the_vanished():
    panel, client = bench.prepare()
    panel.down(*KEY, slot=0)
    panel.down(*OK, slot=1)
    begins = client.gestures(gesture="press", phase="begin", region="ok")
    before = len(client.lines)

    def change():
        panel.up(0)
        panel.down(*HOLD, slot=2)

    behind_its_back(change, survivor=(1, OK))
    lost = [line for line in client.lines[before:] if line.get("event") == "gesture"]
    assert transcript(lost) == ["press cancel key sync_lost", "press begin hold"], transcript(lost)
    panel.up(1)
    end = client.wait(gesture="press", phase="end", region="ok")
    assert end["sequence"] == begins[-1]["sequence"], (begins, end)
    panel.up()
    client.wait(gesture="press", phase="end", region="hold")


@test
def syn_dropped_tells_a_new_contact_in_an_old_slot():
    panel, client = bench.prepare()
    panel.down(*KEY, slot=0)
    panel.down(*OK, slot=1)
    old = client.wait(gesture="press", phase="begin", region="key")["sequence"]
    client.wait(gesture="press", phase="begin", region="ok")
    before = len(client.lines)

    def change():
        panel.up(0)
        panel.down(*KEY, slot=0)

    behind_its_back(change, survivor=(1, OK))
    lines = [line for line in client.lines[before:] if line.get("event") == "gesture"]
    assert transcript(lines) == ["press cancel key sync_lost", "press begin key"], transcript(lines)
    assert lines[0]["sequence"] == old != lines[1]["sequence"], lines
    panel.up()
    client.collect(until=2, gesture="press", phase="end")


# Clients


@test
def a_client_that_never_reads_delays_nobody():
    panel, client = bench.prepare()
    hung = [Client() for _ in range(5)]
    for each in hung:
        each.request("subscribe")
    x, y = MAP
    for _ in range(4):
        panel.glide((x - 300, y - 200), (x + 300, y + 200), seconds=0.4, hz=500)
        panel.up()
    client.wait(until=4, gesture="drag", phase="end")
    begun = time.monotonic()
    panel.down(*KEY)
    delay = client.wait(gesture="press", phase="begin")["arrived"] - begun
    assert delay < 0.1, f"{delay * 1000:.0f} ms"
    for each in hung:
        each.close()
    return f"{delay * 1000:.1f} ms"


@test
def gesturectl_talks_to_the_service():
    panel, client = bench.prepare()
    program = bench.programs / "gesturectl"
    command(program, "status")
    assert "panel" in command(program, "devices").stdout
    nowhere = subprocess.run([program, "status"], capture_output=True, env={**os.environ, "GESTURED_SOCKET": "/run/nothing.sock"})
    assert nowhere.returncode == 69, nowhere
    listener = subprocess.Popen([program, "listen"], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    try:
        os.set_blocking(listener.stdout.fileno(), False)
        text = b""

        def says(what):
            nonlocal text
            text += listener.stdout.read() or b""
            return what in text

        wait_until(lambda: says(b'"hello"'), "gesturectl listen prints hello")
        panel.tap(OK)
        wait_until(lambda: says(b'"gesture":"tap"'), "gesturectl listen prints the tap")
    finally:
        listener.terminate()
        listener.wait()


@test
def a_recording_replays_what_clients_saw():
    panel, client = bench.prepare()
    program = bench.programs / "gesturectl"
    file = Path("/tmp/kernel.evemu")
    recorder = subprocess.Popen([program, "record", "--output", file], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    try:
        recorder.stderr.readline()  # it says so when it has begun
        panel.tap(OK)
        panel.tap(*(PAIR, (PAIR[0] + 80, PAIR[1])))
        panel.swipe((200, 700), (800, 720))
        panel.tap(HOLD, hold=0.6)
        seen = client.gestures(gesture="press", phase="end", region="hold")
    finally:
        recorder.send_signal(signal.SIGINT)
        recorder.wait(10)
    output = command(program, "replay", file, "--config", CONFIGURATION).stdout.splitlines()

    def unnumbered(lines):
        return [re.sub(r'"seq":\d+', '"seq":0', line) for line in lines]

    assert unnumbered(output) == unnumbered(line["text"] for line in seen), \
        "\n".join(["saw:", *(line["text"] for line in seen), "replayed:", *output])
    return f"{len(output)} lines"


# Reload


def rejected(trigger):
    """A wrong file changes nothing but for the line that says so."""
    panel, client = bench.prepare()
    good = CONFIGURATION.read_text()
    generation = client.request("status")["config"]["generation"]
    CONFIGURATION.write_text(good + '\n[[region]]\nid = "wrong"\nshpe = "full"\n')
    try:
        panel.down(*KEY)
        client.wait(gesture="press", phase="begin")
        trigger()
        lines = client.collect(event="config", change="rejected")
        assert len(lines) == 1, transcript(lines)
        diagnostics = lines[0]["diagnostics"]
        for diagnostic in diagnostics:
            assert diagnostic["severity"] == "error" and diagnostic["file"] == str(CONFIGURATION), diagnostic
        # the wrong key, and what is missing without it
        assert [(each["code"], each["line"] - good.count("\n")) for each in diagnostics] == \
            [("missing_key", 3), ("unknown_key", 4)], diagnostics
        panel.up()
        lines = client.gestures(gesture="press", phase="end")
        assert transcript(lines) == ["press end key"], transcript(lines)
        config = client.request("status")["config"]
        assert (config["generation"], config["state"]) == (generation, "rejected"), config
        assert unit_property("ActiveState") == "active"
    finally:
        CONFIGURATION.write_text(good)


@test
def reload_with_a_wrong_file_keeps_the_old_one():
    rejected(lambda: systemctl("reload", UNIT, check=False))
    systemctl("reload", UNIT)
    wait_until(lambda: bench.client.request("status")["config"]["state"] == "ok", "the good file is in use again")


@test
def hangup_with_a_wrong_file_keeps_the_old_one():
    rejected(lambda: os.kill(main_process(), signal.SIGHUP))
    os.kill(main_process(), signal.SIGHUP)
    wait_until(lambda: bench.client.request("status")["config"]["state"] == "ok", "the good file is in use again")


@test
def reload_cancels_only_what_changed():
    panel, client = bench.prepare()
    good = CONFIGURATION.read_text()
    panel.down(*KEY, slot=0)
    panel.down(*OK, slot=1)
    client.collect(until=2, gesture="press", phase="begin")
    changed = good.replace('id = "key"\nshape = { rect = [0, 0, 300, 300] }', 'id = "key"\nshape = { rect = [0, 0, 200, 200] }')
    assert changed != good
    CONFIGURATION.write_text(changed)
    try:
        systemctl("reload", UNIT)
        cancel = client.wait(gesture="press", phase="cancel")
        assert (cancel["region"], cancel["reason"]) == ("key", "reload"), cancel
        panel.up()
        lines = client.gestures(gesture="press", phase="end")
        assert lines[-1]["region"] == "ok", lines
    finally:
        CONFIGURATION.write_text(good)
        systemctl("reload", UNIT)


# The process


@test
def stop_says_bye_and_leaves_cleanly():
    panel, client = bench.prepare()
    instance = client.hello["instance"]
    panel.down(*KEY)
    client.wait(gesture="press", phase="begin")
    systemctl("stop", UNIT)
    client.wait_for_end()
    last = transcript(client.lines[-2:])
    assert last[0].startswith("press cancel key") and last[1] == "bye", last
    assert client.lines[-1]["reason"] == "shutdown", client.lines[-1]
    assert (unit_property("Result"), unit_property("ExecMainStatus"), unit_property("ExecMainCode")) == ("success", "0", "1")
    took = (int(unit_property("ExecMainExitTimestampMonotonic")) - int(unit_property("ActiveExitTimestampMonotonic"))) / 1e6
    assert took < 1, took
    assert unit_property("ActiveState", "gestured.socket") == "active", "the socket went with the service"
    panel, client = bench.prepare()  # connecting starts it again
    assert client.hello["instance"] != instance, client.hello
    panel.tap(KEY)
    client.wait(gesture="press", phase="end")
    return f"gone after {took * 1000:.0f} ms"


@test
def a_finger_down_at_the_start_is_ignored_until_it_lifts():
    panel, client = bench.prepare()
    panel.down(*KEY, slot=0)
    client.wait(gesture="press", phase="begin")
    systemctl("restart", UNIT)
    client.wait_for_end()
    client = bench.connect()
    wait_until(bench.ready, "the daemon calls the panel ready", 10)
    panel.down(*OK, slot=1)
    panel.up(0)
    panel.down(*HOLD, slot=0)
    lines = client.gestures(gesture="press", phase="begin", region="hold")
    assert transcript(lines) == ["press begin ok", "press begin hold"], transcript(lines)


@test
def watchdog_is_fed_and_replaces_a_hung_daemon():
    bench.prepare()
    assert int(unit_property("WatchdogTimestampMonotonic")) > 0, "the shipped unit has no watchdog that is fed"
    override(WatchdogSec="1s")
    panel, client = bench.prepare()
    process = main_process()
    time.sleep(3.5)
    assert main_process() == process and unit_property("NRestarts") == "0", "it was restarted though it was well"
    os.kill(process, signal.SIGSTOP)
    begun = time.monotonic()
    wait_until(lambda: main_process() not in (0, process), "a hung daemon is replaced", 15, pause=0.1)
    took = time.monotonic() - begun
    client.wait_for_end()
    panel, client = bench.prepare()
    panel.tap(KEY)
    client.wait(gesture="press", phase="end")
    return f"replaced {took:.1f} s after it hung"


@test
def a_killed_daemon_comes_back():
    panel, client = bench.prepare()
    instance = client.hello["instance"]
    panel.down(*KEY)
    client.wait(gesture="press", phase="begin")
    os.kill(main_process(), signal.SIGKILL)
    client.wait_for_end()
    panel.up()
    panel, client = bench.prepare()
    assert client.hello["instance"] != instance
    panel.tap(KEY)
    client.wait(gesture="press", phase="end")


@test
def idle_is_idle():
    """With the panel open, a client connected and the watchdog off, nothing wakes it."""
    override(WatchdogSec="0")
    panel, client = bench.prepare()
    panel.tap(OK)
    client.wait(gesture="press", phase="end")
    process = main_process()
    time.sleep(2)  # taps' deadlines, udev's last words
    before = wakeups(process)
    time.sleep(8)
    count = wakeups(process) - before
    rss, pss, private = resident(process)
    # the devices are looked through every 30 s: that may fall into the window
    assert count <= 1, f"{count} wake-ups in 8 s"
    assert rss <= 6144, f"RSS {rss} kB"
    return f"{count} wake-ups in 8 s, RSS {rss} kB, PSS {pss} kB, private {private} kB"


# All that was seen


@test
def every_begin_had_its_end():
    bench.prepare()
    for client in bench.clients:
        begun = {}
        if client.is_open():
            client.drain()
        for line in client.lines:
            if line.get("event") != "gesture" or "phase" not in line:
                continue
            key = (line["sequence"], line["region"], line["name"])
            if line["phase"] == "begin":
                assert key not in begun, f"begun twice: {line}"
                begun[key] = True
            else:
                assert begun.get(key), f"not begun: {line}"
                begun[key] = line["phase"] == "update"
        if client.lines[-1].get("event") == "bye" or not client.ended:  # who is killed cannot end anything
            assert not any(begun.values()), f"never ended: {[key for key, open in begun.items() if open]}"


@test
def no_line_was_lost():
    for client in bench.clients:
        numbers = [line["seq"] for line in client.lines if line.get("event") not in (None, "hello", "state", "bye", "overflow")]
        assert numbers == list(range(1, len(numbers) + 1)), numbers


def main():
    parser = argparse.ArgumentParser(description="tests of gestured as a service on a real kernel")
    parser.add_argument("--project", type=Path, required=True, help="the project's folder (for systemd/)")
    parser.add_argument("--build", type=Path, required=True, help="the folder with gestured and gesturectl")
    parser.add_argument("names", nargs="*", help="only tests whose names contain one of these")
    options = parser.parse_args()
    chosen = [test for test in TESTS if not options.names or any(name in test.__name__ for name in options.names)]
    bench.programs = harness.install(options.project, options.build, HERE / "kernel.toml")
    systemctl("start", "gestured.socket")

    passed = failed = 0
    for function in chosen:
        begun = time.monotonic()
        try:
            figures = function()
            passed += 1
            print(f"ok {function.__name__} ({time.monotonic() - begun:.2f} s){f': {figures}' if figures else ''}", flush=True)
        except Exception as error:
            failed += 1
            known = isinstance(error, AssertionError) and str(error)
            print(f"FAIL {function.__name__}: {str(error) if known else repr(error)}")
            places = [f"{Path(frame.filename).name}:{frame.lineno} {frame.line}" for frame in traceback.extract_tb(error.__traceback__)]
            print("    at " + "\n    at ".join(places[1:]))
            if bench.client:
                print("    the last lines: " + ", ".join(transcript(bench.client.lines[-12:])), flush=True)
            # nothing of a failed test may reach the next one
            if bench.panel:
                bench.panel.unplug()
            if bench.client:
                bench.client.close()
                bench.clients.remove(bench.client)
            bench.panel = bench.client = None
    if failed:
        print(harness.journal())
    print(f"{passed} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
