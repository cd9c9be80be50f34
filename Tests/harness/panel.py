# SPDX-License-Identifier: MIT
"""The fake panel (.build/fakepanel) and its touches."""
import contextlib
import os
import subprocess

from .basics import PATIENCE, ROOT

# The range of the fake panel's axes.
UNITS = 4096


class Program:
    """A program that reads commands, one per line, and answers each with a line that begins with a certain word."""

    def __init__(self, command, **options):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **options)

    def answer(self, *words):
        """The rest of the next line that begins with one of these words. Other lines are skipped."""
        for line in self.process.stdout:
            word, _, rest = line.rstrip("\n").partition(" ")
            if word in words:
                return rest
            assert word != "ERROR", line.strip()
        raise AssertionError(f"{self.process.args[0]} has ended")

    def tell(self, *commands, answers=("OK",)):
        """Sends several commands at once, and returns the rest of the last answer."""
        self.process.stdin.write("".join(command + "\n" for command in commands))
        self.process.stdin.flush()
        rest = ""
        for _ in commands:
            rest = self.answer(*answers)
        return rest

    def end(self):
        """Closes the program's input and waits until it has ended."""
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.wait(PATIENCE)
        self.process.stdout.close()


class FakePanel(Program):
    """A panel for programs that run with `environment`. Touches are in the panel's units, or in pixels of an `output` (width,
    height). Frames have explicit times, so that the speed of the machine does not change how long a touch takes."""

    def __init__(self, folder, program=None, output=(UNITS, UNITS), environment=os.environ):
        super().__init__([program or os.path.join(ROOT, ".build/fakepanel")], env={**environment, "TMPDIR": folder})
        self.output = output
        self.root = self.answer("ROOT")
        self.tell("add 0")
        self.finger = 0
        self.down = set()
        # In microseconds, ahead of the clock
        self.time = int(self.tell("state").rsplit("now=", 1)[1]) + 10_000_000

    def environment(self, *preloaded):
        """The variables for a program that reads the panel, with additional libraries to preload."""
        return {"LD_PRELOAD": " ".join([*preloaded, "libumockdev-preload.so.0"]), "UMOCKDEV_DIR": self.root}

    def units(self, x, y):
        """Converts a point of the output to the panel's units."""
        return round(x * UNITS / self.output[0]), round(y * UNITS / self.output[1])

    def frame(self, after_ms, events):
        """The commands of a frame that is `after_ms` milliseconds later than the last one."""
        self.time += after_ms * 1000
        return f"at {self.time}", "frame " + events

    def _position(self, x, y):
        return "3 53 {} 3 54 {}".format(*self.units(x, y))

    def _landing(self, x, y):
        self.finger += 1
        return self.frame(1000, f"3 47 0 3 57 {self.finger} {self._position(x, y)} 1 330 1")

    def _lifting(self, after_ms=84):
        return self.frame(after_ms, "3 47 0 3 57 -1 1 330 0")

    def land(self, x=100, y=100):
        self.tell(*self._landing(x, y))

    def move(self, x, y=100, after_ms=10):
        self.tell(*self.frame(after_ms, f"3 47 0 {self._position(x, y)}"))

    def hold(self, milliseconds, x, y):
        """Keeps the finger down for this time."""
        self.move(x + 1, y, milliseconds)

    def lift(self, after_ms=84):
        self.tell(*self._lifting(after_ms))

    def tap(self, x=100, y=100, times=1):
        self.tell(*(part for _ in range(times) for part in (*self._landing(x, y), *self._lifting())))

    def swipe(self, x, y, to_x, to_y, steps=8):
        self.land(x, y)
        for step in range(1, steps + 1):
            self.move(x + (to_x - x) * step / steps, y + (to_y - y) * step / steps)
        self.lift(8)

    def fingers(self, milliseconds, places):
        """Plays one frame of several fingers. `places` maps each slot to a position, or to None to lift the finger."""
        events = []
        for slot, place in places.items():
            events.append(f"3 47 {slot}")
            if place is None:
                self.down.remove(slot)
                events.append("3 57 -1")
                continue
            if slot not in self.down:
                self.down.add(slot)
                self.finger += 1
                events.append(f"3 57 {self.finger}")
            events.append(self._position(*place))
        self.tell(*self.frame(milliseconds, " ".join([*events, f"1 330 {int(bool(self.down))}"])))
