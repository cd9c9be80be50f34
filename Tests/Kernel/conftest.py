# SPDX-License-Identifier: MIT
"""Tests of the daemon as a systemd service on a real kernel: `vm test` runs pytest in the guest."""
import random
from pathlib import Path

import pytest

from bench import bench, install
from harness import transcript
from harness.service import journal, systemctl

# The order of the files: `service` expects that the service does not run, `laws` checks what all other tests have read.
TOPICS = ("service", "panels", "gestures", "frames", "unplug", "hotplug", "hid", "grab", "dropped", "dropped_random", "suspend", "clients",
          "crowd", "recordings", "reload", "process", "web", "mqtt", "twin", "application", "laws")
# On any other machine these tests would install the service.
collect_ignore_glob = [] if Path("/.vm/job").exists() else ["test_*.py"]
# The files that the second of two guests runs, half of the time. `laws` runs in both.
SECOND_GUEST = ("process", "twin", "application")


def pytest_addoption(parser):
    parser.addoption("--seed", type=int, default=random.randrange(1 << 32), help="of random tests; printed when a test fails")
    parser.addoption("--rounds", type=int, help="how often the tests that repeat something do it")
    parser.addoption("--minutes", type=float, help="how long the tests that load the daemon do it")
    parser.addoption("--guest", type=int, choices=(1, 2), help="only the half of the tests that this one of two guests runs")


def pytest_configure(config):
    bench.options = config.option


def pytest_collection_modifyitems(config, items):
    def topic(item):
        return item.path.stem.removeprefix("test_")

    items.sort(key=lambda item: TOPICS.index(topic(item)))
    if config.option.guest:
        items[:] = [item for item in items if topic(item) == "laws" or (topic(item) in SECOND_GUEST) == (config.option.guest == 2)]


@pytest.fixture(scope="session", autouse=True)
def service():
    bench.programs = install(Path(__file__).parent / "kernel.toml")
    systemctl("start", "gestured.socket")


@pytest.fixture(autouse=True)
def prepared(request):
    bench.random.seed(f"{bench.options.seed} {request.node.name}")
    bench.figures = ""


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    report.figures = bench.figures if call.when == "call" else ""
    if call.when == "call" and report.failed:
        report.sections.append(("seed", f"--seed {bench.options.seed}"))
        if bench.client:
            report.sections.append(("last lines", ", ".join(transcript(bench.client.lines[-12:]))))
        report.sections.append(("journal", journal()))
        bench.forget()


def pytest_report_teststatus(report, config):
    if report.when == "call" and report.passed:
        return "passed", ".", f"ok ({report.duration:.2f} s){': ' if report.figures else ''}{report.figures}"
    return None
