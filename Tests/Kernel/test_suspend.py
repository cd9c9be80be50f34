# SPDX-License-Identifier: MIT
"""The machine is suspended and its clocks diverge."""
import os
import time
from pathlib import Path

from bench import HOLD, KEY, OK, TWO, bench, rest
from harness import transcript
from harness.process import wakeups
from harness.service import command, main_process


# In seconds. Longer than three readings of a clock, each of which takes 17 to 96 µs in the guest.
ENOUGH = 0.000_5


def slept():
    return time.clock_gettime(time.CLOCK_BOOTTIME) - time.monotonic()


def suspend():
    """Suspends the guest until its clocks differ by more than the time of reading them, and returns the difference.

    A user-mode Linux without a pending timer wakes up at once; on an idle host, this takes microseconds. If it does sleep, the
    host wakes it: see `wake` in vm."""
    before = slept()
    for _ in range(300):
        Path("/vm/sleep").write_text("1")
        state = os.open("/sys/power/state", os.O_WRONLY)
        try:
            os.write(state, b"mem")
        finally:
            os.close(state)
        long = slept() - before
        if long > ENOUGH:
            return long
    raise AssertionError(f"the guest slept for only {long * 1000:.2f} ms")


def test_gestures_end_when_the_machine_sleeps():
    """A press, a pending long press and a delayed tap end while the fingers stay down. Afterwards everything works again."""
    panel, client = bench.prepare()
    panel.tap(TWO)
    panel.down(*KEY, slot=0)
    panel.down(*HOLD, slot=1)
    client.gestures(until=2, gesture="press", phase="begin")
    long = suspend()
    woken = time.monotonic()
    lines = client.gestures(until=2, gesture="press", phase="cancel")
    delay = lines[-1]["arrived"] - woken
    assert transcript(lines) == ["press cancel key suspend", "press cancel hold suspend"], transcript(lines)
    rest(0.6)  # longer than the delay of the long press and the gap of the tap
    panel.move(HOLD[0] + 5, HOLD[1], slot=1)
    panel.down(*OK, slot=2)
    rest()
    panel.up()
    lines = client.gestures(gesture="press", phase="end")
    assert transcript(lines) == ["press begin ok", "tap ok", "press end ok"], transcript(lines)
    bench.note(f"slept for {long * 1000:.1f} ms, cancelled {delay * 1000:.1f} ms after it woke")


def test_a_clock_that_is_set_is_no_sleep():
    panel, client = bench.prepare()
    panel.down(*KEY)
    client.wait(gesture="press", phase="begin")
    process, before = main_process(), wakeups(main_process())
    for step in ("+1 day", "-1 day"):
        command("date", "-s", step)
    rest(0.1)
    woken = wakeups(process) - before
    panel.up()
    lines = client.gestures(gesture="press", phase="end")
    assert transcript(lines) == ["press end key"], transcript(lines)
    bench.note(f"{woken} wake-ups")
