# SPDX-License-Identifier: MIT
"""The daemon starts, stops, is killed, and idles."""
import os
import signal
import statistics
import subprocess
import time
from pathlib import Path

from bench import HOLD, KEY, OK, bench, test
from harness import UNIT, journal, main_process, override, resident, restore, systemctl, transcript, unit_property, wait_until, wakeups
from sharing import forget_crashes

# What a restart of the daemon may take by what systemd takes for a unit without a sandbox, in which a sleep is killed.
RESTART_LIMIT = 20


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
def goes_before_busy_processes():
    """What the daemon does within a turn takes as long with forty busy processes as without them."""
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
    return f"longest turn {turn:.0f} ms"


@test
def a_killed_daemon_comes_back():
    panel, client = bench.prepare()
    instance = client.hello["instance"]
    panel.down(*KEY)
    client.wait(gesture="press", phase="begin")
    os.kill(main_process(), signal.SIGKILL)
    client.wait_for_end()
    # it lands while there is no daemon, or when there is one again
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
    """Seconds from the kill until systemd makes the next process, and until that is ready."""
    return [int(unit_property(name, unit)) / 1e6 - killed for name in ("ExecMainStartTimestampMonotonic", "ActiveEnterTimestampMonotonic")]


def kill_bare():
    """A unit without a sandbox whose program does nothing: systemd's own share."""
    process = main_process("bare.service")
    killed = time.monotonic()
    os.kill(process, signal.SIGKILL)
    # Whoever asks takes the processor from systemd.
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
    told = time.monotonic() - killed
    assert bench.ready(), "clients are served before the panel is ready"
    return [*started_after(killed, UNIT), told]


@test
def a_killed_daemon_is_back_soon():
    """From kill -9 to the first lines at a client that connects at once, beside what systemd takes for a unit without a
    sandbox and a program that does nothing. Killed in turns, so that load on the host is the same for both."""
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
    (_, floor), (made, ready, told) = ([statistics.median(column) for column in zip(*rows)] for rows in (bare, own))
    figures = f"process after {made * 1000:.0f} ms, ready after {ready * 1000:.0f}, told after {told * 1000:.0f}; a bare sleep {floor * 1000:.0f}"
    assert told < RESTART_LIMIT * floor, figures
    return figures


@test
def crashes_in_a_row_slow_down():
    """Three crashes within half a minute cost nothing; before the next start the daemon waits."""
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
    assert len(starts) == 1, "a stop does not forget crashes"
    bench.prepare()
    return f"{took:.1f} s"


@test
def idle_is_idle():
    """With the panel open, a client connected and the watchdog off, the daemon never wakes up."""
    override(WatchdogSec="0")
    panel, client = bench.prepare()
    panel.tap(OK)
    client.wait(gesture="press", phase="end")
    process = main_process()
    time.sleep(2)  # deadlines of taps, and last events of udev
    before = wakeups(process)
    time.sleep(8)
    count = wakeups(process) - before
    rss, pss, anonymous = resident(process)
    # the devices are checked every 30 s, which may be in this period
    assert count <= 1, f"{count} wake-ups in 8 s"
    assert rss <= 10240, f"RSS {rss} kB"
    assert anonymous <= 1024, f"anonymous {anonymous} kB"
    restore()
    return f"{count} wake-ups in 8 s, RSS {rss} kB, PSS {pss} kB, anonymous {anonymous} kB"
