# SPDX-License-Identifier: MIT
"""Simulates ten thousand panels on one mosquitto: all of them start after a power cut, then broker, network and disk fail.
Counts the messages with QoS 1 that a subscriber has received twice or not at all.

usage: python3 Tests/Benchmarks/fleet [--panels N] [--interval S]
One of the panels is real. The programs are those of `make build`, or those in the folder PROGRAMS.
"""
import argparse
import collections
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [TESTS, os.path.join(TESTS, "MQTT")]
import fixture  # noqa: E402
from harness.process import memory, processor_seconds  # noqa: E402
import paho.mqtt.client as paho  # noqa: E402
from paho.mqtt.packettypes import PacketTypes  # noqa: E402
from paho.mqtt.properties import Properties  # noqa: E402

# Mosquitto writes all messages at each autosave, so an interval of one second would keep it busy.
PERSISTENT = ("persistence true", "autosave_interval 30", "max_queued_messages 0", "max_inflight_messages 0")
# The time in seconds within which all panels must be online again
ONLINE = 60


class Counter:
    """Subscribes to messages that must not be lost, in a persistent session."""

    def __init__(self, port):
        self.seen = collections.Counter()
        self.client = paho.Client(client_id="counter", protocol=paho.MQTTv5)
        self.client.max_inflight_messages_set(1000)
        self.client.reconnect_delay_set(1, 1)
        subscribed = threading.Event()
        self.client.on_connect = lambda client, *_: client.subscribe([("gestured/+/statistics", 1), ("gestured/+/health", 1), ("gestured/+/problem", 1)])
        self.client.on_subscribe = lambda *_: subscribed.set()
        self.client.on_message = self._take
        properties = Properties(PacketTypes.CONNECT)
        properties.SessionExpiryInterval = 3600
        self.client.connect("127.0.0.1", port, clean_start=False, properties=properties)
        self.client.loop_start()
        assert subscribed.wait(20), "the broker does not answer"

    def _take(self, _client, _data, message):
        # Retained messages are sent again after each subscription.
        if not message.retain:
            self.seen[message.topic.split("/")[1], json.loads(message.payload)["id"]] += 1

    def numbers(self, panel):
        return {int(number.split("-")[1]) for name, number in self.seen if name == panel}

    def close(self):
        self.client.disconnect()
        self.client.loop_stop()


