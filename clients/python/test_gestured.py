# SPDX-License-Identifier: MIT
"""Tests of gestured.py. The first tests are for its parts; the others use the real daemon and a fake panel (Tests/harness).

    python3 -m pytest clients/python
"""
import asyncio
import json
import os
import random
import socket
import subprocess
import sys
import threading

import pytest

import gestured
from gestured import Gesture
from harness import PATIENCE, Daemon

HERE = os.path.dirname(os.path.abspath(__file__))
# The tests of the clients in all languages use this configuration.
with open(os.path.join(os.path.dirname(HERE), "harness.toml"), encoding="utf-8") as file:
    CONFIGURATION = file.read()
BUTTON = {"id": "btn", "shape": {"rect": [0, 0, 100, 100]}, "gestures": ["press"]}


def short(event):
    """Returns a text such as `hello`, `press begin ok`, `press cancel disconnected ok`."""
    if not isinstance(event, Gesture):
        return type(event).__name__.lower()
    return " ".join(filter(None, (event.gesture, event.phase, event.reason, event.region)))


def take(events, last):
    """Returns the events up to `last`, in the form returned by `short`."""
    words = []
    for event in events:
        words.append(short(event))
        if words[-1] == last:
            return words
    raise AssertionError(f"{last} did not come before the end; got: {words}")


def line(**keys):
    return json.dumps(keys).encode() + b"\n"


def press(phase, sequence, **keys):
    return line(event="gesture", seq=1, gesture="press", name="press", phase=phase, region="ok", device="panel",
                sequence=sequence, fingers=1, x=1.0, y=2.0, u=0.1, v=0.2, inside=True, time_us=5, **keys)


