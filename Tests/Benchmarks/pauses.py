# SPDX-License-Identifier: MIT
"""Finds the times in which this machine stood still because its host ran something else, for measurements on a virtual
machine."""

import os
import subprocess
import sys
import time

# The interval at which a core is checked, and the duration of the shortest pause, both in seconds
STEP = 0.0005
SHORTEST = 0.0015


class Pauses:
    """Watches each core with a process of the highest priority. If that process wakes up late, the core did not run, or it ran
    a single system call during that time. Without root, no pauses are found."""

    def __init__(self):
        self.watchers = {
            core: subprocess.Popen([sys.executable, os.path.abspath(__file__), str(core)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
            for core in sorted(os.sched_getaffinity(0))}
        for watcher in self.watchers.values():
            watcher.stdout.readline()

    def end(self) -> dict:
        """The start and the end of each core's pauses, in microseconds of the monotonic clock."""
        spans = {}
        for core, watcher in self.watchers.items():
            watcher.terminate()
            spans[core] = [tuple(map(int, line.split())) for line in watcher.communicate()[0].splitlines()]
        return spans


def of_any(pauses: dict) -> list:
    """The pauses of all cores. Overlapping pauses are merged."""
    merged = []
    for begin, end in sorted(span for spans in pauses.values() for span in spans):
        if merged and begin <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((begin, end))
    return merged


def without(pauses: list, begin: int, end: int) -> int:
    """The time from `begin` to `end`, without the pauses."""
    return end - begin - sum(max(0, min(end, last) - max(begin, first)) for first, last in pauses)


def watch(core: int):
    os.sched_setaffinity(0, {core})
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(os.sched_get_priority_max(os.SCHED_FIFO)))
    except PermissionError:
        return
    print("READY", flush=True)
    last = time.monotonic()
    while True:
        time.sleep(STEP)
        now = time.monotonic()
        if now - last > STEP + SHORTEST:
            # Without a pause, the process would have woken up after one step.
            print(int((last + STEP) * 1e6), int(now * 1e6), flush=True)
            now = time.monotonic()
        last = now


if __name__ == "__main__":
    watch(int(sys.argv[1]))
