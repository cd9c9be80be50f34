# SPDX-License-Identifier: MIT
"""A page without the right to private regions gets no information about them.

Two daemons get the same touches at the same times, except that the positions on a PIN pad differ. All data that a page can get
from their bridges must be equal in every byte, except for parts that identify the run: its folder, its processes, its times.
"""
import http.client
import json
import os
import re
import time

import pytest

from fixture import HERE, Bridge, Fixture
from harness import GUEST, PATIENCE, ROOT
from websocket import WebSocket

# The positions on the pad in the first and in the second run
CODES = [
    [(450, 250), (700, 300), (640, 590), (800, 250), (410, 210), (890, 590)],
    [(700, 550), (450, 250), (870, 220), (420, 580), (890, 400), (405, 205)],
]
COMMANDS = ["subscribe", "status", "clients", "devices", "regions", "state", "ping", "at", "describe", "counts", "touch_map"]
EVENTS = ["gesture", "failed", "idle", "device", "config"]
# A part of the last line that every page receives
LAST = '"phase":"end","region":"last"'
# Parts that differ between any two runs
RUN = [
    (r'("instance"):"\w+"', r'\1:""'),
    (r'("pid"|"uptime_ms"|"longest_turn_us"|"idle_ms"):\d+', r"\1:0"),
    (r"(?m)^(gestured_uptime_seconds|gestured_longest_turn_seconds|gestured_idle_seconds) .*", r"\1 0"),
    # The length depends on the times. The body itself is compared.
    (r"Content-Length: \d+", ""),
]


def play(fixture, code):
    """Touches the pad on its own, and before, during and after touches that a page may see."""
    first, second, third, fourth, fifth, sixth = code
    fixture.panel.tap(100, 60)
    # A code of three taps, each in one region. A page may see the taps before and after it.
    for place in (first, second, third):
        fixture.panel.tap(*place)
    fixture.panel.tap(350, 150)
    # A long press
    fixture.panel.fingers(1000, {0: fourth})
    fixture.panel.fingers(900, {0: None})
    # A finger on the pad and another one next to it in the list. Together they would tap or pinch, or be too
    # many.
    fixture.panel.fingers(1000, {0: first})
    fixture.panel.fingers(20, {1: (340, 300)})
    fixture.panel.fingers(60, {0: None, 1: None})
    fixture.panel.fingers(1000, {1: (340, 300)})
    fixture.panel.fingers(20, {0: second})
    for step in range(1, 6):
        fixture.panel.fingers(10, {0: (second[0] + 8 * step, second[1]), 1: (340 - 6 * step, 300)})
    fixture.panel.fingers(10, {0: None})
    fixture.panel.fingers(10, {1: None})
    # A swipe that starts on the pad and ends outside
    fixture.panel.fingers(1000, {0: third})
    for step in range(1, 6):
        fixture.panel.fingers(10, {0: (third[0] + (sixth[0] - third[0]) * step / 5, third[1] + (sixth[1] - third[1]) * step / 5)})
    fixture.panel.fingers(10, {0: None})
    # A contact moves from the list across the pad. It still belongs to the list, so a page may see its
    # positions.
    fixture.panel.fingers(1000, {0: (330, 400)})
    fixture.panel.fingers(10, {0: (360, 400)})
    fixture.panel.fingers(10, {0: (390, 400)})
    fixture.panel.fingers(10, {0: (640, 410)})
    fixture.panel.fingers(10, {0: (700, 420)})
    fixture.panel.fingers(10, {0: None})
    # A contact moves from the pad to the screen.
    fixture.panel.fingers(1000, {0: fifth})
    fixture.panel.fingers(10, {0: (second[0], 730)})
    fixture.panel.fingers(10, {0: None})
    # The two taps of a double tap, with a tap on the pad between them
    fixture.panel.fingers(1000, {0: (600, 50)})
    fixture.panel.fingers(50, {0: None})
    fixture.panel.fingers(40, {0: sixth})
    fixture.panel.fingers(50, {0: None})
    fixture.panel.fingers(40, {0: (600, 50)})
    fixture.panel.fingers(50, {0: None})
    # A finger rests on the pad.
    fixture.panel.fingers(1000, {1: fifth})
    fixture.panel.tap(100, 60)
    fixture.panel.tap(100, 180)


