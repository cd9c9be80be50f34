# SPDX-License-Identifier: MIT
"""Tests the packages under systemd, with a panel and a client. Runs in the guest of Tests/Kernel, with PYTHONPATH=Tests.

usage: under_systemd.py FOLDER_OF_THE_PACKAGES"""
import glob
import os
import pwd
import subprocess
import sys
import time

from harness import Client, wait_until
from harness.client import SOCKET
from harness.service import UNIT, command, main_process, systemctl, unit_property
from harness.uinput import Touchscreen

PACKAGES = sys.argv[1]
CONFIGURATION = "/etc/gestured/gestured.toml"
DEFAULT = "/usr/share/gestured/gestured.toml"
STATE = "/var/lib/gestured"


def package(version, name="gestured"):
    """The path of a package. The version is "first", "next" or "draft"."""
    ends = {"next": "+next.deb", "draft": "~draft.deb"}
    names = [path for path in glob.glob(f"{PACKAGES}/{name}_*.deb")
             if (path.endswith(ends[version]) if version in ends else not path.endswith(tuple(ends.values())))]
    assert len(names) == 1, names
    return names[0]


def active():
    """The units of the packages that are active."""
    lines = systemctl("list-units", "--plain", "--no-legend", "--state=active", "gestured*").stdout.splitlines()
    return {line.split()[0] for line in lines}


def is_enabled(unit):
    return systemctl("is-enabled", "-q", unit, check=False).returncode == 0


def messages():
    """The lines in the daemon's journal since the boot."""
    return command("journalctl", "-q", "-o", "cat", "-u", UNIT).stdout


def starts():
    """The number of times that systemd has started the daemon since the boot."""
    return messages().count("Started ")


def status_with(text):
    """Restarts the service with this configuration, and returns the daemon's status."""
    with open(CONFIGURATION, "w", encoding="utf-8") as file:
        file.write(text)
    systemctl("restart", UNIT)
    assert unit_property("ActiveState") == "active"
    return Client(seconds=20).request("status")


def sessions():
    """An upgrade of a draft, which enables gestured-rotation for all users, stops it in the sessions of those who have not
    enabled it themselves."""
    def of_user(name, *words, check=True):
        return systemctl("--user", f"--machine={name}@", *words, check=check)

    def is_active(name):
        return of_user(name, "is-active", "-q", "gestured-rotation", check=False).returncode == 0

    with open("/usr/local/bin/monitor-sensor", "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\nexec sleep 600\n")
    os.chmod(file.name, 0o755)
    command("dpkg", "-i", package("draft"), package("first", "gestured-tools"))
    for name in ("asked", "unasked"):
        command("useradd", "-m", name)
        # Otherwise the user's services would end ten seconds after the last command of the user.
        command("loginctl", "enable-linger", name)
        systemctl("start", f"user@{pwd.getpwnam(name).pw_uid}.service")
    of_user("asked", "enable", "gestured-rotation")
    for name in ("asked", "unasked"):
        of_user(name, "start", "gestured-rotation")
        assert is_active(name)
    command("dpkg", "-i", package("first"))
    for name in ("asked", "unasked"):
        assert is_active(name) == (name == "asked"), of_user(name, "status", "gestured-rotation", check=False).stdout
    assert of_user("asked", "is-enabled", "gestured-rotation").stdout.strip() == "enabled"
    assert of_user("unasked", "is-enabled", "gestured-rotation", check=False).stdout.strip() != "enabled"
    os.remove(file.name)
    command("dpkg", "--purge", "gestured", "gestured-tools")
    print("an upgrade of a draft stops gestured-rotation where no user has enabled it")


