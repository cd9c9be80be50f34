# SPDX-License-Identifier: MIT
"""The network fails: the panel is in a network namespace whose cable is pulled. Tests/Kernel/test_mqtt.py adds a poor line,
which few kernels can simulate."""
import json
import os
import subprocess
import time

import pytest

from fixture import BASE, Broker, Fixture, Program, Subscriber
from harness import GUEST, PATIENCE, wait_until

EVERY_SECOND = '[statistics]\nevery = "1s"\n[health]\nevery = "1s"\n'


def ip(*words):
    return subprocess.run(["ip", *words], capture_output=True).returncode == 0


class NetworkTests:
    def setup_method(self):
        name = f"mqtt{os.getpid() % 10000}"
        if os.getuid() != 0 or not ip("netns", "add", name):
            pytest.skip("network namespaces cannot be created here")
        self.cleanup.callback(ip, "netns", "del", name)
        self.name, self.cable = name, f"v{name}"
        if not ip("link", "add", self.cable, "type", "veth", "peer", "name", "eth0", "netns", name):
            pytest.skip("there is no veth here")
        ip("addr", "add", "10.213.7.1/30", "dev", self.cable)
        ip("link", "set", self.cable, "up")
        ip("-n", name, "addr", "add", "10.213.7.2/30", "dev", "eth0")
        ip("-n", name, "link", "set", "eth0", "up")
        self.fixture = Fixture()
        self.cleanup.callback(self.fixture.close)
        self.broker = Broker(self.fixture.folder, listener=("allow_anonymous true", "listener 1883 10.213.7.1", "allow_anonymous true"))
        self.cleanup.callback(self.broker.kill)

    def start(self):
        """Starts the program inside the panel's network namespace, and a subscriber outside."""
        subscriber = Subscriber(self.broker.port)
        self.cleanup.callback(subscriber.close)
        program = Program(self.fixture, 'max_age = "1s"\n' + EVERY_SECOND, 'timeout = "3s"', user=GUEST, start=False)
        with open(program.file, encoding="utf-8") as file:
            text = file.read().replace("127.0.0.1", "10.213.7.1").replace(f"port = {self.fixture.broker.port}", "port = 1883")
        with open(program.file, "w", encoding="utf-8") as file:
            file.write(text)
        program.start(prefix=["ip", "netns", "exec", self.name, "setpriv", f"--reuid={GUEST}", "--clear-groups"])
        self.cleanup.callback(program.close)
        subscriber.wait(f"{BASE}/status", lambda value: value.get("health") == "ok")
        return program, subscriber

    def check(self, subscriber, more):
        """Checks that all messages arrive, including the next `more` ones."""
        def numbers():
            return [int(json.loads(m.payload)["id"].split("-")[1]) for m in subscriber.all
                    if m.topic in (f"{BASE}/statistics", f"{BASE}/health") and not m.retain]

        last = max(numbers(), default=0) + more
        wait_until(lambda: max(numbers(), default=0) >= last, f"message {last} arrives", 3 * PATIENCE)
        got = numbers()
        assert sorted(set(got)) == list(range(1, max(got) + 1))

    def test_a_pulled_cable(self):
        program, subscriber = self.start()
        subscriber.wait(f"{BASE}/health")
        ip("link", "set", self.cable, "down")
        self.fixture.panel.tap(100, 100, times=2)
        # Longer than the program's timeout (3 s), so that it closes the connection and its next attempts fail.
        time.sleep(8)
        ip("link", "set", self.cable, "up")
        self.check(subscriber, 20)
        # The taps made without a network are too old to be sent.
        assert not [m.topic for m in subscriber.all if "/gesture/" in m.topic]
        self.fixture.panel.tap(100, 100)
        subscriber.wait(f"{BASE}/gesture/door%2Ffront/tap")
        # None of the failed connection attempts succeeds later, which would end the session of the current
        # connection.
        assert program.log().count("connected to") == 2, program.log()
