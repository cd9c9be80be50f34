# SPDX-License-Identifier: MIT
"""Simulates many panels in one process, each with its own connection. They behave like gestured-mqtt (MQTT 5, Last Will, the same topics
and payloads, QoS 1 with at most 16 unacknowledged messages, the same pauses between attempts), with a spool in memory.

usage: panels.py PORT PANELS SECONDS_BETWEEN_MESSAGES [CLOCK_OFFSET_S]
Reads commands from standard input: `start`, `publish`, `quiet`, `report`, `stop`. Answers with lines of JSON.
"""
import asyncio
import collections
import json
import random
import struct
import sys
import time

WINDOW = 16
TIMEOUT = 10
FIRST, MOST = 2.0, 30.0
KEEPALIVE = 30
REGIONS = [{"region": f"region-{number}", "gestures": {"tap": 7, "press": 8}, "failed": {"moved": 1}} for number in range(6)]


def text(value):
    data = value.encode()
    return struct.pack("!H", len(data)) + data


def packet(head, body):
    size, rest = b"", len(body)
    while True:
        rest, digit = rest >> 7, rest & 0x7F
        size += bytes([digit | (0x80 if rest else 0)])
        if not rest:
            return bytes([head]) + size + body


CONTENT = b"\x03" + text("application/json")
PROPERTIES = bytes([len(CONTENT)]) + CONTENT


class Link(asyncio.Protocol):
    """A panel's connection. If the panel has abandoned the attempt before the connection is made, it closes at once."""

    def __init__(self, panel):
        self.panel = panel

    def connection_made(self, transport):
        self.transport = transport
        if self.panel.link is self:
            self.panel.connection_made(transport)
        else:
            transport.abort()

    def data_received(self, data):
        if self.panel.link is self:
            self.panel.data_received(data)

    def connection_lost(self, error):
        if self.panel.link is self:
            self.panel.connection_lost(error)


