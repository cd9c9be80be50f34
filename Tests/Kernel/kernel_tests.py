#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the daemon as a systemd service on a real kernel: `vm test` runs this in the guest.

Each test prints `ok NAME (seconds)` or `FAIL NAME: why`; the last line is `N passed, N failed`.
"""
import argparse
import importlib
import random
import sys
import time
import traceback
from pathlib import Path

import harness
from bench import TESTS, bench

HERE = Path(__file__).parent
# In this order: the first expects that the service does not run, the last checks what all the others have read.
TOPICS = ("service", "panels", "gestures", "frames", "unplug", "hotplug", "hid", "grab", "dropped", "dropped_random", "suspend", "clients", "crowd", "recordings", "reload", "process", "web", "mqtt", "twin", "application", "laws")
# What the second of two guests runs, half of the time; the first runs the rest, and each checks what it has read.
OF_SECOND_GUEST = ("process", "twin", "application")


def arguments():
    parser = argparse.ArgumentParser(prog="vm test", description="tests of gestured as a service on a real kernel")
    parser.add_argument("--project", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32), help="of what is random; printed when a test fails")
    parser.add_argument("--rounds", type=int, help="how often the tests that repeat something do it")
    parser.add_argument("--minutes", type=float, help="how long the tests that load the daemon do it")
    parser.add_argument("--guest", type=int, choices=(1, 2), help="only the half of the tests that this one of two guests runs")
    parser.add_argument("names", nargs="*", help=f"only tests with this in their name or in that of their file ({', '.join(TOPICS)})")
    return parser.parse_args()


def topics(guest):
    return [topic for topic in TOPICS if guest is None or topic == "laws" or (topic in OF_SECOND_GUEST) == (guest == 2)]


def chosen(names, guest):
    for topic in topics(guest):
        importlib.import_module(f"tests.{topic}")
    for test in TESTS:
        if not names or any(name in f"{test.__module__}.{test.__name__}" for name in names):
            yield test


def run(test):
    """Returns whether the test passed."""
    bench.random.seed(f"{bench.options.seed} {test.__name__}")
    begun = time.monotonic()
    try:
        figures = test()
        print(f"ok {test.__name__} ({time.monotonic() - begun:.2f} s){f': {figures}' if figures else ''}", flush=True)
        return True
    except Exception as error:
        known = isinstance(error, AssertionError) and str(error)
        print(f"FAIL {test.__name__}: {(str(error) if known else repr(error))[:4000]}")
        places = [f"{Path(frame.filename).name}:{frame.lineno} {frame.line}" for frame in traceback.extract_tb(error.__traceback__)]
        print("    at " + "\n    at ".join(places[1:]))
        print(f"    --seed {bench.options.seed}")
        if bench.client and bench.client.ended:
            print("    the daemon has gone, says systemd:\n" + harness.journal(8, "_PID=1"))
        if bench.client:
            print("    the last lines: " + ", ".join(harness.transcript(bench.client.lines[-12:])), flush=True)
        bench.forget()
        return False


def main():
    options = bench.options = arguments()
    bench.programs = harness.install(options.project, options.build, HERE / "kernel.toml")
    harness.systemctl("start", "gestured.socket")
    results = [run(test) for test in chosen(options.names, options.guest)]
    failed = results.count(False)
    if failed:
        print(harness.journal())
    print(f"{results.count(True)} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