class Panels:
    def __init__(self, port, count, interval, offset=0):
        self.count = count
        self.process = subprocess.Popen([sys.executable, os.path.join(HERE, "panels.py"), str(port), str(count), str(interval), str(offset)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def tell(self, word):
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def until_online(self, count=None, patience=180):
        """Waits until the panels are online. Returns their number, the seconds until then, and the number of connections in
        each second."""
        begun, times = time.monotonic(), []
        while True:
            report = self.tell("report")
            times += report["times"]
            if report["online"] >= (count or self.count) or time.monotonic() > begun + patience:
                histogram = collections.Counter(int(moment - begun) for moment in times if moment >= begun)
                last = max(times, default=begun) - begun
                return report["online"], round(last, 1), [histogram[second] for second in range(max(histogram, default=0) + 1)]
            time.sleep(0.25)

    def stop(self):
        self.process.stdin.close()
        self.process.wait(30)


class Fleet:
    def __init__(self, options, folder):
        self.options = options
        self.fixture = fixture.Fixture(settings=PERSISTENT + (f"persistence_location {folder}/",))
        self.counter = Counter(self.fixture.broker.port)
        self.panels = Panels(self.fixture.broker.port, options.panels, options.interval, options.clock_offset)
        self.real = self.fixture.program(f'[statistics]\nevery = "{options.interval}s"\n[health]\nevery = "{options.interval}s"\n[spool]\n')
        self.failures = []

    def measure(self, what, begin, patience=180):
        process, started = self.fixture.broker.process, time.monotonic()
        before = processor_seconds(process.pid)[0] if process.poll() is None else 0
        begin()
        online, seconds, histogram = self.panels.until_online(patience=patience)
        pid = self.fixture.broker.process.pid
        used = processor_seconds(pid)[0] - (before if pid == process.pid else 0)
        print(f"{what}: {online} of {self.options.panels} online after {seconds} s; connections in each second: {histogram}; "
              f"broker: {used:.1f} s of processor in {time.monotonic() - started:.0f} s, {memory(pid, 'VmRSS') // 1024} MiB", flush=True)
        return online, seconds

    def power_cut(self):
        online, seconds = self.measure("start of all after a power cut", lambda: self.panels.tell("start"))
        if online < self.options.panels or seconds > ONLINE:
            self.failures.append(f"power cut: {online} online after {seconds} s")
        self.panels.tell("publish")
        time.sleep(self.options.interval + 5)

    def restart(self):
        def begin():
            self.fixture.broker.kill(signal.SIGTERM)
            time.sleep(2)
            self.fixture.broker.start()
        self.measure("broker restarted, 2 s away", begin)
        time.sleep(10)

    def standby(self):
        """Kills the broker. Another one takes over with its disk, which contains the messages of half a minute ago."""
        def begin():
            time.sleep(1.5)
            self.fixture.broker.kill()
            time.sleep(5)
            self.fixture.broker.start()
        self.measure("broker killed, standby with its disk after 5 s", begin)
        time.sleep(10)

    def hang(self):
        """The network fails for all panels: there are no answers, and no connection is closed."""
        process = self.fixture.broker.process
        process.send_signal(signal.SIGSTOP)
        time.sleep(30)
        process.send_signal(signal.SIGCONT)
        self.measure("no answer for 30 s", lambda: None)
        time.sleep(10)

    def full(self):
        """For 30 s, the broker accepts connections from only 90 % of the panels."""
        broker = self.fixture.broker
        broker.kill(signal.SIGTERM)
        with open(broker.path, encoding="utf-8") as file:
            settings = file.read()
        with open(broker.path, "w", encoding="utf-8") as file:
            file.write(settings.replace("listener ", f"max_connections {self.options.panels * 9 // 10}\nlistener ", 1)
                       if "max_connections" in settings else settings + f"max_connections {self.options.panels * 9 // 10}\n")
        broker.start()
        time.sleep(30)
        report = self.panels.tell("report")
        print(f"broker full: {report['online']} online, {report['waiting']} messages wait in the panels", flush=True)
        broker.kill(signal.SIGTERM)
        with open(broker.path, "w", encoding="utf-8") as file:
            file.write(settings)
        self.measure("broker not full any more", broker.start)
        time.sleep(10)

    def end(self):
        """Stops the creation of messages. After that, all of them must arrive."""
        self.panels.tell("quiet")
        end = time.monotonic() + 120
        while (report := self.panels.tell("report"))["waiting"] and time.monotonic() < end:
            time.sleep(0.5)
        time.sleep(5)
        self.real.kill(signal.SIGTERM)
        time.sleep(2)
        made = report["made"]
        simulated = [count for (name, _), count in self.counter.seen.items() if name.startswith("sim-")]
        lost = made - len(simulated)
        own = self.counter.numbers(fixture.PANEL)
        own_lost = max(own, default=0) - len(own)
        print(f"QoS 1 at the subscriber: {made} made, {report['sent']} sent, {sum(simulated)} received, "
              f"{sum(simulated) - len(simulated)} duplicates, {lost} lost; waiting in the panels: {report['waiting']}; "
              f"the real panel: {len(own)} received, {own_lost} lost", flush=True)
        if lost or own_lost or report["waiting"] or not own:
            self.failures.append(f"{lost} + {own_lost} lost, {report['waiting']} waiting")

    def close(self):
        self.panels.stop()
        self.counter.close()
        self.fixture.close()


def latency(count=400):
    """Measures the time from a touch to a subscriber, through gestured-mqtt and through mosquitto_pub with the daemon's line,
    in one run."""
    place = fixture.Fixture()
    subscriber = place.subscriber("gestured/+/gesture/#", "plain")
    arrivals = {}

    def arrived(_client, _data, message):
        if b'"gesture":"tap"' in message.payload:
            arrivals.setdefault("plain" if message.topic == "plain" else "bridge", time.monotonic())
    place.program()
    status = place.subscriber(f"{fixture.BASE}/status")
    status.wait(f"{fixture.BASE}/status", lambda value: value.get("health") == "ok")
    subscriber.client.on_message = arrived
    lines = subprocess.Popen(["socat", "-u", f"UNIX:{place.path}", "-"], stdout=subprocess.PIPE)
    publisher = subprocess.Popen(["mosquitto_pub", "-l", "-V", "5", "-p", str(place.broker.port), "-t", "plain"], stdin=lines.stdout)
    time.sleep(1)
    times = {"bridge": [], "plain": []}
    for _ in range(count):
        arrivals.clear()
        begun = time.monotonic()
        place.panel.tap(100, 100)
        while len(arrivals) < 2 and time.monotonic() < begun + 5:
            time.sleep(0.0002)
        for name, values in times.items():
            values.append(arrivals.get(name, begun + 5) - begun)
    publisher.kill()
    lines.kill()
    place.close()
    figures = {}
    for name, values in times.items():
        values.sort()
        figures[name] = values[len(values) // 2], values[len(values) * 99 // 100]
    figures_text = ", ".join(f"{name} p50 {p50 * 1000:.2f} ms, p99 {p99 * 1000:.2f} ms" for name, (p50, p99) in figures.items())
    ratios = [bridge / plain for bridge, plain in zip(figures["bridge"], figures["plain"])]
    print(f"touch to subscriber: {figures_text}; {ratios[0]:.2f} and {ratios[1]:.2f} times as long as mosquitto_pub", flush=True)
    return [] if max(ratios) <= 1.5 else [f"latency {max(ratios):.2f} times that of mosquitto_pub"]


def run(options, folder):
    """Lets the fleet live through everything. Returns what was wrong."""
    fleet = Fleet(options, folder)
    try:
        for part in (fleet.power_cut, fleet.restart, fleet.standby, fleet.hang, fleet.full, fleet.end):
            part()
    finally:
        fleet.close()
    return fleet.failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--panels", type=int, default=10_000)
    parser.add_argument("--interval", type=int, default=30, help="seconds between two messages of a panel; usually 60")
    parser.add_argument("--clock-offset", type=int, default=-86_400, help="seconds by which the clocks of the simulated panels are wrong")
    parser.add_argument("--latency", action="store_true", help="measure only the latency")
    options = parser.parse_args()
    failures = []
    if not options.latency:
        with tempfile.TemporaryDirectory(prefix="fleet.", dir="/tmp") as folder:
            failures = run(options, folder)
    failures += latency()
    if failures:
        sys.exit("fleet: " + "; ".join(failures))


if __name__ == "__main__":
    main()
