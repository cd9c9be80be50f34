# SPDX-License-Identifier: MIT
"""Tests gestured.py with programs that are not gesture daemons. Whatever they send, it must raise only its own errors."""
import asyncio
import json
import os
import random
import resource
import socket
import subprocess
import sys
import tempfile
import threading

import pytest

import gestured
from harness import PATIENCE

HELLO = {"event": "hello", "protocol": 1, "server": "gestured 9", "instance": "a", "capabilities": ["x"], "rights": ["raw"],
         "config_generation": 1}
STATE = {"event": "state", "seq": 0, "devices": [{"device": "panel", "state": "ready"}], "scene": "default",
         "idle": ["saver"],
         "active": [{"region": "ok", "gesture": "press", "name": "press", "sequence": 1, "device": "panel"}]}
PRESS = {"event": "gesture", "seq": 1, "gesture": "press", "name": "press", "action": "next", "phase": "begin", "region": "ok",
         "device": "panel", "sequence": 7, "fingers": 1, "x": 1.0, "y": 2.0, "inside": True, "time_us": 5,
         "start": {"x": 1, "y": 2}, "predicted": {"x": 1, "y": 2}}
LINES = [
    HELLO, STATE, PRESS, {**PRESS, "phase": "update"}, {**PRESS, "phase": "end"},
    {"event": "failed", "seq": 1, "gesture": "tap", "name": "tap", "action": "next", "region": "ok", "device": "p", "sequence": 1,
     "code": "too_long", "key": "max_time", "message": "m", "value": 1.5, "limit": 1, "unit": "ms", "time_us": 1},
    {"event": "touches", "seq": 1, "device": "p", "time_us": 1, "given": [1],
     "contacts": [{"id": 1, "slot": 0, "x": 1, "y": 1, "region": "ok", "sequence": 7, "to": "app"}],
     "seen_by": [{"region": "list", "sequence": 8, "contacts": [1]}],
     "ignored": [{"slot": 1, "x": 1, "y": 1, "filter": "palm"}]},
    {"event": "frame", "seq": 1, "device": "p", "time_us": 1, "events": [[3, 47, 1], [0, 0, 0]], "resync": True},
    {"event": "idle", "seq": 1, "name": "saver", "change": "idle", "idle_ms": 1, "time_us": 1},
    {"event": "wake", "seq": 1, "device": "p", "reason": "display", "time_us": 1},
    {"event": "device", "seq": 1, "change": "added", "device": "p", "node": "/dev/input/event1", "name": "n"},
    {"event": "config", "seq": 1, "change": "scene", "generation": 1, "scene": "a",
     "diagnostics": [{"severity": "error", "message": "m"}]},
    {"event": "overflow", "seq": 1, "dropped": 1, "since_ms": 1}, {"event": "later", "a": 1},
    {"event": "bye", "reason": "stop"}]
VALUES = [
    None, True, False, 0, -1, 1 << 63, 1 << 200, 1.5, 1e308, "", "x", "state", [], [None], [[]], [1, "x"], {}, {"x": 1},
    {"": {}}, {"x": None, "y": []}, "\ud800", "\0", [{}], [{"region": 1}]]
#: Lines that json.dumps() cannot produce.
TEXTS = [
    b"", b"\0", b"null", b"[]", b"1", b'"x"', b"NaN", b'{"event":NaN}', b'{"event":"idle","idle_ms":1e999}',
    b'{"event":"idle","idle_ms":' + b"9" * 1_000_000 + b"}", b'{"event":"\xff"}', b'{"event":"\xed\xa0\x80"}',
    b"\xef\xbb\xbf{}", '{"event":"hello"}'.encode("utf-16"), b"[" * 200_000, b'{"a":' * 200_000,
    b'{"event":"x","a":' + b"[" * 100_000 + b"]" * 100_000 + b"}", b'{"event":"state","event":"hello"}',
    b'{"event":"hello","protocol":1,"protocol":true}', b'{"reply":[]}', b'{"reply":null}', b'{"reply":"x"}',
    b'{"reply":"x","id":{}}', b'{"reply":"x","id":true,"ok":true}', b'{"reply":"x","id":null,"error":[]}',
    b'{"reply":"x","id":null,"error":{"message":{}}}', b'{"event":"x","a":"\\uD800"}', b'{"event":"x"', b"{}",
    b"GET / HTTP/1.1\r"]
ERRORS = ["x", None, [], {}, {"code": 1, "message": [], "suggestion": {}, "diagnostics": 1},
          {"code": "a", "message": "m", "diagnostics": [1, {}]}, {"diagnostics": "abc"}]
REQUESTS = ["status", "devices", "regions", "state", "ping", "reload"]


def places(value, path=()):
    """Yields the paths to all parts of a JSON value."""
    yield path
    for key, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(part, path + (key,))


