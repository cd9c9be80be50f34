# SPDX-License-Identifier: MIT
"""Brokers that vanish and return, are old, require authentication, or hang."""
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time

import paho.mqtt.client as paho
import pytest

from fixture import BASE, Broker, Fixture, Program
from harness import GUEST, PATIENCE, free_port, wait_until

EVERY_SECOND = '[statistics]\nevery = "1s"\n[health]\nevery = "1s"\n'


def numbers(subscriber, *names):
    """The numbers of the messages that went through the spool, in the order of their arrival."""
    topics = {f"{BASE}/{name}" for name in names or ("statistics", "health", "problem")}
    return [int(json.loads(m.payload)["id"].split("-")[1]) for m in subscriber.all if m.topic in topics and m.payload and not m.retain]


class BrokerTests:
    def setup_method(self):
        self.fixture = Fixture()
        self.cleanup.callback(self.fixture.close)

    def ready(self, subscriber):
        subscriber.wait(f"{BASE}/status", lambda value: value.get("health") == "ok")

    def test_nothing_that_counts_is_lost(self):
        """The broker, the program and the daemon are killed: all message numbers must arrive."""
        subscriber = self.fixture.subscriber()
        program = self.fixture.program(EVERY_SECOND)
        self.ready(subscriber)
        subscriber.wait(f"{BASE}/health")
        self.fixture.kill_broker(program, subscriber)
        program.wait_for_spool(4)
        program.kill()
        program.start()
        program.wait_for_spool(4)
        self.fixture.restart_daemon(program)
        self.fixture.panel.tap(100, 100, times=2)
        program.wait_for_spool(3)
        late = self.fixture.broker_again(program)
        last = max(numbers(subscriber))

        def taps():
            # Both subscribers may have received a message.
            statistics = {value["id"]: value for value in (json.loads(message.payload) for message in late.all + subscriber.all
                                                           if message.topic == f"{BASE}/statistics")}
            return sum(region.get("gestures", {}).get("tap", 0) for value in statistics.values() for region in value["regions"])

        wait_until(lambda: max(numbers(late), default=0) >= last + 8 and taps() >= 2, "all messages and both taps arrive", PATIENCE)
        got = sorted(set(numbers(subscriber)) | set(numbers(late)))
        assert got == list(range(1, got[-1] + 1))
        assert taps() == 2

    def test_gestures_are_live(self):
        subscriber = self.fixture.subscriber()
        program = self.fixture.program('max_age = "1s"\n' + EVERY_SECOND)
        self.ready(subscriber)
        self.fixture.broker.kill()
        program.wait_for_log("trying again")
        self.fixture.panel.tap(100, 100, times=3)
        program.wait_for_spool(3, '"gestures_dropped":')
        late = self.fixture.broker_again(program)
        late.wait(f"{BASE}/health", lambda value: value["gestures_dropped"] == 3)
        assert not [m.topic for m in late.all if "/gesture/" in m.topic]
        self.fixture.panel.tap(100, 100)
        late.wait(f"{BASE}/gesture/door%2Ffront/tap")

    def test_a_broker_that_hangs_holds_no_gesture_until_later(self):
        subscriber = self.fixture.subscriber()
        program = self.fixture.program('max_age = "1s"\n', broker='timeout = "2s"')
        self.ready(subscriber)
        self.fixture.broker.process.send_signal(signal.SIGSTOP)
        # Meanwhile the daemon serves other clients.
        assert self.fixture.ask("ping")["ok"]
        assert program.process.poll() is None
        self.fixture.broker.process.send_signal(signal.SIGCONT)
        self.fixture.panel.tap(100, 100)
        subscriber.wait(f"{BASE}/gesture/door%2Ffront/tap")

    def test_the_daemons_other_clients_notice_nothing(self):
        """While the program hangs, is flooded with commands and is killed, another client receives the same lines without
        delay."""
        subscriber = self.fixture.subscriber(f"{BASE}/status")
        program = self.fixture.program("[commands]\nscene = true\n")
        self.ready(subscriber)

        def taps(count, meanwhile=lambda: None):
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(PATIENCE)
                client.connect(self.fixture.path)
                client.sendall(b'{"cmd":"subscribe","events":["gesture"],"gestures":["tap"]}\n')
                lines = client.makefile("rb")
                while b'"event":"state"' not in lines.readline():
                    pass
                meanwhile()
                got, longest = [], 0
                for _ in range(count):
                    begun = time.monotonic()
                    self.fixture.panel.tap(100, 100)
                    while b'"gesture":"tap"' not in (line := lines.readline()):
                        pass
                    longest = max(longest, time.monotonic() - begun)
                    got.append(json.loads(line)["seq"])
                return got, longest

        usual, _ = taps(100)
        program.process.send_signal(signal.SIGSTOP)
        hung, hung_longest = taps(100)
        program.process.send_signal(signal.SIGCONT)

        def flood():
            for _ in range(3000):
                subscriber.client.publish(f"{BASE}/command/scene", "default", 0)
        flooded, flooded_longest = taps(100, flood)
        killed, _ = taps(100, program.kill)
        assert (usual, hung, killed) == (flooded, flooded, flooded)
        assert len(set(usual)) == 100
        assert max(hung_longest, flooded_longest) < 2

    def test_the_spool_is_bounded(self):
        subscriber = self.fixture.subscriber()
        program = self.fixture.program('[spool]\nmax_messages = 3\n' + EVERY_SECOND)
        self.ready(subscriber)
        self.fixture.kill_broker(program, subscriber)
        program.wait_for_spool(4, '"dropped":')
        late = self.fixture.broker_again(program)
        health = late.wait(f"{BASE}/health", lambda value: value["spool"]["dropped"] > 0)
        assert "spool_dropped" in health["faults"]

        def missing():
            got = set(numbers(subscriber)) | set(numbers(late))
            return max(got) - len(got)

        def dropped():
            return max((json.loads(m.payload)["spool"]["dropped"] for m in late.all if m.topic == f"{BASE}/health"), default=0)

        # The broker may have passed on the messages of its last second and not acknowledged them. They are dropped, and not missing.
        wait_until(lambda: 0 <= dropped() - missing() <= 2, lambda: f"{missing()} missing messages, {dropped()} reported as dropped", PATIENCE)
        assert program.process.poll() is None

    def test_without_a_disk(self):
        subscriber = self.fixture.subscriber()
        program = self.fixture.program(EVERY_SECOND)
        self.ready(subscriber)
        program.kill()
        program.head = program.head.replace(program.state, "/nonexistent")
        program.configure(EVERY_SECOND)
        program.start()
        health = subscriber.wait(f"{BASE}/health", lambda value: "failure" in value["spool"])
        assert "spool" in health["faults"]
        subscriber.wait(f"{BASE}/statistics")

    def test_a_full_disk(self):
        subscriber = self.fixture.subscriber()
        program = Program(self.fixture, EVERY_SECOND, start=False)
        self.cleanup.callback(program.close)
        if os.getuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", program.state], capture_output=True).returncode:
            pytest.skip("a small disk cannot be created here")
        self.cleanup.callback(subprocess.run, ["umount", "-l", program.state], check=True)
        shutil.chown(program.state, GUEST)
        program.configure(EVERY_SECOND)
        program.start()
        subscriber.wait(f"{BASE}/health")
        with open(os.path.join(program.state, "filler"), "wb", buffering=0) as filler:
            try:
                while filler.write(b"\0" * 1024):
                    pass
            except OSError:
                pass
        health = subscriber.wait(f"{BASE}/health", lambda value: "failure" in value["spool"])
        assert "full" in health["spool"]["failure"]
        assert "spool" in health["faults"]
        subscriber.wait(f"{BASE}/statistics")
        os.remove(os.path.join(program.state, "filler"))
        subscriber.wait(f"{BASE}/health", lambda value: "failure" not in value["spool"])
        got = numbers(subscriber)
        assert sorted(set(got)) == list(range(1, max(got) + 1))

    def test_a_broker_of_3_1_1(self):
        port = free_port()
        levels = []
        server = socket.create_server(("127.0.0.1", port))
        self.cleanup.callback(server.close)

        def serve():
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    connection.settimeout(2)
                    head = connection.recv(1024)
                    # A fixed header of two or three bytes, then the name "MQTT" and the protocol level
                    level = head[head.index(b"MQTT") + 4]
                    levels.append(level)
                    # In MQTT 3.1.1, the return code 1 in a CONNACK means an unacceptable level, and there are
                    # no properties.
                    connection.sendall(b"\x20\x02\x00" + (b"\x01" if level == 5 else b"\x00"))

        threading.Thread(target=serve, daemon=True).start()
        self.fixture.program(port=port)
        wait_until(lambda: 4 in levels, "it tries 3.1.1", PATIENCE)
        assert levels[0] == 5

    def test_3_1_1_as_asked_for(self):
        subscriber = self.fixture.subscriber(version=paho.MQTTv311)
        self.fixture.program(EVERY_SECOND, broker='protocol = "3.1.1"')
        self.ready(subscriber)
        self.fixture.panel.tap(100, 100)
        subscriber.wait(f"{BASE}/gesture/door%2Ffront/tap")
        subscriber.wait(f"{BASE}/statistics")

    def test_read_again(self):
        subscriber = self.fixture.subscriber()
        program = self.fixture.program(EVERY_SECOND)
        self.ready(subscriber)
        program.configure("mistake = 1\n")
        program.process.send_signal(signal.SIGHUP)
        program.wait_for_log('unknown key "mistake"')
        program.configure("positions = true\n" + EVERY_SECOND)
        program.process.send_signal(signal.SIGHUP)
        subscriber.wait(f"{BASE}/status", lambda value: value.get("reason") == "stopped")
        self.ready(subscriber)
        self.fixture.panel.tap(100, 100)
        assert "x" in subscriber.wait(f"{BASE}/gesture/door%2Ffront/tap")
        last = max(numbers(subscriber), default=0)
        subscriber.wait(f"{BASE}/statistics", lambda value: int(value["id"].split("-")[1]) > last)
        # A message that was not acknowledged before the restart is sent twice.
        got = sorted(set(numbers(subscriber)))
        assert got == list(range(1, got[-1] + 1))


