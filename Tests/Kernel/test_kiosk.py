# SPDX-License-Identifier: MIT
"""A kiosk whose application does not know gestured: sway, swayidle, and an application that counts its touches."""
import contextlib
import os
import signal
import statistics
import subprocess
import time
from pathlib import Path

import pytest

from bench import bench, rest
from compositor import OUTPUT, application_behind, in_session, lands_and_lifts, make_user, still_down, swaymsg, version, warm_up
from harness import wait_until
from harness.service import command, main_process
from sharing import DEVICE, OPEN, forget_crashes, prepare_again, shared

# The headless output of sway has no entry in sysfs, so swayidle writes to another file whether the display is off, or sets
# a scene. sway 1.7 cannot switch it off at all, so touches reach the application; sway 1.10 (VM_SUITE=trixie) can.
DISPLAY = Path("/run/kiosk-display")


def configuration(device=""):
    return f"""version = 1
[access]
control_uids = ["kiosk"]
[daemon]
scene = "open"
{DEVICE}{device}
[[region]]
id = "corner"
shape = {{ rect = [0, 0, 200, 200] }}
touches = "capture"
gestures = ["tap"]

[[region]]
id = "lock"
shape = "full"
touches = "capture"
gestures = ["tap"]

[[scene]]
id = "open"
regions = ["corner"]

[[scene]]
id = "dark"
regions = ["corner"]
dark = true

[[scene]]
id = "locked"
regions = ["lock"]
"""


def kiosk(device=""):
    """The shared panel, a client, and the application."""
    make_user()
    return application_behind(shared(configuration(device)), lambda client: client.request("set_scene", scene="open"))


# The display is off

# The commands with which swayidle says that the display is off or on
SAYS = {
    "scene": ("gesturectl scene dark", "gesturectl scene open"),
    "display": (f"echo off >{DISPLAY}", f"echo on >{DISPLAY}"),
}


def idle(reason):
    """swayidle switches the output off after two seconds, or at once at SIGUSR1, and on again."""
    off, on = (f"swaymsg output {OUTPUT} dpms {power}; {says}" for power, says in zip(("off", "on"), SAYS[reason]))
    return in_session("swayidle", "timeout", "2", off, "resume", on, stderr=subprocess.DEVNULL)


def display_is(power, client, reason):
    """Whether the output is on or off, and swayidle has said so."""
    said = client.request("state")["scene"] == ("open" if power == "on" else "dark") if reason == "scene" else DISPLAY.read_text() == f"{power}\n"
    return said and (version() < (1, 9) or ('"dpms": true' in swaymsg("-t", "get_outputs", "-r")) == (power == "on"))


@contextlib.contextmanager
def sleeping(reason, wake='wake = { guard = "300ms" }'):
    """Like `kiosk`, and also yields a function that waits until the display is off."""
    DISPLAY.write_text("on\n")
    DISPLAY.chmod(0o666)
    if reason == "display":
        wake = wake.replace("{", f'{{ display = "{DISPLAY}",')
    with kiosk(wake) as (panel, client, application), idle(reason) as process:
        def sleep(at_once):
            if at_once:
                process.send_signal(signal.SIGUSR1)
            wait_until(lambda: display_is("off", client, reason), "the display is off")
            client.drain()

        yield panel, client, application, sleep


def touch(panel, kind):
    """A tap, a tap of two fingers, a swipe, or a tap whose finger bounces; less than 200 ms long."""
    if kind == 1:
        panel.tap(OPEN, (1200, 600))
    elif kind == 2:
        panel.swipe(OPEN, (1200, 800), 0.1)
    else:
        panel.tap(OPEN)
        if kind == 3:
            rest(0.02)
            panel.tap((OPEN[0] + 10, OPEN[1]))


