# SPDX-License-Identifier: MIT
"""Tests of the client in loops of other libraries: `subscribe`, `fileno`, `timeout` and `process`."""
import os
import select
import socket
import subprocess
import sys
import time

import pytest

import gestured
from harness import PATIENCE, first_line
from test_gestured import BUTTON, HERE, WithDaemon, short


class LoopTests(WithDaemon):
    def take(self, client, last):
        """Waits only for the descriptor, and returns the events up to `last`."""
        poll, words, until = select.poll(), [], time.monotonic() + PATIENCE
        poll.register(client, select.POLLIN)
        while last not in words:
            assert poll.poll(max(0, until - time.monotonic()) * 1000), f"{last} did not come; got: {words}"
            words += map(short, client.process())
        return words

    def is_ready(self, client):
        poll = select.poll()
        poll.register(client, select.POLLIN)
        return bool(poll.poll(0))

    def test_the_descriptor_is_all_that_a_loop_needs(self):
        client = self.client(backoff=gestured.Backoff(first=0.001, most=0.01))
        descriptor = client.fileno()
        assert client.process() == [] and client.timeout() is None and not self.is_ready(client)
        client.subscribe(gestures=["press"])
        assert client.timeout() == 0
        # There is no daemon yet.
        for _ in range(3):
            assert select.select([client], [], [], PATIENCE)[0]
            assert client.process() == []
            assert client.timeout() <= 0.01
        self.daemon.start()
        assert self.take(client, "state") == ["hello", "state"]
        assert client.timeout() is None and not self.is_ready(client)
        self.daemon.panel.land()
        assert self.take(client, "press begin ok") == ["press begin ok"]
        self.daemon.kill()
        assert self.take(client, "disconnected") == ["press cancel disconnected ok", "disconnected"]
        self.daemon.panel.lift()
        self.daemon.start()
        assert self.take(client, "state") == ["hello", "state"]
        assert client.fileno() == descriptor

    def test_the_timeout_is_enough_without_the_descriptor_as_long_as_there_is_no_connection(self):
        client = self.client(backoff=gestured.Backoff(chance=lambda: 1.0))
        client.subscribe()
        delays = []
        for _ in range(2):
            assert client.process() == []
            delays.append(client._delay)
            assert client.timeout() <= client._delay
            client._due = 0.0
        assert delays == [0.1, 0.2]

    def test_events_that_came_during_a_request_make_the_descriptor_readable(self):
        self.daemon.start()
        client = self.client()
        client.subscribe()
        self.take(client, "state")
        client.put_region(BUTTON)
        client.remove_region("btn")
        assert self.is_ready(client) and client.timeout() == 0
        assert [short(event) for event in client.process()] == ["config", "config"]
        assert not self.is_ready(client)

    def test_another_subscription_replaces_the_first_and_events_the_second(self):
        self.daemon.start()
        client = self.client()
        client.subscribe(events=["gesture"])
        self.take(client, "state")
        client.subscribe(gestures=["tap"])
        assert self.take(client, "state") == ["hello", "state"]
        self.daemon.panel.tap()
        assert self.take(client, "tap ok") == ["tap ok"]
        events = client.events(gestures=["press"])
        assert [short(next(events)) for _ in range(2)] == ["hello", "state"]
        events.close()
        assert client.process() == []

    def test_what_events_raises_comes_after_the_events(self):
        self.daemon.start()
        client = self.client()
        client.subscribe(events=["gestrue"])
        with pytest.raises(gestured.RequestError, match="gesture"):
            self.take(client, "state")
        assert client.process() == [] and client.timeout() is None and not self.is_ready(client)
        client.subscribe()
        assert self.take(client, "state") == ["hello", "state"]
        client = gestured.Client("/tmp/" + "x" * 200)
        self.cleanup.callback(client.close)
        client.subscribe()
        with pytest.raises(gestured.Unavailable, match="107 bytes"):
            client.process()
        assert client.process() == [] and client.timeout() is None

    def test_without_reconnect_the_events_end_with_the_connection(self):
        self.daemon.start()
        client = self.client(reconnect=False)
        client.subscribe()
        self.take(client, "state")
        self.daemon.kill()
        assert self.take(client, "disconnected") == ["disconnected"]
        assert client.process() == [] and client.timeout() is None and not self.is_ready(client)

    def test_a_daemon_that_does_not_read_blocks_nothing(self):
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(self.daemon.path)
            listener.listen(1)
            client = self.client(timeout=PATIENCE)
            for _ in range(8):
                client.subscribe(regions=["x" * 60000])
                assert client.process() == []
            # The kernel takes some of it. The rest waits until the daemon is assumed to hang.
            assert client._unsent and 0 < client.timeout() <= PATIENCE
            client._patience = 0.0
            assert client.timeout() == 0
            assert client.process() == [gestured.Disconnected("the daemon does not answer; see its log")]
            assert not client._unsent

    def test_a_daemon_that_does_not_accept_blocks_nothing(self):
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(self.daemon.path)
            listener.listen(0)
            clients = [self.client() for _ in range(4)]
            for client in clients:
                client.subscribe()
                assert client.process() == []
            assert 0.05 <= clients[-1]._delay <= 0.1

    def test_a_closed_client_has_no_descriptor(self):
        count = len(os.listdir("/proc/self/fd"))
        for _ in range(5):
            client = gestured.Client(self.daemon.path)
            client.subscribe()
            client.fileno()
            client.process()
            client.close()
            assert client.process() == [] and client.timeout() is None
        assert len(os.listdir("/proc/self/fd")) == count

    @pytest.mark.parametrize("example, module", [("example_glib.py", "gi"), ("example_qt.py", "PySide2")])
    def test_the_examples(self, example, module):
        pytest.importorskip(module)
        program = subprocess.Popen(
            [sys.executable, os.path.join(HERE, example)], stdout=subprocess.PIPE, text=True,
            env={**os.environ, "GESTURED_SOCKET": self.daemon.path})
        self.cleanup.callback(program.stdout.close)
        self.cleanup.callback(program.wait, PATIENCE)
        self.cleanup.callback(program.kill)
        self.daemon.start()
        assert first_line(program, self.daemon.panel.tap) == "open ok"
