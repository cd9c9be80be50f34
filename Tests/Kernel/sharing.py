# SPDX-License-Identifier: MIT
"""Shared by the tests of shared panels: the configuration, the twin, and libinput reading the twin."""
import contextlib
import os
import re
import time
from pathlib import Path

from bench import OVERRIDE, bench, rest, restore
from harness import wait_until
from harness.service import command
from printed import Printed

FOLDER = "/sys/class/input"
DROP_IN = Path("/etc/systemd/system/gestured.service.d/gestured-share.conf")
# Points in the regions of `configuration`, on a panel of 1920 x 1080 units with 10 units per millimetre
OPEN, CORNER, MENU, EDGE = (960, 500), (100, 100), (1700, 100), (960, 1040)

# The table of a shared panel, to which keys may be added
DEVICE = """[[device]]
id = "panel"
match = { name = "uinput panel" }
output = { size = [1920, 1080] }
share = "forward"
"""


def configuration(cancel="lift"):
    """A configuration in which the application receives all touches except those in a corner. It receives touches in a menu
    late, and loses touches that slide up from the edge."""
    return f"""version = 1
{DEVICE}cancel = "{cancel}"

[[region]]
id = "corner"
shape = {{ rect = [0, 0, 200, 200] }}
touches = "capture"
gestures = ["tap", "drag"]

[[region]]
id = "menu"
shape = {{ rect = [1600, 0, 320, 200] }}
touches = "hold"
gestures = [{{ type = "swipe", name = "open", consume = true }}]

[[region]]
id = "edge"
shape = {{ rect = [0, 1000, 1920, 80] }}
gestures = [{{ type = "drag", name = "bar", axis = "vertical", consume = true }}]
"""


def forwarded(cancel="lift"):
    return shared(configuration(cancel))


@contextlib.contextmanager
def shared(text):
    """Yields the panel, which this configuration shares, and a client."""
    enable()
    forget_crashes()
    bench.prepare()
    with bench.configured(lambda _: text):
        panel, client = bench.prepare()
        wait_until(lambda: twin(panel), "the twin is there", 10)
        command("udevadm", "settle")
        try:
            yield panel, client
        finally:
            bench.let_storms_end()
    wait_until(lambda: not twin(panel), "the twin is gone", 10)


def prepare_again():
    """Like `bench.prepare`, but also waits until the panel has its twin. Before that, the compositor reads the panel itself."""
    panel, client = bench.prepare()
    wait_until(lambda: twin(panel) and bench.devices(device="panel", grab="held"), "it has its twin again", 10)
    return panel, client


def enable():
    """Enables sharing as an administrator would."""
    if OVERRIDE.exists():
        restore()
    if not DROP_IN.exists():
        command("gesturectl", "share", "--enable")
        bench.connect()


def forget_crashes():
    """Resets the count of crashes, so that a test may kill the daemon more than three times in half a minute."""
    for path in [*Path("/run/gestured-share").glob("*"), Path("/run/gestured-contacts/starts")]:
        path.unlink(missing_ok=True)


def strike_twice(panel, at):
    """Taps, and lands again at most 3 mm away, 20 to 50 ms after the lift. Returns the time between the two in seconds, or a
    little more."""
    beside = (at[0] + bench.random.randrange(-20, 21), at[1] + bench.random.randrange(-20, 21))
    panel.down(*at)
    rest(0.03)
    begun = time.monotonic()
    panel.up()
    rest(bench.random.uniform(0.015, 0.045))
    panel.down(*beside)
    took = time.monotonic() - begun
    rest(0.03)
    panel.up()
    return took


def twin(panel):
    """The device node of the panel's twin, or None."""
    for folder in Path(FOLDER).glob("event*"):
        with contextlib.suppress(OSError):
            if (folder / "device/phys").read_text().strip() == f"gestured/{os.path.basename(panel.node)}":
                return f"/dev/input/{folder.name}"
    return None


def slots(panel, node):
    """The contacts of the panel or its twin according to the kernel: {slot: (x, y)}."""
    with panel.opened(node=node) as descriptor:
        return {slot: (x, y) for slot, (_, x, y) in panel.kernel_slots(descriptor).items()}


class Libinput(Printed):
    """The events that libinput reports for one device: "DOWN 0", "MOTION 0", "UP 0", "CANCEL 0", "ADDED", "REMOVED"."""

    def __init__(self, node):
        self.complaints = []
        super().__init__("libinput", "debug-events", "--device", node)
        self.new(0, until="ADDED", seconds=10)

    def _take(self, line):
        found = re.search(r"(?:DEVICE_(ADDED|REMOVED))|TOUCH_(DOWN|MOTION|UP|CANCEL)\s.*\+[\d.]+s\s+(\d+)", line)
        if found:
            yield found[1] or f"{found[2]} {found[3]}"
        elif "TOUCH_FRAME" not in line and line.strip():
            self.complaints.append(line.strip())

    def new(self, wait=0.15, until=None, seconds=5):
        """The events since the last call, without repeated motions."""
        new = super().new(wait, until, seconds)
        return [word for index, word in enumerate(new) if not (word.startswith("MOTION") and word in new[max(0, index - 5):index])]