def last_good_configuration():
    """The service starts although its file has an error, whether /var is writable or not."""
    with open(CONFIGURATION, encoding="utf-8") as file:
        good = file.read()
    wrong = good + "\nnonsense = 1\n"
    wait_until(lambda: os.path.exists(f"{STATE}/last-good.json"), "the configuration is kept", seconds=20)
    regions = status_with(good)["regions"]
    status = status_with(wrong)
    assert (status["config"]["state"], status["regions"]) == ("last_good", regions), status

    command("rm", "-r", STATE)
    command("mount", "--bind", "/var/lib", "/var/lib")
    command("mount", "-o", "remount,bind,ro", "/var/lib")
    assert status_with(good)["config"]["state"] == "ok"
    assert "this configuration is not available if the files are refused at the next start" in messages(), messages()
    status = status_with(wrong)
    assert (status["config"]["state"], status["regions"]) == ("rejected", 0), status
    command("umount", "/var/lib")
    status_with(good)
    print("with a bad file, the last good configuration is used; without /var, no region is active, but the service runs")


def services_that_are_off():
    """The services of the other packages are off, restart in an upgrade if they are enabled, and stop in a removal."""
    for name in ("gestured-keys", "gestured-web", "gestured-mqtt", "gestured-report"):
        unit, file = f"{name}.service", package("next", name)
        command("dpkg", "-i", file)
        assert not is_enabled(unit) and active() == {"gestured.service", "gestured.socket"}, active()
        systemctl("enable", "--now", unit)
        process = main_process(unit)
        command("dpkg", "-i", file)
        assert unit_property("ActiveState", unit) == "active" and main_process(unit) != process, name
        process = main_process(unit)
        command("dpkg", "--remove", name)
        assert not os.path.exists(f"/proc/{process}"), f"{name} runs after its removal"
        command("dpkg", "--purge", name)
        print(f"{name} was off, restarted and stopped")


def main():
    panel = Touchscreen()
    sessions()
    command("dpkg", "-i", package("first"))
    assert is_enabled("gestured.service") and is_enabled("gestured.socket"), "the package has not enabled the units"
    wait_until(lambda: unit_property("ActiveState") == "active", "the package starts the service", seconds=20)
    assert active() == {"gestured.service", "gestured.socket"}, active()
    with open(DEFAULT, encoding="utf-8") as file:
        mine = file.read() + "# mine\n"
    with open(CONFIGURATION, "w", encoding="utf-8") as file:
        file.write(mine)
    assert not os.path.exists("/usr/bin/gesturectl")
    systemctl("reload", UNIT)
    wait_until(lambda: "generation 2 is active" in messages(), "the daemon is reloaded without the tool", seconds=20)
    print("reloaded without the tool")

    client = Client()
    wait_until(lambda: any(device["state"] == "ready" for device in client.request("devices")["devices"]), "the panel is ready", seconds=10)
    client.request("subscribe", gestures=["press"])
    panel.down(960, 540)
    begun = client.wait(event="gesture", gesture="press", phase="begin")

    before = starts()
    upgraded = time.monotonic()
    upgrade = subprocess.Popen(["dpkg", "-i", package("next")], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    ended = client.wait(event="gesture", gesture="press", phase="cancel", seconds=60)
    assert ended["sequence"] == begun["sequence"]
    client.wait(event="bye", seconds=10)
    # A client may connect at any time. It waits in the socket until the daemon runs.
    again = Client(seconds=60)
    output = upgrade.communicate()[0]
    assert upgrade.returncode == 0, output
    assert again.hello["instance"] != client.hello["instance"]
    assert starts() - before == 1, f"{starts() - before} starts during an upgrade"
    with open(CONFIGURATION, encoding="utf-8") as file:
        assert file.read() == mine, "the administrator's configuration has changed"
    print(f"upgraded within {time.monotonic() - upgraded:.1f} s; the press ended with a cancel ({ended['reason']}); 1 restart")
    panel.up(0)
    last_good_configuration()
    services_that_are_off()

    command("dpkg", "--purge", "gestured")
    assert unit_property("ActiveState") in ("inactive", "failed")
    for path in ["/usr/bin/gestured", DEFAULT, STATE, SOCKET, os.path.dirname(SOCKET)]:
        assert not os.path.exists(path), f"{path} is left after the purge"
    assert os.path.exists(CONFIGURATION), "the administrator's configuration is gone"
    print("purged")


main()
