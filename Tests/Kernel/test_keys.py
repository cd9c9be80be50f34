# SPDX-License-Identifier: MIT
"""gestured-keys as a service: an application in sway gets keys, clicks and the wheel, and nothing stays down."""
import contextlib
import signal
import struct
import time

from bench import HOLD, KEY, MAP, OK, VOLUME, bench, rest
from compositor import OUTPUT, SIZE, Application, session, swaymsg
from harness import wait_until
from harness.service import UNIT as DAEMON
from harness.service import command, main_process, systemctl, unit_property
from keys import BINDINGS, BTN_LEFT, BTN_RIGHT, SPACE, TYPED, UNIT, VOLUMEUP, grabbed, hold, panel_with_keys


class Inputs(Application):
    """An application that receives keys, buttons and the wheel: "key 57 down", "at 100,200", "button 273 up", "axis 0 15.0"."""

    def __init__(self, connection):
        self._keyboard = self._pointer = None
        self._inputs = []
        super().__init__(connection)

    def _take(self, target, number, body):
        if target == self._global.get("wl_seat") and number == 0:
            capabilities = struct.unpack("=I", body)[0]
            self._pointer = (self._pointer or self._make(target, 0)) if capabilities & 1 else None
            self._keyboard = (self._keyboard or self._make(target, 1)) if capabilities & 2 else None
        elif target == self._keyboard and number == 3:
            _, _, key, state = struct.unpack("=4I", body)
            self._inputs.append(f"key {key} {'down' if state else 'up'}")
        elif target == self._pointer:
            self._pointed(number, body)
        super()._take(target, number, body)

    def _pointed(self, number, body):
        if number in (0, 2):
            x, y = struct.unpack("=ii", body[-8:])
            self._inputs.append(f"at {x / 256:.0f},{y / 256:.0f}")
        elif number == 3:
            _, _, button, state = struct.unpack("=4I", body)
            self._inputs.append(f"button {button} {'down' if state else 'up'}")
        elif number == 4:
            _, axis, value = struct.unpack("=IIi", body)
            self._inputs.append(f"axis {axis} {value / 256:.2f}")

    def inputs(self, wait=0.2, until=None, seconds=10):
        """The events since the last call: until the event `until`, and then until none has arrived for `wait` seconds."""
        if until:
            wait_until(lambda: self._read() or until in self._inputs, f"the application gets {until}", seconds, pause=0)
        count = -1
        while count < len(self._inputs):
            count = len(self._inputs)
            end = time.monotonic() + wait
            while time.monotonic() < end:
                self._read()
        inputs, self._inputs = self._inputs, []
        return inputs


@contextlib.contextmanager
def typist(bindings=BINDINGS, change=grabbed):
    """The panel, the daemon's client, and an application in sway that gets what gestured-keys does."""
    with panel_with_keys(bindings, change) as (panel, client), session() as connection, contextlib.closing(Inputs(connection)) as application:
        devices(application, panel)
        yield panel, client, application


def devices(application, panel):
    """Presses a key until the application gets it, because sway handles devices that it has found only after an event."""
    def pressed():
        panel.frame({0: KEY})
        if f"key {SPACE} down" in application.inputs(0.2):
            return True
        panel.up()

    wait_until(pressed, "the application gets a key", 20)
    panel.up()
    application.inputs(until=f"key {SPACE} up")
    wait_until(lambda: "gestured_pointer" in swaymsg("-t", "get_inputs"), "sway has the pointer", 20)
    application.inputs()


