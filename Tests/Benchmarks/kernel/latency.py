#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the time from a touch to its line, for the daemon and for other programs: `run latency` runs this in the guest.

Measures the time from the write of a frame to the first byte at the reader, for a program in C that only reads the device and
sends a fixed line (the floor), for gestured, for `libinput debug-events`, and for lisgd, which only reports swipes, by starting
a command. All of them run at the same time, each on a panel of its own, and are touched in turn. Then measures the same for
the first touch after a start.
"""
import argparse
import os
import signal
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path

from cost import SIZE, SOCKET, configuration
import harness
from harness import ROOT, Client, wait_until
from harness.uinput import Touchscreen

# The limit on gestured's median, as a multiple of the floor's median
RATIO_LIMIT = 1.3
# The compiled latency.c
PROBE = os.path.join(ROOT, ".build/kernel/latency")
AT = (200, 200)


class Program:
    """A running program with a panel of its own, and the descriptor from which its lines are read."""

    def __init__(self, name, panel, words, when="land", dx=0):
        self.name, self.panel, self.when, self.dx = name, panel, when, dx
        self.reader, writer = socket.socketpair()
        words = [word.replace("NODE", panel.node).replace("FD", str(writer.fileno())) for word in words]
        self.process = subprocess.Popen(words, stdout=writer, stderr=subprocess.DEVNULL, pass_fds=[writer.fileno()])
        writer.close()
        wait_until(self._has_panel, f"{name} opens its panel", 60, pause=0.1)
        if name == "gestured":
            client = wait_until(self._connect, "gestured listens", 60, pause=0.1)
            client.request("subscribe", seconds=30, events=["gesture"], phases=["begin", "end", "cancel"])
            wait_until(lambda: any(device["state"] == "ready" for device in client.request("devices")["devices"]),
                       "gestured has the panel", 60, pause=0.2)
            self.reader = client.socket
        time.sleep(1)

    def _has_panel(self):
        assert self.process.poll() is None, f"{self.name} ended with {self.process.returncode}"
        folder = f"/proc/{self.process.pid}/fd"
        return any(os.path.realpath(f"{folder}/{name}") == self.panel.node for name in os.listdir(folder))

    @staticmethod
    def _connect():
        try:
            return Client(SOCKET, seconds=60)
        except ConnectionRefusedError:
            return None

    def touch(self, count):
        """Touches the panel this many times. Returns the nanoseconds that each touch took."""
        panel = os.dup(self.panel.descriptor)
        os.set_blocking(self.reader.fileno(), True)
        words = [PROBE, "probe", panel, self.reader.fileno(), count, *AT, self.dx, self.when]
        done = subprocess.run([str(word) for word in words], pass_fds=[panel, self.reader.fileno()], capture_output=True, text=True)
        os.close(panel)
        assert done.returncode == 0, f"{self.name}: {done.stderr.strip()}"
        return [int(line) for line in done.stdout.split()]

    def page_faults(self):
        return int(Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()[7])

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.reader.close()


def kinds():
    """For each program: the command, and the arguments of Program that select the part of a touch that it reports."""
    file = Path("/tmp/latency.toml")
    file.write_text(configuration().replace('match = { name = "*" }', 'match = { name = "gestured panel" }')
                    + '\n[[device]]\nid = "others"\nmatch = { name = "*" }\nignore = true\n'
                    '\n[filter]\nstorm = { contacts_per_second = 10000, quiet = "1ms" }\n')
    return {
        "floor": ([PROBE, "floor", "NODE", "FD"], {}),
        "gestured": ([harness.program("gestured"), "-c", str(file), "--socket", SOCKET, "--log-level", "error"], {}),
        "libinput debug-events": (["/usr/libexec/libinput/libinput-debug-events", "--device", "NODE"], {}),
        "lisgd": (["lisgd", "-w", str(SIZE[0]), "-h", str(SIZE[1]), "-d", "NODE", "-g", "1,LR,*,*,R,echo swipe"],
                  {"when": "lift", "dx": 600}),
    }


def start(name, panels, all_kinds):
    words, more = all_kinds[name]
    Path(SOCKET).unlink(missing_ok=True)
    return Program(name, panels[name], words, **more)


def percentile(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def steady(options, panels, all_kinds):
    """For each program: the delays of all touches in microseconds."""
    programs = [start(name, panels, all_kinds) for name in all_kinds]
    times = {program.name: [] for program in programs}
    for program in programs:
        program.touch(50)
    part = max(1, options.touches // options.rounds)
    for number in range(options.rounds):
        # Each round starts with another program.
        for program in programs[number % len(programs):] + programs[:number % len(programs)]:
            times[program.name] += [time / 1000 for time in program.touch(part)]
    for program in programs:
        program.end()
    return times


def first_touches(options, panels, all_kinds):
    """For each program: the median time in microseconds and the median number of page faults of the first touch after a start."""
    results = {}
    for name in all_kinds:
        if name == "lisgd":
            continue
        samples = []
        for _ in range(options.starts):
            program = start(name, panels, all_kinds)
            before = program.page_faults()
            delay = program.touch(1)[0] / 1000
            samples.append((delay, program.page_faults() - before))
            program.end()
        results[name] = tuple(statistics.median(column) for column in zip(*samples))
    return results


def main():
    parser = argparse.ArgumentParser(description="measures the time from a touch to its line, for the daemon and for other programs")
    parser.add_argument("--touches", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--only", default="", help="measure only the floor and programs whose names contain this text")
    parser.add_argument("--strict", action="store_true", help="exit with status 1 if gestured exceeds the limit")
    options = parser.parse_args()

    all_kinds = {name: kind for name, kind in kinds().items() if name == "floor" or options.only in name}
    panels = {name: Touchscreen(size=SIZE, name=f"{name} panel") for name in all_kinds}
    subprocess.run(["udevadm", "settle"], check=True)

    times = steady(options, panels, all_kinds)
    floor = statistics.median(times["floor"])
    print(f"from the write of a frame to the line, {options.touches} touches of each in turns, Linux {os.uname().release}")
    print(f"{'':24} {'p10':>8} {'median':>8} {'p90':>8} {'p99':>8} {'most':>8}  µs   by the floor's median", flush=True)
    for name, each in times.items():
        row = [percentile(each, share) for share in (0.1, 0.5, 0.9, 0.99, 1)]
        print(f"{name:24} " + " ".join(f"{value:8.0f}" for value in row) + f"      {row[1] / floor:8.2f}", flush=True)
    first = first_touches(options, panels, all_kinds)
    print(f"first touch after a start, median of {options.starts}: "
          + "; ".join(f"{name} {delay:.0f} µs, {faults:.0f} page faults" for name, (delay, faults) in first.items()))
    if "gestured" not in times:
        return 0
    own = statistics.median(times["gestured"])
    missed = [f"{own / floor:.2f} of the floor > {RATIO_LIMIT}"] if own / floor > RATIO_LIMIT else []
    peer = times.get("libinput debug-events")
    if peer and own >= statistics.median(peer):
        missed.append("slower than libinput debug-events")
    print("limits: " + ("; ".join(missed) if missed else "all met"))
    return int(options.strict and bool(missed))


if __name__ == "__main__":
    sys.exit(main())
