# SPDX-License-Identifier: MIT
"""The daemon starts, stops, is killed, and idles."""
import os
import signal
import time

from bench import HOLD, KEY, OK, bench, test
from harness import UNIT, main_process, override, resident, restore, systemctl, transcript, unit_property, wait_until, wakeups


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
