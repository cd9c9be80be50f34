# SPDX-License-Identifier: MIT
"""Fixtures for the tests of gestured-mqtt: the daemon on a fake panel, mosquitto on a free port, and subscribers, which
check every message against docs/mqtt.schema.json."""
import contextlib
import json
import os
import queue
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import uuid

import jsonschema
import paho.mqtt.client as paho
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from harness import GUEST, PATIENCE, ROOT, Daemon, free_port, program, wait_until
from harness.process import memory

HERE = os.path.dirname(os.path.abspath(__file__))
PANEL = "kiosk-17"
BASE = f"gestured/{PANEL}"
MOSQUITTO = shutil.which("mosquitto") or "/usr/sbin/mosquitto"

with open(os.path.join(ROOT, "docs", "mqtt.schema.json"), encoding="utf-8") as file:
    SCHEMA = json.load(file)


def kind(topic):
    """The topic level below the panel's. It names the definition in the schema."""
    return topic[len(BASE) + 1:].split("/")[0] if topic.startswith(BASE + "/") else None


def validate(topic, payload):
    name = kind(topic)
    if name in SCHEMA["$defs"] and payload:
        jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]}).validate(json.loads(payload))


class Broker:
    """Runs mosquitto. `settings` are additional lines of its configuration, and `listener` contains the lines for its listener."""

    def __init__(self, folder, port=None, settings=(), listener=("allow_anonymous true",)):
        self.folder, self.port = folder, port or free_port()
        self.path = os.path.join(folder, f"mosquitto-{self.port}.conf")
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("\n".join(["per_listener_settings false", "log_type error", *(["user root"] if os.getuid() == 0 else []),
                                  *settings, f"listener {self.port} 127.0.0.1", *listener, ""]))
        self.start()

    def start(self):
        # Logs to a file. A pipe would fill up, because nothing reads it.
        with open(os.path.join(self.folder, "mosquitto.log"), "a", encoding="utf-8") as log:
            self.process = subprocess.Popen([MOSQUITTO, "-c", self.path], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        wait_until(self._is_listening, "mosquitto listens", PATIENCE)

    def _is_listening(self):
        assert self.process.poll() is None, "mosquitto has ended"
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
            return True
        except OSError:
            return False

    def kill(self, number=signal.SIGKILL):
        if self.process.poll() is None:
            self.process.send_signal(number)
            self.process.wait(PATIENCE)


class Subscriber:
    """Subscribes to topics and stores their messages."""

    def __init__(self, port, topics=("#",), version=paho.MQTTv5, tls=None):
        self.messages = queue.Queue()
        self.all = []
        self.ready = queue.Queue()
        self.broken = []
        self.client = paho.Client(client_id=f"test-{uuid.uuid4()}", protocol=version)
        if tls:
            self.client.tls_set(ca_certs=tls)
        self.client.reconnect_delay_set(1, 1)
        self.client.on_connect = lambda client, *_: client.subscribe([(topic, 1) for topic in topics])
        self.client.on_subscribe = lambda *_: self.ready.put(True)
        self.client.on_message = self._take
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()
        self.ready.get(timeout=PATIENCE)

    def _take(self, _client, _data, message):
        try:
            validate(message.topic, message.payload)
        except Exception as error:  # `close` raises it in the test's thread
            self.broken.append(f"{message.topic}: {message.payload!r}: {error}")
        self.all.append(message)
        self.messages.put(message)

    def wait(self, topic, where=lambda _: True, within=PATIENCE):
        """The next message of a topic for which `where` is true, as JSON. Skips other messages."""
        end = time.monotonic() + within
        while True:
            try:
                message = self.messages.get(timeout=max(0, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"no message of {topic}; got " + ", ".join(m.topic for m in self.all[-20:])) from None
            if message.topic != topic:
                continue
            value = json.loads(message.payload) if message.payload else None
            if where(value):
                return value

    def flush(self):
        """Waits until this subscriber has received everything that the broker has received so far."""
        topic = f"test/flush/{uuid.uuid4()}"
        self.client.publish(topic, "1", 1)
        self.wait(topic)

    def request(self, command, payload, **options):
        """Sends a command with MQTT 5. Returns the answer and its correlation data."""
        topic = f"{BASE}/response/{uuid.uuid4()}"
        answers = queue.Queue()
        self.client.message_callback_add(topic, lambda _c, _d, message: answers.put(message))
        self.ready = queue.Queue()
        self.client.subscribe(topic, 1)
        self.ready.get(timeout=PATIENCE)
        properties_of_request = Properties(PacketTypes.PUBLISH)
        properties_of_request.ResponseTopic, properties_of_request.CorrelationData = topic, b"\x00\x01corr"
        if not isinstance(payload, (str, bytes)):
            payload = json.dumps(payload)
        self.client.publish(f"{BASE}/command/{command}", payload, 1, properties=properties_of_request, **options)
        message = answers.get(timeout=PATIENCE)
        assert message.properties.CorrelationData == b"\x00\x01corr"
        value = json.loads(message.payload)
        jsonschema.Draft202012Validator({"$ref": "#/$defs/response", "$defs": SCHEMA["$defs"]}).validate(value)
        self.answers = answers
        return value

    def close(self):
        self.client.disconnect()
        self.client.loop_stop()
        assert not self.broken, self.broken


class Fixture(Daemon):
    """The panel, the daemon that reads it, and a broker."""

    def __init__(self, start=True, command=None, **broker):
        with open(os.path.join(HERE, "fixture.toml"), encoding="utf-8") as file:
            super().__init__(file.read(), command=command)
        os.chmod(self.folder, 0o755)
        self.broker = Broker(self.folder, **broker)
        self.programs, self.subscribers = [], []
        if start:
            self.start()

    def start(self):
        super().start()
        self.open_to_others()

    def restart_daemon(self, program):
        """Kills the daemon, starts a new one, and returns when the program has subscribed to it."""
        self.kill()
        self.start()
        wait_until(lambda: any(client["pid"] == program.process.pid and client["events"] for client in self.ask("clients")["clients"]),
                   lambda: "the program comes back:\n" + program.log(), PATIENCE)

    def generation(self):
        """The generation of the configuration. A reload increases it."""
        return self.ask("status")["config"]["generation"]

    def subscriber(self, *topics, **options):
        subscriber = Subscriber(self.broker.port, topics or ("#",), **options)
        self.subscribers.append(subscriber)
        return subscriber

    def kill_broker(self, program, subscriber):
        """Kills the broker after it has delivered all messages that it has acknowledged. Otherwise, these messages would
        be lost."""
        program.process.send_signal(signal.SIGSTOP)
        # Messages that the program has sent may arrive after the first flush.
        subscriber.flush()
        subscriber.flush()
        self.broker.kill()
        program.process.send_signal(signal.SIGCONT)

    def broker_again(self, *programs):
        """Restarts the broker, and subscribes before the programs can send anything."""
        for program in programs:
            program.process.send_signal(signal.SIGSTOP)
        self.broker.start()
        subscriber = self.subscriber()
        for program in programs:
            program.process.send_signal(signal.SIGCONT)
        return subscriber

    def program(self, settings="", broker="", user=GUEST, port=None):
        program = Program(self, settings, broker, user, port)
        self.programs.append(program)
        return program

    def close(self):
        for program in self.programs:
            program.close()
        try:
            for subscriber in self.subscribers:
                subscriber.close()
        finally:
            self.broker.kill()
            super().close()


class Program:
    """Runs gestured-mqtt. Only root can choose its `user`."""

    def __init__(self, fixture, settings="", broker="", user=GUEST, port=None, start=True):
        self.user = user
        self.state = tempfile.mkdtemp(prefix="state.", dir=fixture.folder)
        if user:
            shutil.chown(self.state, user)
        self.file = os.path.join(self.state, "mqtt.toml")
        self.log_path = os.path.join(fixture.folder, f"{os.path.basename(self.state)}.log")
        self.head = (f'version = 1\npanel = "{PANEL}"\nsocket = "{fixture.path}"\nstate = "{self.state}"\n')
        self.broker = f'[broker]\nhost = "127.0.0.1"\nport = {port or fixture.broker.port}\nretry = "1s"\n{broker}\n'
        self.configure(settings)
        if start:
            self.start()

    def configure(self, settings):
        """Writes the configuration. `settings` are keys at the top of the file, followed by tables."""
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(self.head + settings.replace("[broker]", self.broker) if "[broker]" in settings
                       else self.head + settings.split("[", 1)[0] + self.broker
                       + ("[" + settings.split("[", 1)[1] if "[" in settings else ""))
        os.chmod(self.file, 0o644)

    def start(self, prefix=()):
        """Starts the program. `prefix` is the command of a wrapper that starts it as the right user."""
        with open(self.log_path, "a", encoding="utf-8") as log:
            self.process = subprocess.Popen([*prefix, program("gestured-mqtt"), "-c", self.file], stdin=subprocess.DEVNULL, stderr=log,
                                            user=None if prefix else self.user)

    def log(self):
        with open(self.log_path, encoding="utf-8") as file:
            return file.read()

    def wait_for_log(self, text):
        wait_until(lambda: text in self.log(), lambda: f"{text!r} is in the log:\n{self.log()}", PATIENCE)

    def spooled(self, key):
        """The largest number after `key` in the messages on the disk. Sent messages are included until SQLite overwrites
        them. The program locks the database, so this method searches the bytes of its files."""
        text = b""
        for name in ("spool.sqlite", "spool.sqlite-wal"):
            with contextlib.suppress(FileNotFoundError), open(os.path.join(self.state, name), "rb") as file:
                text += file.read()
        return max(map(int, re.findall(key.encode() + rb"(\d+)", text)), default=0)

    def wait_for_spool(self, count, key=r'"id":"\w+-'):
        """Waits until the largest number after `key` has grown by `count`. The default key is that of the message's number."""
        last = self.spooled(key) + count
        wait_until(lambda: self.spooled(key) >= last, f"{key}{last} is on the disk", PATIENCE)

    def kill(self, number=signal.SIGKILL):
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.kill()

    def memory(self):
        """The program's private memory in KiB."""
        return memory(self.process.pid)
