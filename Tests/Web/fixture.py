# SPDX-License-Identifier: MIT
"""What the tests of pages need: a fake panel, the daemon that reads it, and the bridge that serves pages.

See clients/python/harness.py on where programs are.
"""
import json
import os
import select
import signal
import socket
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "clients", "python"))
import harness  # noqa: E402

PATIENCE = harness.PATIENCE
OUTPUT = (1024, 768)
UNITS = 4096
# What pages with elements as regions ask the daemon, besides what they may anyway.
DEFINING = ["subscribe", "status", "devices", "regions", "state", "ping", "at", "define_regions", "put_region", "remove_region"]
# A user without rights, as whom only root can start a program.
GUEST = "nobody" if os.getuid() == 0 else None


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Fixture(harness.Harness):
    """The panel and the daemon. Touches are in output pixels, and in the panel's own time."""

    def __init__(self, configuration=os.path.join(HERE, "fixture.toml"), start=True):
        super().__init__(configuration)
        self.down = set()
        if start:
            self.start()

    def land(self, x, y):
        super().land(*self.units(x, y))

    def move(self, x, y):
        super().move(*self.units(x, y))

    def tap(self, x, y, times=1):
        super().tap(*self.units(x, y), times=times)

    def hold(self, milliseconds, x, y):
        """The finger rests, as the panel's clock goes."""
        self.tell(*self._frame(milliseconds, "3 47 0 3 53 {} 3 54 {}".format(*self.units(x + 1, y))))

    def swipe(self, x, y, to_x, to_y, steps=8):
        self.land(x, y)
        for step in range(1, steps + 1):
            self.move(x + (to_x - x) * step / steps, y + (to_y - y) * step / steps)
        self.tell(*self._frame(8, "3 47 0 3 57 -1 1 330 0"))

    def fingers(self, milliseconds, places):
        """One frame of several fingers: by slot, where each is; None lifts it."""
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
            events.append("3 53 {} 3 54 {}".format(*self.units(*place)))
        self.tell(*self._frame(milliseconds, " ".join([*events, f"1 330 {int(bool(self.down))}"])))

    def open_to_others(self):
        """Programs of other users may connect, and read the configuration."""
        os.chmod(self.folder, 0o755)
        os.chmod(self.path, 0o666)

    @staticmethod
    def units(x, y):
        return round(x * UNITS / OUTPUT[0]), round(y * UNITS / OUTPUT[1])


class Bridge:
    """gestured-web. Serves the folder `root` and what stands in `web`. Runs as `user`, which only root can say."""

    def __init__(self, fixture, root=os.path.join(HERE, "site"), commands=DEFINING, user=None, **settings):
        self.user = user
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}/"
        self.file = os.path.join(fixture.folder, f"web-{self.port}.toml")
        settings = {"version": 1, "listen": f"127.0.0.1:{self.port}", "socket": fixture.path, "assets": os.path.join(ROOT, "web"),
                    "root": root, "commands": commands, **settings}
        with open(self.file, "w", encoding="utf-8") as file:
            # A string, and a list of strings, is written in JSON as in TOML.
            file.writelines(f"{key} = {json.dumps(value)}\n" for key, value in settings.items())
        self.start()

    def start(self):
        self.process = subprocess.Popen([harness.program("gestured-web"), "--config", self.file], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, user=self.user)
        # It says its address when it listens.
        if not select.select([self.process.stdout], [], [], PATIENCE)[0] or not self.process.stdout.readline():
            self.close()
            raise AssertionError("the bridge does not start")

    def kill(self, number=signal.SIGKILL):
        self.process.send_signal(number)
        self.process.wait(PATIENCE)
        self.process.stdout.close()

    def close(self):
        if self.process.poll() is None:
            self.kill()

    def memory(self):
        """Its resident memory in KiB."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return int(next(line for line in file if line.startswith("VmRSS")).split()[1])
