# SPDX-License-Identifier: MIT
"""The daemon starts, stops, is killed, and is idle."""
import os
import signal
import statistics
import subprocess
import time
from pathlib import Path

from bench import HOLD, KEY, OK, bench, override, restore
from harness import transcript, wait_until
from harness.process import resident, wakeups
from harness.service import UNIT, journal, main_process, systemctl, unit_property
from sharing import forget_crashes

# The maximum time for a restart of the daemon, as a multiple of the time that systemd needs to restart a `sleep`
# without a sandbox
RESTART_LIMIT = 20


def test_stop_says_bye_and_leaves_cleanly():
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
    panel, client = bench.prepare()  # a connection starts it again
    assert client.hello["instance"] != instance, client.hello
    panel.tap(KEY)
    client.wait(gesture="press", phase="end")
    bench.note(f"gone after {took * 1000:.0f} ms")


def test_a_finger_down_at_the_start_is_ignored_until_it_lifts():
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


def test_watchdog_is_fed_and_replaces_a_hung_daemon():
    bench.prepare()
    assert int(unit_property("WatchdogTimestampMonotonic")) > 0, "the service does not notify the watchdog of the shipped unit"
    override(WatchdogSec="1s")
    panel, client = bench.prepare()
    process = main_process()
    # Three times the interval of the watchdog
    time.sleep(3.5)
    assert main_process() == process and unit_property("NRestarts") == "0", "it was restarted although it was alive"
    os.kill(process, signal.SIGSTOP)
    begun = time.monotonic()
    wait_until(lambda: main_process() not in (0, process), "a hung daemon is replaced", 15, pause=0.1)
    took = time.monotonic() - begun
    client.wait_for_end()
    panel, client = bench.prepare()
    panel.tap(KEY)
    client.wait(gesture="press", phase="end")
    bench.note(f"replaced {took:.1f} s after it hung")


def test_goes_before_busy_processes():
    """A turn of the daemon's loop takes as long with forty busy processes as without them."""
    bench.prepare()
    systemctl("restart", UNIT)
    assert os.getpriority(os.PRIO_PROCESS, main_process()) < 0, "the shipped unit has no priority"
    crowd = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(40)]
    try:
        panel, client = bench.prepare()
        for _ in range(10):
            client.request("reload", seconds=60)
            panel.tap(KEY)
            client.wait(gesture="press", phase="end", seconds=30)
        turn = client.request("status", seconds=30)["longest_turn_us"] / 1000
    finally:
        for process in crowd:
            process.kill()
            process.wait()
    bench.note(f"longest turn {turn:.0f} ms")


def test_a_killed_daemon_comes_back():
    panel, client = bench.prepare()
    instance = client.hello["instance"]
    panel.down(*KEY)
    client.wait(gesture="press", phase="begin")
    os.kill(main_process(), signal.SIGKILL)
    client.wait_for_end()
    # The contact lands while no daemon runs, or after the next one has started.
    panel.down(*OK, slot=1)
    client = bench.connect()
    assert client.hello["instance"] != instance
    if not client.state["active"]:
        client.wait(gesture="press", phase="begin", region="ok")
    client.request("state")
    active = {gesture["region"] for gesture in client.lines[-1]["active"]}
    assert active == {"ok"}, active
    panel.up()
    panel, client = bench.prepare()
    panel.tap(KEY)
    client.wait(gesture="press", phase="end")


BARE = """[Unit]
StartLimitIntervalSec=0
[Service]
Type=exec
ExecStart=/bin/sleep infinity
Restart=always
RestartSec=0
"""


def started_after(killed, unit):
    """Seconds from the kill until systemd has started the next process, and until that process is ready."""
    return [int(unit_property(name, unit)) / 1e6 - killed for name in ("ExecMainStartTimestampMonotonic", "ActiveEnterTimestampMonotonic")]


def kill_bare():
    """Kills a program that does nothing, in a unit without a sandbox, to measure the time that systemd itself needs."""
    process = main_process("bare.service")
    killed = time.monotonic()
    os.kill(process, signal.SIGKILL)
    # Requests during this time would compete with systemd for the processor.
    time.sleep(1)
    wait_until(lambda: main_process("bare.service") not in (0, process), "sleep is started again", 10)
    wait_until(lambda: unit_property("ActiveState", "bare.service") == "active", "sleep runs", 10)
    return started_after(killed, "bare.service")


def kill_daemon():
    _, client = bench.prepare()
    forget_crashes()
    process = main_process()
    killed = time.monotonic()
    os.kill(process, signal.SIGKILL)
    client.wait_for_end()
    client = bench.connect()
    served = time.monotonic() - killed
    assert bench.ready(), "clients are served before the panel is ready"
    return [*started_after(killed, UNIT), served]


def test_a_killed_daemon_is_back_soon():
    """Measures the time from kill -9 until a client that connects at once has the first lines, and compares it with the time
    that systemd needs to restart a program that does nothing, without a sandbox. The two are killed alternately, so that load on
    the host affects both."""
    unit = Path("/run/systemd/system/bare.service")
    unit.write_text(BARE)
    systemctl("daemon-reload")
    systemctl("start", "bare.service")
    try:
        bare, own = zip(*[(kill_bare(), kill_daemon()) for _ in range(bench.options.rounds or 7)])
    finally:
        systemctl("stop", "bare.service")
        unit.unlink()
        systemctl("daemon-reload")
    (_, floor), (made, ready, served) = ([statistics.median(column) for column in zip(*rows)] for rows in (bare, own))
    figures = f"process after {made * 1000:.0f} ms, ready after {ready * 1000:.0f}, first lines after {served * 1000:.0f}; a bare sleep {floor * 1000:.0f}"
    assert served < RESTART_LIMIT * floor, figures
    bench.note(figures)


def test_crashes_in_a_row_slow_down():
    """After three crashes within half a minute, the daemon waits before its next start."""
    bench.prepare()
    systemctl("restart", UNIT)
    for _ in range(3):
        bench.prepare()
        process = main_process()
        os.kill(process, signal.SIGKILL)
        bench.client.wait_for_end()
    begun = time.monotonic()
    panel, client = bench.prepare()
    took = time.monotonic() - begun
    assert took >= 1, took
    assert "3 crashes within 30 s; starting in 1 s" in journal(20), journal(20)
    systemctl("restart", UNIT)
    starts = Path("/run/gestured-contacts/starts").read_text().split()
    assert len(starts) == 1, "crashes are still counted after a stop"
    bench.prepare()
    bench.note(f"{took:.1f} s")


def test_idle_is_idle():
    """With the panel open, a client connected and the watchdog off, the daemon never wakes up."""
    override(WatchdogSec="0")
    panel, client = bench.prepare()
    panel.tap(OK)
    client.wait(gesture="press", phase="end")
    process = main_process()
    time.sleep(2)  # for deadlines of taps and the last events of udev
    before = wakeups(process)
    time.sleep(8)
    count = wakeups(process) - before
    rss, pss, anonymous = resident(process)
    # The daemon checks its devices every 30 s, which may fall into this period.
    assert count <= 1, f"{count} wake-ups in 8 s"
    assert anonymous <= 1024, f"anonymous {anonymous} kB"
    restore()
    bench.note(f"{count} wake-ups in 8 s, RSS {rss} kB, PSS {pss} kB, anonymous {anonymous} kB")
