# SPDX-License-Identifier: MIT
"""The messages of a panel: status, gestures, health, statistics, problems."""
import json
import signal
import time

import pytest

from fixture import BASE, Fixture
from harness import GUEST, PATIENCE, wait_until

POSITIONS = {"x", "y", "u", "v", "start", "predicted", "dx", "dy", "vx", "vy"}


class MessageTests:
    def setup_method(self):
        self.fixture = Fixture()
        self.cleanup.callback(self.fixture.close)

    def test_status_from_the_start_to_the_end(self):
        subscriber = self.fixture.subscriber()
        program = self.fixture.program()
        status = subscriber.wait(f"{BASE}/status", lambda value: value.get("daemon", {}).get("config"))
        assert (status["state"], status["health"], status["faults"]) == ("online", "ok", [])
        assert [(device["device"], device["state"]) for device in status["devices"]] == [("panel", "ready")]
        assert (status["daemon"]["state"], status["daemon"]["scenes"]) == ("connected", ["default", "night"])
        self.fixture.kill(signal.SIGTERM)
        subscriber.wait(f"{BASE}/status", lambda value: value["daemon"]["state"] == "gone" and value["faults"] == ["no_daemon"])
        self.fixture.start()
        subscriber.wait(f"{BASE}/status", lambda value: value["health"] == "ok")
        assert program.kill(signal.SIGTERM) == 0
        assert subscriber.wait(f"{BASE}/status") == {"state": "offline", "reason": "stopped"}
        # The message is retained, so a later subscriber receives it as well.
        late = self.fixture.subscriber(f"{BASE}/status")
        assert late.wait(f"{BASE}/status")["state"] == "offline"

    def test_the_broker_tells_that_the_program_is_gone(self):
        subscriber = self.fixture.subscriber()
        program = self.fixture.program()
        subscriber.wait(f"{BASE}/status")
        program.kill()
        subscriber.wait(f"{BASE}/status", lambda value: value == {"state": "offline", "reason": "lost"})

    def test_gestures_without_positions(self):
        subscriber = self.fixture.subscriber()
        self.fixture.program()
        subscriber.wait(f"{BASE}/status", lambda value: value["health"] == "ok")
        self.fixture.panel.tap(100, 100)
        # An id that contains a slash is a single level of the topic.
        tap = subscriber.wait(f"{BASE}/gesture/door%2Ffront/tap")
        assert (tap["gesture"], tap["region"], tap["device"], tap["duration_ms"]) == ("tap", "door/front", "panel", 84)
        assert abs(tap["time_ms"] / 1000 - time.time()) < 60
        self.fixture.panel.land(3000, 100)
        assert subscriber.wait(f"{BASE}/gesture/map/press")["phase"] == "begin"
        # When the daemon has ended, active gestures are reported as cancelled.
        self.fixture.kill()
        cancel = subscriber.wait(f"{BASE}/gesture/map/press")
        assert (cancel["phase"], cancel["reason"]) == ("cancel", "disconnected")
        for message in subscriber.all:
            assert not POSITIONS & set(json.loads(message.payload)), message.payload

    def test_positions_when_asked_for_and_rules(self):
        subscriber = self.fixture.subscriber()
        self.fixture.program('positions = true\n[[gesture]]\nregions = ["door*"]\ngestures = ["tap"]\nqos = 1\n'
                         '[[gesture]]\ngestures = ["press"]\nphases = ["end"]\n')
        subscriber.wait(f"{BASE}/status", lambda value: value["health"] == "ok")
        self.fixture.panel.tap(3000, 100)
        self.fixture.panel.tap(100, 100)
        tap = subscriber.wait(f"{BASE}/gesture/door%2Ffront/tap")
        assert {"x", "y", "u", "v"} <= set(tap)
        gestures = [message for message in subscriber.all if "/gesture/" in message.topic]
        assert [(m.topic.rsplit("/", 1)[1], m.qos) for m in gestures] == [("press", 0), ("tap", 1)]
        assert b'"phase":"end"' in gestures[0].payload

    def test_statistics_and_health(self):
        subscriber = self.fixture.subscriber()
        self.fixture.program('[statistics]\nevery = "1s"\n[health]\nevery = "1s"\n')
        subscriber.wait(f"{BASE}/status", lambda value: value["health"] == "ok")
        self.fixture.panel.tap(100, 100, times=3)

        def taps():
            total = 0
            for message in subscriber.all:
                if message.topic == f"{BASE}/statistics":
                    for region in json.loads(message.payload)["regions"]:
                        total += region.get("gestures", {}).get("tap", 0)
            return total
        wait_until(lambda: taps() == 3, "three taps are counted", PATIENCE)
        # Later messages do not include these taps again.
        subscriber.wait(f"{BASE}/statistics")
        subscriber.wait(f"{BASE}/statistics")
        assert taps() == 3
        health = subscriber.wait(f"{BASE}/health")
        assert (health["health"], health["devices"][0]["contacts"], health["lost_events"]) == ("ok", 3, 0)

    def test_a_refused_configuration(self):
        subscriber = self.fixture.subscriber()
        self.fixture.program()
        subscriber.wait(f"{BASE}/status", lambda value: value["health"] == "ok")
        good = self.fixture.file.read_text()
        self.fixture.reload(good + "\nmistake = 1\n")
        problem = subscriber.wait(f"{BASE}/problem")
        assert problem["problem"] == "config_rejected"
        assert "mistake" in problem["diagnostics"][0]["message"]
        subscriber.wait(f"{BASE}/status", lambda value: value["faults"] == ["config_rejected"])
        self.fixture.reload(good)
        assert subscriber.wait(f"{BASE}/problem")["problem"] == "none"

    def test_activity(self):
        idle = "[[idle]]\nid = \"dim\"\nafter = \"1s\"\n"
        self.fixture.reload(self.fixture.file.read_text() + idle)
        subscriber = self.fixture.subscriber()
        self.fixture.program("[commands]\nactivity = true\n")
        subscriber.wait(f"{BASE}/activity", lambda value: value["state"] == "idle")
        before = time.time()
        self.fixture.panel.tap(100, 100)
        active = subscriber.wait(f"{BASE}/activity")
        assert active["state"] == "active" and before - 2 < active["last_touch_ms"] / 1000 < time.time() + 1
        again = subscriber.wait(f"{BASE}/activity", lambda value: value["state"] == "idle")
        assert again["last_gesture_ms"] >= active["last_touch_ms"]
        # A later subscriber gets the last message.
        late = self.fixture.subscriber(f"{BASE}/activity")
        assert late.wait(f"{BASE}/activity")["state"] == "idle"
        assert subscriber.request("activity", "")["ok"]
        assert subscriber.wait(f"{BASE}/activity")["state"] == "active"

    def test_report(self):
        """The sums of the day are sent if gestured-report writes them, and again when they change."""
        folder = self.fixture.file.parent
        sums = {"day": "2026-11-30", "sessions": 2, "touches": 9, "failed": 1, "tried_twice": 0, "nothing_there": 0, "seconds": 80,
                "health": 100, "trouble": "none", "reason": "nothing is wrong"}
        (folder / "today.json").write_text(json.dumps(sums))
        subscriber = self.fixture.subscriber()
        self.fixture.program(f'report = "{folder}/today.json"\n')
        message = subscriber.wait(f"{BASE}/report")
        assert {key: value for key, value in message.items() if key != "time_ms"} == sums
        (folder / "today.json.new").write_text(json.dumps(sums | {"sessions": 3}))
        (folder / "today.json.new").rename(folder / "today.json")
        subscriber.wait(f"{BASE}/report", lambda value: value["sessions"] == 3)
        assert self.fixture.subscriber(f"{BASE}/report").wait(f"{BASE}/report")["sessions"] == 3

    @pytest.mark.skipif(not GUEST, reason="only root can run programs as other users")
    def test_private_touches_make_no_difference(self):
        """Two codes on a private pad, each between touches that the broker may see."""
        seen = []
        for code in ([(2200, 100), (3900, 3000)], [(3900, 200), (2300, 2500)]):
            fixture = Fixture()
            try:
                text = fixture.file.read_text().replace('id = "map"\n', 'id = "map"\nprivate = true\n')
                fixture.reload(text + "[[idle]]\nafter = \"500ms\"\n")
                subscriber = fixture.subscriber()
                fixture.program('[statistics]\nevery = "1s"\n[health]\nevery = "1s"\n', user=GUEST)
                subscriber.wait(f"{BASE}/activity", lambda value: value["state"] == "idle")
                fixture.panel.tap(100, 100)
                for place in code:
                    fixture.panel.tap(*place)
                fixture.panel.tap(200, 200)

                def bodies(topic=""):
                    return [json.loads(m.payload) for m in subscriber.all if m.payload and m.topic.startswith(f"{BASE}/{topic}")]

                wait_until(lambda: len(bodies("gesture/")) == 2, "two taps", PATIENCE)
                wait_until(lambda: [body["state"] for body in bodies("activity")][-2:] == ["active", "idle"], "idle again", PATIENCE)
                wait_until(lambda: sum(region["gestures"].get("tap", 0) for body in bodies("statistics") for region in body["regions"]) == 2,
                           "two taps are counted", PATIENCE)
                wait_until(lambda: any(body["devices"] and body["devices"][0]["contacts"] == 2 for body in bodies("health")), "two contacts", PATIENCE)
                gestures = [(body["region"], body["name"], body["sequence"], body["duration_ms"]) for body in bodies("gesture/")]
                counts = [body["regions"] for body in bodies("statistics") if body["regions"]]
                words = sorted({key for body in bodies() for key in body})
                seen.append((gestures, counts, words, any(b"map" in m.payload for m in subscriber.all)))
            finally:
                fixture.close()
        assert seen[0] == seen[1]
        assert len(seen[0][0]) == 2 and not seen[0][3]

    @pytest.mark.skipif(not GUEST, reason="only root can run programs as other users")
    def test_nothing_of_private_regions(self):
        self.fixture.reload(self.fixture.file.read_text().replace('id = "map"\n', 'id = "map"\nprivate = true\n'))
        subscriber = self.fixture.subscriber()
        guest = self.fixture.program('[statistics]\nevery = "1s"\n[health]\nevery = "1s"\n', user=GUEST)
        subscriber.wait(f"{BASE}/status", lambda value: value["health"] == "ok")
        self.fixture.panel.tap(3000, 100)
        self.fixture.panel.tap(100, 100)
        subscriber.wait(f"{BASE}/gesture/door%2Ffront/tap")
        subscriber.wait(f"{BASE}/statistics", lambda value: value["regions"])
        subscriber.wait(f"{BASE}/health", lambda value: value["devices"][0]["contacts"] == 1)
        guest.kill()
        # If the program's user may see private regions, it sends neither gestures nor statistics, and reports
        # the reason.
        mine = self.fixture.program('[statistics]\nevery = "1s"\n[health]\nevery = "1s"\n', user=None)
        subscriber.wait(f"{BASE}/status", lambda value: value.get("faults") == ["private_regions"])
        first = len(subscriber.all)
        self.fixture.panel.tap(3000, 100)
        self.fixture.panel.tap(100, 100)
        # Statistics would be sent as often as health.
        for _ in range(3):
            subscriber.wait(f"{BASE}/health")
        assert {message.topic for message in subscriber.all[first:]} - {f"{BASE}/health", f"{BASE}/status"} == set()
        assert not [m.payload for m in subscriber.all if b"map" in m.payload and not m.topic.endswith("/status")]
        mine.kill()
