# SPDX-License-Identifier: MIT
"""Commands from a broker: each needs a setting that allows it."""
import json
import os
import queue
import shutil
import signal
import subprocess
import threading
import time

import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from fixture import BASE, Broker, Fixture, Subscriber
from harness import GUEST, PATIENCE, program, wait_until

ALL = "[commands]\nscene = true\nprofile = true\nenable = true\ndisable = true\nactivity = true\nreload = true\nrecord = true\n"


class CommandTests:
    def setup_method(self):
        self.fixture = Fixture()
        self.cleanup.callback(self.fixture.close)

    def start(self, settings, **options):
        program = self.fixture.program(settings, **options)
        subscriber = self.fixture.subscriber()
        subscriber.wait(f"{BASE}/status", lambda value: value.get("health") == "ok")
        # The program sends its status after it has subscribed to commands, so commands are received from now on.
        return program, subscriber

    def test_nothing_is_allowed_by_default(self):
        program, subscriber = self.start("")
        subscriber.client.publish(f"{BASE}/command/scene", "night", 1)
        subscriber.client.publish(f"{BASE}/command/disable", "*", 1)
        self.fixture.panel.tap(100, 100)
        subscriber.wait(f"{BASE}/gesture/door%2Ffront/tap")
        assert self.fixture.ask("status")["scene"] == "default"
        # Each is answered, and logged the first time.
        for _ in range(2):
            error = subscriber.request("profile", "steady")["error"]
            assert error["code"] == "permission_denied" and "set profile = true in [commands]" in error["message"]
        assert self.fixture.ask("status").get("profile") is None
        assert program.log().count("command profile is off") == 1

    def test_each_has_its_switch(self):
        _, subscriber = self.start("[commands]\nreload = true\n")
        subscriber.client.publish(f"{BASE}/command/scene", "night", 1)
        generation = subscriber.request("reload", "")["generation"]
        assert self.fixture.ask("status")["config"]["generation"] == generation
        assert self.fixture.ask("status")["scene"] == "default"

    def test_scenes_and_regions(self):
        _, subscriber = self.start(ALL)
        assert subscriber.request("scene", {"scene": "night", "id": 7}) == {"command": "scene", "id": "7", "ok": True}
        assert self.fixture.ask("status")["scene"] == "night"
        assert subscriber.request("activity", {"id": "motion"}) == {"command": "activity", "id": "motion", "ok": True}
        assert subscriber.request("profile", {"profile": "steady"})["ok"]
        assert self.fixture.ask("status")["profile"] == "steady"
        assert subscriber.request("profile", "default")["ok"]
        assert subscriber.request("profile", "stedy")["error"]["code"] == "not_found"
        assert subscriber.request("profile", {"profile": 1})["error"]["code"] == "bad_request"
        refusal = subscriber.request("profile", {"profile": "steady", "for_ms": 100})["error"]
        assert (refusal["code"], refusal["message"]) == ("bad_request", 'unknown key "for_ms"')
        # Home Assistant sends the scene as plain text.
        assert subscriber.request("scene", "default")["ok"]
        wrong = subscriber.request("scene", "nihgt")
        assert (wrong["ok"], wrong["error"]["code"]) == (False, "not_found")
        assert 'did you mean "night"?' in wrong["error"]["message"]
        assert subscriber.request("disable", {"region": ["door*"]}) == {"command": "disable", "ok": True, "enabled": False}
        regions = {region["region"]: region["enabled"] for region in self.fixture.ask("regions")["regions"]}
        assert regions == {"door/front": False, "map": True}
        assert subscriber.request("enable", "door*")["enabled"]
        assert subscriber.request("scene", {"scene": "night", "for_ms": 60000})["ok"]
        assert 0 < self.fixture.ask("status")["scene_for_ms"] <= 60000
        assert subscriber.request("scene", {"scene": "night", "for_ms": 99})["error"]["code"] == "bad_value"
        for payload in ("", "{", "[]", '{"scene":1}', '{"scene":"night","for_ms":"1"}', "\u0000", b"\xff\xfe"):
            answer = subscriber.request("scene", payload)
            assert not answer["ok"] and answer["error"]["code"] != "unavailable", payload
        for command in ("scene", "profile", "enable", "disable"):
            assert subscriber.request(command, "night\u0000")["error"]["code"] == "bad_request"

    def test_an_answer_without_a_response_topic(self):
        _, subscriber = self.start(ALL)
        subscriber.client.publish(f"{BASE}/command/scene", '{"scene":"night","id":"abc"}', 1)
        assert subscriber.wait(f"{BASE}/response/scene") == {"command": "scene", "id": "abc", "ok": True}

    def test_answers_go_below_the_responses_only(self):
        """A command must not make the panel publish to another owner's topic."""
        _, subscriber = self.start(ALL + 'responses = "fleet/answers"\n')
        other = "gestured/other/response/x"
        for topic, isAllowed in (("fleet/answers/1", True), (f"{BASE}/response/mine", True), ("door/front/open", False),
                                 (f"{BASE}/gesture/door%2Ffront/tap", False), (f"{BASE}/command/disable", False),
                                 (f"{BASE}/response", False), (f"{BASE}/response/", False), ("fleet/answersx", False),
                                 ("fleet/answers/" + "x" * 300, False), (other, False)):
            told = Properties(PacketTypes.PUBLISH)
            told.ResponseTopic, told.CorrelationData = topic, topic[:20].encode()
            subscriber.client.publish(f"{BASE}/command/scene", "night", 1, properties=told)
            answer = topic if isAllowed else f"{BASE}/response/scene"
            while True:
                message = subscriber.messages.get(timeout=PATIENCE)
                if getattr(message.properties, "CorrelationData", None) == topic[:20].encode() and not message.topic.endswith("/command/scene"):
                    break
            assert (message.topic, json.loads(message.payload)["ok"]) == (answer, True), topic

    def wait_for_recorder(self):
        """Waits until the recorder receives frames from the daemon."""
        wait_until(lambda: any("frame" in client["events"] for client in self.fixture.ask("clients")["clients"]), "the recording begins", PATIENCE)

    def test_what_is_too_long(self):
        _, subscriber = self.start(ALL)
        told = Properties(PacketTypes.PUBLISH)
        told.CorrelationData = b"x" * 1025
        subscriber.client.publish(f"{BASE}/command/scene", "night", 1, properties=told)
        assert "correlation" in subscriber.wait(f"{BASE}/response/scene")["error"]["message"]
        subscriber.client.publish(f"{BASE}/command/scene", json.dumps({"scene": "night", "id": "x" * 257}), 1)
        assert "id is longer" in subscriber.wait(f"{BASE}/response/scene")["error"]["message"]
        # The request would exceed 64 KiB, and the daemon would close the connection.
        answer = subscriber.request("disable", {"region": ["\u001f" * 11_000]})
        assert (answer["ok"], len(answer["error"]["message"]) < 1200) == (False, True)
        answer = subscriber.request("scene", "x" * 60_000)
        assert (answer["error"]["code"], len(answer["error"]["message"]) <= 1000) == ("not_found", True)
        assert self.fixture.ask("status")["scene"] == "default"

    @pytest.mark.skipif(not GUEST, reason="only root can run programs as other users")
    def test_nobody_else_reads_what_waits(self):
        program = self.fixture.program("")
        program.kill()
        for name in ("spool.sqlite", "spool.sqlite-wal"):
            path = os.path.join(program.state, name)
            open(path, "ab").close()
            os.chmod(path, 0o644)
            shutil.chown(path, program.user)
        os.chmod(program.state, 0o755)
        program.start()
        self.fixture.subscriber().wait(f"{BASE}/status", lambda value: value.get("health") == "ok")
        assert os.stat(program.state).st_mode & 0o777 == 0o700
        names = [name for name in os.listdir(program.state) if name.startswith("spool")]
        assert "spool.sqlite" in names
        assert {name: os.stat(os.path.join(program.state, name)).st_mode & 0o777 for name in names} == dict.fromkeys(names, 0o600)

    def test_a_retained_command_is_none(self):
        subscriber = self.fixture.subscriber()
        subscriber.client.publish(f"{BASE}/command/scene", "night", 1, retain=True)
        self.start(ALL)
        assert subscriber.request("reload", "")["ok"]
        assert self.fixture.ask("status")["scene"] == "default"

    def test_a_recording(self):
        _, subscriber = self.start(ALL)
        answers = []
        subscriber.client.message_callback_add(f"{BASE}/response/record", lambda _c, _d, m: answers.append(json.loads(m.payload)))
        subscriber.client.publish(f"{BASE}/command/record", '{"seconds":2}', 1)
        self.wait_for_recorder()
        pieces = []
        until = time.monotonic() + PATIENCE
        while not pieces or len(pieces) < pieces[0]["pieces"]:
            assert time.monotonic() < until, "no recording"
            # The recording begins some time after the panel's description. No message reports when it has begun.
            self.fixture.panel.tap(100, 100)
            try:
                message = subscriber.messages.get(timeout=0.1)
            except queue.Empty:
                continue
            if message.topic.startswith(f"{BASE}/recording/"):
                pieces.append(json.loads(message.payload))
        text = "".join(piece["text"] for piece in sorted(pieces, key=lambda piece: piece["piece"]))
        assert text.startswith("# EVEMU 1.3"), text[:100]
        # At least one contact lands and lifts.
        assert text.count(" 0003 0039 ") >= 2, text
        wait_until(lambda: answers, "the answer", PATIENCE)
        assert (answers[0]["ok"], answers[0]["pieces"]) == (True, len(pieces))

    @pytest.mark.skipif(not GUEST, reason="only root can run programs as other users")
    def test_no_recording_where_regions_become_private(self):
        _, subscriber = self.start(ALL, user=None)
        subscriber.client.publish(f"{BASE}/command/record", '{"seconds":2}', 1)
        self.wait_for_recorder()
        self.fixture.reload(self.fixture.file.read_text().replace('id = "map"\n', 'id = "map"\nprivate = true\n'))
        self.fixture.panel.tap(3000, 100)
        answer = subscriber.wait(f"{BASE}/response/record")
        assert (answer["ok"], answer["error"]["code"]) == (False, "permission_denied")
        assert not [message.topic for message in subscriber.all if "/recording/" in message.topic]

    @pytest.mark.skipif(not GUEST, reason="only root can run programs as other users")
    def test_without_the_right(self):
        self.fixture.reload(self.fixture.file.read_text().replace('control_uids = ["nobody"]', "").replace('raw_uids = ["nobody"]', ""))
        _, subscriber = self.start(ALL)
        for command, payload in (("scene", "night"), ("record", '{"seconds":1}')):
            answer = subscriber.request(command, payload)
            assert (answer["ok"], answer["error"]["code"]) == (False, "permission_denied")


