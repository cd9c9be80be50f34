# SPDX-License-Identifier: MIT
"""Tests of the daemon as a systemd service on a real kernel: `vm test` runs pytest in the guest."""
import random
import shutil
from pathlib import Path

import pytest

from bench import bench, install
from harness import transcript
from harness.service import journal, systemctl

# The order of the test files. `service` requires that the service is not running; `laws` checks the lines of all other
# tests.
TOPICS = ("service", "panels", "gestures", "frames", "unplug", "hotplug", "hid", "grab", "dropped", "dropped_random", "suspend", "clients",
          "crowd", "recordings", "reload", "process", "web", "mqtt", "twin", "application", "keys", "keys_xorg", "keys_labwc", "kiosk", "filter", "browser", "qml", "rotation", "screens", "noise", "follow", "keyboard", "container", "play", "exec", "cancelled", "laws")
# On a machine other than the guest, these tests would install the service, so they are not collected.
collect_ignore_glob = [] if Path("/.vm/job").exists() else ["test_*.py"]
if not shutil.which("labwc"):
    collect_ignore_glob.append("test_keys_labwc.py")
if not (Path(__file__).parents[2] / ".build/qt/Gestured/libgestured-qml.so").exists():
    collect_ignore_glob.append("test_qml.py")
# The test files that run in the second of two guests. They take half of the total time. `laws` runs in both guests.
SECOND_GUEST = ("process", "twin", "application", "keys", "keys_xorg", "keys_labwc", "kiosk", "browser", "qml", "rotation", "screens", "noise", "follow", "keyboard")


def pytest_addoption(parser):
    parser.addoption("--seed", type=int, default=random.randrange(1 << 32), help="seed of random tests; printed when a test fails")
    parser.addoption("--rounds", type=int, help="number of repetitions in tests that repeat something")
    parser.addoption("--minutes", type=float, help="duration of the tests under load")
    parser.addoption("--debian", metavar="FOLDER", help="another Debian on the host, whose compositors are tested")
    parser.addoption("--guest", type=int, choices=(1, 2), help="run only the tests that this one of two guests runs")


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
