# SPDX-License-Identifier: MIT
"""What the tests share: the panel, the client that watches, where the regions of kernel.toml lie."""
import random
from contextlib import contextmanager

from harness import CONFIGURATION, Client, wait_until
from uitouch import Touchscreen

TESTS = []

# Points in the regions of kernel.toml
KEY, OK, BUY, PAIR, HOLD, VOLUME = ((150 + 300 * column, 150) for column in range(6))
PAGES, MAP, ZOOM, ONE, TWO = (450, 740), (1450, 740), (1860, 200), (950, 550), (950, 850)


def test(function):
    TESTS.append(function)
    return function


class Bench:
    """The panel, and the client that watches; both are made anew where a test has used them up."""

    def __init__(self):
        self.panel = None
        self.client = None
        self.clients = []
        self.programs = None
        self.options = None  # of the command line
        self.random = random.Random()

    def plug(self):
        self.panel = Touchscreen(name="uinput panel")
        return self.panel

    def unplug(self):
        self.panel.unplug()
        self.panel = None

    def connect(self):
        self.client = Client()
        self.clients.append(self.client)
        return self.client

    def prepare(self):
        """No contact down, the panel ready, everything read."""
        if self.client is None or not self.client.is_open():
            self.connect()
        if self.panel is None:
            # the one before may have had the same node
            wait_until(lambda: not self.devices(device="panel", state="ready"), "the panel of before is gone")
            self.plug()
        if self.panel.contacts:
            self.panel.up()
        wait_until(self.ready, "the daemon calls the panel ready", 10)
        self.client.drain()
        return self.panel, self.client

    def devices(self, **wanted):
        """What the daemon says of the devices that are like this."""
        devices = self.client.request("devices")["devices"]
        return [device for device in devices if all(device.get(key) == value for key, value in wanted.items())]

    def ready(self):
        return self.devices(device="panel", state="ready", node=self.panel.node)

    def verdict(self, device, seconds=5.0):
        """What has become of a device, once the daemon has looked at it."""
        return wait_until(lambda: self.devices(node=device.node), f"the daemon lists {device.node}", seconds)[0]

    @contextmanager
    def another(self, name="another device", **changes):
        """Another device. Afterwards the daemon knows that it is gone, so that none is taken for the next at its node."""
        with Touchscreen(name=name, **changes) as device:
            yield device
        wait_until(lambda: not self.devices(node=device.node), f"the daemon forgets {device.node}")

    def forget(self):
        """Nothing of a failed test may reach the next one."""
        if self.panel:
            self.panel.unplug()
        if self.client:
            self.client.close()
            self.clients.remove(self.client)
        self.panel = self.client = None

    @contextmanager
    def configured(self, change):
        """Within it, the daemon runs with what `change` makes of the configuration."""
        good = CONFIGURATION.read_text()
        changed = change(good)
        assert changed != good
        CONFIGURATION.write_text(changed)
        try:
            self.client.request("reload")
            yield
        finally:
            CONFIGURATION.write_text(good)
            if not self.client.is_open():
                self.connect()
            self.client.request("reload")


bench = Bench()