class ConfigurationTests:
    """A configuration that is sent through the broker: it is checked, applied, and rolled back unless it is confirmed."""

    REGION = '[[region]]\nid = "{}"\nshape = "full"\ngestures = ["tap"]\n'

    def setup_method(self):
        self.fixture = Fixture(start=False)
        self.cleanup.callback(self.fixture.close)
        folder = self.fixture.folder
        self.folder = os.path.join(folder, "fleet")
        os.mkdir(self.folder)
        if GUEST:
            shutil.chown(self.folder, GUEST)
        self.file = os.path.join(self.folder, "fleet.toml")
        self.fixture.command = [program("gestured"), "--conf-dir", self.folder]
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                        "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "ca.pem"],
                       cwd=folder, check=True, capture_output=True)
        os.chmod(os.path.join(folder, "key.pem"), 0o644)
        self.ca = os.path.join(folder, "ca.pem")
        self.broker = Broker(folder, listener=("allow_anonymous true", f"certfile {self.ca}", f"keyfile {folder}/key.pem"))
        self.cleanup.callback(self.broker.kill)

    def start(self, confirm="60s", first=None):
        if first is not None:
            self.write(first)
        settings = (f'[tls]\nca = "{self.ca}"\n[commands]\nconfig = true\n[config]\nfile = "{self.file}"\nconfirm = "{confirm}"\n')
        program = self.fixture.program(settings, port=self.broker.port)
        wait_until(lambda: os.path.exists(self.file), "the program makes the file", PATIENCE)
        self.fixture.start()
        subscriber = Subscriber(self.broker.port, tls=self.ca)
        self.cleanup.callback(subscriber.close)
        subscriber.wait(f"{BASE}/status", lambda value: value.get("health") == "ok")
        return program, subscriber

    def write(self, text):
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(text)
        if GUEST:
            shutil.chown(self.file, GUEST)

    def text(self):
        with open(self.file, encoding="utf-8") as file:
            return file.read()

    def wait_for_regions(self, expected):
        wait_until(lambda: self.regions() == expected, lambda: f"{self.regions()} become {expected}", PATIENCE)

    def regions(self):
        return {region["region"] for region in self.fixture.ask("regions")["regions"]}

    def test_confirmed(self):
        _, subscriber = self.start()
        answer = subscriber.request("config", self.REGION.format("new"))
        assert (answer["ok"], answer["state"], answer["regions"]) == (True, "unconfirmed", 3)
        assert "new" in self.regions()
        assert not subscriber.request("confirm", "another")["ok"]
        assert subscriber.request("confirm", answer["change"])["state"] == "confirmed"
        assert os.listdir(self.folder) == ["fleet.toml"]
        assert "new" in self.regions()

    def test_wrong(self):
        _, subscriber = self.start(first=self.REGION.format("old"))
        answer = subscriber.request("config", "[[region]]\nid = \"new\"\nshap = 1\n")
        assert (answer["ok"], answer["error"]["code"]) == (False, "config_invalid")
        assert "shape" in [diagnostic.get("suggestion") for diagnostic in answer["error"]["diagnostics"]]
        assert self.text() == self.REGION.format("old")
        assert self.regions() == {"door/front", "map", "old"}
        # An id that contains a NUL is refused as well.
        answer = subscriber.request("config", self.REGION.format("a\\u0000"))
        assert not answer["ok"]
        assert self.text() == self.REGION.format("old")

    def test_what_takes_too_long_to_check_stops_nothing(self):
        program, subscriber = self.start(first=self.REGION.format("old"))
        # 1900 regions with long ids, and 40 000 globs that nearly match all of them. On a fast machine, the check
        # takes twice as long as its time limit.
        regions = "".join(f'[[region]]\nid="{"a" * 58}{number}"\nshape="full"\n' for number in range(1900))
        globs = [f'"*{"a" * 10}b{number}"' for number in range(40000)]
        scenes = "".join(
            f'[[scene]]\nid="s{first}"\nregions=[{",".join(globs[first:first + 50])}]\n' for first in range(0, 40000, 50)
        )
        started = time.monotonic()
        answers = []
        checker = threading.Thread(target=lambda: answers.append(subscriber.request("config", regions + scenes)))
        checker.start()
        other = Subscriber(self.broker.port, tls=self.ca)
        self.cleanup.callback(other.close)
        waits = []
        while checker.is_alive():
            begun = time.monotonic()
            self.fixture.panel.tap(100, 100)
            other.wait(f"{BASE}/gesture/old/tap")
            waits.append(time.monotonic() - begun)
        assert time.monotonic() - started < 10
        assert (answers[0]["ok"], answers[0]["error"]["code"]) == (False, "config_invalid")
        assert "longer than 5 s" in answers[0]["error"]["message"]
        # Taps are still published while the check runs.
        assert max(waits) < 2
        assert self.text() == self.REGION.format("old")
        assert program.process.poll() is None

    def test_what_is_decided_on_the_machine(self):
        private = '[[region]]\nid = "vault_keypad"\nshape = { rect = [600, 300, 100, 100] }\nprivate = true\ngestures = ["tap"]\n'
        self.fixture.configure(private)
        _, subscriber = self.start(first=self.REGION.format("old").replace('"full"', "{ rect = [0, 0, 9, 9] }"))
        before = self.text()
        for text in ('[[region]]\nid = "vault_keypad"\nprivate = false\n', '[[region]]\nid = "vault_keypad"\nenabled = false\n',
                     '[access]\nprivate_uids = ["nobody"]\n', '[[device]]\nid = "panel"\nshare = "forward"\n',
                     self.REGION.format("above"), '[[region]]\nid = "in"\nparent = "vault_keypa"\nshape = "full"\n',
                     '[[region]]\nid = "in"\nparent = "vault_keypad"\nshape = "full"\n'):
            answer = subscriber.request("config", text)
            assert not answer["ok"], text
            assert answer["error"]["code"] in ("permission_denied", "config_invalid"), answer
            assert self.text() == before
            said = json.dumps(answer).replace("vault_keypa\\", "")
            assert "vault" not in said or "vault_keypa" in text, answer
            assert "suggestion" not in said

    def test_nobody_confirms(self):
        _, subscriber = self.start(confirm="1s", first=self.REGION.format("old"))
        assert subscriber.request("config", self.REGION.format("new"))["ok"]
        assert "new" in self.regions()
        late = {"ok": True}
        # Both subscriptions receive the first answer.
        while late["ok"]:
            late = json.loads(subscriber.answers.get(timeout=PATIENCE).payload)
        assert late["error"]["code"] == "rolled_back"
        self.wait_for_regions({"door/front", "map", "old"})
        assert self.text() == self.REGION.format("old")

    def test_less_than_half_of_the_regions(self):
        many = "".join(self.REGION.format(f"r{number}") for number in range(6))
        _, subscriber = self.start(first=many)
        answer = subscriber.request("config", "# nothing\n")
        assert answer["error"]["code"] == "rolled_back"
        self.wait_for_regions({"door/front", "map", *(f"r{number}" for number in range(6))})
        assert self.text() == many

    def test_a_power_cut_before_it_is_confirmed(self):
        program, subscriber = self.start(first=self.REGION.format("old"))
        assert subscriber.request("config", self.REGION.format("new"))["ok"]
        program.kill()
        self.fixture.kill()
        program.start()
        wait_until(lambda: self.text() == self.REGION.format("old"), "the previous file is back", PATIENCE)
        self.fixture.start()
        self.wait_for_regions({"door/front", "map", "old"})

    def test_a_stop_before_it_is_confirmed(self):
        program, subscriber = self.start(first=self.REGION.format("old"))
        assert subscriber.request("config", self.REGION.format("new"))["ok"]
        assert "new" in self.regions()
        assert program.kill(signal.SIGTERM) == 0
        self.wait_for_regions({"door/front", "map", "old"})
        assert os.listdir(self.folder) == ["fleet.toml"]

    def test_one_at_a_time(self):
        _, subscriber = self.start()
        assert subscriber.request("config", self.REGION.format("one"))["ok"]
        assert subscriber.request("config", self.REGION.format("two"))["error"]["code"] == "busy"
