# SPDX-License-Identifier: MIT
"""gestured-mqtt as a service, with a broker behind a poor network line (netem) that is then cut (veth). These kernel features
are missing on most machines that run `make test-mqtt`."""
import json
import os
import subprocess
import tempfile
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench import KEY, OK, bench, rest
from harness import wait_until
from harness.service import command, systemctl

UNIT = "gestured-mqtt.service"
HOST, BROKER = "10.213.7.1", "10.213.7.2"
SETTINGS = f"""version = 1
panel = "kernel"
max_age = "1s"
[broker]
host = "{BROKER}"
retry = "1s"
keepalive = "5s"
timeout = "5s"
[statistics]
every = "1s"
[health]
every = "1s"
"""
PARTITION = 30


def at_the_broker(*words):
    return ("ip", "netns", "exec", "broker", *words)


@contextmanager
def line():
    """A network namespace for the broker, behind a line that loses 5 % of the packets in each direction and delays them by
    200 ms in total."""
    for module in ("drivers/net/veth", "net/sched/sch_netem"):
        if not Path("/sys/module", os.path.basename(module)).exists():
            command("insmod", f"/host/usr/lib/uml/modules/{os.uname().release}/kernel/{module}.ko")
    command("ip", "netns", "add", "broker")
    try:
        command(*"ip link add line type veth peer name eth0 netns broker".split())
        command(*f"ip addr add {HOST}/30 dev line".split())
        command(*at_the_broker(*f"ip addr add {BROKER}/30 dev eth0".split()))
        command(*"ip link set line up".split())
        for device in ("lo", "eth0"):
            command(*at_the_broker("ip", "link", "set", device, "up"))
        command(*"tc qdisc add dev line root netem loss 5% delay 100ms".split())
        command(*at_the_broker(*"tc qdisc add dev eth0 root netem loss 5% delay 100ms".split()))
        yield
    finally:
        # This also removes the network line, because one of its ends is in the namespace.
        command("ip", "netns", "del", "broker")


@contextmanager
def running(*words, **options):
    process = subprocess.Popen(at_the_broker(*words), **options)
    try:
        yield
    finally:
        process.kill()
        process.wait()


class Messages:
    """The messages that a subscriber next to the broker has received: objects with topic, retain and payload."""

    def __init__(self, path):
        self.path = path

    def all(self, topic):
        messages = []
        for text in self.path.read_text().split("\n")[:-1]:
            message = json.loads(text)
            if message["topic"].startswith(f"gestured/kernel/{topic}"):
                messages.append(json.loads(message["payload"]))
        return messages

    def states(self):
        return [(message["state"], message.get("reason")) for message in self.all("status")]

    def kept(self):
        """The messages that went through the spool, by number."""
        return {int(message["id"].split("-")[1]): message for topic in ("health", "statistics") for message in self.all(topic)}

    def taps(self):
        return sum(region["gestures"].get("tap", 0) for message in self.kept().values() for region in message.get("regions", [])
                   if region["region"] == "ok")


def counted(client):
    """The number of taps in the region ok that the daemon has counted."""
    return sum(region["gestures"].get("tap", 0) for region in client.ask("counts")["regions"] if region["region"] == "ok")


@contextmanager
def bridge():
    """Runs the service and a broker behind the line. Yields the messages that a subscriber next to the broker receives."""
    with line(), ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "mosquitto.conf").write_text("listener 1883\nallow_anonymous true\nuser root\nlog_type error\n")
        stack.enter_context(running("mosquitto", "-c", folder / "mosquitto.conf"))
        wait_until(lambda: command(*at_the_broker("mosquitto_pub", "-h", "127.0.0.1", "-t", "test", "-m", "there"), check=False).returncode == 0,
                   "mosquitto takes messages", 20, pause=0.2)
        path = folder / "messages"
        with path.open("w") as output:
            stack.enter_context(running("mosquitto_sub", "-h", "127.0.0.1", "-V", "mqttv5", "-q", "1", "-t", "gestured/#", "-F", "%j", stdout=output))
        Path("/etc/gestured/mqtt.toml").write_text(SETTINGS)
        systemctl("start", UNIT)
        stack.callback(systemctl, "stop", UNIT)
        yield Messages(path)


def test_a_poor_line_to_the_broker_is_cut_for_half_a_minute():
    """No message with QoS 1 is lost, no gesture from the time of the cut arrives late, and the broker reports the panel as
    offline."""
    assert Path("/usr/bin/gestured-mqtt").exists(), "the build has no gestured-mqtt (libmosquitto-dev)"
    panel, client = bench.prepare()

    def tap(seconds):
        count, end = 0, time.monotonic() + seconds
        while time.monotonic() < end:
            panel.tap(OK)
            lines = client.collect(gesture="press", phase="end", region="ok") + client.drain()
            # If the host pauses while the finger is down, the touch is too long for a tap.
            count += sum(line.get("gesture") == "tap" for line in lines)
            rest(0.5)
        return count

    with bridge() as messages:
        before = count = 0
        try:
            wait_until(lambda: ("online", None) in messages.states() and messages.kept(), "the panel is online", 60, pause=0.2)
            # The first statistics contain the taps that the daemon has counted since its start.
            wait_until(lambda: messages.taps() == counted(client), "the earlier taps are in the statistics", 60, pause=0.2)
            before = messages.taps()
            count = tap(10)
            wait_until(lambda: messages.taps() == before + count, "all taps arrive over the poor line", 30, pause=0.2)
            live = len(messages.all("gesture/ok/tap"))
            assert live > 0, "no gesture arrived over the poor line"

            cut = time.time()
            command("ip", "link", "set", "line", "down")
            count += tap(PARTITION)
            assert messages.states()[-1] == ("offline", "lost"), messages.states()
            last = max(messages.kept())
            command("ip", "link", "set", "line", "up")
            mended = time.time()

            wait_until(lambda: messages.states()[-1] == ("online", None), "the panel is online again", 60, pause=0.2)
            wait_until(lambda: messages.taps() >= before + count, "the taps of that time are in the statistics", 60, pause=0.2)
            panel.tap(KEY)
            wait_until(lambda: [message for message in messages.all("gesture/key") if message["phase"] == "begin"],
                       "gestures arrive again", 20, pause=0.2)
            # Messages that were created after the cut
            wait_until(lambda: max(messages.kept()) > last + PARTITION, "messages from the spool continue", 30, pause=0.2)
        except AssertionError as error:
            said = command("journalctl", "-b", "-u", UNIT, "-n", "20", "--no-pager").stdout
            raise AssertionError(f"{error}; {messages.taps() - before} of {count} taps; {messages.states()}\n{said}") from error
        kept = messages.kept()
        missing = set(range(min(kept), max(kept) + 1)) - set(kept)
        assert not missing, f"lost: {sorted(missing)}"
        assert min(kept) == 1, min(kept)
        assert messages.taps() == before + count, (messages.taps(), before, count)
        late = [message for message in messages.all("gesture/") if cut + 1 < message["time_ms"] / 1000 < mended - 1]
        assert not late, late
        bench.note(f"{max(kept)} messages, none lost; {count} taps")
