# SPDX-License-Identifier: MIT
"""Shared by all tests: the installed service, the panel, the client, and the positions of the regions in kernel.toml."""
import os
import random
import re
import shutil
import time
from contextlib import contextmanager
from pathlib import Path

from harness import ROOT, Client, program, wait_until
from harness.service import UNIT, command, systemctl
from harness.uinput import Touchscreen

CONFIGURATION = Path("/etc/gestured/gestured.toml")
OVERRIDE = Path(f"/run/systemd/system/{UNIT}.d/test.conf")

# Points in the regions of kernel.toml
KEY, OK, BUY, PAIR, HOLD, VOLUME = ((150 + 300 * column, 150) for column in range(6))
PAGES, MAP, ZOOM, ONE, TWO = (450, 740), (1450, 740), (1860, 200), (950, 550), (950, 850)


class Panel(Touchscreen):
    """A panel whose frames let the client read. Otherwise a test that touches more than it looks at would lose lines."""

    def frame(self, contacts):
        client = bench.client
        if client and client.socket.fileno() >= 0:
            client.is_open()
        super().frame(contacts)


class Bench:
    """The panel and the client. Both are created again after a test that has ended them."""

    def __init__(self):
        self.panel = None
        self.client = None
        self.clients = []
        self.programs = None  # the folder of the installed programs
        self.options = None  # from the command line
        self.random = random.Random()
        self.figures = ""

    def note(self, figures):
        """Shows measured values next to the result of the test."""
        self.figures = figures

    def plug(self):
        self.panel = Panel(name="uinput panel")
        return self.panel

    def unplug(self):
        self.panel.unplug()
        self.panel = None

    def connect(self):
        self.client = Client()
        self.clients.append(self.client)
        return self.client

    def prepare(self):
        """Waits until no contact is down, the panel is ready and the client has read all lines."""
        if self.client is None or not self.client.is_open():
            self.connect()
        if self.panel is None:
            # The previous panel may have had the same device node.
            wait_until(lambda: not self.devices(device="panel", state="ready"), "the previous panel is gone")
            self.plug()
        if self.panel.contacts:
            self.panel.up()
        wait_until(self.ready, "the panel is ready")
        self.client.drain()
        return self.panel, self.client

    def devices(self, **wanted):
        """The entries in `devices` that have these values."""
        devices = self.client.request("devices")["devices"]
        return [device for device in devices if all(device.get(key) == value for key, value in wanted.items())]

    def let_storms_end(self):
        """Rests until storms of ghost touches are over: they outlive a re-plug and a reload, and each landing extends them."""
        if not self.client.is_open():
            self.connect()
        if any(device["storms"] for device in self.client.request("counts")["devices"]):
            rest(2.1)

    def ready(self):
        return self.devices(device="panel", state="ready", node=self.panel.node)

    def verdict(self, device):
        """The entry of a device in `devices`, once the daemon has examined it."""
        return wait_until(lambda: self.devices(node=device.node), f"the daemon lists {device.node}")[0]

    @contextmanager
    def another(self, name="another device", **changes):
        """A second device. At the end, waits until the daemon has removed it, because the kernel may reuse its node."""
        with Touchscreen(name=name, **changes) as device:
            yield device
        wait_until(lambda: not self.devices(node=device.node), f"the daemon removes {device.node}")

    def forget(self):
        """Discards the panel and the client after a failed test, so that they do not affect the next one."""
        if self.panel:
            self.panel.unplug()
        if self.client:
            self.client.close()
            self.clients.remove(self.client)
        self.panel = self.client = None

    @contextmanager
    def configured(self, change):
        """Runs the body with a changed configuration: `change` takes the text and returns the new one."""
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


def rest(seconds=0.05):
    """Lets time pass between two frames of a panel. The kernel stamps events with a clock that tests cannot set, so this
    takes real time.

    The default is longer than `min_gap`, so that the next contact is not a bounce, and shorter than every long press.
    """
    time.sleep(seconds)


def install(configuration):
    """Installs the programs and the shipped units as a package does, with this configuration. Returns the folder of the
    programs."""
    shipped = Path(ROOT) / "systemd"
    units = [path for suffix in ("service", "socket") for path in shipped.rglob(f"*.{suffix}") if path.parent.name != "user"]
    assert {path.name for path in units} >= {"gestured.service", "gestured.socket"}, f"no units in {shipped}"
    for folder, paths in (
        ("/usr/lib/systemd/system", units),
        ("/usr/lib/sysusers.d", list(shipped.rglob("sysusers.d/*.conf"))),
        ("/usr/lib/tmpfiles.d", list(shipped.rglob("tmpfiles.d/*.conf"))),
        ("/usr/lib/udev/rules.d", list(shipped.rglob("*.rules"))),
        ("/usr/lib/gestured", [shipped / "udev/twin-properties", shipped / "user/follow-rotation", shipped / "user/follow-focus"]),
        ("/usr/share/gestured", [shipped / "gestured.service.d/gestured-share.conf"]),
    ):
        for path in paths:
            Path(folder).mkdir(parents=True, exist_ok=True)
            shutil.copy(path, folder)
    service = next(path for path in units if path.name == UNIT).read_text()
    folder = Path(re.search(r"^ExecStart=\W*(/\S+)/gestured\b", service, re.M)[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("gestured", "gesturectl", "gestured-keys", "gestured-web", "gestured-mqtt", "gestured-report"):
        # Without libmosquitto, the build has no gestured-mqtt.
        if name != "gestured-mqtt" or os.path.exists(program(name)):
            shutil.copy(program(name), folder / name)
            (folder / name).chmod(0o755)
    shutil.copytree(Path(ROOT) / "clients/web", "/usr/share/gestured/web", dirs_exist_ok=True)
    CONFIGURATION.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(configuration, CONFIGURATION)
    CONFIGURATION.chmod(0o644)
    command("systemd-sysusers")
    command("udevadm", "control", "--reload")
    systemctl("daemon-reload")
    return folder


@contextmanager
def administered(**properties):
    """A rule of an administrator sets these udev properties for panels that are plugged in."""
    rule = Path("/etc/udev/rules.d/60-site.rules")
    keys = ", ".join(f'ENV{{{key}}}="{value}"' for key, value in properties.items())
    # The rule does not match the panel's twin.
    rule.write_text(f'SUBSYSTEM=="input", KERNEL=="event*", ATTRS{{name}}=="uinput panel", ATTRS{{phys}}!="gestured/*", {keys}\n')
    command("udevadm", "control", "--reload")
    if bench.panel:
        bench.unplug()
    try:
        yield
    finally:
        rule.unlink()
        command("udevadm", "control", "--reload")
        bench.unplug()


def override(**settings):
    """Restarts the service with these settings of [Service] instead of the shipped ones."""
    OVERRIDE.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"{key}={value}" for key, value in settings.items()]
    OVERRIDE.write_text("\n".join(["[Service]", *lines, ""]))
    systemctl("daemon-reload")
    systemctl("restart", UNIT)


def restore():
    """Restarts the service with the shipped settings."""
    OVERRIDE.unlink()
    systemctl("daemon-reload")
    systemctl("restart", UNIT)