class PartsTests:
    def session(self, **options):
        session = gestured._Session("/nowhere")
        session.subscribe(options)
        session.greeting()
        session.feed(line(event="hello", protocol=1, server="gestured 9", instance="a", capabilities=["new"],
                          config_generation=1, later="key"))
        session.feed(line(reply="subscribe", id=session._id, ok=True))
        session.feed(line(event="state", seq=0, devices=[], scene="default", active=[]))
        assert [short(event) for event in self.events(session)] == ["hello", "state"]
        return session

    def events(self, session):
        events = list(session.events)
        session.events.clear()
        return events

    def test_events_do_not_depend_on_how_the_bytes_are_split(self):
        text = press("begin", 1) + press("end", 1, held_ms=80)
        whole = self.session()
        whole.feed(text)
        expected = self.events(whole)
        assert [short(event) for event in expected] == ["press begin ok", "press end ok"]
        for split in range(len(text)):
            session = self.session()
            session.feed(text[:split])
            session.feed(text[split:])
            assert self.events(session) == expected

    def test_a_gesture_whose_end_was_lost_is_cancelled_before_the_state(self):
        session = self.session()
        session.feed(press("begin", 1) + press("begin", 2))
        session.feed(line(event="overflow", seq=9, dropped=3, since_ms=5))
        session.feed(line(event="state", seq=9, devices=[], scene="default",
                          active=[{"region": "ok", "gesture": "press", "name": "press", "sequence": 2}]))
        session.feed(press("end", 2))
        words = [short(event) for event in self.events(session)]
        assert words == ["press begin ok", "press begin ok", "overflow", "press cancel lost ok", "state",
                                 "press end ok"]

    def test_a_gesture_that_only_the_state_names_is_cancelled_too_unless_filtered_out(self):
        active = [{"region": region, "gesture": "press", "name": "press", "sequence": 7} for region in ("ok", "no")]
        session = self.session(regions=["o?"])
        session.feed(line(event="state", seq=0, devices=[], scene="default", active=active))
        session.lost("test")
        state, cancel, end = self.events(session)
        assert [part.region for part in state.active] == ["ok"]
        assert (cancel.key, cancel.reason, cancel.x) == (("ok", "press", "press", 7), "disconnected", None)
        assert cancel.is_added
        assert end == gestured.Disconnected("test")

    def test_a_subscription_without_ends_gets_no_cancels(self):
        session = self.session(phases=["begin"])
        for sequence in range(3):
            session.feed(press("begin", sequence))
        session.lost("test")
        words = [short(event) for event in self.events(session)]
        assert words == ["press begin ok"] * 3 + ["disconnected"]
        assert not session._open

    def test_unknown_keys_and_events_are_accepted(self):
        session = self.session()
        session.feed(press("begin", 1, later={"a": [1]}) + line(event="later", x=1))
        begin, unknown = self.events(session)
        assert begin.raw["later"] == {"a": [1]}
        assert unknown == gestured.Unknown(event="later")

    def test_a_gesture_has_the_action_of_its_line(self):
        session = self.session(events=["gesture", "failed"])
        failed = line(event="failed", seq=2, gesture="tap", name="tap", action="next", region="ok", device="panel",
                      sequence=1, code="moved", message="moved", time_us=1)
        session.feed(press("begin", 1, action="next") + press("begin", 2) + failed)
        assert [event.action for event in self.events(session)] == ["next", None, "next"]

    def test_every_event_has_a_line_even_if_the_client_has_added_it(self):
        session = self.session()
        session.feed(press("begin", 1, coalesced=2, later=3))
        session.feed(line(event="state", seq=0, devices=[], scene="default", active=[
            {"region": "ok", "gesture": "press", "name": "press", "sequence": 7, "device": "panel"}]))
        session.lost("test")
        begin, lost, state, known, gone = self.events(session)
        assert [event.raw["event"] for event in (begin, lost, state, known, gone)] == [
            "gesture", "gesture", "state", "gesture", "disconnected"]
        added = {"phase": "cancel", "reason": "lost", "added": True}
        assert lost.raw == {**{key: begin.raw[key] for key in begin.raw if key not in ("seq", "coalesced")}, **added}
        assert known.raw == {"event": "gesture", "region": "ok", "gesture": "press", "name": "press", "sequence": 7,
                             "device": "panel", **added, "reason": "disconnected"}
        assert gone.raw == {"event": "disconnected", "cause": "test"}

    def test_everything_public_is_described(self):
        for name in gestured.__all__:
            if name not in ("ALL_PHASES", "Event"):
                assert getattr(gestured, name).__doc__.strip(), name
        blocking, waiting = (
            {name: method for name, method in vars(kind).items() if callable(method) and not name.startswith("_")}
            for kind in (gestured.Client, gestured.AsyncClient))
        # The loop of asyncio needs none of these.
        assert sorted(blocking) == sorted([*waiting, "fileno", "process", "subscribe", "timeout"])
        for name in blocking:
            assert blocking[name].__doc__, name
            assert name not in waiting or blocking[name].__doc__ == waiting[name].__doc__, name

    def test_another_protocol_or_program_is_an_error(self):
        for text in (line(event="hello", protocol=2), b"HTTP/1.1 400 Bad Request\r\n", b"[]\n", b"{}\n"):
            session = gestured._Session("/nowhere")
            session.subscribe({})
            session.greeting()
            with pytest.raises(gestured.ProtocolError):
                session.feed(text)

    def test_globs_are_the_daemons(self):
        cases = [("*", "", True), ("a.c", "abc", False), ("a?c", "aäc", True), ("a?c", "ac", False),
                 ("k.*", "k.a.b", True), ("k.*", "k", False), ("[a]", "a", False), ("ok", "ok\n", False)]
        for glob, text, expected in cases:
            assert bool(gestured._pattern([glob]).match(text)) == expected, (glob, text)
        assert gestured._pattern([]).match("a") is None

    def test_delays_double_up_to_five_seconds(self):
        most = gestured.Backoff(chance=lambda: 1.0)
        assert [round(most.delay(), 3) for _ in range(8)] == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0]
        most.reset()
        assert most.delay() == 0.1
        least = gestured.Backoff(chance=lambda: 0.0)
        assert [round(least.delay(), 3) for _ in range(7)] == [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 2.5]

    def test_every_begin_has_one_end_whatever_is_lost(self):
        for seed in range(300):
            chance = random.Random(seed)
            session, active = self.session(), {}
            pressed = {}
            for step in range(60):
                self.daemon_step(session, chance, active, step)
                for event in self.events(session):
                    if isinstance(event, gestured.State):
                        # A gesture that is known only from the state is treated as begun.
                        for part in event.active:
                            pressed[part.sequence] = True
                        assert set(pressed) == {part.sequence for part in event.active}, seed
                    elif isinstance(event, gestured.Disconnected):
                        assert pressed == {}, seed
                    elif isinstance(event, Gesture) and event.phase == "begin":
                        assert event.sequence not in pressed, seed
                        pressed[event.sequence] = True
                    elif isinstance(event, Gesture) and event.phase in ("end", "cancel"):
                        assert pressed.pop(event.sequence, False), seed
            session.lost("the end")
            ends = [event.sequence for event in self.events(session) if isinstance(event, Gesture)]
            assert sorted(ends) == sorted(pressed), seed

    def daemon_step(self, session, chance, active, step):
        """Feeds one or two lines from a simulated daemon. It has random contacts, and sometimes loses lines or dies."""
        kind = chance.choice(["begin", "begin", "update", "end", "cancel", "overflow", "death"])
        if kind == "begin":
            active[step] = True
            session.feed(press("begin", step))
        elif kind == "overflow":
            for sequence in list(active):
                if chance.random() < 0.5:
                    del active[sequence]
            if chance.random() < 0.5:
                active[step] = True
            state = line(event="state", seq=0, devices=[], scene="default", active=[
                {"region": "ok", "gesture": "press", "name": "press", "sequence": sequence} for sequence in active])
            session.feed(line(event="overflow", seq=step, dropped=3, since_ms=1) + state)
        elif kind == "death":
            active.clear()
            session.lost("test")
            session.greeting()
            session.feed(line(event="hello", protocol=1, instance="b") + press("begin", 9999))
            session.feed(line(reply="subscribe", id=session._id, ok=True) + line(
                event="state", seq=0, devices=[], scene="default", active=[]))
        elif active:
            sequence = chance.choice(list(active))
            session.feed(press(kind, sequence))
            if kind != "update":
                del active[sequence]

    def test_a_request_that_is_too_long_is_not_sent(self):
        with pytest.raises(gestured.RequestError) as caught:
            gestured._Session("/nowhere").request("set_scene", {"scene": "x" * 65536})
        assert caught.value.code == "line_too_long"