def test_an_application_gets_keys_clicks_and_the_wheel():
    with typist() as (panel, client, application):
        panel.frame({0: KEY})
        assert application.inputs(until=f"key {SPACE} down") == [f"key {SPACE} down"]
        panel.up()
        assert application.inputs(until=f"key {SPACE} up") == [f"key {SPACE} up"]

        panel.tap(OK)
        assert application.inputs(until=TYPED[-1]) == TYPED

        hold(panel, HOLD, 0.8)
        click = [f"at {HOLD[0]},{HOLD[1]}", f"button {BTN_RIGHT} down", f"button {BTN_RIGHT} up"]
        assert application.inputs(until=click[-1]) == click

        hold(panel, VOLUME, 0.75)
        volume = application.inputs(until=f"key {VOLUMEUP} up")
        assert len(volume) >= 6 and volume == [f"key {VOLUMEUP} down", f"key {VOLUMEUP} up"] * (len(volume) // 2)
        client.drain()


def test_a_drag_turns_the_wheel_so_that_the_content_follows_the_finger():
    """A step of the wheel is 15 in wl_pointer.axis."""
    with typist() as (panel, _, application):
        def drag(x, y, steps=40):
            for step in range(steps + 1):
                panel.frame({0: (MAP[0] + x * step // steps, MAP[1] + y * step // steps)})
                rest(0.01)
            panel.up()
            # The start of the drag takes up to 3 mm.
            inputs = application.inputs(0.5)
            assert inputs[0] == f"at {MAP[0]},{MAP[1]}", inputs
            return [sum(float(each.split()[2]) for each in inputs if each.startswith(f"axis {axis} ")) for axis in (0, 1)]

        vertical, horizontal = drag(0, -250)
        assert 15 * 4 <= vertical <= 15 * 5 and horizontal == 0
        vertical, horizontal = drag(200, 0)
        assert -15 * 4 <= horizontal <= -15 * 3 and vertical == 0


def test_the_wheel_runs_on_after_a_drag_and_stops_at_the_next_landing():
    with typist(BINDINGS.replace("step = 50 }", "step = 50, momentum = true }")) as (panel, _, application):
        def fling():
            for step in range(9):
                panel.frame({0: (MAP[0], MAP[1] - 40 * step)})
                rest(0.008)
            panel.up()

        def turned(inputs):
            return sum(float(each.split()[2]) for each in inputs if each.startswith("axis 0 "))

        fling()
        whole = turned(application.inputs(0.5))
        # The finger itself turns it by 6.4 steps at most, which are 15 each.
        assert whole > 15 * 8, whole
        fling()
        rest(0.2)
        panel.frame({0: KEY})
        before = application.inputs(until=f"key {SPACE} down")
        assert turned(before) < whole and turned(application.inputs(1)) == 0, before
        panel.up()
        application.inputs(until=f"key {SPACE} up")
        bench.note(f"{whole / 15:.1f} steps, of which the finger turned 6.4 at most, and {turned(before) / 15:.1f} with a landing after 0.2 s")



def test_a_click_goes_to_the_finger_even_if_a_mouse_has_moved_the_pointer():
    with typist() as (panel, _, application):
        where = f"at {HOLD[0]},{HOLD[1]}"
        hold(panel, HOLD, 0.8)
        assert application.inputs(until=f"button {BTN_RIGHT} up")[0] == where
        swaymsg("seat", "seat0", "cursor", "set", "10", "10")
        application.inputs()
        hold(panel, HOLD, 0.8)
        inputs = application.inputs(until=f"button {BTN_RIGHT} up")
        # The last position before the button
        assert inputs[inputs.index(f"button {BTN_RIGHT} down") - 1] == where, inputs


def test_nothing_stays_down_whatever_ends():
    """gestured-keys, the daemon or the panel end while a key is down. The key comes up, and works again afterwards."""
    with typist() as (panel, _, application):
        endings = {
            "kill -9": lambda: command("kill", "-9", str(main_process(UNIT))),
            "a stop": lambda: (systemctl("stop", UNIT), systemctl("start", UNIT)),
            "a reload": lambda: systemctl("reload", UNIT),
            "kill -9 of the daemon": lambda: command("kill", "-9", str(main_process(DAEMON))),
            "an unplugged panel": bench.unplug,
        }
        for name, end in endings.items():
            panel, _ = bench.prepare()
            wait_until(lambda: unit_property("ActiveState", UNIT) == "active", "the service is running", 20)
            devices(application, panel)
            panel.frame({0: KEY})
            application.inputs(until=f"key {SPACE} down")
            end()
            up = application.inputs(until=f"key {SPACE} up")
            # A pointer that comes back says where it is.
            assert [word for word in up if not word.startswith("at ")] == [f"key {SPACE} up"], (name, up)
            if bench.panel:
                panel.up()
            assert f"key {SPACE} down" not in application.inputs(), name


def test_a_daemon_that_hangs_does_not_leave_a_key_down():
    with typist() as (panel, _, application):
        panel.frame({0: KEY})
        application.inputs(until=f"key {SPACE} down")
        process = main_process(DAEMON)
        command("kill", f"-{signal.SIGSTOP}", str(process))
        try:
            began = time.monotonic()
            application.inputs(until=f"key {SPACE} up", seconds=12)
            bench.note(f"up after {time.monotonic() - began:.1f} s")
        finally:
            command("kill", f"-{signal.SIGCONT}", str(process), check=False)
        panel.up()


def test_a_flood_of_gestures_presses_at_most_50_keys_a_second():
    with typist(BINDINGS.replace('["leftalt+left", "esc"]', '["1", "2", "3", "4", "5", "6", "7", "8"]')) as (panel, client, application):
        rest(1)
        begin, taps = time.monotonic(), 0
        while time.monotonic() < begin + 3:
            panel.tap(OK, hold=0.03)
            taps += 1
            rest()
            # A client that does not read would lose lines.
            assert client.is_open()
        seconds = time.monotonic() - begin
        keys = [each for each in application.inputs() if each.endswith("down")]
        bench.note(f"{taps} taps of 8 keys in {seconds:.1f} s, {len(keys)} keys")
        assert 8 * taps > 50 * seconds and 60 <= len(keys) <= 12 + 38 * seconds


def test_a_rotated_output_needs_nothing_unless_the_pointer_is_mapped_to_it():
    """The output is rotated in sway, and so is the panel's output in the configuration."""
    configuration = """version = 1
[[device]]
id = "panel"
match = { name = "uinput panel" }
output = { size = [1080, 1920], rotation = 90 }
share = "grab"
[[region]]
id = "whole"
shape = "full"
gestures = ["press", "tap"]
"""
    bindings = BINDINGS.replace('region = "key"', 'region = "whole"') + '[[binding]]\ngesture = "tap"\nclick = "left"\n'
    with typist(bindings, lambda _: configuration) as (panel, client, application):
        def stroke():
            """The difference of two taps: of the fingers, and of the pointer. Where sway places the application does not matter."""
            def tap(at):
                client.drain()
                panel.tap(at)
                line = client.wait(gesture="tap")
                rest(0.4)
                place = next(each for each in application.inputs(until=f"button {BTN_LEFT} up") if each.startswith("at "))
                return (line["x"], line["y"], *map(int, place.removeprefix("at ").split(",")))

            before, after = tap((900, 500)), tap((1000, 540))
            difference = tuple(round(b - a) for a, b in zip(before, after))
            return difference[:2], difference[2:]

        swaymsg("output", OUTPUT, "transform", "90")
        application.inputs()
        try:
            finger, pointer = stroke()
            assert max(abs(a - b) for a, b in zip(finger, pointer)) <= 1, (finger, pointer)
            swaymsg("input", "0:0:gestured_pointer_panel", "map_to_output", OUTPUT)
            _, mapped = stroke()
            # wlroots turns the positions of a pointer that is mapped to an output.
            bench.note(f"a finger moves by {finger}, the pointer by {pointer}, and by {mapped} if it is mapped to the output")
            assert mapped != pointer
            swaymsg("input", "0:0:gestured_pointer_panel", "map_to_region", "0", "0", "1080", "1920")
            assert stroke()[1] == pointer
        finally:
            swaymsg("output", OUTPUT, "transform", "normal")


def test_a_pointer_is_placed_among_several_outputs():
    """A second output on the left. The panel's is the right one."""
    bindings = BINDINGS + f"[[pointer]]\nlayout = [{2 * SIZE[0]}, {SIZE[1]}]\narea = [{SIZE[0]}, 0, {SIZE[0]}, {SIZE[1]}]\n"
    with typist(bindings) as (panel, _, application):
        swaymsg("output", OUTPUT, "position", str(SIZE[0]), "0")
        swaymsg("create_output")
        swaymsg("output", "HEADLESS-2", "mode", f"{SIZE[0]}x{SIZE[1]}", "position", "0", "0")
        application.inputs(1)
        hold(panel, HOLD, 0.8)
        assert f"at {HOLD[0]},{HOLD[1]}" in application.inputs(until=f"button {BTN_RIGHT} up")