class Panel:
    def __init__(self, fleet, number):
        self.fleet, self.name = fleet, f"sim-{number}"
        self.base = f"gestured/{self.name}"
        self.window = FIRST
        self.link, self.transport, self.online, self.buffer = None, None, False, b""
        self.spool = collections.OrderedDict()
        self.in_flight, self.last, self.number = {}, 0, 0
        self.timer = None

    # Connecting.

    def wait(self):
        self.link, self.online = None, False
        delay = random.uniform(0, self.window)
        self.window = min(self.window * 2, MOST)
        self.fleet.loop.call_later(delay, lambda: self.fleet.loop.create_task(self.connect()))

    async def connect(self):
        self.fleet.tries += 1
        self.link = link = Link(self)
        try:
            await asyncio.wait_for(self.fleet.loop.create_connection(lambda: link, "127.0.0.1", self.fleet.port), TIMEOUT)
        except (OSError, asyncio.TimeoutError):
            # If `link` has been replaced, the connection was made at the last moment and is already lost.
            if self.link is link:
                if hasattr(link, "transport"):
                    self.timer.cancel()
                    link.transport.abort()
                self.fleet.online -= self.online
                self.in_flight = {}
                self.wait()

    def connection_made(self, transport):
        self.transport, self.buffer = transport, b""
        self.timer = self.fleet.loop.call_later(TIMEOUT, transport.abort)
        will = text(f"{self.base}/status") + text('{"state":"offline","reason":"lost"}')
        transport.write(packet(0x10, text("MQTT") + bytes([5, 0x2E]) + struct.pack("!H", KEEPALIVE) + b"\x00"
                               + text(f"gestured-{self.name}") + b"\x00" + will))

    def connection_lost(self, _error):
        self.timer.cancel()
        if self.online:
            self.fleet.online -= 1
        self.in_flight = {}
        self.wait()

    def ping(self):
        if self.online:
            self.transport.write(b"\xc0\x00")
            self.timer = self.fleet.loop.call_later(KEEPALIVE, self.ping)

    # Packets.

    def data_received(self, data):
        self.buffer += data
        while len(self.buffer) >= 2:
            size, shift, place = 0, 0, 1
            while place < len(self.buffer):
                byte = self.buffer[place]
                size, shift, place = size | (byte & 0x7F) << shift, shift + 7, place + 1
                if not byte & 0x80:
                    break
            else:
                return
            if len(self.buffer) < place + size:
                return
            body, kind = self.buffer[place:place + size], self.buffer[0] >> 4
            self.buffer = self.buffer[place + size:]
            if kind == 2:
                self.answered(body[1])
            elif kind == 4:
                self.acknowledged(struct.unpack("!H", body[:2])[0], body[2] if len(body) > 2 else 0)

    def answered(self, reason):
        if reason:
            self.fleet.refused += 1
            return self.transport.abort()
        self.timer.cancel()
        self.window, self.online, self.last = FIRST, True, 0
        self.fleet.online += 1
        self.fleet.times.append(time.monotonic())
        self.timer = self.fleet.loop.call_later(random.uniform(KEEPALIVE / 2, KEEPALIVE), self.ping)
        self.publish("status", 0xFFFF, json.dumps({"state": "online", "version": "0", "time_ms": self.fleet.clock()}), True)
        self.send()

    def publish(self, topic, number, payload, retained=False):
        body = text(f"{self.base}/{topic}") + struct.pack("!H", number) + PROPERTIES + payload.encode()
        self.transport.write(packet(0x33 if retained else 0x32, body))

    def add(self, topic, retained, payload):
        self.number += 1
        payload["id"] = f"00000000-{self.number}"
        self.spool[self.number] = (topic, retained, json.dumps(payload))
        self.send()

    def send(self):
        if not self.online:
            return
        for number, (topic, retained, payload) in self.spool.items() if len(self.in_flight) < WINDOW else ():
            if number <= self.last:
                continue
            if len(self.in_flight) >= WINDOW:
                break
            mid = number % 0xFFFE + 1
            self.in_flight[mid], self.last = number, number
            self.fleet.sent += 1
            self.publish(topic, mid, payload, retained)

    def acknowledged(self, mid, reason):
        number = self.in_flight.pop(mid, None)
        if number is None:
            return
        if reason >= 0x80:
            self.last = min(self.last, number - 1)
            self.fleet.loop.call_later(5, self.send)
            return
        self.spool.pop(number, None)
        self.send()

    # Messages.

    def tick(self):
        if self.fleet.is_publishing:
            self.add("statistics", True, {"instance": "b1946ac9", "seconds": 60, "regions": REGIONS, "time_ms": self.fleet.clock()})
            self.add("health", False, {"health": "ok", "faults": [], "devices": [{"device": "panel", "contacts": 812, "storms": 0, "ignored": {}}],
                                       "lost_events": 0, "lost_lines": 0, "longest_turn_us": 1840, "gestures_dropped": 0,
                                       "spool": {"waiting": len(self.spool), "dropped": 0}, "time_ms": self.fleet.clock()})
        self.fleet.loop.call_later(self.fleet.interval, self.tick)


class Fleet:
    def __init__(self, port, count, interval, offset):
        self.port, self.count, self.interval, self.offset = port, count, interval, offset
        self.online = self.tries = self.refused = self.sent = 0
        self.times, self.panels, self.is_publishing = [], [], False

    def clock(self):
        return int((time.time() + self.offset) * 1000)

    def report(self):
        waiting = sum(len(panel.spool) for panel in self.panels)
        line = {"online": self.online, "tries": self.tries, "refused": self.refused, "sent": self.sent, "waiting": waiting,
                "made": sum(panel.number for panel in self.panels), "times": self.times, "now": time.monotonic()}
        self.times = []
        return line

    async def run(self):
        self.loop = asyncio.get_running_loop()
        self.panels = [Panel(self, number) for number in range(self.count)]
        reader = asyncio.StreamReader()
        await self.loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        while line := (await reader.readline()).decode().strip():
            if line == "start":
                for panel in self.panels:
                    panel.wait()
            elif line == "publish":
                self.is_publishing = True
                for panel in self.panels:
                    self.loop.call_later(random.uniform(0, self.interval), panel.tick)
            elif line == "quiet":
                self.is_publishing = False
            elif line == "stop":
                return
            print(json.dumps(self.report()), flush=True)


if __name__ == "__main__":
    arguments = [float(word) for word in sys.argv[1:]]
    asyncio.run(Fleet(int(arguments[0]), int(arguments[1]), arguments[2], arguments[3] if len(arguments) > 3 else 0).run())
