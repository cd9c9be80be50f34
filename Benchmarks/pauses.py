# SPDX-License-Identifier: MIT
"""When this machine stood still, because its host ran something else: for measurements of delays on a virtual machine."""

import os
import subprocess
import sys
import time

# How often a core is looked at, and what is a pause. Both in seconds.
STEP = 0.0005
SHORTEST = 0.0015


class Pauses:
    """Watches each core by a process that nothing on this machine takes precedence over: when it wakes late, the core
    did not run, or ran a single system call all the time. Needs root."""

    def __init__(self):
        self.watchers = [
            subprocess.Popen([sys.executable, os.path.abspath(__file__), str(core)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
            for core in sorted(os.sched_getaffinity(0))]
        for watcher in self.watchers:
            if watcher.stdout.readline() != "READY\n":
                raise RuntimeError("a core can't be watched for pauses: this needs root")

    def end(self) -> list:
        """Begin and end of the pauses of any core, in microseconds of the monotonic clock; those that overlap are one."""
        spans = []
        for watcher in self.watchers:
            watcher.terminate()
            spans += [tuple(map(int, line.split())) for line in watcher.communicate()[0].splitlines()]
        merged = []
        for begin, end in sorted(spans):
            if merged and begin <= merged[-1][1]:
                merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
            else:
                merged.append((begin, end))
        return merged


def without(pauses: list, begin: int, end: int) -> int:
    """How long it took from one time to another, without the pauses between them."""
    return end - begin - sum(max(0, min(end, last) - max(begin, first)) for first, last in pauses)


def watch(core: int):
    os.sched_setaffinity(0, {core})
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(os.sched_get_priority_max(os.SCHED_FIFO)))
    print("READY", flush=True)
    last = time.monotonic()
    while True:
        time.sleep(STEP)
        now = time.monotonic()
        if now - last > STEP + SHORTEST:
            # It would have woken after the step.
            print(int((last + STEP) * 1e6), int(now * 1e6), flush=True)
            now = time.monotonic()
        last = now


if __name__ == "__main__":
    watch(int(sys.argv[1]))