class Run:
    """The daemon with the pad, and a bridge whose user has these `rights` in [access]."""

    def __init__(self, case, rights, start=None):
        self.fixture = Fixture(os.path.join(HERE, "private.toml"), start=False)
        case.cleanup.callback(self.fixture.close)
        # The touches are far in the future, so that no deadline expires before the test ends.
        self.start = self.fixture.panel.time = start or self.fixture.panel.time + 600_000_000
        self.fixture.configure("[access]\n" + "".join(f'{right}_uids = ["{GUEST}"]\n' for right in rights))
        self.fixture.start()
        self.fixture.open_to_others()
        self.bridge = Bridge(self.fixture, commands=COMMANDS, user=GUEST)
        case.cleanup.callback(self.bridge.close)

    def request(self, path, body=None):
        """Requests a path, and returns status, headers and body of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.bridge.port, timeout=PATIENCE)
        connection.request("POST" if body else "GET", path, body)
        answer = connection.getresponse()
        text = f"{answer.status} {answer.headers}{answer.read().decode()}"
        connection.close()
        return text

    def observe(self, code):
        """Everything that a page receives before, during and after touches on the pad, by its source."""
        seen = {}
        events = http.client.HTTPConnection("127.0.0.1", self.bridge.port, timeout=PATIENCE)
        events.request("GET", "/events?regions=*,pin,one&events=" + ",".join(EVENTS))
        stream = iter(events.getresponse().readline, b"")
        seen["events"] = until(stream, '"reply":"subscribe"') + until(stream, "state")
        with WebSocket(self.bridge.port) as page:
            messages = iter(page.message, None)
            seen["socket"] = ask(page, messages, [
                {"cmd": "subscribe", "events": [*EVENTS, "touches"]},
                {"cmd": "subscribe", "events": [*EVENTS, "frame"]},
                {"cmd": "touch_map", "device": "panel"},
                {"cmd": "subscribe", "events": EVENTS, "regions": ["*", "pin", "one"]},
            ])
            play(self.fixture, code)
            seen["socket"] += until(messages, LAST)
            seen["events"] += until(stream, LAST)
            places = [(100, 60), (350, 150), (600, 50), *CODES[0], *CODES[1]]
            seen["replies"] = ask(page, messages, [
                {"cmd": "status"}, {"cmd": "counts"}, {"cmd": "devices"}, {"cmd": "regions"}, {"cmd": "regions", "region": "p*"},
                {"cmd": "state"}, {"cmd": "clients"}, {"cmd": "describe", "device": "panel"},
                {"cmd": "touch_map", "device": "panel"}, *({"cmd": "at", "x": x, "y": y} for x, y in places)])
            for path in ("/metrics", "/healthz", "/bridge", "/config"):
                seen[path] = self.request(path)
            for command in ("status", "counts", "state"):
                seen[f"/command {command}"] = self.request("/command", json.dumps({"cmd": command}))
            with open(os.path.join(ROOT, "config", "demo.evemu"), encoding="utf-8") as file:
                seen["/replay"] = self.request(
                    "/replay", json.dumps({"config": None, "recording": file.read(), "explain": True}))
        events.close()
        return {source: self.without_names(text) for source, text in seen.items()}

    def without_names(self, text):
        """The text without the parts that identify the run."""
        text = text.replace(self.fixture.folder, "FOLDER")
        for pattern, replacement in RUN:
            text = re.sub(pattern, replacement, text)
        return text


def until(lines, word):
    """The lines up to and including the first one that contains the word."""
    taken = []
    end = time.monotonic() + PATIENCE
    for line in lines:
        line = line if isinstance(line, str) else line.decode().rstrip("\n")
        taken.append(line + "\n")
        if word in line:
            return "".join(taken)
        # The bridge sends a line at least every 15 s, so this check is reached.
        if time.monotonic() > end:
            break
    raise AssertionError(f"there is no {word}:\n{''.join(taken)}")


def ask(page, messages, requests):
    """Sends requests. Returns the replies and the lines between them."""
    taken = ""
    for number, request in enumerate(requests):
        page.send({**request, "id": number})
        taken += until(messages, f'"id":{number},"ok"')
    return taken


@pytest.mark.skipif(not GUEST, reason="only root can start a bridge of a user without rights")
class PrivacyTests:
    def pair(self, rights):
        """Everything that pages receive in two runs that differ only in the positions on the pad."""
        first = Run(self, rights)
        second = Run(self, rights, first.start)
        return first.observe(CODES[0]), second.observe(CODES[1])

    def check_same(self, rights):
        first, second = self.pair(rights)
        for source in first:
            assert first[source] == second[source]
        return first

    def check_hidden(self, seen):
        """Checks that lines have arrived, and that none is about the pad."""
        for stream in ("socket", "events"):
            for word in ('"event":"gesture"', '"event":"failed"', '"direction":"right"', '"region":"over"', '"region":"list"',
                         '"gesture":"double_tap"'):
                assert word in seen[stream]
            assert '"reason":"handover"' not in seen[stream], "nothing is handed over to the pad"
            assert '"unmatched":["pin","one"]' in seen[stream]
        assert "gestured_gestures" in seen["/metrics"]
        assert "private_uids" in seen["/config"]
        assert "private_uids" in seen["/replay"]
        for source, text in seen.items():
            assert not re.search(r'"(region|owner|name)":"(pin|one|two|code)"|="(pin|one|two)"', text), source

    def test_a_page_without_rights(self):
        seen = self.check_same([])
        self.check_hidden(seen)
        assert seen["socket"].count("permission_denied") == 3, "touches, frame, touch_map"

    def test_a_page_with_all_rights_but_that_one(self):
        seen = self.check_same(["control", "define", "raw"])
        self.check_hidden(seen)
        assert seen["socket"].count("permission_denied") == 2, "touches, frame"

    def test_a_page_that_is_entitled(self):
        """With the right, the two runs differ. This shows that the tests above would detect the touches."""
        first, second = self.pair(["raw", "private"])
        for source in ("socket", "events", "replies", "/metrics"):
            assert first[source] != second[source]
        assert first["/config"] == second["/config"]
        assert 'id = \\"pin\\"' in first["/config"]
        assert '"region":"pin"' in first["/replay"]
