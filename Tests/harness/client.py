# SPDX-License-Identifier: MIT
"""A client of the daemon's socket."""
import collections
import json
import select
import socket
import struct
import time

from .basics import PATIENCE, Timeout

SOCKET = "/run/gestured/gestured.sock"


def connected(path):
    """A connection to this socket, or None if nothing listens there. A socket's path exists before it listens."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    # connect() waits until the listener's queue has room. With a timeout set in Python it would fail at once
    # instead.
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", int(PATIENCE), 0))
    try:
        connection.connect(str(path))
    except (FileNotFoundError, ConnectionRefusedError):
        connection.close()
        return None
    except BaseException:
        connection.close()
        raise
    return connection


class Client:
    """One connection. Lines are only read while a method waits. Each has its bytes (`text`) and the time when it `arrived`.

    Raises a ConnectionRefusedError if nothing listens on the path.
    """

    def __init__(self, path=SOCKET, seconds=10.0):
        self.socket = connected(path)
        if self.socket is None:
            raise ConnectionRefusedError(f"nothing listens at {path}")
        self._rest = b""
        self._queue = collections.deque()
        self._id = 0
        self.lines = []  # all lines that were read
        self.ended = False
        try:
            self.hello = self.wait(event="hello", seconds=seconds)
            self.state = self.wait(event="state", seconds=seconds)
        except BaseException:
            self.close()
            raise

    def take(self, line):
        """Stores a line that was read. Clients that read for hours override this method."""
        self.lines.append(line)

    def receive(self, seconds=0.0):
        """Reads once if data arrives in time. Returns whether there may be more."""
        if self.ended or not select.select([self.socket], [], [], max(0.0, seconds))[0]:
            return False
        try:
            data = self.socket.recv(65536)
        except ConnectionResetError:
            data = b""
        now = time.monotonic()
        if not data:
            self.ended = True
            return False
        *complete, self._rest = (self._rest + data).split(b"\n")
        for text in complete:
            line = json.loads(text)
            line["arrived"], line["text"] = now, text.decode()
            self._queue.append(line)
        return True

    def next(self, seconds=3.0):
        """The next line; None if none arrives in time or the daemon has closed the connection."""
        end = time.monotonic() + seconds
        while not self._queue:
            self.receive(end - time.monotonic())
            if not self._queue and (self.ended or time.monotonic() >= end):
                return None
        line = self._queue.popleft()
        self.take(line)
        return line

    def collect(self, until=1, seconds=3.0, **wanted):
        """All lines up to the `until`-th one with these keys and values."""
        taken, left, end = [], until, time.monotonic() + seconds
        while left:
            line = self.next(end - time.monotonic())
            if line is None:
                why = "end of file" if self.ended else f"nothing within {seconds:g} s"
                raise Timeout(f"waited for {wanted}: {why}, after {transcript(taken)}")
            taken.append(line)
            left -= all(line.get(key) == value for key, value in wanted.items())
        return taken

    def wait(self, seconds=3.0, **wanted):
        """Waits for the next line with these keys and values."""
        return self.collect(seconds=seconds, **wanted)[-1]

    def gestures(self, until=1, seconds=3.0, **wanted):
        """Like `collect`, but returns gesture lines only."""
        return [line for line in self.collect(until, seconds, **wanted) if line.get("event") == "gesture"]

    def ask(self, command, seconds=3.0, **keys):
        """The reply to a request, even if it is a refusal."""
        self._id += 1
        self.socket.sendall(json.dumps({"cmd": command, "id": self._id, **keys}).encode() + b"\n")
        return self.wait(id=self._id, seconds=seconds)

    def request(self, command, seconds=3.0, **keys):
        """The reply to a request, which must succeed."""
        reply = self.ask(command, seconds, **keys)
        assert reply["ok"], f"{command}: {reply}"
        return reply

    def drain(self):
        """Reads everything that the daemon has sent, and returns the lines before the reply to a ping."""
        before = len(self.lines)
        self.request("ping")
        return self.lines[before:-1]

    def is_open(self):
        """Reads available data, and returns whether the daemon has kept the connection open."""
        while self.receive():
            pass
        return not self.ended

    def is_listening(self):
        """Like `is_open`, but without reading: only checks whether the daemon has hung up."""
        poll = select.poll()
        poll.register(self.socket, select.POLLRDHUP)
        return not poll.poll(0)

    def wait_for_end(self, seconds=5.0):
        """Reads all lines until the daemon closes the connection."""
        end = time.monotonic() + seconds
        while not self.ended:
            if self.next(end - time.monotonic()) is None and not self.ended:
                raise Timeout(f"the connection is still open after {seconds:g} s")

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def brief(line):
    """A short form of a line for transcripts: "press begin ok", "tap ok", "device removed panel"."""
    if line.get("event") == "gesture":
        words = (line["gesture"], line.get("phase"), line["region"], line.get("reason"))
    else:
        words = (line.get("event") or f"reply {line.get('reply')}", line.get("change"), line.get("device"))
    return " ".join(word for word in words if word)


def transcript(lines):
    return [brief(line) for line in lines]
