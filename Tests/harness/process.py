# SPDX-License-Identifier: MIT
"""Figures about a process, from /proc."""
import contextlib
import os
import re
import signal
from pathlib import Path

from .basics import wait_until


def status_of(process, key):
    """A field of /proc/PID/status, such as "State"."""
    return re.search(rf"^{key}:\s*(.*)$", Path(f"/proc/{process}/status").read_text(), re.M)[1]


def memory(process, key="RssAnon"):
    """A size in KiB: private memory (RssAnon), resident memory (VmRSS), or its peak (VmHWM)."""
    return int(status_of(process, key).split()[0])


def descriptors(process, kind=""):
    """The number of open descriptors of the process whose names contain `kind`, such as "timerfd"."""
    names = []
    for entry in os.scandir(f"/proc/{process}/fd"):
        # Another thread of the process may close it meanwhile.
        with contextlib.suppress(FileNotFoundError):
            names.append(os.readlink(entry.path))
    return sum(kind in name for name in names)


def processor_seconds(process):
    """The seconds that the process's first thread has spent on a core, and those that it has waited for one."""
    return tuple(int(word) / 1e9 for word in Path(f"/proc/{process}/schedstat").read_text().split()[:2])


def resident(process):
    """Resident, proportional and anonymous memory in KiB."""
    text = Path(f"/proc/{process}/smaps_rollup").read_text()
    size = {key: int(value) for key, value in re.findall(r"^(\w+):\s+(\d+) kB", text, re.M)}
    return size["Rss"], size["Pss"], size["Anonymous"]


def wakeups(process):
    """The number of context switches of all threads since the process started."""
    count = 0
    for status in Path(f"/proc/{process}/task").glob("*/status"):
        count += sum(int(number) for number in re.findall(r"ctxt_switches:\s+(\d+)", status.read_text()))
    return count


class Stopped:
    """Stops the process while the body runs. Waits until it has stopped."""

    def __init__(self, process):
        self.process = process

    def __enter__(self):
        os.kill(self.process, signal.SIGSTOP)
        wait_until(lambda: status_of(self.process, "State").startswith("T"), "the process is stopped", pause=0)

    def __exit__(self, *_):
        os.kill(self.process, signal.SIGCONT)