def replaced(value, path, new):
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(value[path[0]], path[1:], new)
    return copy


def removed(value, path):
    copy = dict(value) if isinstance(value, dict) else list(value)
    if len(path) == 1:
        del copy[path[0]]
    else:
        copy[path[0]] = removed(value[path[0]], path[1:])
    return copy


def line(value):
    return json.dumps(value).encode() + b"\n"


def lies():
    """Yields variants of each line of the protocol, in which one part is replaced by a value or removed."""
    for true in LINES:
        for path in places(true):
            for value in VALUES:
                yield line(replaced(true, path, value))
            if path:
                yield line(removed(true, path))
    for text in TEXTS:
        yield text + b"\n"


class SessionTests:
    def session(self):
        session = gestured._Session("/nowhere")
        session.subscribe({"phases": list(gestured.ALL_PHASES)})
        session.greeting()
        session.feed(line(HELLO) + line({"reply": "subscribe", "id": session._id, "ok": True}) + line(STATE))
        return session

    def test_no_line_raises_another_error_and_what_comes_out_has_the_types_it_says(self):
        refused = 0
        for lie in lies():
            session = self.session()
            try:
                session.feed(lie)
            except (gestured.ProtocolError, gestured.Unavailable):
                refused += 1
            session.lost("test")
            opened = set()
            for event in session.events:
                str(event).encode()
                json.dumps(event.raw, ensure_ascii=False).encode()
                if isinstance(event, gestured.Gesture):
                    assert all(type(part) is str for part in event.key[:3])
                    assert type(event.sequence) is int
                    assert type(event.x) in (int, float, type(None))
                    if event.phase in ("begin", "update"):
                        opened.add(event.key)
                    elif event.phase:
                        opened.discard(event.key)
                if isinstance(event, gestured.Touches):
                    assert all(type(contact.x) in (int, float) for contact in event.contacts)
            assert opened == set(), lie[:200]
        assert refused > 1000

    def test_random_bytes_and_torn_lines(self):
        chance = random.Random(33)
        text = b"".join(map(line, LINES))
        for _ in range(3000):
            session = self.session()
            torn = bytearray(text)
            for _ in range(chance.randrange(1, 6)):
                place = chance.randrange(len(torn))
                torn[place:place + chance.randrange(3)] = chance.randbytes(chance.randrange(3))
            try:
                session.feed(bytes(torn))
            except (gestured.ProtocolError, gestured.Unavailable):
                pass

    def test_a_refusal_of_any_form_is_a_request_error(self):
        for error in ERRORS:
            session = self.session()
            with pytest.raises(gestured.RequestError) as caught:
                session.checked("x", {"reply": "x", "id": 1, "ok": False, "error": error})
            assert type(caught.value.code) is str
            assert all(isinstance(entry, dict) for entry in caught.value.diagnostics)
            session.subscription_line()
            session.feed(line({"reply": "subscribe", "id": session._id, "ok": "yes", "error": error}))
            assert isinstance(session.failure, gestured.RequestError)

    def test_gestures_that_never_end_are_bounded(self):
        session = self.session()
        with pytest.raises(gestured.ProtocolError):
            for sequence in range(100_000):
                session.feed(line({**PRESS, "sequence": sequence}))
        assert len(session._open) < 5000
        with pytest.raises(gestured.ProtocolError):
            self.session().feed(line({**PRESS, "name": "x" * 20_000}))

    def test_events_that_wait_are_bounded_and_each_gesture_ends(self):
        session = self.session()
        told = line({**PRESS, "sequence": 1}) + line({**PRESS, "sequence": 2})
        session.feed(told)
        seen = [event for event in session.events if isinstance(event, gestured.Gesture)]
        session.events.clear()
        session.feed(line({**PRESS, "sequence": 1, "phase": "end"}) + line({**PRESS, "sequence": 3}))
        with pytest.raises(gestured.Unavailable):
            for _ in range(100_000):
                session.feed(line({"event": "later", "text": "x" * 1000}))
        session.lost("test")
        seen += [event for event in session.events if isinstance(event, gestured.Gesture)]
        assert len(session.events) < 10
        # The `begin` event of gesture 3 was dropped before it was read, so the gesture is not cancelled either.
        phases = {sequence: [event.phase for event in seen if event.sequence == sequence] for sequence in (1, 2, 3)}
        assert phases == {1: ["begin", "end"], 2: ["begin", "cancel"], 3: []}

    def test_a_line_of_many_values_takes_little_memory(self):
        script = "import gestured\nsession = gestured._Session('/nowhere')\ntry: session.feed(%s)\n" \
            "except gestured.ProtocolError: print('refused')"
        for text in ("b'[' + b'[],' * 5_000_000 + b'0]\\n'", "b'[' + b'{},' * 5_000_000 + b'0]\\n'",
                     "b'{\"event\":\"x\",\"a\":' + b'[' * 15_000_000 + b'\\n'", "b'x' * 17_000_000"):
            done = subprocess.run(
                [sys.executable, "-c", script % text], cwd=os.path.dirname(os.path.abspath(__file__)), text=True,
                capture_output=True, timeout=PATIENCE,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20)))
            assert done.stdout == "refused\n", done.stderr


