# SPDX-License-Identifier: MIT
"""Shared by the tests: the panel, the client, and the positions of the regions of kernel.toml."""
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
    """The panel and the client. Both are created again after a test that has used them up."""

    def __init__(self):
        self.panel = None
        self.client = None
        self.clients = []
        self.programs = None
        self.options = None  # from the command line
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
        """Ensures that no contact is down, the panel is ready, and everything is read."""
        if self.client is None or not self.client.is_open():
            self.connect()
        if self.panel is None:
            # the previous one may have had the same node
            wait_until(lambda: not self.devices(device="panel", state="ready"), "the panel of before is gone")
            self.plug()
        if self.panel.contacts:
            self.panel.up()
        wait_until(self.ready, "the daemon calls the panel ready", 10)
        self.client.drain()
        return self.panel, self.client

    def devices(self, **wanted):
        """The entries in `devices` with these values."""
        devices = self.client.request("devices")["devices"]
        return [device for device in devices if all(device.get(key) == value for key, value in wanted.items())]

    def ready(self):
        return self.devices(device="panel", state="ready", node=self.panel.node)

    def verdict(self, device, seconds=5.0):
        """The entry of a device, once the daemon has checked it."""
        return wait_until(lambda: self.devices(node=device.node), f"the daemon lists {device.node}", seconds)[0]

    @contextmanager
    def another(self, name="another device", **changes):
        """Another device. Waits at the end until the daemon knows that it is gone, because its node may be reused."""
        with Touchscreen(name=name, **changes) as device:
            yield device
        wait_until(lambda: not self.devices(node=device.node), f"the daemon forgets {device.node}")

    def forget(self):
        """Discards everything after a failed test, so that it does not affect the next one."""
        if self.panel:
            self.panel.unplug()
        if self.client:
            self.client.close()
            self.clients.remove(self.client)
        self.panel = self.client = None

    @contextmanager
    def configured(self, change):
        """Runs the body with the configuration changed by `change`."""
        good = CONFIGURATION.read_text()
        changed = change(good)
        assert changed != good
        CONFIGURATION.write_text(changed)
        try:
            self.client.request("reload")
            yield
        finally:
            CONFIGURATION.write_text(good)
            if self.client is None or not self.client.is_open():
                self.connect()
            self.client.request("reload")


bench = Bench()
