# SPDX-License-Identifier: MIT
"""Chromium behind a shared panel: pinches and double strikes on a page of buttons, keys and clicks of gestured-keys."""
import contextlib

import keys
from bench import bench, rest
from browser import button, page
from compositor import session
from harness import wait_until
from sharing import DEVICE, shared, strike_twice


def configuration(application):
    return f"""version = 1
{DEVICE}{"[device.application]" if application else ""}
{application}
[[region]]
id = "page"
shape = "full"
gestures = ["pinch"]
"""


@contextlib.contextmanager
def browser(application="", change=lambda text: text):
    """The shared panel, a client, and what the page says."""
    with shared(change(configuration(application))) as (panel, client), session(), page() as said:
        # The compositor announces the panel to Chromium at the first touch.
        def clicks():
            panel.tap(button(0))
            return [word for word in said.new() if word.startswith("click 0")]

        wait_until(clicks, "the page gets a click", 20)
        client.drain()
        yield panel, client, said


def pinch(panel, start, end):
    """Two fingers, whose distance from the middle changes from `start` to `end`."""
    count = 20
    distances = [start + (end - start) * step / (count - 1) for step in range(count)]
    panel.play([{0: (960 - each, 540), 1: (960 + each, 540 + each / 4)} for each in distances], hz=60)
    panel.up()


def scales(words):
    return [float(word.split()[1]) for word in words if word.startswith("scale")]


def fingers(words):
    return max((int(word.split()[1]) for word in words if word.startswith("touchstart")), default=0)


def test_pinches_zoom_a_page():
    """This shows that the scale in the test below does not stay because of Chromium, sway or the pinches."""
    with browser() as (panel, _, said):
        for _ in range(bench.options.rounds or 2):
            pinch(panel, 100, 400)
            words = said.new(until="touchend 0")
            assert scales(words)[-1] > 2 and fingers(words) == 2, words
            pinch(panel, 500, 50)
            words = said.new(until="touchend 0")
            assert scales(words)[-1] == 1, words


def test_with_max_contacts_pinches_do_not_zoom():
    """The daemon's own gestures see both fingers."""
    count = bench.options.rounds or 5
    with browser("max_contacts = 1") as (panel, client, said):
        for number in range(count):
            pinch(panel, *((100, 400) if number % 2 == 0 else (500, 50)))
            client.wait(gesture="pinch", phase="end")
            words = said.new(until="touchend 0")
            assert scales(words) == [] and fingers(words) == 1, words
            panel.tap(button(number % 12))
            words = said.new(until="click")
            assert words[-1] == f"click {number % 12} at 1", words
    bench.note(f"{count} pinches")


def test_with_min_gap_double_strikes_click_once():
    count, late = bench.options.rounds or 10, 0
    with browser('min_gap = "60ms"') as (panel, _, said):
        for number in range(count):
            if strike_twice(panel, button(number % 12)) > 0.055:
                late += 1
                said.new(until="click")
                continue
            words = [word for word in said.new(0.3, until="click") if word.startswith("click")]
            assert words == [f"click {number % 12} at 1"], (number, words)
            rest()
    bench.note(f"{count - late} double strikes")
    assert late < count / 2


def menus(panel, said, count):
    """The words that the page says while a finger rests on `count` buttons for 1.2 s each."""
    words = []
    for number in range(count):
        panel.frame({0: button(number % 12)})
        rest(1.2)
        panel.up()
        words += said.new(until="touch")
        # A menu takes the next touch.
        panel.tap(button(11))
        words += said.new()
    return words


def test_with_max_hold_no_menu_opens():
    count = bench.options.rounds or 4
    with browser() as (panel, _, said):
        without = menus(panel, said, count)
    with browser('max_hold = "400ms"') as (panel, client, said):
        words = menus(panel, said, count)
        assert client.request("counts")["devices"][0]["kept"]["max_hold"] == count
        # A finger that moves is not lifted.
        panel.swipe((960, 800), (960, 300), 1.5)
        assert "touchend 0" in said.new(until="touchend")
        assert client.request("counts")["devices"][0]["kept"]["max_hold"] == count
    opened = [[word for word in each if word.startswith("menu")] for each in (without, words)]
    bench.note(f"{len(opened[0])} menus in {count} holds without max_hold, {len(opened[1])} with it")
    assert opened[0] and not opened[1], opened
    assert [word for word in words if word.startswith("click")][::2] == [f"click {number % 12} at 1" for number in range(count)], words


BINDINGS = """version = 1
[[binding]]
gesture = "drag"
keys = "leftalt+left"
[[binding]]
gesture = "long_press"
click = "right"
"""


def held(text):
    """The configuration, with gestures that the page does not get the touches of."""
    return text.replace('gestures = ["pinch"]', 'touches = "hold"\ngestures = ["drag", "long_press"]')


def test_gestured_keys_goes_back_and_opens_the_menu_at_the_finger():
    with keys.service(BINDINGS), browser(change=held) as (panel, client, said):
        def goes_back():
            panel.tap(button(5))
            said.new(until="click 5")
            panel.swipe((1500, 540), (400, 540))
            client.wait(gesture="drag", phase="end")
            return "back" in said.new()

        # The compositor announces the keyboard to Chromium at its first key.
        wait_until(goes_back, "the page goes back", 20)
        assert goes_back()
        x, y = button(6)
        panel.frame({0: (x, y)})
        client.wait(gesture="long_press", phase="begin")
        panel.up()
        menu = [word for word in said.new(until="menu at") if word.startswith("menu at")]
        at = [float(value) for value in menu[-1].removeprefix("menu at ").split(",")]
        bench.note(f"the menu opens at {at} for a finger at {(x, y)}")
        # The panel has 10 units per millimetre, and the output as many pixels as the panel has units.
        assert abs(at[0] - x) <= 20 and abs(at[1] - y) <= 20, menu
        assert not any(word.startswith("touchstart") for word in said.words[-3:]), said.words