class Liar:
    """Answers requests with a function that returns the bytes of a reply, or None to close the connection."""

    def __init__(self, answer):
        self.folder = tempfile.TemporaryDirectory()
        self.path = self.folder.name + "/socket"
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen(8)
        self.answer = answer
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while True:
            try:
                connection = self.listener.accept()[0]
            except OSError:
                return
            with connection, connection.makefile("rb") as lines:
                try:
                    for request in lines:
                        text = self.answer(json.loads(request))
                        if text is None:
                            break
                        connection.sendall(text)
                except OSError:
                    pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # shutdown() wakes up accept(); close() does not.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join(PATIENCE)
        self.folder.cleanup()


class Replies:
    """Answers each request with an invalid reply, but accepts subscriptions."""

    def __init__(self):
        self.chance = random.Random(33)

    def __call__(self, request):
        true = {"reply": request["cmd"], "id": request["id"], "ok": True}
        if request["cmd"] == "subscribe":
            return line(HELLO) + line(true) + line(STATE)
        for key in ("devices", "regions", "active", "enabled", "waiting", "diagnostics", "scene", "event", "idle"):
            if self.chance.random() < 0.4:
                true[key] = self.chance.choice(VALUES)
        if self.chance.random() < 0.3:
            true["ok"] = self.chance.choice(VALUES)
            true["error"] = self.chance.choice(ERRORS)
        if self.chance.random() < 0.1:
            return self.chance.choice([None, self.chance.choice(TEXTS[:10]) + b"\n"])
        return line(true)


def calls(client):
    yield from (getattr(client, name) for name in REQUESTS)
    yield lambda: client.set_region("ok", True)
    yield lambda: client.define_regions([{"id": "a"}, {}])
    yield lambda: client.put_region({})
    yield lambda: client.remove_region("a")
    yield lambda: client.at(1, 2)


class SocketTests:
    def test_replies_of_any_form(self):
        with Liar(Replies()) as liar, gestured.Client(liar.path, timeout=PATIENCE, sleep=lambda _: None) as client:
            good = 0
            for _ in range(60):
                for call in calls(client):
                    try:
                        call()
                        good += 1
                    except gestured.Error:
                        pass
            assert good > 50

    def test_the_same_with_asyncio(self):
        async def run():
            with Liar(Replies()) as liar:
                async with gestured.AsyncClient(liar.path, timeout=PATIENCE) as client:
                    good = 0
                    for _ in range(60):
                        for call in calls(client):
                            try:
                                await call()
                                good += 1
                            except gestured.Error:
                                pass
                    assert good > 50
        asyncio.run(run())

    def test_a_wrong_line_cancels_what_has_begun_before_the_error(self):
        def answer(request):
            return line(HELLO) + line({"reply": "subscribe", "id": request["id"], "ok": True}) + line(
                {**STATE, "active": []}) + line(PRESS) + b'{"event":"gesture","region":1}\n'

        expected = ["Hello", "State", "begin", "cancel", "Disconnected"]

        def word(event):
            return event.phase if isinstance(event, gestured.Gesture) else type(event).__name__

        seen = []
        with Liar(answer) as liar, gestured.Client(liar.path) as client:
            with pytest.raises(gestured.ProtocolError):
                for event in client.events():
                    seen.append(word(event))
        assert seen == expected

        async def run():
            seen = []
            with Liar(answer) as liar:
                async with gestured.AsyncClient(liar.path) as client:
                    with pytest.raises(gestured.ProtocolError):
                        async for event in client.events():
                            seen.append(word(event))
            return seen
        assert asyncio.run(run()) == expected

    def test_a_program_that_reads_nothing_holds_nobody_up(self):
        with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
            listener.bind(folder + "/socket")
            listener.listen(8)
            lease = [{"id": f"r{number}", "text": "x" * 30_000} for number in range(64)]
            client = gestured.Client(folder + "/socket", timeout=0.2)
            client._session.leased(lease)
            with pytest.raises(gestured.Unavailable):
                client.ping()
            client.close()

            async def run():
                client = gestured.AsyncClient(folder + "/socket", timeout=0.2)
                client._session.leased(lease)
                with pytest.raises(gestured.Unavailable):
                    await client.ping()
                await asyncio.wait_for(client.close(), PATIENCE)
            asyncio.run(run())
