# SPDX-License-Identifier: MIT
"""The bridge to web pages under systemd."""
import http.client
import json
import os
import pwd
import signal

import pytest

from bench import KEY, bench
from harness import wait_until
from harness.process import status_of
from harness.service import command, systemctl, unit_property

BRIDGE, ADDRESS = "gestured-web.service", "127.0.0.1:8990"


def get(path):
    connection = http.client.HTTPConnection(ADDRESS, timeout=10)
    connection.request("GET", path)
    return connection.getresponse()


def process():
    return int(unit_property("MainPID", BRIDGE))


def test_the_first_page_starts_the_bridge():
    """The bridge runs as a user without rights, and systemd accepts its units."""
    bench.prepare()
    systemctl("start", "gestured-web.socket")
    assert unit_property("ActiveState", BRIDGE) == "inactive"
    answer = get("/healthz")
    assert answer.status == 200, (answer.status, answer.read())
    assert b"<title>" in get("/").read()
    assert pwd.getpwuid(int(status_of(process(), "Uid").split()[0])).pw_name == "gestured-web"
    assert int(status_of(process(), "CapEff"), 16) == 0
    assert (status_of(process(), "NoNewPrivs"), status_of(process(), "Seccomp")) == ("1", "2")
    command("systemd-analyze", "verify", "--man=no", f"/usr/lib/systemd/system/{BRIDGE}", "/usr/lib/systemd/system/gestured-web.socket")
    score = command("systemd-analyze", "security", BRIDGE, "--no-pager").stdout.strip().splitlines()[-1]
    bench.note(score.split(":", 1)[-1].strip())


def test_a_stream_has_the_gestures_of_a_finger():
    panel, _ = bench.prepare()
    events = get("/events")
    assert events.status == 200, events.read()

    def line(**wanted):
        while text := events.readline():
            if text.startswith(b"data:"):
                data = json.loads(text[5:])
                if all(data.get(key) == value for key, value in wanted.items()):
                    return data
        raise AssertionError("the stream has ended")

    line(event="state")
    panel.tap(KEY)
    assert line(event="gesture", gesture="press", phase="begin")["region"] == "key"
    line(event="gesture", gesture="press", phase="end")


def test_a_killed_bridge_comes_back():
    before = process()
    os.kill(before, signal.SIGKILL)
    wait_until(lambda: process() not in (0, before), "systemd starts it again")
    assert get("/healthz").status == 200


def test_it_stops_with_its_socket():
    systemctl("stop", "gestured-web.socket", BRIDGE)
    with pytest.raises(ConnectionRefusedError):
        get("/healthz")
    assert unit_property("Result", BRIDGE) == "success"
