# SPDX-License-Identifier: MIT
"""The daemon as a systemd service."""
import subprocess

UNIT = "gestured.service"


def command(*words, check=True):
    """Runs a command. If it fails, raises an error that contains its output."""
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    if check and done.returncode:
        raise AssertionError(f"{' '.join(map(str, words))}: exit {done.returncode}: {done.stdout}{done.stderr}".strip())
    return done


def systemctl(*words, check=True):
    return command("systemctl", *words, check=check)


def unit_property(name, unit=UNIT):
    return systemctl("show", "-P", name, unit).stdout.strip()


def main_process(unit=UNIT):
    return int(unit_property("MainPID", unit))


def journal(count=40, *matches):
    """The last lines in the journal of the daemon, including systemd's lines about it."""
    return command("journalctl", "-b", "-u", UNIT, "-n", str(count), "-o", "short-monotonic", "--no-pager", *matches, check=False).stdout
