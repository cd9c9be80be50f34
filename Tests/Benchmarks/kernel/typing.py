#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the time from a gesture's line to the key: `run typing` runs this in the guest.

A program in C (typing.c) plays the daemon, and reads the keyboard. The client is gestured-keys, or a program in C that writes the
key: one that parses the line with the same library, jansson, and one that only looks for two words in it. They are measured alternately, because the load of the machine changes. The figures are medians of
the medians of all rounds.

The guest has no vDSO, so reading the clock is a system call there, but not on a real machine. gestured-keys reads it once before it
writes, the program in C never. The cost, which is measured in each round, too, is subtracted.
"""
import argparse
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

import harness
from harness import ROOT, wait_until

SOCKET = "/run/typing.sock"
SETTINGS = Path("/run/keys.toml")
# The maximum delay of gestured-keys, as a multiple of the delay of the program in C
LIMIT = 1.5
# The maximum of its memory, in kB
MEMORY = 9 * 1024
TYPING = os.path.join(ROOT, ".build/kernel/typing")


def measure(client, rounds):
    """The delays in microseconds, and the client's memory in kB."""
    Path(SOCKET).unlink(missing_ok=True)
    meter = subprocess.Popen([TYPING, "measure", SOCKET, str(rounds)], stdout=subprocess.PIPE, text=True)
    wait_until(lambda: os.path.exists(SOCKET), "the meter listens")
    program = subprocess.Popen(client)
    try:
        delays = [int(meter.stdout.readline()) / 1000 for _ in range(2 * rounds)]
        status = Path(f"/proc/{program.pid}/status").read_text()
    finally:
        for process in (meter, program):
            process.terminate()
            process.wait(20)
    return delays, int(re.search(r"VmRSS:\s*(\d+)", status)[1])


def main():
    parser = argparse.ArgumentParser(prog="run typing", description=__doc__.splitlines()[0])
    parser.add_argument("--keys", type=int, default=200, help="number of keys in each measurement")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    SETTINGS.write_text('version = 1\n[[binding]]\ngesture = "press"\nhold = "space"\n')
    clients = {
        "client in C": [TYPING, "type", SOCKET, "parse"],
        "without JSON": [TYPING, "type", SOCKET],
        "gestured-keys": [harness.program("gestured-keys"), "-c", str(SETTINGS), "--socket", SOCKET],
    }
    delays, memory, costs = {name: [] for name in clients}, {}, []
    for _ in range(options.rounds):
        costs.append(float(subprocess.run([TYPING, "clock"], stdout=subprocess.PIPE, text=True, check=True).stdout))
        for name, words in clients.items():
            values, memory[name] = measure(words, options.keys)
            delays[name].append((statistics.median(values), sorted(values)[len(values) * 99 // 100]))
    medians = {}
    for name, pairs in delays.items():
        medians[name] = statistics.median(middle for middle, _ in pairs)
        print(f"{name:13} p50 {medians[name]:6.0f} us   p99 {statistics.median(high for _, high in pairs):6.0f} us   {memory[name]} kB")
    cost = statistics.median(costs)
    ratio = (medians["gestured-keys"] - cost) / medians["client in C"]
    print(f"gestured-keys: without its reading of the clock of {cost:.0f} us {ratio:.2f} times the delay (at most {LIMIT}), {memory['gestured-keys']} kB (at most {MEMORY})")
    return int(ratio > LIMIT or memory["gestured-keys"] > MEMORY)


if __name__ == "__main__":
    sys.exit(main())
