# SPDX-License-Identifier: MIT
"""Clients that send unusual data and disconnect in unusual ways leave nothing behind in the bridge."""
import random
import socket
import struct

from fixture import Bridge, Fixture
from harness import wait_until
from harness.process import descriptors
from websocket import TEXT, WebSocket

REQUESTS = 800
HELD = 30
# In seconds. Shorter than the timeouts after which the bridge closes a connection by itself.
SOON = 5
HOST = b"Host: localhost\r\n"
PAGE = b"GET /socket HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" \
       b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"


def masked(opcode, data):
    """A frame with at most 65 535 bytes. Its mask is zero, so the data is unchanged."""
    return struct.pack("!BBH4x", 0x80 | opcode, 0x80 | 126, len(data)) + data


def kinds(chance):
    """The bytes that each kind of client sends."""
    junk = chance.randbytes(chance.randrange(1, 3000))
    path = chance.choice([b"/", b"/gestured.js", b"/metrics", b"/healthz", b"/bridge", b"/config", b"/" + b"a" * len(junk) * 6])
    post = b"POST " + chance.choice([b"/check", b"/replay"]) + b" HTTP/1.1\r\n" + HOST
    return [
        b"", junk, b"GET / HTTP/1.1\r\n" + HOST + b"X: ",
        b"GET " + path + b" HTTP/1.1\r\n" + HOST + b"\r\n", b"GET / HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n",
        post + b"Content-Length: 1000000\r\n\r\n" + junk, post + b"Transfer-Encoding: chunked\r\n\r\nfff\r\n" + junk,
        post + b"Content-Length: 11\r\n\r\nversion = 1", b"GET /events HTTP/1.1\r\n" + HOST + b"\r\n",
        PAGE, PAGE.replace(b"localhost", b"elsewhere.example"), PAGE + junk, PAGE + b"\x88\x82\0\0\0\0\x03\xe8",
        PAGE + masked(TEXT, b'{"cmd":"subscribe","events":["touches","frame"]}') + masked(TEXT, b'{"cmd":"regions"}') * 50,
    ]


def end(client, chance):
    """Reads some bytes, or shuts down one or both directions, or does nothing. Then closes the socket normally or with a
    reset."""
    try:
        chance.choice([
            lambda: client.recv(100_000), lambda: client.shutdown(socket.SHUT_WR), lambda: client.shutdown(socket.SHUT_RDWR),
            lambda: client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)), lambda: None])()
    except OSError:
        pass
    client.close()


class OddRequestTests:
    def setup_method(self):
        self.fixture = Fixture()
        self.cleanup.callback(self.fixture.close)
        self.bridge = Bridge(self.fixture)
        self.cleanup.callback(self.bridge.close)

    def descriptors(self):
        """The numbers of open descriptors in the bridge and in the daemon."""
        return descriptors(self.bridge.process.pid), descriptors(self.fixture.process.pid)

    def wait_for_descriptors(self, expected):
        wait_until(lambda: self.descriptors() == expected, lambda: f"{self.descriptors()} become {expected} descriptors", SOON)

    def test_nothing_is_left_of_clients_that_are_gone(self):
        chance = random.Random(13)
        with WebSocket(self.bridge.port) as page:
            assert page.line()["event"] == "hello"
            before = self.descriptors()
            held = []
            for _ in range(REQUESTS):
                client = socket.socket()
                if chance.random() < 0.3:
                    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
                client.connect(("127.0.0.1", self.bridge.port))
                client.setblocking(False)
                try:
                    client.send(chance.choice(kinds(chance)))
                except OSError:
                    pass
                held.append(client)
                if chance.random() < 0.05:
                    self.fixture.panel.tap(40, 740)
                while len(held) > HELD or (held and chance.random() < 0.3):
                    end(held.pop(chance.randrange(len(held))), chance)
            assert self.descriptors() != before, "some connections are open"
            for client in held:
                end(client, chance)
            self.wait_for_descriptors(before)
            assert page.ask("ping")["ok"] == True
