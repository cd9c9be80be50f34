# SPDX-License-Identifier: MIT
"""Runs in the guest of Tests/Kernel: the packages under systemd, with a panel and a client.

usage: under_systemd.py FOLDER_OF_THE_PACKAGES
"""
import glob
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "Kernel"))
from harness import SOCKET, UNIT, Client, unit_property, wait_until  # noqa: E402
from uitouch import Touchscreen  # noqa: E402

PACKAGES = sys.argv[1]
CONFIGURATION = "/etc/gestured/gestured.toml"
STATE = "/var/lib/gestured"


def dpkg(*arguments):
    outcome = subprocess.run(["dpkg", "--force-confold", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if outcome.returncode != 0:
        raise AssertionError(f"dpkg {' '.join(arguments)}: {outcome.stdout}")


def package(version):
    names = [name for name in glob.glob(f"{PACKAGES}/gestured_*.deb") if ("+next" in name) == (version == "next")]
    assert len(names) == 1, names
    return names[0]


def is_enabled(unit):
    return subprocess.run(["systemctl", "is-enabled", "-q", unit], check=False).returncode == 0


def starts():
    """How often systemd has started the daemon since the boot."""
    text = subprocess.run(["journalctl", "-q", "-o", "cat", "-u", UNIT], stdout=subprocess.PIPE, text=True, check=True).stdout
    return text.count("Started ")


def run(*command):
    subprocess.run(command, check=True)


def status_with(text):
    """Restarts the service with this configuration. Returns what `status` then says."""
    with open(CONFIGURATION, "w", encoding="utf-8") as file:
        file.write(text)
    run("systemctl", "restart", UNIT)
    assert unit_property("ActiveState") == "active"
    return Client(seconds=20).request("status")


def last_good_configuration():
    """A file with an error does not keep the service from starting, with a /var that can be written or without."""
    with open(CONFIGURATION, encoding="utf-8") as file:
        good = file.read()
    wrong = good + "\nnonsense = 1\n"
    wait_until(lambda: os.path.exists(f"{STATE}/last-good.json"), "the configuration is kept", seconds=20)
    regions = status_with(good)["regions"]
    status = status_with(wrong)
    assert (status["config"]["state"], status["regions"]) == ("last_good", regions), status

    run("rm", "-r", STATE)
    run("mount", "--bind", "/var/lib", "/var/lib")
    run("mount", "-o", "remount,bind,ro", "/var/lib")
    assert status_with(good)["config"]["state"] == "ok"
    journal = subprocess.run(["journalctl", "-q", "-o", "cat", "-u", UNIT], stdout=subprocess.PIPE, text=True, check=True).stdout
    assert "this configuration is not available if the files are refused at the next start" in journal, journal
    status = status_with(wrong)
    assert (status["config"]["state"], status["regions"]) == ("rejected", 0), status
    run("umount", "/var/lib")
    status_with(good)
    print("a bad file: the last good configuration; without /var no region, and the service is there")


def main():
    panel = Touchscreen()
    dpkg("-i", package("first"))
    assert is_enabled("gestured.service") and is_enabled("gestured.socket"), "the package has not enabled it"
    wait_until(lambda: unit_property("ActiveState") == "active", "the package starts the service", seconds=20)
    with open(CONFIGURATION, "a", encoding="utf-8") as file:
        file.write("# mine\n")

    client = Client()
    wait_until(lambda: any(device["state"] == "ready" for device in client.request("devices")["devices"]), "the panel is ready", seconds=10)
    client.request("subscribe", gestures=["press"])
    panel.down(960, 540)
    begun = client.wait(event="gesture", gesture="press", phase="begin")

    before = starts()
    upgraded = time.monotonic()
    upgrade = subprocess.Popen(["dpkg", "--force-confold", "-i", package("next")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    ended = client.wait(event="gesture", gesture="press", phase="cancel", seconds=60)
    assert ended["sequence"] == begun["sequence"]
    client.wait(event="bye", seconds=10)
    # At any time a client may connect: it waits in the socket until the daemon is there.
    again = Client(seconds=60)
    output = upgrade.communicate()[0]
    assert upgrade.returncode == 0, output
    assert again.hello["instance"] != client.hello["instance"]
    assert starts() - before == 1, f"{starts() - before} starts in an upgrade"
    with open(CONFIGURATION, encoding="utf-8") as file:
        assert file.read().endswith("# mine\n"), "the changed configuration is gone"
    print(f"upgraded within {time.monotonic() - upgraded:.1f} s; the press ended by a cancel ({ended['reason']}); 1 restart")
    panel.up(0)
    last_good_configuration()

    dpkg("--purge", "gestured")
    assert unit_property("ActiveState") in ("inactive", "failed")
    for path in ["/usr/bin/gestured", CONFIGURATION, STATE, SOCKET, os.path.dirname(SOCKET)]:
        assert not os.path.exists(path), f"{path} is left after the purge"
    print("purged")


main()