@pytest.mark.parametrize("reason", SAYS)
def test_a_touch_on_the_dark_display_only_wakes_it(reason):
    """The daemon presses a key, which ends sway's idle time, so swayidle switches the output on.

    `VM_LIMIT=3000 vm test dark_display --rounds 1000` repeats this test more often."""
    count, took = bench.options.rounds or 8, []
    with sleeping(reason) as (panel, client, application, sleep):
        for number in range(count):
            sleep(at_once=number % 10 > 0)
            begun = time.monotonic()
            touch(panel, number % 4)
            assert client.wait(event="wake", device="panel")["reason"] == reason
            wait_until(lambda: display_is("on", client, reason), f"touch {number} wakes the display")
            took.append(time.monotonic() - begun)
            rest(0.35)
            got = application.touches(0)
            assert got == [], (number, got)
            assert [line for line in client.drain() if line.get("event") == "wake"] == [], number
            if number % 10 == 9 or number == count - 1:
                lands_and_lifts(application, panel)
    bench.note(f"{count} touches, no click; on {statistics.median(took):.2f} s after the landing at the median, {max(took):.2f} s at most")


def test_without_a_guard_the_touch_clicks():
    """This shows that the silence in the test above is not due to sway 1.7."""
    if version() >= (1, 9):
        pytest.skip(f"sway {'.'.join(map(str, version()))} drops touches on an output that it has switched off")
    with sleeping("scene", wake="") as (panel, client, application, sleep):
        sleep(at_once=False)
        lands_and_lifts(application, panel)
        wait_until(lambda: display_is("on", client, "scene"), "the touch wakes the display")


# The lock

def lock(seconds):
    command("gesturectl", "scene", "locked", "--for", f"{seconds}s")


def is_silent(application, panel):
    """Taps for a second, in case the compositor has not found the twin yet."""
    for _ in range(10):
        panel.tap(OPEN)
        rest()
    got = application.touches()
    assert got == [], got


def kill(client):
    forget_crashes()
    os.kill(main_process(), signal.SIGKILL)
    client.wait_for_end()


def test_a_locked_panel_is_locked_again_after_a_kill():
    """The daemon is killed under two fingers that landed before the lock."""
    took = []
    with kiosk() as (panel, client, application):
        for _ in range(bench.options.rounds or 3):
            panel.frame({0: OPEN, 1: (1200, 600)})
            got = application.touches()
            assert [word.split()[0] for word in got] == ["down"] * 2, got
            lock(60)
            kill(client)
            begun = time.monotonic()
            while still_down(got):
                got += application.touches(0.02)
                assert time.monotonic() - begun < 5, got
            took.append(time.monotonic() - begun)
            panel.up()
            panel, client = prepare_again()
            state = client.request("state")
            assert state["scene"] == "locked" and 0 < state["scene_for_ms"] < 60_000, state
            assert still_down(application.touches()) == set()
            is_silent(application, panel)
            command("gesturectl", "scene", "open")
            warm_up(application, panel, OPEN)
            lands_and_lifts(application, panel)
    bench.note(f"{len(took)} times, nothing is down {max(took):.2f} s after the kill at most")


def test_a_lock_ends_by_itself_after_a_kill():
    with kiosk() as (panel, client, application):
        lock(4)
        kill(client)
        panel, client = prepare_again()
        assert client.request("state")["scene"] == "locked"
        is_silent(application, panel)
        wait_until(lambda: client.request("state")["scene"] == "open", "the lock has ended")
        warm_up(application, panel, OPEN)
        lands_and_lifts(application, panel)


def test_a_locked_panel_is_open_while_there_is_no_daemon():
    """From the kill until the next daemon has taken the panel, the application reads the panel itself. Of each touch that it
    hears, it also hears the end."""
    heard, count = [], 30
    with kiosk() as (panel, client, application):
        for _ in range(bench.options.rounds or 3):
            lock(60)
            panel.down(*OPEN)
            kill(client)
            for _ in range(count):
                panel.up()
                rest()
                panel.down(*OPEN)
                rest(0.03)
            panel.up()
            panel, client = prepare_again()
            got = application.touches()
            assert still_down(got) == set(), got
            heard.append(len([word for word in got if word.startswith("down")]))
            assert heard[-1] < count, "the panel was never locked again"
            is_silent(application, panel)
    bench.note(f"of {count} taps after the kill, the application hears {heard}")
