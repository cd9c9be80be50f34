#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the cost of a frame in the daemon and in other programs on the same panel: `run cost` runs this in the guest.

Counts user instructions (callgrind) and system calls (strace) for five moving contacts: the counts of a run with frames minus
those of a run without, divided by the number of frames. They do not depend on the machine or its load, while CPU times in a
user-mode Linux are meaningless. Also measures the memory of the idle program.
"""
import argparse
import math
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import harness
from harness import Client, wait_until
from harness.process import resident, wakeups
from harness.uinput import Touchscreen

FINGERS, COLUMNS, ROWS = 5, 5, 4
SIZE = (1920, 1080)
SOCKET = "/run/cost.sock"
# Limits for a frame with the default subscription (nothing is sent), and for a frame with five update lines
DEFAULT_LIMITS = {"instructions": 12_000, "calls": 3.0, "rss": 10_240}
UPDATES_LIMITS = {"instructions": 33_000, "rss": 10_240}


def configuration():
    """Twenty regions that tile the panel, each with all gestures of one finger."""
    width, height = SIZE[0] // COLUMNS, SIZE[1] // ROWS
    text = 'version = 1\n\n[[device]]\nid = "panel"\nmatch = { name = "*" }\noutput = { size = [1920, 1080] }\n'
    for number in range(COLUMNS * ROWS):
        x, y = number % COLUMNS * width, number // COLUMNS * height
        text += (f'\n[[region]]\nid = "r{number}"\nshape = {{ rect = [{x}, {y}, {width}, {height}] }}\n'
                 'gestures = ["press", "tap", "double_tap", "long_press", "swipe", "drag"]\n')
    return text


def frames(count):
    """Five contacts that move in circles, each in its own column."""
    width = SIZE[0] // COLUMNS
    for index in range(count):
        yield {finger: (width * (finger + 0.5) + 120 * math.cos(index / 20 + finger),
                        SIZE[1] / 2 + 120 * math.sin(index / 20 + finger)) for finger in range(FINGERS)}


class Program:
    """A program that reads a panel."""

    def __init__(self, name, words, end=signal.SIGINT, subscription=None):
        self.name, self.words, self.end = name, words, end
        self.subscription = subscription  # None if the program has no socket

    def connect(self):
        """Connects a client that reads each line at once, in a thread."""
        client = wait_until(self._try_to_connect, f"{self.name} listens", 60, pause=0.1)
        if self.subscription:
            client.request("subscribe", seconds=30, **self.subscription)
        wait_until(lambda: any(device["state"] == "ready" for device in client.request("devices", seconds=30)["devices"]),
                   f"{self.name} has the panel", 60, pause=0.2)
        threading.Thread(target=self._read, args=(client,), daemon=True).start()
        return client

    @staticmethod
    def _try_to_connect():
        try:
            return Client(SOCKET, seconds=60)
        except ConnectionRefusedError:
            return None

    @staticmethod
    def _read(client):
        while not client.ended:
            client.next(60)


def reader(parent, node):
    """The process that has opened the panel: the parent, or its child if the parent is strace."""
    made = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    for process in (parent, *map(int, made)):
        try:
            if any(os.readlink(entry.path) == node for entry in os.scandir(f"/proc/{process}/fd")):
                return process
        except OSError:
            continue  # it has exited
    return None


def run(program, wrapper, count, hz, measure=None):
    """Runs the program under the wrapper for this many frames. Returns the result of measure(process), which is called before
    the frames."""
    Path(SOCKET).unlink(missing_ok=True)
    with Touchscreen(size=SIZE) as panel:
        subprocess.run(["udevadm", "settle"], check=True)
        with open("/tmp/cost.out", "w") as output, open("/tmp/cost.err", "w") as errors:
            words = [word.replace("NODE", panel.node) for word in program.words]
            parent = subprocess.Popen(wrapper + words, stdout=output, stderr=errors)
        process = None
        try:
            process = wait_until(lambda: parent.poll() is None and reader(parent.pid, panel.node) or parent.returncode is not None,
                                 f"{program.name} opens the panel", 60)
            if parent.returncode is not None:
                raise AssertionError(f"{program.name} ended: " + Path("/tmp/cost.err").read_text()[-500:])
            client = program.connect() if program.subscription is not None else None
            time.sleep(1)
            result = measure(process) if measure else None
            panel.play(frames(count), hz)
            panel.frame({})
            time.sleep(1)
            if client and count:
                kinds = [line.get("phase") for line in client.lines if line.get("gesture") == "drag"]
                assert kinds.count("begin") == FINGERS, f"{program.name} sent {len(kinds)} lines of drags: the frames did not arrive"
        finally:
            if parent.poll() is None:
                os.kill(process or parent.pid, program.end)
            try:
                parent.wait(20)
            except subprocess.TimeoutExpired:
                parent.kill()
                parent.wait()
    return result


def instructions(program, count, hz):
    run(program, ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"], count, hz)
    return int(re.search(r"Collected\s*:\s*(\d+)", Path("/tmp/cost.err").read_text())[1])


def system_calls(program, count, hz):
    """The number of system calls by name. clock_gettime is left out, because it is a system call only in user-mode Linux."""
    run(program, ["strace", "-f", "-c", "-o", "/tmp/cost.calls"], count, hz)
    rows = re.findall(r"^\s*[\d.,]+\s+[\d.,]+\s+\d+\s+(\d+)\s+(?:\d+\s+)?(\w+)$", Path("/tmp/cost.calls").read_text(), re.M)
    return {name: int(number) for number, name in rows if name not in ("total", "clock_gettime")}


def idle(process):
    before = wakeups(process)
    time.sleep(4)
    return (*resident(process), (wakeups(process) - before) / 4)


def measured(program, count, hz):
    rss, pss, anonymous, woken = run(program, [], 0, hz, measure=idle)
    start = instructions(program, 0, hz)
    each = (instructions(program, count, hz) - start) / count
    without, with_frames = system_calls(program, 0, hz), system_calls(program, count, hz)
    calls = {name: (with_frames[name] - without.get(name, 0)) / count for name in with_frames}
    common = ", ".join(f"{name} {number:.2f}" for name, number in sorted(calls.items(), key=lambda item: -item[1])
                       if number >= 0.05)
    row = {"instructions": each, "calls": sum(calls.values()), "rss": rss}
    print(f"{program.name:34} {each:12,.0f} {row['calls']:9.2f} {rss:8,} {pss:8,} {anonymous:9,} {woken:8.2f} "
          f"{start / 1e6:9.2f} M  {common}", flush=True)
    return row


def main():
    parser = argparse.ArgumentParser(description="measures the instructions and system calls per frame of the daemon and of other programs")
    parser.add_argument("--frames", type=int, default=300)
    parser.add_argument("--hz", type=int, default=60)
    parser.add_argument("--only", default="", help="measure only programs whose names contain this text")
    parser.add_argument("--strict", action="store_true", help="exit with status 1 if the daemon exceeds a limit")
    options = parser.parse_args()

    file = Path("/tmp/cost.toml")
    file.write_text(configuration())
    daemon = [harness.program("gestured"), "-c", str(file), "--socket", SOCKET]
    lisgd = ["lisgd", "-w", str(SIZE[0]), "-h", str(SIZE[1]), "-d", "NODE"]
    for gesture in ("1,LR", "2,LR", "3,DU"):
        lisgd += ["-g", f"{gesture},*,*,R,true"]
    programs = [
        Program("gestured, default stream", daemon, signal.SIGTERM, {}),
        Program("gestured, subscribed to all", daemon, signal.SIGTERM, {"events": ["gesture"]}),
        Program("lisgd", lisgd),
        Program("libinput debug-events", ["/usr/libexec/libinput/libinput-debug-events", "--device", "NODE"]),
    ]
    print(f"{FINGERS} moving contacts, {COLUMNS * ROWS} regions, {options.frames} frames at {options.hz} Hz, "
          f"Linux {os.uname().release}")
    print(f"{'':34} {'instructions':>12} {'calls':>9} {'RSS':>8} {'PSS':>8} {'anonymous':>9} {'wakeups':>8} {'start-up':>11}")
    print(f"{'':34} {'a frame':>12} {'a frame':>9} {'kB':>8} {'kB':>8} {'kB':>9} {'idle /s':>8} {'instr.':>11}  calls by name")
    rows = {program.name: measured(program, options.frames, options.hz)
            for program in programs if options.only in program.name}

    if not any(name.startswith("gestured") for name in rows):
        return 0
    missed = []
    for name, row in rows.items():
        if not name.startswith("gestured"):
            continue
        for what, limit in (DEFAULT_LIMITS if "default" in name else UPDATES_LIMITS).items():
            if row[what] > limit:
                missed.append(f"{name}: {what} {row[what]:,.2f} > {limit:,}")
    print("limits: " + ("; ".join(missed) if missed else "all met"))
    return int(options.strict and bool(missed))


if __name__ == "__main__":
    sys.exit(main())
