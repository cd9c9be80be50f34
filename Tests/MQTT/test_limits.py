# SPDX-License-Identifier: MIT
"""No message from a broker ends the program, or makes it use more memory than its unit allows."""
import json
import queue
import socket
import ssl
import struct
import subprocess
import threading
import time

from fixture import BASE, Fixture
from harness import PATIENCE
from harness.process import memory

COMMANDS = "[commands]\nscene = true\n"
# MemoryMax of the unit, in KiB
LIMIT = 64 << 10
MIB = 1 << 20


def number(value):
    """A length in MQTT's encoding."""
    result = bytearray()
    while True:
        value, digit = divmod(value, 128)
        result.append(digit | (128 if value else 0))
        if not value:
            return bytes(result)


def text(value):
    return struct.pack(">H", len(value)) + value


def publish(topic, payload=b"", qos=0, retain=False, identifier=1, properties=None):
    body = text(topic.encode()) + (struct.pack(">H", identifier) if qos else b"")
    if properties is not None:
        body += number(len(properties)) + properties
    return bytes([0x30 | qos << 1 | retain]) + number(len(body) + len(payload)) + body + payload


class LyingBroker:
    """A fake broker. It accepts everything, and sends the data that the test passes to it, whatever the client has subscribed
    to."""

    def __init__(self, certificate=None):
        self.tls = None
        if certificate:
            self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.tls.load_cert_chain(*certificate)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.connected, self.subscribed, self.published = queue.Queue(), queue.Queue(), queue.Queue()
        self.acknowledges = True
        self.client, self.five = None, False
        # The answer to a client of MQTT 5
        self.greeting = b"\x20\x03\x00\x00\x00"
        # Two threads send, and their packets must not be interleaved.
        self.sending = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        try:
            if self.tls:
                client = self.tls.wrap_socket(client, server_side=True)
            stream = client.makefile("rb")
            while True:
                self._take(client, stream)
        except (OSError, IndexError, struct.error):
            client.close()

    def _take(self, client, stream):
        kind = stream.read(1)[0]
        length, shift = 0, 0
        while True:
            digit = stream.read(1)[0]
            length |= (digit & 127) << shift
            shift += 7
            if digit < 128:
                break
        body = stream.read(length)
        if kind == 0x10:
            self.client, self.five = client, body[6] == 5
            self.reply(client, self.greeting if self.five else b"\x20\x02\x00\x00")
            self.connected.put({"version": body[6], "clean": bool(body[7] & 2), "client": client})
        elif kind & 0xF0 == 0x80:
            topics = self._topics(body, self.five)
            self.reply(client, b"\x90" + number(2 + self.five + len(topics)) + body[:2] + (b"\x00" if self.five else b"") + b"\x01" * len(topics))
            self.subscribed.put(topics[0])
        elif kind & 0xF0 == 0x30:
            size = struct.unpack(">H", body[:2])[0]
            topic = body[2:2 + size].decode()
            self.published.put((topic, body))
            if kind & 6 and self.acknowledges:
                self.reply(client, b"\x40\x02" + body[2 + size:4 + size])
        elif kind == 0xC0:
            self.reply(client, b"\xd0\x00")

    @staticmethod
    def _topics(body, five):
        place, topics = 2 + (1 + body[2] if five else 0), []
        while place < len(body):
            size = struct.unpack(">H", body[place:place + 2])[0]
            topics.append(body[place + 2:place + 2 + size].decode())
            place += size + 3
        return topics

    def reply(self, client, data):
        with self.sending:
            client.sendall(data)

    def send(self, data):
        """Sends data until the client closes the connection."""
        try:
            self.reply(self.client, data)
        except OSError:
            pass

    def close(self):
        self.listener.close()


