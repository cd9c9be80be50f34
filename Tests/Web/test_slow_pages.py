# SPDX-License-Identifier: MIT
"""Pages that do not read: the lines that they lose, the lines of other pages, and the bridge's memory."""
import json

from fixture import Bridge, Fixture
from harness import PATIENCE
from websocket import WebSocket

PAGES = 100
TAPS = 2000
# The number of taps in a row; a page that reads can keep up with them
TURN = 50
LINES = 3
MOST_KIB = 32 * 1024


class SlowPageTests:
    def setup_method(self):
        self.fixture = Fixture(start=False)
        self.cleanup.callback(self.fixture.close)
        self.fixture.configure("[daemon]\nmax_clients = 128\nmax_clients_per_user = 128\n")
        self.fixture.start()
        self.bridge = Bridge(self.fixture, **{"limits.pages": 128})
        self.cleanup.callback(self.bridge.close)

    def page(self, **arguments):
        """A page that is connected to the daemon."""
        page = WebSocket(self.bridge.port, **arguments)
        self.cleanup.callback(page.close)
        assert [page.line()["event"] for _ in range(2)] == ["hello", "state"]
        return page

    def test_a_hundred_slow_pages_beside_a_fast_one(self):
        fast = self.page()
        # From here on these pages do not read, so only the kernel's buffers take lines.
        slow = [self.page(receive_buffer=4096) for _ in range(PAGES)]
        client = self.fixture.client()
        self.cleanup.callback(client.close)
        direct = lambda: client.next(PATIENCE)["text"]  # noqa: E731
        stream = []
        for _ in range(TAPS // TURN):
            self.fixture.panel.tap(40, 740, times=TURN)
            for _ in range(TURN * LINES):
                stream.append(fast.message())
                assert stream[-1] == direct(), "the page gets the same lines as a client of the daemon"
        lines = [json.loads(line) for line in stream]
        assert [line["seq"] for line in lines] == list(range(1, TAPS * LINES + 1)), "no line is lost"
        assert [line["gesture"] for line in lines] == ["press", "tap", "press"] * TAPS
        assert self.bridge.memory() <= MOST_KIB, "KiB of the bridge while they do not read"
        for page in slow:
            self.check_catches_up(page, stream)
        # From here on these pages receive the same lines as the other page, with their own numbers.
        self.fixture.panel.tap(40, 740)
        for _ in range(LINES):
            line = fast.message()
            assert line == direct()
            for page in slow:
                assert {**page.line(), "seq": 0} == {**json.loads(line), "seq": 0}
        assert self.bridge.memory() <= MOST_KIB, "KiB of the bridge after they have read"

    def check_catches_up(self, page, stream):
        """Checks that the page reads the whole stream except for lines that are reported as lost, each time with a state."""
        place, losses, lost = 0, 0, 0
        while place < len(stream):
            line = page.message()
            # A line that reports a loss has a number of its own.
            if line == stream[place].replace(f'"seq":{place + 1},', f'"seq":{place + 1 + losses},', 1):
                place += 1
                continue
            overflow, state = json.loads(line), page.line()
            assert overflow["event"] == "overflow", line
            losses, lost, place = losses + 1, lost + overflow["dropped"], place + overflow["dropped"]
            assert (overflow["seq"], state["event"], state["seq"]) == (place + losses, "state", place + losses)
        assert lost > len(stream) // 2, "it was slow"
        assert (place, state["active"]) == (len(stream), [])