class WithDaemon:
    """A daemon on a fake panel, and its clients."""
    def setup_method(self):
        self.daemon = Daemon(CONFIGURATION)
        self.cleanup.callback(self.daemon.close)

    def client(self, **options):
        client = gestured.Client(self.daemon.path, **options)
        self.cleanup.callback(client.close)
        return client


class DaemonTests(WithDaemon):
    def test_touches_become_events(self):
        self.daemon.start()
        events = self.client().events()
        hello, state = next(events), next(events)
        assert hello.server.startswith("gestured ")
        assert [device["device"] for device in state.devices] == ["panel"]
        self.daemon.panel.tap(1000, 2000)
        begin, tap, end = next(events), next(events), next(events)
        assert [short(event) for event in (begin, tap, end)] == ["press begin ok", "tap ok", "press end ok"]
        assert (begin.x, begin.y, begin.device, begin.inside) == (250.0, 500.0, "panel", True)
        assert (tap.phase, tap.count, end.key) == (None, 1, begin.key)

    def test_the_daemon_dies_during_a_press(self):
        self.daemon.start()
        client = self.client()
        events = client.events()
        hello = next(events)
        next(events)
        self.daemon.panel.land()
        begin = next(events)
        self.daemon.kill()
        cancel, gone = next(events), next(events)
        assert (cancel.phase, cancel.reason, cancel.key, cancel.x) == (
            "cancel", "disconnected", begin.key, begin.x)
        assert isinstance(gone, gestured.Disconnected)
        with pytest.raises(gestured.Unavailable):
            client.ping()
        self.daemon.start()
        again, state = next(events), next(events)
        assert isinstance(again, gestured.Hello)
        assert again.instance != hello.instance
        assert (type(state), state.active) == (gestured.State, ())
        self.daemon.panel.lift()
        self.daemon.panel.land()
        assert short(next(events)) == "press begin ok"

    def test_a_program_that_reads_only_lines_survives_the_daemon(self):
        self.daemon.start()
        lines = (event.raw for event in self.client().events())
        assert [next(lines)["event"], next(lines)["event"]] == ["hello", "state"]
        self.daemon.panel.land()
        assert next(lines)["phase"] == "begin"
        self.daemon.kill()
        assert (next(lines)["reason"], next(lines)["event"]) == ("disconnected", "disconnected")
        self.daemon.start()
        assert next(lines)["event"] == "hello"

    def test_a_daemon_that_stops_cancels_by_itself(self):
        self.daemon.start()
        events = self.client(reconnect=False).events()
        self.daemon.panel.land() if take(events, "state") else None
        take(events, "press begin ok")
        self.daemon.kill(15)
        words = [short(event) for event in events]
        assert sum("cancel" in word for word in words) == 1, words
        assert "press cancel disconnected ok" not in words
        assert words[-2:] == ["bye", "disconnected"]

    def test_waits_for_a_daemon_that_has_not_started_yet(self):
        waits = []

        def sleep(seconds):
            waits.append(seconds)
            if len(waits) == 3:
                self.daemon.start()

        client = self.client(sleep=sleep, backoff=gestured.Backoff(chance=lambda: 1.0))
        assert isinstance(next(client.events()), gestured.Hello)
        assert waits == [0.1, 0.2, 0.4]

    def test_without_reconnect_errors_come_at_once(self):
        with pytest.raises(gestured.Unavailable, match="gestured.sock: no daemon: .*systemctl start gestured"):
            next(self.client(reconnect=False).events())
        with pytest.raises(gestured.Unavailable, match="107 bytes"):
            next(gestured.Client("/tmp/" + "x" * 200).events())

    def test_options_filter_events(self):
        self.daemon.start()
        client = self.client()
        events = client.events(regions=["m*"], names=["pan"], gestures=["drag"], phases=gestured.ALL_PHASES,
                               max_rate_hz=1000, max_age_ms=0, wall_clock=True)
        take(events, "state")
        self.daemon.panel.tap()
        self.daemon.panel.land(3000)
        for x in range(3000, 3600, 100):
            self.daemon.panel.move(x)
        self.daemon.panel.lift()
        begin = next(events)
        assert (short(begin), begin.name) == ("drag begin map", "pan")
        assert isinstance(begin.start, gestured.Point)
        assert begin.wall_ms > 1_500_000_000_000
        words = take(events, "drag end map")
        assert set(words) == {"drag update map", "drag end map"}
        # Another filter on the same connection ends the first stream.
        other = client.events(regions=["ok"])
        assert take(other, "state") == ["hello", "state"]
        assert list(events) == []
        self.daemon.panel.tap()
        assert take(other, "press end ok") == ["press begin ok", "tap ok", "press end ok"]

    def test_refusals_are_raised(self):
        self.daemon.start()
        with pytest.raises(gestured.RequestError) as caught:
            next(self.client().events(events=["gestrue"]))
        assert (caught.value.command, caught.value.code, caught.value.suggestion) == (
            "subscribe", "bad_value", "gesture")
        with pytest.raises(TypeError):
            self.client().events(regions="ok")

    def test_requests(self):
        self.daemon.start()
        client = self.client()
        client.ping()
        assert client.status()["devices"]["ready"] == 1
        assert [device["name"] for device in client.devices()] == ["Fake Panel"]
        assert [region["region"] for region in client.regions("o*")] == ["ok"]
        assert client.at(100, 100)["owner"] == "ok"
        assert client.state().scene == "default"
        assert not client.set_region("ok", False)
        assert client.set_region("ok", True)
        assert "config_generation" in client.reload()
        for attempt, code in [
                (lambda: client.set_scene("chekout"), "not_found"),
                (lambda: client.at(5000, 0), "bad_value"),
                (lambda: client.request("staus"), "unknown_command"),
                (lambda: client.define_regions([{**BUTTON, "id": "ok"}]), "config_invalid")]:
            with pytest.raises(gestured.RequestError) as caught:
                attempt()
            assert caught.value.code == code
        assert caught.value.diagnostics

    def test_no_request_is_lost_while_events_come(self):
        self.daemon.start()
        client = self.client()
        events = client.events(events=["gesture"])
        take(events, "state")
        self.daemon.panel.land()
        assert short(next(events)) == "press begin ok"
        client.cancel("o*")
        self.daemon.panel.lift()
        self.daemon.panel.tap()
        client.ping()
        assert take(events, "press end ok") == [
            "press cancel client ok", "press begin ok", "tap ok", "press end ok"]
        client.set_output("panel", rotation="flipped-90", size=[600, 800])
        output = client.devices()[0]["output"]
        assert [output["width"], output["height"], output["rotation"], output["flipped"]] == [600, 800, 90, True]
        client.set_output()
        assert client.devices()[0]["output"]["rotation"] == 0
        client.set_profile("steady", lease=True)
        assert (client.state().profile, client.status()["profiles"]) == ("steady", ["default", "steady", "slow"])
        client.set_profile("default")
        assert client.state().profile == "default"
        client.set_scene("checkout")
        assert client.state().scene == "checkout"
        client.set_scene("default", for_ms=60000)
        state = client.state()
        assert state.scene == "default" and 0 < state.scene_for_ms <= 60000

    def test_a_slow_reader_gets_an_overflow_and_no_button_stays_pressed(self):
        self.daemon.start()
        client = self.client()
        events = client.events()
        take(events, "state")
        self.daemon.panel.land()
        assert short(next(events)) == "press begin ok"
        # This client subscribes to few events, so all of them fit into its queue in the daemon.
        others = self.client().events(gestures=["press"], phases=["begin"], max_age_ms=0)
        take(others, "state")
        self.daemon.panel.lift()
        # These are more lines than the daemon (256 lines) and the kernel keep for a client, also behind a proxy.
        for _ in range(60):
            self.daemon.panel.tap(times=20)
        self.daemon.panel.land()
        # This waits until the daemon has sent the last contact. Each contact has its own sequence.
        for event in others:
            if isinstance(event, gestured.State):
                named = [part.sequence for part in event.active]
            else:
                named = [getattr(event, "sequence", None)]
            if self.daemon.panel.finger in named:
                break
        pressed, told = set(), set()
        for event in events:
            told.add(type(event))
            if isinstance(event, gestured.State):
                pressed |= {part.sequence for part in event.active}
                assert pressed == {part.sequence for part in event.active}
            elif isinstance(event, Gesture) and event.gesture == "press":
                (pressed.add if event.phase == "begin" else pressed.discard)(event.sequence)
            if self.daemon.panel.finger in pressed:
                break
        assert pressed == {self.daemon.panel.finger}
        assert {gestured.Overflow, gestured.State} <= told
        self.daemon.panel.lift()
        assert take(events, "press end ok") == ["tap ok", "press end ok"]

    def test_a_daemon_that_hangs_or_is_busy_is_an_error(self):
        busy = b'{"reply":null,"ok":false,"error":{"code":"busy","message":"uid 7 has 16 connections already"}}\n'
        for answer, cause in [(None, "does not answer"), (busy, "uid 7 has 16 connections already")]:
            with socket.socket(socket.AF_UNIX) as listener:
                listener.bind(self.daemon.path)
                listener.listen(1)
                client = self.client(timeout=0.05 if answer is None else PATIENCE)
                if answer:
                    def refuse():
                        with listener.accept()[0] as connection:
                            connection.sendall(answer)
                    threading.Thread(target=refuse, daemon=True).start()
                with pytest.raises(gestured.Unavailable, match="gestured.sock: .*" + cause):
                    client.ping()
            os.unlink(self.daemon.path)

    def test_a_request_that_the_daemon_cannot_read_costs_nothing_else(self):
        self.daemon.start()
        client = self.client()
        events = client.events(events=["gesture"])
        take(events, "state")
        for keys in [{"scene": "night\0"}, {"scene": [[[[[[[[[]]]]]]]]]}, {"\0": 1}]:
            with pytest.raises(gestured.RequestError) as error:
                client.request("set_scene", **keys)
            assert error.value.code == "bad_json"
        client.ping()
        self.daemon.panel.land()
        assert short(next(events)) == "press begin ok"

    def test_a_gesture_of_a_leased_region_says_so(self):
        self.daemon.start()
        client = self.client()
        events = client.events(events=["gesture"])
        take(events, "state")
        client.put_region(BUTTON)
        self.daemon.panel.land()
        event = next(events)
        assert short(event) == "press begin btn" and event.leased
        assert [region["region"] for region in client.regions() if region.get("leased")] == ["btn"]
        late = self.client().events(events=["gesture"])
        state = next(event for event in late if isinstance(event, gestured.State))
        assert [part.leased for part in state.active] == [True]
        self.daemon.kill()
        for stream in (events, late):
            cancel = next(stream)
            assert short(cancel) == "press cancel disconnected btn"
            assert cancel.leased and cancel.raw["leased"] is True

    def test_leased_regions_are_defined_again_and_go_with_the_client(self):
        self.daemon.start()
        client = self.client()
        events = client.events(events=["gesture"], regions=["btn"])
        take(events, "state")
        assert not client.put_region(BUTTON)
        assert not client.put_region({**BUTTON, "id": "btn2"}, below="btn", wait=True)
        assert not client.remove_region("btn2", wait=True)
        self.daemon.panel.land()
        assert short(next(events)) == "press begin btn"
        self.daemon.kill()
        self.daemon.start()
        assert take(events, "state") == ["press cancel disconnected btn", "disconnected", "hello", "state"]
        self.daemon.panel.lift()
        self.daemon.panel.tap()
        assert take(events, "press end btn") == ["press begin btn", "press end btn"]
        other = self.client()
        watching = other.events(events=["config"])
        take(watching, "state")
        client.close()
        assert list(events) == []
        assert next(watching).change == "regions"
        assert other.regions("btn") == []

    def test_events_of_some_panels(self):
        self.daemon.start()
        events = self.client().events()
        take(events, "state")
        self.daemon.panel.land()
        assert short(next(events)) == "press begin ok"
        for devices, active in [(["other"], []), (["pan*"], ["panel"])]:
            state = next(event for event in self.client().events(devices=devices) if isinstance(event, gestured.State))
            assert [part.device for part in state.active] == active

    def test_idle_times_begin_and_end_with_a_touch(self):
        self.daemon.configure('[[idle]]\nid = "saver"\nafter = "100ms"\n')
        self.daemon.start()
        events = self.client().events(events=["idle"])
        # The idle time began before the client connected, or begins now.
        state = next(event for event in events if isinstance(event, gestured.State))
        if state.idle != ("saver",):
            began = next(event for event in events if isinstance(event, gestured.Idle))
            assert (began.name, began.change, began.reason, began.idle_ms) == ("saver", "idle", None, 100)
        self.daemon.panel.land()
        ended = next(event for event in events if isinstance(event, gestured.Idle))
        assert (ended.name, ended.change, ended.reason) == ("saver", "active", "touch")
        assert ended.idle_ms >= 100

    def test_a_touch_in_a_dark_scene_wakes_the_display(self):
        self.daemon.configure('[[device]]\nid = "dark"\nmatch = { name = "Dark Panel" }\nwake = { key = "none" }\n')
        self.daemon.configure('[[scene]]\nid = "night"\nregions = ["*"]\ndark = true\n')
        self.daemon.start()
        client = self.client()
        events = client.events(events=["idle", "device"])
        take(events, "state")
        self.daemon.panel.tell("name Dark Panel", "add 1")
        assert next(events).device == "dark"
        client.set_scene("night")
        self.daemon.panel.land()
        wake = next(events)
        assert isinstance(wake, gestured.Wake)
        assert (wake.device, wake.reason) == ("dark", "scene") and wake.time_us > 0

    def test_the_example_and_the_program(self):
        self.daemon.start()
        environment = {**os.environ, "GESTURED_SOCKET": self.daemon.path}
        for file, expected in [("example_kiosk.py", "open ok"), ("gestured.py", '"gesture":"tap"')]:
            program = subprocess.Popen(
                [sys.executable, os.path.join(HERE, file)], stdout=subprocess.PIPE, text=True, env=environment)
            try:
                # The program receives events only after it has subscribed, so this taps until the program prints something.
                reader = threading.Thread(target=lambda: any(expected in text for text in program.stdout), daemon=True)
                reader.start()
                for _ in range(200):
                    self.daemon.panel.tap()
                    reader.join(0.1)
                    if not reader.is_alive():
                        break
                assert program.poll() is None, file
                assert not reader.is_alive(), file
            finally:
                program.kill()
                program.wait(PATIENCE)
                reader.join(PATIENCE)
                program.stdout.close()


