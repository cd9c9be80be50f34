#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the delay that the daemon adds to a touch that it forwards: `run forwarding` runs this in the guest.

Measures the time from the write(2) of five moving fingers at 120 Hz to the panel until the application's read(2) returns. The
application reads the panel itself, the device of a small forwarder in C (forward.c), or the daemon's twin. These are measured
alternately, because the load of the machine changes. The figures are medians of the medians of all rounds.

The guest has no vDSO, so reading the clock is a system call there, but not on a real machine. The daemon reads the clock several
times before it writes, the forwarder never. So these readings are counted (strace), and their cost is subtracted.
"""
import argparse
import contextlib
import glob
import os
import signal
import statistics
import subprocess
import sys
from pathlib import Path

import harness
from harness import ROOT, Client, wait_until
from harness.uinput import Touchscreen

SOCKET = "/run/forwarding.sock"
CONFIGURATION = """version = 1
[[device]]
id = "panel"
match = { name = "uinput panel" }
output = { size = [1920, 1080] }
share = "forward"
[[region]]
id = "whole"
shape = "full"
gestures = ["press", "tap", "long_press", "swipe", "drag"]
"""
# The maximum delay that the daemon adds, as a multiple of the delay that the forwarder in C adds
LIMIT = 1.3
# The folder with the compiled delay.c and forward.c
PROGRAMS = os.path.join(ROOT, ".build/kernel")


def twin(panel):
    """The node of the device that forwards this panel's touches."""
    for folder in glob.glob("/sys/class/input/event*"):
        with contextlib.suppress(OSError):
            if Path(folder, "device/phys").read_text().strip() == f"gestured/{os.path.basename(panel.node)}":
                return "/dev/input/" + os.path.basename(folder)
    return None


@contextlib.contextmanager
def passed_on(words, panel, is_ready=lambda: True):
    """Runs a program that forwards the panel's touches. Yields the node of its device."""
    program = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    try:
        node = wait_until(lambda: program.poll() is None and is_ready() and twin(panel), f"{words[0]} passes touches on", 30)
        wait_until(lambda: os.path.exists(node), f"{node} is there")
        subprocess.run(["udevadm", "settle"], check=True)
        yield node
    finally:
        program.send_signal(signal.SIGTERM)
        program.wait(20)


def is_listening():
    with contextlib.suppress(OSError):
        with Client(SOCKET) as client:
            return any(device["state"] == "ready" for device in client.request("devices")["devices"])
    return False


def measure(options, panel, node):
    """The median and the 99th percentile of the delay, in microseconds."""
    words = [f"{PROGRAMS}/delay", str(panel.descriptor), node, str(options.frames), "120"]
    for _ in range(3):
        done = subprocess.run(words, stdout=subprocess.PIPE, pass_fds=[panel.descriptor], text=True)
        # If it fails, the machine has stood still for so long that the kernel dropped frames.
        if done.returncode == 0:
            break
    done.check_returncode()
    took = sorted(map(int, done.stdout.split()))
    return took[len(took) // 2], took[len(took) * 99 // 100]


def calls_of_frame(daemon, panel):
    """The daemon's system calls from the end of its wait until the write to the twin, in the sequence that occurs in most frames."""
    trace = Path("/tmp/forwarding.trace")
    with passed_on(["strace", "-D", "-o", str(trace), *daemon], panel, is_listening) as node:
        measure(argparse.Namespace(frames=100), panel, node)
    frames, calls = [], []
    for line in trace.read_text().splitlines():
        call = line.split("(")[0]
        calls = [] if call == "epoll_wait" else [*calls, call]
        if call == "write":
            frames.append(tuple(calls))
    return statistics.mode(frames)


def clock_cost():
    """The time of one reading of the clock, in microseconds."""
    return float(subprocess.run([f"{PROGRAMS}/delay", "clock"], stdout=subprocess.PIPE, text=True, check=True).stdout)


def main():
    parser = argparse.ArgumentParser(prog="run forwarding", description=__doc__.splitlines()[0])
    parser.add_argument("--frames", type=int, default=600, help="number of frames in each measurement")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    Path("/run/forwarding.toml").write_text(CONFIGURATION)
    daemon = [harness.program("gestured"), "-c", "/run/forwarding.toml", "--socket", SOCKET]
    results = {"direct": [], "forwarder in C": [], "gestured": []}
    with Touchscreen(name="uinput panel") as panel:
        for _ in range(options.rounds):
            results["direct"].append(measure(options, panel, panel.node))
            with passed_on([f"{PROGRAMS}/forward", panel.node], panel) as node:
                results["forwarder in C"].append(measure(options, panel, node))
            with passed_on(daemon, panel, is_listening) as node:
                results["gestured"].append(measure(options, panel, node))
        calls, cost = calls_of_frame(daemon, panel), clock_cost()
    median = {}
    for name, pairs in results.items():
        median[name] = statistics.median(middle for middle, _ in pairs)
        print(f"{name:15} p50 {median[name]:6.0f} us   p99 {statistics.median(high for _, high in pairs):6.0f} us")
    forwarder, gestured = (median[name] - median["direct"] for name in ("forwarder in C", "gestured"))
    readings = calls.count("clock_gettime")
    ratio = (gestured - readings * cost) / forwarder
    print(f"gestured, from its wait to the write: {', '.join(calls)}")
    print(f"added at the median: forwarder in C {forwarder:.0f} us, gestured {gestured:.0f} us; without its {readings} readings of the clock of "
          f"{cost:.0f} us each {gestured - readings * cost:.0f} us, {ratio:.2f} times as much (at most {LIMIT})")
    return int(ratio > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
