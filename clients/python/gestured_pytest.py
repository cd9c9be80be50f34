# SPDX-License-Identifier: MIT
"""A plugin for pytest: touches on a configuration, without a panel.

    def test_coffee(touch):
        assert touch("panel.toml", "tap coffee").short == ["coffee press begin", "coffee button", "coffee press end"]

Files that end in `.expect` are tests, too. Both need the program `gesturectl`.
"""
import json
import os
import subprocess
from typing import Callable, List, Union

import gestured
import pytest


class Gestures(List[gestured.Gesture]):
    """The gestures that touches have caused."""

    @property
    def short(self) -> List[str]:
        """Each as `REGION NAME`, or `REGION NAME PHASE`."""
        return [" ".join(filter(None, (one.region, one.name, one.phase))) for one in self]


def pytest_addoption(parser):
    parser.addoption(
        "--gesturectl", default=os.environ.get("GESTURECTL", "gesturectl"), metavar="PROGRAM",
        help="the program that plays touches (default: $GESTURECTL, or gesturectl)")


def _run(config, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([config.getoption("--gesturectl"), *arguments], capture_output=True, text=True, check=False)


@pytest.fixture
def touch(request) -> Callable[..., Gestures]:
    """`touch(configuration, touches, *options)` plays touches as `gesturectl try` does. Updates are left out."""
    def play(configuration: Union[str, "os.PathLike[str]"], touches: str, *options: str) -> Gestures:
        done = _run(request.config, "try", "-c", os.fspath(configuration), "--json", "--no-updates", *options, "--", touches)
        if done.returncode:
            pytest.fail(f"gesturectl try: {done.stderr.strip()}", pytrace=False)
        events = (gestured._event(json.loads(line)) for line in done.stdout.splitlines())
        return Gestures(event for event in events if isinstance(event, gestured.Gesture))
    return play


def pytest_collect_file(parent, file_path):
    if file_path.suffix == ".expect":
        return _ExpectFile.from_parent(parent, path=file_path)
    return None


class _ExpectFile(pytest.File):
    def collect(self):
        yield _ExpectItem.from_parent(self, name="expect")


class _ExpectItem(pytest.Item):
    def runtest(self):
        done = _run(self.config, "expect", str(self.path))
        if done.returncode:
            pytest.fail(f"{done.stdout}{done.stderr}".strip(), pytrace=False)
