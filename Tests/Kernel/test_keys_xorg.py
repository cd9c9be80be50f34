# SPDX-License-Identifier: MIT
"""gestured-keys in Xorg: a program gets keys, clicks and the wheel, and nothing stays down."""
import contextlib
import re

from bench import HOLD, KEY, MAP, OK, administered, bench, rest
from harness import wait_until
from harness.service import command, main_process
from keys import BINDINGS, SPACE, TYPED, UNIT, hold, panel_with_keys
from printed import Printed
from xorg import ENVIRONMENT, Xinput, in_xorg, xorg

# A click of the right button on `hold`
CLICK = [f"at {HOLD[0]},{HOLD[1]}", "button 3 down", "button 3 up"]


class Typed(Printed):
    """The symbols of the keys that are pressed, for example "space"."""

    def __init__(self):
        self._is_pressed = False
        super().__init__("xev", "-root", "-event", "keyboard", env=ENVIRONMENT)

    def _take(self, line):
        if " event, " in line:
            self._is_pressed = line.startswith("KeyPress")
        found = re.search(r"\(keysym 0x\w+, (\w+)\)", line)
        if found and self._is_pressed:
            yield found[1]


@contextlib.contextmanager
def desktop(*options, program=Xinput, bindings=BINDINGS):
    """The panel, and a program in Xorg that gets what gestured-keys does."""
    with panel_with_keys(bindings) as (panel, _), xorg(*options), program() as application:
        warm_up(panel, application)
        yield panel, application


def warm_up(panel, application):
    """Taps until the application gets a key. Returns the events of the last tap."""
    def tap():
        panel.tap(OK)
        return application.new(0.3)

    return wait_until(tap, "the application gets a key")


def test_xinput_prints_keys_clicks_and_the_wheel():
    with desktop() as (panel, application):
        panel.frame({0: KEY})
        assert application.new(until=f"key {SPACE} down") == [f"key {SPACE} down"]
        panel.up()
        assert application.new(until=f"key {SPACE} up") == [f"key {SPACE} up"]

        panel.tap(OK)
        assert application.new(until=TYPED[-1]) == TYPED

        hold(panel, HOLD, 0.8)
        assert application.new(until=CLICK[-1]) == CLICK

        for step in range(41):
            panel.frame({0: (MAP[0], MAP[1] - 250 * step // 40)})
            rest(0.01)
        panel.up()
        place, *turns = application.new(0.5)
        assert place == f"at {MAP[0]},{MAP[1]}", place
        steps = [int(each.removeprefix("wheel y ")) / 120 for each in turns]
        bench.note(f"{len(steps)} turns of {steps[-1]} steps")
        # The start of the drag takes up to 3 mm.
        assert len(steps) > 20 and 4 <= steps[-1] <= 5 and steps == sorted(steps), steps


def test_a_key_comes_up_in_xorg_after_kill():
    with desktop() as (panel, application):
        panel.frame({0: KEY})
        application.new(until=f"key {SPACE} down")
        command("kill", "-9", str(main_process(UNIT)))
        assert application.new(until=f"key {SPACE} up") == [f"key {SPACE} up"]
        panel.up()
        assert warm_up(panel, application) == TYPED


def test_a_letter_is_a_place_on_the_layout_of_the_keyboard():
    """`setxkbmap` only changes the keyboards that exist. The configuration of Xorg also holds for new ones."""
    with desktop(program=Typed, bindings=BINDINGS.replace('["leftalt+left", "esc"]', '["y", "q"]')) as (panel, application):
        in_xorg("setxkbmap", "fr")
        panel.tap(OK)
        assert application.new(until="a") == ["y", "a"]
        in_xorg("setxkbmap", "de")
        panel.tap(OK)
        assert application.new(until="q") == ["z", "q"]
        in_xorg("setxkbmap", "us")
        command("kill", "-9", str(main_process(UNIT)))
        assert warm_up(panel, application) == ["z", "q"]


def test_keys_and_clicks_go_to_the_seat_of_the_panel():
    """This Xorg only uses the devices of another seat."""
    with administered(ID_SEAT="seat-kiosk"), desktop("-seat", "seat-kiosk") as (panel, application):
        hold(panel, HOLD, 0.8)
        assert application.new(until=CLICK[-1]) == CLICK
