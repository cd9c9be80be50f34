# SPDX-License-Identifier: MIT
"""A shared panel: the touches that an application in a compositor (sway) receives."""
import os
import signal
import statistics
import time

import pytest

from bench import bench, override, rest, restore
from compositor import application_behind, lands_and_lifts, still_down, version, warm_up
from harness.service import main_process
from sharing import EDGE, MENU, OPEN, configuration, forget_crashes, forwarded, prepare_again, shared


def screen(cancel="lift"):
    """The shared panel, a client, and the application."""
    return application_behind(forwarded(cancel))


def test_the_application_has_the_rest_of_the_panel():
    with screen() as (panel, _, application):
        panel.frame({0: OPEN, 1: (1200, 600)})
        panel.move(1210, 620, 1)
        panel.up()
        assert application.touches() == ["down 0 960,500", "down 1 1200,600", "move", "up 0", "up 1"]


def test_captured_touches_never_reach_the_application():
    """`vm test captured --rounds 10000` repeats this test more often."""
    count = bench.options.rounds or 500
    with screen() as (panel, client, application):
        for number in range(count):
            x, y = bench.random.randrange(200), bench.random.randrange(200)
            # If the frames arrived faster than those of a panel, the daemon might not see the contact before it
            # has moved.
            panel.play([{0: (x, y)}, {0: (x + 150, y + 150)}, {0: (x + 300, y + 300)}][:1 + number % 3] + [{}], hz=250, catches_up=False)
            if number % 50 == 49:
                client.drain()
                got = application.touches(0)
                assert got == [], (number, got, client.request("status")["resyncs"])
        got = application.touches()
        assert got == [], got
        lands_and_lifts(application, panel)
    bench.note(f"{count} touches")


def test_held_touches_reach_the_application_late_or_never():
    with screen() as (panel, client, application):
        panel.swipe(MENU, (1700, 700))
        client.wait(gesture="swipe", region="menu")
        assert application.touches() == []
        panel.tap(MENU)
        assert application.touches() == [f"down 0 {MENU[0]},{MENU[1]}", "up 0"]


def claim(panel, client):
    panel.glide(EDGE, (960, 800))
    client.wait(gesture="drag", phase="begin", region="edge")


def test_claimed_touches_lift():
    with screen("lift") as (panel, client, application):
        claim(panel, client)
        got = application.touches(0.4)
        assert got[0].startswith("down 0") and got[-1] == "up 0", got
        panel.glide((960, 800), (960, 500))
        panel.up()
        assert application.touches() == []
        lands_and_lifts(application, panel)


def test_claimed_touches_are_cancelled():
    """sway before 1.9 drops cancels, so the finger stays down in the application. For these versions, `lift` is the right
    setting."""
    if version() < (1, 9):
        pytest.skip(f"sway {'.'.join(map(str, version()))} drops cancels")
    with screen("palm") as (panel, client, application):
        claim(panel, client)
        got = application.touches()
        assert got[0].startswith("down 0") and got[-1] == "cancel", got
        panel.glide((960, 800), (960, 500))
        panel.up()
        assert application.touches() == []
        lands_and_lifts(application, panel)


THREE = {0: OPEN, 1: (1200, 600), 2: (1300, 700)}


def lifted(application, seconds):
    """Returns the time in seconds until the application has received the lifts of all three fingers."""
    missing, begun = {"up 0", "up 1", "up 2"}, time.monotonic()
    while missing:
        missing -= set(application.touches(0.02))
        assert time.monotonic() - begun < seconds, f"not within {seconds} s: {missing}"
    return time.monotonic() - begun


def put_down(panel, application):
    panel.frame(THREE)
    got = application.touches()
    assert [word.split()[0] for word in got] == ["down"] * 3, got


def test_fingers_lift_after_kill():
    """systemd keeps the descriptor of the twin. `vm test fingers_lift_after_kill --rounds 100` kills the daemon 100 times."""
    took = []
    with screen() as (panel, client, application):
        for _ in range(bench.options.rounds or 3):
            put_down(panel, application)
            os.kill(main_process(), signal.SIGKILL)
            took.append(lifted(application, 10))
            panel.up()
            forget_crashes()
            panel, client = prepare_again()
            warm_up(application, panel, OPEN)
        lands_and_lifts(application, panel)
    figures = f"{len(took)} times, {statistics.median(took):.2f} s later at the median, {max(took):.2f} s at most"
    assert max(took) < 2, f"{figures}; {len([each for each in took if each >= 2])} times later than 2 s"
    bench.note(figures)


def test_fingers_lift_with_max_hold_and_after_a_kill():
    """The daemon is killed before and after it has lifted fingers that rest."""
    took = []
    text = configuration().replace('cancel = "lift"', 'cancel = "lift"\napplication = { max_hold = "400ms" }')
    with application_behind(shared(text)) as (panel, client, application):
        for is_late in [False, True] * (bench.options.rounds or 1):
            put_down(panel, application)
            if is_late:
                took.append(lifted(application, 3))
            os.kill(main_process(), signal.SIGKILL)
            if not is_late:
                lifted(application, 10)
            assert still_down(application.touches(1)) == set()
            panel.up()
            forget_crashes()
            panel, client = prepare_again()
            warm_up(application, panel, OPEN)
        panel.glide(OPEN, (960, 300))
        rest(0.6)
        assert still_down(application.touches()) == {"0"}
        panel.up()
        assert application.touches()[-1] == "up 0"
    bench.note(f"fingers that rest lift {max(took) + 0.2:.2f} s after they have landed at most")



def test_the_panel_works_after_kill_without_a_store():
    """If systemd does not keep the descriptor, it depends on the compositor whether the fingers lift. The next touch must arrive
    in any case."""
    with screen() as (panel, client, application):
        override(FileDescriptorStoreMax="0")
        panel, client = prepare_again()
        warm_up(application, panel, OPEN)
        put_down(panel, application)
        os.kill(main_process(), signal.SIGKILL)
        got = application.touches(1)
        panel.up()
        panel, client = prepare_again()
        warm_up(application, panel, OPEN)
        lands_and_lifts(application, panel)
        restore()
    bench.note(f"sway {'.'.join(map(str, version()))} says {' '.join(got) or 'nothing'}")


def test_fingers_lift_when_the_panel_goes():
    with screen() as (panel, client, application):
        put_down(panel, application)
        bench.unplug()
        took = lifted(application, 2)
        panel, client = prepare_again()
        warm_up(application, panel, OPEN)
        lands_and_lifts(application, panel)
    bench.note(f"after {took * 1000:.0f} ms")