class LimitTests:
    def setup_method(self):
        self.fixture = Fixture()
        self.cleanup.callback(self.fixture.close)

    def start(self, version, settings=COMMANDS, certificate=None):
        self.broker = LyingBroker(certificate)
        self.cleanup.callback(self.broker.close)
        self.program = self.fixture.program(settings, broker=f'protocol = "{version}"', port=self.broker.port)
        first = self.broker.connected.get(timeout=PATIENCE)
        assert self.broker.subscribed.get(timeout=PATIENCE) == f"{BASE}/command/scene"
        return first

    def is_well(self):
        """Checks that the process still answers, and has never used more memory than its unit allows."""
        while True:
            self.broker.send(publish(f"{BASE}/command/scene", b"night", **self.plain))
            try:
                self.answer()
                break
            except queue.Empty:
                assert self.program.process.poll() is None, self.program.log()
        assert memory(self.program.process.pid, "VmHWM") < LIMIT, self.program.log()

    def answer(self):
        end = time.monotonic() + 2
        while True:
            topic, body = self.broker.published.get(timeout=max(0.01, end - time.monotonic()))
            if topic == f"{BASE}/response/scene":
                return json.loads(body[body.index(b"{"):])

    def attack(self, version, data):
        self.plain = {"properties": b""} if version == "5" else {}
        self.start(version)
        self.broker.send(data)
        self.is_well()

    def test_lengths(self):
        """Tests lengths up to MQTT's maximum. Only a part of the announced bytes is sent."""
        self.plain = {}
        for size in (70_000, MIB, MIB + 1, 3 * MIB, 7 * MIB, 9 * MIB, 20 * MIB, 100 * MIB, 268_435_455):
            self.start("3.1.1")
            head = text(f"{BASE}/command/scene".encode()) + b"\x00\x01"
            self.broker.send(b"\x32" + number(size) + head + b"x" * min(size - len(head), 30 * MIB))
            if size > 8 * MIB:
                assert self.broker.connected.get(timeout=PATIENCE)["clean"], self.program.log()
                self.broker.subscribed.get(timeout=PATIENCE)
                assert "too large" in self.program.log()
            self.is_well()
            self.program.close()

    def test_a_broker_of_5_that_does_not_keep_to_the_limit(self):
        self.attack("5", publish(f"{BASE}/command/scene", b"x" * (20 * MIB), 1, properties=b""))
        assert "too large" in self.program.log()

    def test_a_long_command_is_answered(self):
        self.plain = {}
        self.start("3.1.1")
        self.broker.send(publish(f"{BASE}/command/scene", b"x" * 200_000, 1))
        assert self.answer()["error"]["code"] == "bad_request"
        self.is_well()

    # A packet of each kind with properties: the first byte, what comes before the properties, and after them
    KINDS = ((0x30, text(BASE.encode()), b"x"), (0x32, text(BASE.encode()) + b"\0\1", b""), (0x40, b"\0\1\0", b""),
             (0x50, b"\0\1\0", b""), (0x62, b"\0\1\0", b""), (0x70, b"\0\1\0", b""), (0x90, b"\0\1", b"\1"),
             (0xB0, b"\0\1", b"\0"), (0x20, b"\0\0", b""), (0xE0, b"\0", b""), (0xF0, b"\0", b""))

    @staticmethod
    def packet(kind, properties, announced=None):
        head, before, after = kind
        body = before + number(len(properties) if announced is None else announced) + properties + after
        return bytes([head]) + number(len(body)) + body

    def unknown_properties(self, settings=COMMANDS, certificate=None):
        """libmosquitto 2.0.11 aborts the program when it reads such a packet."""
        self.plain = {"properties": b""}
        self.start("5", settings, certificate)
        # A property that there is not; one after a known one; one in what follows a property that is too long
        for properties in ((b"\x7f",), (b"\x1f\0\1a\0\0",), (b"\x1f\0\4\x7f\x7f\x7f\x7f", 2)):
            for kind in self.KINDS:
                data = self.packet(kind, *properties)
                for piece in (data[:1], data[1:2], data[2:]):
                    self.broker.send(piece)
                assert self.broker.connected.get(timeout=PATIENCE)["version"] == 5, self.program.log()
        log = self.program.log()
        for words in ("the property 0x7f, which MQTT 5 does not have", "the property 0x00, which", "a malformed packet", "will be discarded"):
            assert words in log
        assert self.program.process.poll() is None
        # It has no commands now, but still sends gestures.
        self.fixture.panel.tap(100, 100)
        while self.broker.published.get(timeout=PATIENCE)[0] != f"{BASE}/gesture/door%2Ffront/tap":
            pass

    def test_unknown_properties(self):
        self.unknown_properties()

    def test_unknown_properties_with_tls(self):
        pair = [f"{self.fixture.folder}/{name}" for name in ("broker.pem", "broker.key")]
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                        "subjectAltName=IP:127.0.0.1", "-out", pair[0], "-keyout", pair[1]], check=True, capture_output=True)
        self.unknown_properties(COMMANDS + f'[tls]\nca = "{pair[0]}"\n', pair)

    def test_a_broker_that_greets_with_an_unknown_property(self):
        """After three attempts with MQTT 5, the program uses the version that has no properties."""
        self.broker = LyingBroker()
        self.cleanup.callback(self.broker.close)
        self.broker.greeting = self.packet(self.KINDS[8], b"\x7f")
        self.program = self.fixture.program(COMMANDS, port=self.broker.port)
        versions = [self.broker.connected.get(timeout=PATIENCE)["version"] for _ in range(4)]
        assert versions == [5, 5, 5, 4], self.program.log()
        assert self.broker.subscribed.get(timeout=PATIENCE) == f"{BASE}/command/scene"
        self.plain = {}
        self.is_well()

    def test_properties(self):
        """A user property takes five bytes in the packet and more than a hundred in memory."""
        self.attack("5", publish(f"{BASE}/command/scene", b"night", 1, properties=b"\x26\0\0\0\0" * 200_000))

    def test_messages_that_are_never_released(self):
        self.plain = {}
        self.start("3.1.1")
        for identifier in range(1, 200):
            self.broker.send(publish(f"{BASE}/command/scene", b"x" * MIB, 2, identifier=identifier))
            if not self.broker.connected.empty():
                break
        assert self.broker.connected.get(timeout=PATIENCE)["clean"], self.program.log()
        self.broker.subscribed.get(timeout=PATIENCE)
        self.is_well()

    def test_a_broker_that_acknowledges_nothing(self):
        self.plain = {}
        self.start("3.1.1")
        self.broker.acknowledges = False
        before = self.program.memory()
        for _ in range(12):
            for _ in range(32):
                self.broker.send(publish(f"{BASE}/command/scene", b'{"scene":"x","id":"' + b"y" * 60_000 + b'"}'))
            # The program accepts a limited number of commands per second, and drops the rest.
            time.sleep(1)
        assert self.program.process.poll() is None
        assert self.program.memory() - before < 8 << 10

    def test_a_retained_message_that_is_too_large(self):
        """The broker sends the message after each subscription. After the second time, the program stays connected without
        commands."""
        self.plain = {}
        self.start("3.1.1")
        huge = publish(f"{BASE}/command/scene", b"x" * (20 * MIB), 1, retain=True)
        self.broker.send(huge)
        assert self.broker.connected.get(timeout=PATIENCE)["clean"]
        self.broker.subscribed.get(timeout=PATIENCE)
        self.broker.send(huge)
        self.broker.connected.get(timeout=PATIENCE)
        self.program.wait_for_log("not accepting commands for ten minutes")
        self.fixture.panel.tap(100, 100)
        while self.broker.published.get(timeout=PATIENCE)[0] != f"{BASE}/gesture/door%2Ffront/tap":
            pass
        assert self.broker.subscribed.empty()