class SecretTests:
    """Passwords, certificates, and pre-shared keys."""

    @classmethod
    def setup_class(cls):
        cls.folder = Fixture(start=False)
        cls.class_cleanup.callback(cls.folder.close)

    def file(self, fixture, name, text):
        path = os.path.join(fixture.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o644)
        return path

    def openssl(self, fixture, *arguments):
        subprocess.run(["openssl", *arguments], cwd=fixture.folder, check=True, capture_output=True)

    def certificates(self, fixture):
        """Creates ca.pem, server.pem and kiosk.pem, and their keys."""
        self.openssl(fixture, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=test authority",
                     "-keyout", "ca.key", "-out", "ca.pem")
        for name, subject in (("server", "/CN=localhost"), ("kiosk", "/CN=kiosk-17")):
            self.file(fixture, "ext", "subjectAltName=IP:127.0.0.1,DNS:localhost\n")
            self.openssl(fixture, "req", "-newkey", "rsa:2048", "-nodes", "-subj", subject, "-keyout", f"{name}.key", "-out", f"{name}.csr")
            self.openssl(fixture, "x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
                         "-days", "2", "-extfile", "ext", "-out", f"{name}.pem")
        for name in os.listdir(fixture.folder):
            if name.endswith((".pem", ".key")):
                os.chmod(os.path.join(fixture.folder, name), 0o644)
        return lambda name: os.path.join(fixture.folder, name)

    def fixture(self, **broker):
        fixture = Fixture(start=False, **broker)
        self.cleanup.callback(fixture.close)
        return fixture

    def test_a_password(self):
        fixture = self.fixture()
        passwords = self.file(fixture, "passwords", "")
        subprocess.run(["mosquitto_passwd", "-b", passwords, "kiosk", "s3cret"], check=True, capture_output=True)
        os.chmod(passwords, 0o644)
        broker = Broker(fixture.folder, listener=("allow_anonymous false", f"password_file {passwords}"))
        self.cleanup.callback(broker.kill)
        wrong = self.file(fixture, "wrong", "secret\n")
        program = fixture.program(broker=f'user = "kiosk"\npassword_file = "{wrong}"', port=broker.port)
        program.wait_for_log("refused")
        assert re.search(r"refused: .*(Not authorized|not authori[sz]ed)", program.log())
        # The program reads the file again before each attempt.
        self.file(fixture, "wrong", "s3cret\n")
        program.wait_for_log("connected to")

    def test_a_missing_password(self):
        fixture = self.fixture()
        program = fixture.program(broker='user = "kiosk"\npassword_credential = "mqtt"')
        program.wait_for_log('systemd has not passed credential "mqtt"')

    def test_certificates(self):
        fixture = self.fixture()
        path = self.certificates(fixture)
        broker = Broker(fixture.folder, listener=(
            "allow_anonymous true", f"cafile {path('ca.pem')}", f"certfile {path('server.pem')}", f"keyfile {path('server.key')}",
            "require_certificate true"))
        self.cleanup.callback(broker.kill)
        tls = f'[tls]\nca = "{path("ca.pem")}"\n'
        program = fixture.program(tls + f'certificate = "{path("kiosk.pem")}"\nkey = "{path("kiosk.key")}"\n', port=broker.port)
        program.wait_for_log("connected to")
        # This program does not trust the authority that signed the broker's certificate.
        stranger = fixture.program(f'[tls]\nca = "{path("kiosk.pem")}"\n', port=broker.port)
        stranger.wait_for_log("trying again")
        assert "certificate verify failed" in stranger.log()
        assert "connected to" not in stranger.log()

    def test_a_pre_shared_key(self):
        fixture = self.fixture()
        keys = self.file(fixture, "psk", "kiosk:0123456789abcdef\n")
        broker = Broker(fixture.folder, listener=("allow_anonymous true", "psk_hint hint", f"psk_file {keys}"))
        self.cleanup.callback(broker.kill)
        secret = self.file(fixture, "key", "0123456789abcdef\n")
        program = fixture.program(f'[tls]\npsk_identity = "kiosk"\npsk_file = "{secret}"\n', port=broker.port)
        program.wait_for_log("connected to")

    def test_memory(self):
        """After several thousand gestures the program must not use more memory than at the start."""
        fixture = self.fixture()
        fixture.start()
        subscriber = fixture.subscriber()
        program = fixture.program()
        subscriber.wait(f"{BASE}/status", lambda value: value.get("health") == "ok")

        def tap():
            fixture.panel.tap(100, 100, times=50)
            subscriber.wait(f"{BASE}/gesture/door%2Ffront/tap", lambda tap: tap["sequence"] == fixture.panel.finger)

        tap()
        before = program.memory()
        for _ in range(40):
            tap()
        assert program.memory() < min(before + 512, 4096)