class AsyncTests:
    """Tests of AsyncClient with the same daemon and panel."""
    def setup_method(self):
        self.daemon = Daemon(CONFIGURATION)
        self.cleanup.callback(self.daemon.close)
        self.daemon.start()

    async def take(self, events, last):
        words = []
        while not words or words[-1] != last:
            words.append(short(await asyncio.wait_for(events.__anext__(), PATIENCE)))
        return words

    async def test_events_and_requests_of_several_tasks(self):
        async with gestured.AsyncClient(self.daemon.path) as client:
            events = client.events(events=["gesture"])
            await self.take(events, "state")
            waiting = asyncio.ensure_future(self.take(events, "press cancel client ok"))
            self.daemon.panel.land()
            status, devices, at = await asyncio.gather(client.status(), client.devices(), client.at(1, 1))
            assert (status["regions"], devices[0]["device"], at["owner"]) == (2, "panel", "ok")
            await client.cancel("ok")
            assert await waiting == ["press begin ok", "press cancel client ok"]
            with pytest.raises(gestured.RequestError) as caught:
                await client.set_scene("nowhere")
            assert caught.value.code == "not_found"
            await client.set_scene("checkout", for_ms=60000)
            assert 0 < (await client.state()).scene_for_ms <= 60000

    async def test_a_request_that_the_daemon_cannot_read_is_refused_among_others(self):
        async with gestured.AsyncClient(self.daemon.path) as client:
            results = await asyncio.gather(
                client.ping(), client.request("set_scene", scene="a\0"), client.status(),
                client.request("regions", region="b\0"), client.ping(), return_exceptions=True)
            assert [getattr(result, "code", "ok") for result in results] == ["ok", "bad_json", "ok", "bad_json", "ok"]

    async def test_a_read_that_has_just_ended_is_not_waited_for(self):
        async with gestured.AsyncClient(self.daemon.path) as client:
            await client.ping()
            # This is the state that another task sees before the loop has called the callback of the completed future.
            client._reading = asyncio.get_running_loop().create_future()
            client._reading.set_result(None)
            await client.ping()

    async def test_the_daemon_dies_during_a_press(self):
        async with gestured.AsyncClient(self.daemon.path) as client:
            events = client.events(events=["gesture"], regions=["btn"])
            await self.take(events, "state")
            assert not await client.put_region(BUTTON)
            self.daemon.panel.land()
            await self.take(events, "press begin btn")
            self.daemon.kill()
            assert await self.take(events, "disconnected") == ["press cancel disconnected btn", "disconnected"]
            with pytest.raises(gestured.Unavailable):
                await client.ping()
            self.daemon.start()
            assert await self.take(events, "state") == ["hello", "state"]
            self.daemon.panel.lift()
            self.daemon.panel.tap()
            assert await self.take(events, "press end btn") == ["press begin btn", "press end btn"]

    async def test_a_wait_that_was_given_up_loses_nothing(self):
        async with gestured.AsyncClient(self.daemon.path) as client:
            events = client.events()
            await self.take(events, "state")
            reading = asyncio.ensure_future(client._receive())
            await asyncio.sleep(0)
            reading.cancel()
            self.daemon.panel.tap()
            assert await self.take(events, "press end ok") == ["press begin ok", "tap ok", "press end ok"]

    async def test_close_ends_events(self):
        client = gestured.AsyncClient(self.daemon.path)
        events = client.events()
        await self.take(events, "state")
        waiting = asyncio.ensure_future(self.collect(events))
        await asyncio.sleep(0)
        await client.close()
        assert await asyncio.wait_for(waiting, PATIENCE) == []

    async def collect(self, events):
        return [event async for event in events]

    async def test_without_reconnect_events_end_with_the_daemon(self):
        client = gestured.AsyncClient(self.daemon.path, reconnect=False)
        events = client.events()
        await self.take(events, "state")
        self.daemon.kill()
        assert [short(event) for event in await self.collect(events)] == ["disconnected"]
        with pytest.raises(gestured.Unavailable):
            await self.collect(client.events())
