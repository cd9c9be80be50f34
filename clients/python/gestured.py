#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A client of gestured, the gesture daemon. It is one file without dependencies, for Python 3.9 or newer.

    import gestured

    client = gestured.Client()
    for event in client.events(regions=["ok"]):
        if isinstance(event, gestured.Gesture) and event.gesture == "tap":
            client.set_scene("checkout")

`AsyncClient` is the variant for asyncio (`async for`, `await`). A program with a loop of its own, such as that of GTK or
Qt, uses `Client.subscribe`, `fileno` and `process`. The clients connect automatically, and reconnect if the connection is
lost. Every gesture that begins also ends, either with the daemon's `end` or `cancel`, or with a `cancel` that the client
adds when the connection (`reason == "disconnected"`) or lines (`reason == "lost"`) have been lost.

When it is run as a program, it prints events: `python3 gestured.py --help`.
"""
from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import errno
import functools
import io
import json
import math
import os
import random
import re
import select
import socket
import sys
import time
from collections import deque
from dataclasses import dataclass, field
from typing import (
    Any, AsyncIterator, Callable, Deque, Dict, Iterable, Iterator, List, NamedTuple, Optional, Pattern, Sequence,
    Set, Tuple, Union, get_args, get_origin, get_type_hints)

__all__ = [
    "ALL_PHASES", "Active", "AsyncClient", "Backoff", "Bye", "Client", "Config", "Contact", "Device", "Disconnected",
    "Error", "Event", "Failed", "Frame", "FurtherRegion", "Gesture", "Hello", "Idle", "IgnoredContact", "Overflow", "Point",
    "ProtocolError", "RequestError", "State", "Touches", "Unavailable", "Unknown", "Wake", "default_path"]

PROTOCOL = 1
#: All phases of a continuous gesture. Without the option `phases`, a client receives all of them except "update".
ALL_PHASES = ("begin", "update", "end", "cancel")
_SILENT_PHASES = ("begin", "end", "cancel")
#: The maximum length in bytes of a request that the daemon accepts, including the line feed.
_REQUEST_BYTES = 64 * 1024
#: The maximum number of regions in one `define_regions`.
_DEFINITIONS = 256
#: The maximum length in bytes of a line that the client accepts. Even a `regions` reply with thousands of regions is shorter.
_LINE_BYTES = 16 << 20
#: The maximum number of values in a line. A parsed value takes about a hundred bytes in Python.
_LINE_VALUES = 1 << 20
#: The maximum length in bytes of a gesture's line that the client accepts. The daemon writes at most 4096 bytes.
_GESTURE_BYTES = 16 << 10
#: The maximum number of gestures that have begun and not ended. There are far fewer on a real panel.
_OPEN_GESTURES = 4096
#: The maximum total size of waiting events in bytes. If it is exceeded, because the program does not read its events, the
#: client closes the connection.
_WAITING_BYTES = 16 << 20


def default_path() -> str:
    """Returns the path of the daemon's socket: $GESTURED_SOCKET, or else the socket of the system's daemon."""
    return os.environ.get("GESTURED_SOCKET") or "/run/gestured/gestured.sock"


# -- errors ---------------------------------------------------------------------------------------


class Error(Exception):
    """The base class of this module's errors."""


class Unavailable(Error, ConnectionError):
    """There is no daemon at the socket, or the daemon closed the connection before it replied."""

    def __init__(self, path: str, cause: str, permanent: bool = False) -> None:
        super().__init__(f"{path}: {cause}")
        self.path = path
        self.cause = cause
        #: Whether trying again would not help, for example because permission is missing or the path is too long.
        self.permanent = permanent


class ProtocolError(Error):
    """The program at the socket is not gestured or uses another protocol, because a line does not conform to docs/protocol.md."""


class RequestError(Error):
    """The daemon refused a request and changed nothing."""

    def __init__(self, command: str, error: Any) -> None:
        given = error if isinstance(error, dict) else {}
        code, message, suggestion = given.get("code"), given.get("message"), given.get("suggestion")
        diagnostics = given.get("diagnostics")
        self.command = command
        #: One of the codes in docs/protocol.md, such as "permission_denied" or "not_found".
        self.code = code if isinstance(code, str) else "internal"
        self.message = message if isinstance(message, str) else "the daemon refused the request"
        #: The most similar valid name.
        self.suggestion: Optional[str] = suggestion if isinstance(suggestion, str) else None
        #: The errors for "config_invalid", as in `Config.diagnostics`.
        self.diagnostics: List[Dict[str, Any]] = [
            entry for entry in (diagnostics if isinstance(diagnostics, list) else []) if isinstance(entry, dict)]
        hint = f"; did you mean \"{self.suggestion}\"?" if self.suggestion else ""
        super().__init__(f"{command}: {self.message}{hint} ({self.code})")


# -- events ---------------------------------------------------------------------------------------


class Point(NamedTuple):
    """A point in output pixels."""

    x: float
    y: float


@dataclass(frozen=True)
class Active:
    """A continuous gesture that has begun and not ended."""

    region: str
    gesture: str
    name: str
    sequence: int
    device: str = ""
    #: As in `Gesture`.
    leased: bool = False


@dataclass(frozen=True)
class Contact:
    """A contact of a panel."""

    id: int
    slot: int
    x: float
    y: float
    region: Optional[str] = None
    major_mm: Optional[float] = None
    #: The receiver on a shared panel: ``app``, ``gestured`` or ``both``.
    to: Optional[str] = None
    #: The key of ``[device.application]`` that hides the contact from the application.
    kept: Optional[str] = None
    #: The number of the sequence in the region that owns the contact.
    sequence: Optional[int] = None


@dataclass(frozen=True)
class FurtherRegion:
    """A region that receives contacts of a panel without owning them."""

    region: str
    sequence: int
    #: The ids of the contacts.
    contacts: Tuple[int, ...] = ()


@dataclass(frozen=True)
class IgnoredContact:
    """A contact of a panel that a filter of the configuration hides until it lifts."""

    slot: int
    x: float
    y: float
    #: The key of ``[filter]`` that hides the contact.
    filter: str
    #: The receiver on a shared panel: ``app`` or ``nobody``.
    to: Optional[str] = None
    #: The key of ``[device.application]`` that hides the contact from the application.
    kept: Optional[str] = None


@dataclass(frozen=True)
class _Line:
    #: The whole line, including unknown keys. For an event that this client has added, a line with the same keys.
    raw: Dict[str, Any] = field(default_factory=dict, repr=False, compare=False)


@dataclass(frozen=True)
class Hello(_Line):
    """The daemon has accepted the connection. `instance` changes with each start of the daemon."""

    server: str = ""
    instance: str = ""
    capabilities: Tuple[str, ...] = ()
    rights: Tuple[str, ...] = ()
    config_generation: int = 0
    protocol: int = PROTOCOL


@dataclass(frozen=True)
class State(_Line):
    """The current state, which replaces all earlier information. It follows `Hello` and `Overflow`."""

    seq: int = 0
    devices: Tuple[Dict[str, Any], ...] = ()
    scene: str = "default"
    #: The time that is left of the scene, if the scene was set for a time.
    scene_for_ms: Optional[int] = None
    profile: str = "default"
    #: The names of the idle times that have begun and not ended.
    idle: Tuple[str, ...] = ()
    #: The gestures in progress that match the filter of this client.
    active: Tuple[Active, ...] = ()


@dataclass(frozen=True)
class Gesture(_Line):
    """A gesture. Values that do not apply to its kind are `None`. docs/protocol.md describes the keys."""

    gesture: str = ""
    name: str = ""
    region: str = ""
    sequence: int = 0
    #: "begin", "update", "end" or "cancel"; `None` for a discrete gesture.
    phase: Optional[str] = None
    #: The reason for a "cancel". It comes from the daemon, or it is "disconnected" or "lost" if this client has added the cancel.
    reason: Optional[str] = None
    seq: int = 0
    #: This field and all following fields are missing in an added cancel if the gesture is known only from a `State`.
    device: Optional[str] = None
    fingers: Optional[int] = None
    x: Optional[float] = None
    y: Optional[float] = None
    u: Optional[float] = None
    v: Optional[float] = None
    time_us: Optional[int] = None
    wall_ms: Optional[int] = None
    coalesced: int = 0
    # vocabulary: members
    inside: Optional[bool] = None
    held_ms: Optional[int] = None
    count: Optional[int] = None
    duration_ms: Optional[int] = None
    n: Optional[int] = None
    direction: Optional[str] = None
    angle: Optional[float] = None
    distance_mm: Optional[float] = None
    velocity_mm_s: Optional[float] = None
    start: Optional[Point] = None
    predicted: Optional[Point] = None
    dx: Optional[float] = None
    dy: Optional[float] = None
    vx: Optional[float] = None
    vy: Optional[float] = None
    scale: Optional[float] = None
    rotation: Optional[float] = None
    steps: Optional[int] = None
    #: The identifier in the configuration that says what the gesture does. It is `None` in an added cancel if the gesture is known only from a `State`.
    action: Optional[str] = None
    velocity_deg_s: Optional[float] = None
    score: Optional[float] = None
    #: Whether a client has defined the region, which can have any name. Only regions of the files stand for what they are named.
    leased: bool = False
    # vocabulary: end

    @property
    def key(self) -> Tuple[str, str, str, int]:
        """A key that is equal for all lines of one gesture."""
        return (self.region, self.gesture, self.name, self.sequence)

    @property
    def is_added(self) -> bool:
        """Whether this client has added this cancel."""
        return self.reason in ("disconnected", "lost")


@dataclass(frozen=True)
class Failed(_Line):
    """A gesture that was not recognized, and the reason. Sent only with `events=["failed", …]`."""

    gesture: str = ""
    name: str = ""
    region: str = ""
    device: str = ""
    sequence: int = 0
    code: str = ""
    message: str = ""
    value: Optional[float] = None
    limit: Optional[float] = None
    unit: Optional[str] = None
    seq: int = 0
    time_us: int = 0
    wall_ms: Optional[int] = None
    #: The key of the configuration that caused the failure.
    key: Optional[str] = None
    action: Optional[str] = None
    leased: bool = False


@dataclass(frozen=True)
class Touches(_Line):
    """All contacts of a panel. Sent only with `events=["touches", …]`."""

    device: str = ""
    contacts: Tuple[Contact, ...] = ()
    given: Tuple[int, ...] = ()
    ignored: Tuple[IgnoredContact, ...] = ()
    seq: int = 0
    coalesced: int = 0
    time_us: int = 0
    wall_ms: Optional[int] = None
    seen_by: Tuple[FurtherRegion, ...] = ()


@dataclass(frozen=True)
class Frame(_Line):
    """One frame of the kernel's input events. Sent only with `events=["frame", …]`."""

    device: str = ""
    #: The kernel's events, each as `[type, code, value]`.
    events: Tuple[List[int], ...] = ()
    resync: bool = False
    suspended: bool = False
    removed: bool = False
    seq: int = 0
    time_us: int = 0
    wall_ms: Optional[int] = None


@dataclass(frozen=True)
class Idle(_Line):
    """No panel has been touched for some time (`change` is "idle"), or a panel has been touched again ("active")."""

    name: str = ""
    change: str = ""
    #: The reason why the idle time has ended: "touch", "scene" or "reload".
    reason: Optional[str] = None
    idle_ms: int = 0
    time_us: int = 0
    seq: int = 0
    wall_ms: Optional[int] = None


@dataclass(frozen=True)
class Wake(_Line):
    """A touch has woken the display, and does nothing else. Sent with `events=["idle", …]`."""

    device: str = ""
    #: The source that said that the display was off: "display" or "scene".
    reason: str = ""
    time_us: int = 0
    seq: int = 0
    wall_ms: Optional[int] = None


@dataclass(frozen=True)
class Device(_Line):
    """A panel was added or removed, given back to the application by five fingers, or grabbed again: `change` is "added",
    "removed", "given_back" or "grabbed"."""

    change: str = ""
    device: str = ""
    node: str = ""
    name: str = ""
    seq: int = 0
    wall_ms: Optional[int] = None


@dataclass(frozen=True)
class Config(_Line):
    """The configuration, the scene, the profile or the defined regions changed, or a new configuration was rejected."""

    change: str = ""
    generation: int = 0
    scene: Optional[str] = None
    #: The time that is left of the scene, if the scene was set for a time.
    scene_for_ms: Optional[int] = None
    #: The profile; None while it is "default", except in the line about a change to it.
    profile: Optional[str] = None
    diagnostics: Tuple[Dict[str, Any], ...] = ()
    seq: int = 0
    wall_ms: Optional[int] = None


@dataclass(frozen=True)
class Overflow(_Line):
    """This client has read too slowly and has lost lines. A `State` follows."""

    dropped: int = 0
    since_ms: int = 0
    seq: int = 0


@dataclass(frozen=True)
class Bye(_Line):
    """The daemon is stopping."""

    reason: str = ""


@dataclass(frozen=True)
class Disconnected:
    """The connection was lost. Before it, each open gesture has been reported as cancelled. The client then reconnects."""

    cause: str

    @property
    def raw(self) -> Dict[str, Any]:
        """This event as a line, as for all other events. The daemon has not sent it."""
        return {"event": "disconnected", "cause": self.cause}


@dataclass(frozen=True)
class Unknown(_Line):
    """An event that only a later daemon sends."""

    event: str = ""


Event = Union[
    Hello, State, Gesture, Failed, Touches, Frame, Idle, Wake, Device, Config, Overflow, Bye, Disconnected, Unknown]

_EVENTS = {
    "hello": Hello, "state": State, "gesture": Gesture, "failed": Failed, "touches": Touches, "frame": Frame,
    "idle": Idle, "wake": Wake, "device": Device, "config": Config, "overflow": Overflow, "bye": Bye}


class _WrongValue(ValueError):
    """The error for a value that the protocol does not allow for its key."""


def _only(*kinds: type) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        # isinstance() would accept True as a number.
        if type(value) not in kinds:
            raise _WrongValue
        return value
    return check


_PLAIN = {str: _only(str), int: _only(int), float: _only(int, float), bool: _only(bool)}


def _reader(hint: Any) -> Callable[[Any], Any]:
    """Returns a function that converts a JSON value to this type, or raises `_WrongValue`."""
    if hint in _PLAIN:
        return _PLAIN[hint]
    kind, parts = get_origin(hint), get_args(hint)
    if kind is Union:
        inner = _reader(parts[0])
        return lambda value: None if value is None else inner(value)
    if kind in (tuple, list):
        one = _reader(parts[0])
        return lambda value: kind(map(one, _only(list)(value)))
    if kind is dict:
        return _only(dict)
    return functools.partial(_make, hint)


@functools.lru_cache(maxsize=None)
def _readers(kind: type) -> Tuple[Dict[str, Callable[[Any], Any]], Set[str]]:
    """Returns the reader of each key of a line, and the required keys."""
    readers = {name: _reader(hint) for name, hint in get_type_hints(kind).items() if name != "raw"}
    if not dataclasses.is_dataclass(kind):
        return readers, set(readers)
    missing = dataclasses.MISSING
    return readers, {part.name for part in dataclasses.fields(kind)
                     if part.default is missing and part.default_factory is missing}


def _make(kind: type, source: Any, **given: Any) -> Any:
    """Creates an instance of a dataclass from the keys of a line. Unknown keys are ignored."""
    readers, needed = _readers(kind)
    if type(source) is not dict or not needed <= source.keys():
        raise _WrongValue
    return kind(**{key: readers[key](value) for key, value in source.items() if key in readers}, **given)


def _event(line: Dict[str, Any]) -> Event:
    kind = _EVENTS.get(line["event"])
    if kind is None:
        return Unknown(raw=line, event=line["event"])
    return _make(kind, line, raw=line)


def _whole(digits: str) -> int:
    # The daemon never sends longer numbers. Before Python 3.11, int() takes hours for a million digits.
    if len(digits) > 20:
        raise ValueError
    return int(digits)


def _fraction(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError
    return number


def _no_number(_: str) -> Any:
    raise ValueError


def _parsed(text: bytes) -> Any:
    """Parses a line of JSON. Raises `ValueError` or `RecursionError` if it cannot come from a daemon."""
    if sum(map(text.count, (b",", b"[", b"{"))) > _LINE_VALUES:
        raise ValueError
    line = json.loads(text.decode(), parse_int=_whole, parse_float=_fraction, parse_constant=_no_number)
    if re.search(rb"\\u[dD][89a-fA-F]", text):
        # Half of a surrogate pair is not valid text, so it could not be printed or sent.
        json.dumps(line, ensure_ascii=False).encode()
    return line


# -- protocol -------------------------------------------------------------------------------------


class Backoff:
    """The delays before attempts to connect: 0.1 s, doubled each time up to 5 s, minus a random part of at most half."""

    def __init__(self, chance: Callable[[], float] = random.random, first: float = 0.1, most: float = 5.0) -> None:
        self._chance, self._first, self._most = chance, first, most
        self._next = first

    def delay(self) -> float:
        """Returns the seconds until the next attempt."""
        wait, self._next = self._next, min(self._next * 2, self._most)
        return wait * (0.5 + 0.5 * self._chance())

    def reset(self) -> None:
        """Starts again with the shortest delay. Call this when the daemon has answered."""
        self._next = self._first


def _pattern(globs: Optional[Sequence[str]]) -> Pattern[str]:
    """Returns a pattern for globs. They work as in the daemon: `*` matches any text, and `?` matches one character."""
    if globs is None:
        return re.compile("", re.DOTALL)
    words = ["".join({"*": ".*", "?": "."}.get(letter, re.escape(letter)) for letter in glob) for glob in globs]
    return re.compile("(?:" + "|".join(words) + r")\Z" if words else r"(?!)", re.DOTALL)


class _Subscription:
    """The options of one call of `events(…)`."""

    def __init__(self, options: Dict[str, Any]) -> None:
        self.keys = {key: list(value) if isinstance(value, (tuple, set, frozenset)) else value
                     for key, value in options.items() if value is not None}
        for key, value in self.keys.items():
            if key in ("events", "regions", "devices", "gestures", "names", "phases") and not isinstance(value, list):
                raise TypeError(f"{key} must be a list of strings")
        self.keys.setdefault("phases", list(_SILENT_PHASES))
        self._regions = _pattern(self.keys.get("regions"))
        self._devices = _pattern(self.keys.get("devices"))
        self._gestures = _pattern(self.keys.get("gestures"))
        self._names = _pattern(self.keys.get("names"))
        self._has_gestures = "gesture" in self.keys.get("events", ["gesture"])
        #: Whether open gestures are followed. This requires "end" and "cancel" in the subscription.
        self.follows = self._has_gestures and {"end", "cancel"} <= set(self.keys["phases"])

    def covers(self, active: Active) -> bool:
        return bool(
            self._has_gestures and self._regions.match(active.region) and self._gestures.match(active.gesture)
            and self._names.match(active.name) and self._devices.match(active.device))


#: The subscription of a client that only makes requests.
_NOTHING = _Subscription({"events": []})


class _Session:
    """The protocol for both clients, without I/O. It converts received bytes to events and replies."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.events: Deque[Event] = deque()
        #: The replies to pending requests, by number; `None` until a reply arrives.
        self.replies: Dict[int, Optional[Dict[str, Any]]] = {}
        #: The reason why the last connection was lost.
        self.cause = ""
        self.failure: Optional[Error] = None
        self.is_greeted = False
        #: The number of the current call of `events(…)`. A new call ends the old one.
        self.turn = 0
        self._subscription = _NOTHING
        self._subscribing: Optional[int] = None
        self._leasing: Set[int] = set()
        #: The numbers of the requests on this connection that have no reply yet, in the order in which they were sent.
        self._unanswered: Dict[int, None] = {}
        self._lease: List[Dict[str, Any]] = []
        self._hello: Optional[Hello] = None
        self._open: Dict[Tuple[str, str, str, int], Gesture] = {}
        self._buffer = bytearray()
        self._searched = 0
        #: An upper bound on the total size in bytes of the lines of waiting events. It is reset only when no event is waiting.
        self._waiting = 0
        self._id = 0

    def request(self, command: str, keys: Dict[str, Any]) -> Tuple[int, bytes]:
        self._id += 1
        request = {"cmd": command, "id": self._id, **{key: value for key, value in keys.items() if value is not None}}
        line = json.dumps(request, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode() + b"\n"
        if len(line) > _REQUEST_BYTES:
            raise RequestError(command, {
                "code": "line_too_long", "message": f"a request must not be longer than {_REQUEST_BYTES} bytes"})
        return self._id, line

    def subscribe(self, options: Dict[str, Any]) -> int:
        """Replaces the stream of events. Iterating over the old stream ends."""
        subscription = _Subscription(options)
        self.request("subscribe", subscription.keys)
        return self._turn_to(subscription)

    def rest(self) -> None:
        """Ends the stream of events."""
        self._turn_to(_NOTHING)

    def _turn_to(self, subscription: _Subscription) -> int:
        self._subscription = subscription
        self.turn += 1
        if subscription is _NOTHING:
            self._open.clear()
            self.events.clear()
        self._drop_events()
        self.failure = None
        return self.turn

    def expect(self, number: int) -> None:
        """Waits for the reply to a request. Call this when the request is sent."""
        self.replies[number] = None
        self._unanswered[number] = None

    def subscription_line(self) -> bytes:
        self._subscribing, line = self.request("subscribe", self._subscription.keys)
        self._unanswered[self._subscribing] = None
        return line

    def greeting(self) -> bytes:
        """Returns the first requests on a connection. Regions are defined before the subscription, because it may name them."""
        self._buffer.clear()
        self._searched = 0
        self._hello, self.is_greeted = None, False
        lease = self._lease_lines()
        self._unanswered = dict.fromkeys(sorted(self._leasing))
        return lease + self.subscription_line()

    def _lease_lines(self) -> bytes:
        """Returns requests that define the leased regions: one for all, or one for each region if it would be too long."""
        self._leasing = set()
        if not self._lease:
            return b""
        lines: List[Tuple[int, bytes]] = []
        if len(self._lease) <= _DEFINITIONS:
            with contextlib.suppress(RequestError):
                lines = [self.request("define_regions", {"lease": True, "regions": self._lease})]
        lines = lines or [self.request("put_region", {"lease": True, "region": region}) for region in self._lease]
        self._leasing = {number for number, _ in lines}
        return b"".join(line for _, line in lines)

    def leased(self, regions: List[Dict[str, Any]]) -> None:
        self._lease = regions

    def put(self, region: Dict[str, Any], below: Optional[str]) -> None:
        """Updates the lease after a successful `put_region`."""
        places = [old.get("id") for old in self._lease]
        if region.get("id") in places:
            place = places.index(region.get("id"))
            if below is None:
                self._lease[place] = region
                return
            del self._lease[place], places[place]
        self._lease.insert(places.index(below) if below in places else len(places), region)

    def removed(self, region: str) -> None:
        self._lease = [old for old in self._lease if old.get("id") != region]

    def feed(self, data: bytes) -> None:
        """Handles received bytes: adds events, and sets replies."""
        if not self.events:
            self._waiting = 0
        self._buffer += data
        while True:
            end = self._buffer.find(b"\n", self._searched)
            if end < 0:
                self._searched = len(self._buffer)
                if self._searched > _LINE_BYTES:
                    raise ProtocolError(f"{self.path}: a line of more than 16 MiB; this is not a gesture daemon")
                return
            line = bytes(self._buffer[:end])
            del self._buffer[:end + 1]
            self._searched = 0
            self._take(line)

    def _take(self, text: bytes) -> None:
        try:
            line = _parsed(text)
        except (ValueError, RecursionError):
            line = None
        if isinstance(line, dict) and isinstance(line.get("reply", 0), (str, type(None))):
            self._take_reply(line)
        elif isinstance(line, dict) and "reply" not in line and isinstance(line.get("event"), str):
            self._take_event(self.event(line, len(text)), len(text))
        else:
            raise ProtocolError(f"{self.path}: a line that is not a JSON object; this is not a gesture daemon")

    def event(self, line: Dict[str, Any], size: int = 0) -> Event:
        """Converts a line to an event. Raises `ProtocolError` for values that the protocol does not allow."""
        try:
            event = _event(line)
        except _WrongValue:
            raise self.wrong(line.get("event")) from None
        if isinstance(event, Gesture) and size > _GESTURE_BYTES:
            raise self.wrong("gesture")
        return event

    def wrong(self, line: Any) -> ProtocolError:
        return ProtocolError(f"{self.path}: a line \"{str(line)[:64]}\" with wrong values; this is not a gesture daemon")

    def _take_reply(self, line: Dict[str, Any]) -> None:
        number = line.get("id")
        if number is None:
            error = line.get("error")
            code, message = (error.get("code"), error.get("message")) if isinstance(error, dict) else (None, None)
            if not self._unanswered or not isinstance(code, str) or code == "busy":
                # The daemon has no place for this client, and closes the connection.
                raise Unavailable(self.path, message if isinstance(message, str) else "the daemon refused the connection")
            # The daemon could not read a request, for example because of U+0000 in a string. It answers in order.
            number = next(iter(self._unanswered))
        if type(number) is not int:
            raise self.wrong(line["reply"])
        self._unanswered.pop(number, None)
        if number == self._subscribing or number in self._leasing:
            if line.get("ok") is not True:
                self._cancel(list(self._open), "lost")
                self.failure = RequestError(str(line["reply"]), line.get("error"))
            elif number == self._subscribing and self._hello and self._subscription is not _NOTHING:
                self.events.append(self._hello)
            if number == self._subscribing:
                self._subscribing = None
        elif number in self.replies:
            self.replies[number] = line

    def _take_event(self, event: Event, size: int) -> None:
        if isinstance(event, Hello):
            if event.protocol != PROTOCOL:
                raise ProtocolError(
                    f"{self.path}: the daemon speaks protocol {event.protocol}; this client speaks protocol {PROTOCOL}")
            self._hello, self.is_greeted = event, True
        if self._subscribing is not None:
            return  # the event belongs to an earlier subscription
        if isinstance(event, State):
            event = dataclasses.replace(event, active=tuple(filter(self._subscription.covers, event.active)))
            self._reconcile(event)
        if self._subscription is not _NOTHING:
            self.events.append(event)
            self._waiting += size
        if isinstance(event, Gesture) and self._subscription.follows:
            if event.phase in ("begin", "update"):
                self._open[event.key] = event
            elif event.phase is not None:
                self._open.pop(event.key, None)
        if len(self._open) > _OPEN_GESTURES:
            raise ProtocolError(f"{self.path}: more than {_OPEN_GESTURES} gestures have begun; this is not a gesture daemon")
        if self._waiting > _WAITING_BYTES and len(self.events) > 1:
            self._drop_events()
            raise Unavailable(self.path, "too many events are waiting; the program must read them faster")

    def _drop_events(self) -> None:
        """Drops waiting events, except the ends of gestures whose "begin" event is not among them."""
        begun: Set[Tuple[str, str, str, int]] = set()
        ends: Deque[Event] = deque()
        for event in self.events:
            if not isinstance(event, Gesture) or event.phase not in ("begin", "end", "cancel"):
                continue
            if event.phase == "begin":
                begun.add(event.key)
            elif event.key in begun:
                begun.remove(event.key)
            else:
                ends.append(event)
        for key in begun:
            self._open.pop(key, None)
        self.events, self._waiting = ends, 0

    def _reconcile(self, state: State) -> None:
        parts = state.active if self._subscription.follows else ()
        active = {(part.region, part.gesture, part.name, part.sequence): part for part in parts}
        self._cancel([key for key in self._open if key not in active], "lost")
        for key, part in active.items():
            values = dataclasses.asdict(part)
            raw = {"event": "gesture", **{key: value for key, value in values.items() if key != "leased" or value}}
            self._open.setdefault(key, Gesture(raw=raw, **values))

    def _cancel(self, keys: Iterable[Tuple[str, str, str, int]], reason: str) -> None:
        for key in keys:
            last = self._open.pop(key)
            kept = {key: value for key, value in last.raw.items() if key not in ("seq", "coalesced")}
            raw = {**kept, "phase": "cancel", "reason": reason, "added": True}
            self.events.append(dataclasses.replace(last, raw=raw, phase="cancel", reason=reason, seq=0, coalesced=0))

    def lost(self, cause: str) -> None:
        """Handles the loss of the connection."""
        self.cause = cause
        self._cancel(list(self._open), "disconnected")
        self._subscribing = None
        if self._subscription is not _NOTHING:
            self.events.append(Disconnected(cause))

    def checked(self, command: str, line: Dict[str, Any]) -> Dict[str, Any]:
        if line.get("ok") is not True:
            raise RequestError(command, line.get("error"))
        return {key: value for key, value in line.items() if key not in ("reply", "id", "ok")}

    def part(self, reply: Dict[str, Any], key: str, hint: Any) -> Any:
        """Returns the value of one key of a reply. Raises `ProtocolError` if the key is missing or its value is invalid."""
        try:
            return _reader(hint)(reply[key])
        except (KeyError, _WrongValue):
            raise self.wrong(key) from None

    def unavailable(self, error: OSError) -> Unavailable:
        cures = {
            errno.EACCES: "add your user to group gestured (usermod -aG gestured USER) and log in again",
            errno.ENOENT: "start the daemon (systemctl start gestured), or name its socket in $GESTURED_SOCKET",
            errno.ECONNREFUSED: "the daemon has stopped; start it (systemctl start gestured)"}
        too_long = error.errno is None and "too long" in str(error)
        cause = "a socket's path has at most 107 bytes" if too_long else error.strerror or str(error)
        cure = cures.get(error.errno or 0)
        return Unavailable(
            self.path, f"no daemon: {cause}" + (f"; {cure}" if cure else ""),
            permanent=too_long or error.errno in (errno.EACCES, errno.EPERM))


_CLOSED = "the daemon has closed the connection"
_HANGS = "the daemon does not answer; see its log"


# -- blocking -------------------------------------------------------------------------------------


class _Alarm:
    """A descriptor that is readable if a socket is ready, or at a certain time."""

    def __init__(self) -> None:
        # Before Python 3.13, `os` has no timers.
        import ctypes

        self._ctypes, self._libc = ctypes, ctypes.CDLL(None, use_errno=True)
        timer = self._libc.timerfd_create(time.CLOCK_MONOTONIC, os.O_NONBLOCK | os.O_CLOEXEC)
        if timer < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        self._timer, self._epoll = io.FileIO(timer), select.epoll()
        self._epoll.register(self._timer, select.EPOLLIN)
        self._watched: Tuple[Optional[socket.socket], int] = (None, 0)

    def fileno(self) -> int:
        return self._epoll.fileno()

    def watch(self, connection: Optional[socket.socket], mask: int) -> None:
        """Watches this socket instead of the last one, which must not have been closed."""
        if self._watched != (connection, mask):
            if self._watched[0]:
                self._epoll.unregister(self._watched[0])
            if connection:
                self._epoll.register(connection, mask)
            self._watched = (connection, mask)

    def ring_after(self, seconds: Optional[float]) -> None:
        nanoseconds = 0 if seconds is None else max(1, math.ceil(seconds * 1e9))
        setting = (self._ctypes.c_long * 4)(0, 0, *divmod(nanoseconds, 10**9))
        self._libc.timerfd_settime(self._timer.fileno(), 0, setting, None)

    def close(self) -> None:
        self._epoll.close()
        self._timer.close()


class Client:
    """A client with one connection, for one thread. It connects when necessary, and reconnects if the connection is lost.

    With `reconnect=False`, `events` ends when the connection is lost, and raises `Unavailable` if the client cannot connect.
    `timeout` is the timeout of each request in seconds. A daemon that exceeds it is assumed to hang.

    A program with a loop of its own calls `subscribe` instead of `events`, and `process` whenever `fileno` is readable.
    """

    def __init__(
        self, path: Optional[str] = None, *, reconnect: bool = True, timeout: float = 5.0,
        backoff: Optional[Backoff] = None, sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._session = _Session(path or default_path())
        self._reconnect, self._timeout, self._sleep = reconnect, timeout, sleep
        self._backoff = backoff or Backoff()
        self._socket: Optional[socket.socket] = None
        self._unsent = bytearray()
        #: The time on the monotonic clock at which the daemon is assumed to hang unless it reads what is unsent.
        self._patience = 0.0
        #: The time of the next attempt to connect, and the delay before it; `None` if there is none.
        self._due: Optional[float] = None
        self._delay = 0.0
        self._alarm: Optional[_Alarm] = None

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """Disconnects from the daemon. Leased regions are removed, and iterating over `events` ends."""
        self._session.rest()
        self._disconnect()
        self._due = None
        if self._alarm:
            self._alarm.close()
        self._alarm = None

    def events(
        self, *, events: Optional[Sequence[str]] = None, regions: Optional[Sequence[str]] = None,
        gestures: Optional[Sequence[str]] = None, names: Optional[Sequence[str]] = None,
        phases: Optional[Sequence[str]] = None, max_rate_hz: Optional[float] = None,
        max_age_ms: Optional[int] = None, wall_clock: Optional[bool] = None,
        devices: Optional[Sequence[str]] = None,
    ) -> Iterator[Event]:
        """Yields events as they arrive, without end, beginning with `Hello` and `State`. The options are those of `subscribe`
        in docs/protocol.md. Without `phases`, there are no "update" events. A second call ends the first iteration.

        Raises `RequestError` if the daemon refuses the options, and `Unavailable` if trying again would not help.
        """
        self._session.rest()
        self.subscribe(
            events=events, regions=regions, gestures=gestures, names=names, phases=phases, max_rate_hz=max_rate_hz,
            max_age_ms=max_age_ms, wall_clock=wall_clock, devices=devices)
        return self._run(self._session.turn)

    def subscribe(
        self, *, events: Optional[Sequence[str]] = None, regions: Optional[Sequence[str]] = None,
        gestures: Optional[Sequence[str]] = None, names: Optional[Sequence[str]] = None,
        phases: Optional[Sequence[str]] = None, max_rate_hz: Optional[float] = None,
        max_age_ms: Optional[int] = None, wall_clock: Optional[bool] = None,
        devices: Optional[Sequence[str]] = None,
    ) -> None:
        """Chooses the events that `process` returns, with the options of `events`. Does not block."""
        self._session.subscribe(dict(
            events=events, regions=regions, gestures=gestures, names=names, phases=phases, max_rate_hz=max_rate_hz,
            max_age_ms=max_age_ms, wall_clock=wall_clock, devices=devices))
        if self._socket:
            self._send(self._session.subscription_line())
        else:
            self._due, self._delay = 0.0, 0.0
        self._set_alarm()

    def fileno(self) -> int:
        """Returns the descriptor that is readable when `process` has something to do, also when it is time to connect again.
        It stays the same until `close`."""
        if self._alarm is None:
            self._alarm = _Alarm()
            self._set_alarm()
        return self._alarm.fileno()

    def timeout(self) -> Optional[float]:
        """Returns the seconds after which `process` must be called; `None` if this is not known. It is for programs that do not
        wait for `fileno`."""
        if self._session.events or self._session.failure:
            return 0.0
        until = self._due if self._socket is None else self._patience if self._unsent else None
        return None if until is None else max(0.0, until - time.monotonic())

    def process(self) -> List[Event]:
        """Connects, sends and receives what is possible without waiting, and returns the events that have arrived.

        Raises what `events` raises. After that, there are no events until the next `subscribe`.
        """
        if not self._session.failure:
            self._step()
        events = list(self._session.events)
        self._session.events.clear()
        failure = self._session.failure
        if failure and not events:
            self._rest()
        self._set_alarm()
        if failure and not events:
            raise failure
        return events

    def _run(self, turn: int) -> Iterator[Event]:
        try:
            while self._session.turn == turn:
                if self._session.events:
                    yield self._session.events.popleft()
                elif self._session.failure:
                    raise self._session.failure
                elif self._socket:
                    self._wait(self.timeout())
                    self._step()
                elif self._due is None:
                    return
                else:
                    if self._delay:
                        self._sleep(self._delay)
                    self._due = 0.0
                    self._step(self._timeout)
        finally:
            if self._session.turn == turn:
                self._rest()
            self._set_alarm()

    def _rest(self) -> None:
        """Ends the stream of events."""
        self._session.rest()
        if self._socket:
            self._send(self._session.subscription_line())

    def _step(self, patience: float = 0.0) -> None:
        """Connects if it is time to, and sends and receives what is possible without waiting."""
        try:
            if self._socket:
                self._flush()
                self._receive()
            elif self._due is not None and self._due <= time.monotonic():
                self._connect(patience)
        except Unavailable as error:
            self._schedule()
            if error.permanent or not self._reconnect:
                self._fail(error)
        except ProtocolError as error:
            self._fail(error)

    def _fail(self, error: Error) -> None:
        # Raised later, after the cancel events of the open gestures have been delivered.
        self._session.failure, self._due = error, None

    def _schedule(self) -> None:
        """Sets the time of the next attempt to connect."""
        if self._reconnect:
            self._delay = self._backoff.delay()
            self._due = time.monotonic() + self._delay
        else:
            self._due = None

    def _set_alarm(self) -> None:
        if self._alarm:
            self._alarm.watch(self._socket, self._mask())
            self._alarm.ring_after(self.timeout())

    def _mask(self) -> int:
        return select.POLLIN | (select.POLLOUT if self._unsent else 0)

    def _connect(self, patience: float) -> None:
        connection = socket.socket(socket.AF_UNIX)
        # connect() must not block forever if the daemon does not accept the connection.
        connection.settimeout(patience)
        try:
            connection.connect(self._session.path)
        except OSError as error:
            connection.close()
            raise self._session.unavailable(error) from None
        connection.setblocking(False)
        self._socket = connection
        self._send(self._session.greeting())

    def _disconnect(self) -> None:
        if self._socket:
            if self._alarm:
                self._alarm.watch(None, 0)
            self._socket.close()
        self._socket = None
        self._unsent.clear()

    def _lose(self, cause: str) -> None:
        if self._socket:
            self._disconnect()
            self._schedule()
            self._session.lost(cause)

    def _send(self, line: bytes) -> None:
        if not self._unsent:
            self._patience = time.monotonic() + self._timeout
        self._unsent += line
        self._flush()

    def _flush(self) -> None:
        try:
            while self._socket and self._unsent:
                del self._unsent[:self._socket.send(self._unsent)]
                self._patience = time.monotonic() + self._timeout
        except BlockingIOError:
            if time.monotonic() >= self._patience:
                self._lose(_HANGS)
        except OSError:
            self._unsent.clear()  # lines that the daemon sent before it closed the connection are still read

    def _wait(self, seconds: Optional[float]) -> None:
        """Waits until the connection is ready, but not longer than a number of seconds."""
        if self._socket:
            poll = select.poll()
            poll.register(self._socket, self._mask())
            poll.poll(None if seconds is None else math.ceil(seconds * 1000))

    def _receive(self) -> None:
        if self._socket is None:
            return
        try:
            data = self._socket.recv(65536)
        except BlockingIOError:
            return
        except OSError as error:
            return self._lose(error.strerror or str(error))
        if not data:
            return self._lose(_CLOSED)
        try:
            self._session.feed(data)
        except Unavailable as error:
            return self._lose(error.cause)
        except ProtocolError as error:
            self._lose(str(error))
            raise
        if self._session.is_greeted:
            self._backoff.reset()

    def request(self, command: str, **keys: Any) -> Dict[str, Any]:
        """Sends any request, and returns the keys of the reply. Events that arrive in the meantime are kept for `events`.

        Raises `RequestError` or `Unavailable`. In the latter case, the request may or may not have been carried out.
        """
        number, line = self._session.request(command, keys)
        if self._socket is None:
            self._connect(self._timeout)
        replies, until = self._session.replies, time.monotonic() + self._timeout
        self._session.expect(number)
        try:
            self._send(line)
            while (reply := replies[number]) is None:
                if self._socket is None:
                    raise Unavailable(self._session.path, self._session.cause)
                if (left := until - time.monotonic()) <= 0:
                    self._lose(_HANGS)
                    raise Unavailable(self._session.path, _HANGS)
                self._wait(left)
                self._flush()
                self._receive()
        finally:
            del replies[number]
            self._set_alarm()
        return self._session.checked(command, reply)

    def status(self) -> Dict[str, Any]:
        """Returns the keys of the daemon's `status`: its version, configuration, scene, and counters."""
        return self.request("status")

    def devices(self) -> List[Dict[str, Any]]:
        """Returns the devices that the daemon has found, with the state and the output of each panel."""
        return self._session.part(self.request("devices"), "devices", List[Dict[str, Any]])

    def regions(self, region: Optional[str] = None) -> List[Dict[str, Any]]:
        """Returns all regions, or those that match a glob, from the lowest to the topmost."""
        return self._session.part(self.request("regions", region=region), "regions", List[Dict[str, Any]])

    def state(self) -> State:
        """Returns the current state, regardless of this client's subscription."""
        return self._session.event({**self.request("state"), "event": "state"})  # type: ignore[return-value]

    def at(self, x: float, y: float, device: Optional[str] = None) -> Dict[str, Any]:
        """Returns the regions at a point: `owner`, `chain`, `pass`, and `margin` if the point is in the owner's margin."""
        return self.request("at", x=x, y=y, device=device)

    def ping(self) -> None:
        """Returns when the daemon has replied. The request has no effect."""
        self.request("ping")

    def reload(self) -> Dict[str, Any]:
        """Makes the daemon read its configuration again. Returns `config_generation`, `warnings` and `diagnostics` of the
        reply, or raises `RequestError` if the configuration has errors."""
        return self.request("reload")

    def set_scene(self, scene: str, for_ms: Optional[int] = None) -> None:
        """Switches to a scene of the configuration, or to "default". With `for_ms`, the scene that was last set without it
        comes back after this time."""
        self.request("set_scene", scene=scene, for_ms=for_ms)

    def set_profile(self, profile: str, *, lease: bool = False) -> None:
        """Switches to a profile of the configuration, or to "default". Gestures in progress keep the values of the earlier one.
        With a lease, the profile ends with the connection, so set it again after a reconnection."""
        self.request("set_profile", profile=profile, lease=lease)

    def set_output(
        self,
        device: Optional[str] = None,
        *,
        rotation: Union[int, str, None] = None,
        size: Optional[Sequence[int]] = None,
    ) -> None:
        """Maps a panel to an output that is turned (0, 90, 180, 270, "flipped", "flipped-90", …) or has another size in pixels,
        until the next call. What is left out is that of the configuration. The device may be left out if there is only one."""
        self.request("set_output", device=device, rotation=rotation, size=size)

    def set_region(self, region: str, enabled: bool) -> bool:
        """Switches a region on or off. Returns whether it is now on; this also depends on the scene."""
        return self._session.part(self.request("set_region", region=region, enabled=enabled), "enabled", bool)

    def define_regions(self, regions: Sequence[Dict[str, Any]], *, lease: bool = True) -> List[Dict[str, Any]]:
        """Replaces the regions of this client, and returns the warnings about them. With a lease, the daemon removes them
        when the connection ends, and the client defines them again when it reconnects."""
        reply = self.request("define_regions", lease=lease, regions=list(regions))
        if lease:
            self._session.leased(list(regions))
        return self._session.part({"diagnostics": [], **reply}, "diagnostics", List[Dict[str, Any]])

    def put_region(self, region: Dict[str, Any], *, below: Optional[str] = None, wait: bool = False,
                   lease: bool = True) -> bool:
        """Adds a region to those of this client, or replaces the one with the same id. A new region is placed on top, or
        directly below the region `below`. With `wait`, the change waits while a gesture is in progress in the region
        instead of cancelling the gesture. Returns whether the change waits."""
        reply = self.request("put_region", lease=lease, region=region, below=below, wait=wait)
        if lease:
            self._session.put(region, below)
        return self._session.part(reply, "waiting", bool)

    def remove_region(self, region: str, *, wait: bool = False, lease: bool = True) -> bool:
        """Removes a region of this client. Returns whether the change waits, as in `put_region`."""
        reply = self.request("remove_region", lease=lease, region=region, wait=wait)
        if lease:
            self._session.removed(region)
        return self._session.part(reply, "waiting", bool)

    def cancel(self, region: str) -> None:
        """Cancels the gestures of the regions that match a glob."""
        self.request("cancel", region=region)


# -- asyncio --------------------------------------------------------------------------------------


class AsyncClient:
    """The variant of `Client` for asyncio. Any number of tasks may make requests while another one iterates over events.

    The arguments are those of `Client`, except `sleep`.
    """

    def __init__(
        self, path: Optional[str] = None, *, reconnect: bool = True, timeout: float = 5.0,
        backoff: Optional[Backoff] = None,
    ) -> None:
        self._session = _Session(path or default_path())
        self._reconnect, self._timeout = reconnect, timeout
        self._backoff = backoff or Backoff()
        self._streams: Optional[Tuple[asyncio.StreamReader, asyncio.StreamWriter]] = None
        self._connecting: Optional[asyncio.Future[None]] = None
        self._reading: Optional[asyncio.Future[None]] = None

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()

    async def close(self) -> None:
        """Disconnects from the daemon. Leased regions are removed, and iterating over `events` ends."""
        self._session.turn += 1
        if self._connecting:
            await asyncio.wait([self._connecting])
        streams, self._streams = self._streams, None
        if streams:
            # close() would wait until the daemon has read everything.
            streams[1].transport.abort()
            try:
                await streams[1].wait_closed()
            except OSError:
                pass

    def events(
        self, *, events: Optional[Sequence[str]] = None, regions: Optional[Sequence[str]] = None,
        gestures: Optional[Sequence[str]] = None, names: Optional[Sequence[str]] = None,
        phases: Optional[Sequence[str]] = None, max_rate_hz: Optional[float] = None,
        max_age_ms: Optional[int] = None, wall_clock: Optional[bool] = None,
        devices: Optional[Sequence[str]] = None,
    ) -> AsyncIterator[Event]:
        """Yields events as they arrive, without end, beginning with `Hello` and `State`. The options are those of `subscribe`
        in docs/protocol.md. Without `phases`, there are no "update" events. A second call ends the first iteration.

        Raises `RequestError` if the daemon refuses the options, and `Unavailable` if trying again would not help.
        """
        self._session.rest()
        turn = self._session.subscribe(dict(
            events=events, regions=regions, gestures=gestures, names=names, phases=phases, max_rate_hz=max_rate_hz,
            max_age_ms=max_age_ms, wall_clock=wall_clock, devices=devices))
        if self._streams:
            self._streams[1].write(self._session.subscription_line())
        return self._run(turn)

    async def _run(self, turn: int) -> AsyncIterator[Event]:
        was_connected = self._streams is not None
        try:
            while self._session.turn == turn:
                if self._session.events:
                    yield self._session.events.popleft()
                elif self._session.failure:
                    raise self._session.failure
                elif self._streams:
                    was_connected = True
                    try:
                        await self._receive()
                    except ProtocolError as error:
                        # Raised later, after the cancel events of the open gestures have been delivered.
                        self._session.failure = error
                elif was_connected and not self._reconnect:
                    return
                else:
                    if was_connected:
                        await asyncio.sleep(self._backoff.delay())
                    was_connected = True
                    await self._try_to_connect()
        finally:
            if self._session.turn == turn:
                self._session.rest()
                if self._streams:
                    self._streams[1].write(self._session.subscription_line())

    async def _try_to_connect(self) -> None:
        try:
            await self._connect()
        except Unavailable as error:
            if error.permanent or not self._reconnect:
                raise

    async def _connect(self) -> None:
        """Connects if there is no connection. Several tasks may wait for the same connection."""
        if self._streams is None:
            if self._connecting is None or self._connecting.done():
                self._connecting = asyncio.ensure_future(self._open())
                self._connecting.add_done_callback(self._connect_done)
            await asyncio.shield(self._connecting)

    def _connect_done(self, work: asyncio.Future[None]) -> None:
        if self._connecting is work:
            self._connecting = None
        work.cancelled() or work.exception()

    async def _open(self) -> None:
        try:
            self._streams = await asyncio.open_unix_connection(self._session.path)
        except OSError as error:
            raise self._session.unavailable(error) from None
        self._streams[1].write(self._session.greeting())

    async def _receive(self) -> None:
        """Waits for input. Several tasks may wait for the same bytes. While no task waits, the daemon may drop lines."""
        # A completed task must not be awaited in a loop, because that would never yield.
        if self._reading is None or self._reading.done():
            self._reading = asyncio.ensure_future(self._read())
            self._reading.add_done_callback(self._read_done)
        await asyncio.shield(self._reading)

    def _read_done(self, work: asyncio.Future[None]) -> None:
        if self._reading is work:
            self._reading = None
        work.cancelled() or work.exception()

    async def _read(self) -> None:
        if self._streams is None:
            return
        try:
            data = await self._streams[0].read(65536)
            if not data:
                return self._lose(_CLOSED)
            self._session.feed(data)
        except ProtocolError as error:
            self._lose(str(error))
            raise
        except Unavailable as error:
            return self._lose(error.cause)
        except OSError as error:
            return self._lose(error.strerror or str(error))
        if self._session.is_greeted:
            self._backoff.reset()

    def _lose(self, cause: str) -> None:
        if self._streams:
            self._streams[1].transport.abort()
            self._streams = None
            self._session.lost(cause)

    async def request(self, command: str, **keys: Any) -> Dict[str, Any]:
        """Sends any request, and returns the keys of the reply. Events that arrive in the meantime are kept for `events`.

        Raises `RequestError` or `Unavailable`. In the latter case, the request may or may not have been carried out.
        """
        number, line = self._session.request(command, keys)
        await self._connect()
        try:
            reply = await asyncio.wait_for(self._exchange(number, line), self._timeout)
        except asyncio.TimeoutError:
            self._lose(_HANGS)
            raise Unavailable(self._session.path, _HANGS) from None
        finally:
            self._session.replies.pop(number, None)
        return self._session.checked(command, reply)

    async def _exchange(self, number: int, line: bytes) -> Dict[str, Any]:
        streams, replies = self._streams, self._session.replies
        self._session.expect(number)
        if streams:
            streams[1].write(line)
        while (reply := replies[number]) is None:
            if self._streams is None or self._streams is not streams:
                raise Unavailable(self._session.path, self._session.cause)
            await self._receive()
        return reply

    async def status(self) -> Dict[str, Any]:
        """Returns the keys of the daemon's `status`: its version, configuration, scene, and counters."""
        return await self.request("status")

    async def devices(self) -> List[Dict[str, Any]]:
        """Returns the devices that the daemon has found, with the state and the output of each panel."""
        return self._session.part(await self.request("devices"), "devices", List[Dict[str, Any]])

    async def regions(self, region: Optional[str] = None) -> List[Dict[str, Any]]:
        """Returns all regions, or those that match a glob, from the lowest to the topmost."""
        return self._session.part(await self.request("regions", region=region), "regions", List[Dict[str, Any]])

    async def state(self) -> State:
        """Returns the current state, regardless of this client's subscription."""
        return self._session.event({**await self.request("state"), "event": "state"})  # type: ignore[return-value]

    async def at(self, x: float, y: float, device: Optional[str] = None) -> Dict[str, Any]:
        """Returns the regions at a point: `owner`, `chain`, `pass`, and `margin` if the point is in the owner's margin."""
        return await self.request("at", x=x, y=y, device=device)

    async def ping(self) -> None:
        """Returns when the daemon has replied. The request has no effect."""
        await self.request("ping")

    async def reload(self) -> Dict[str, Any]:
        """Makes the daemon read its configuration again. Returns `config_generation`, `warnings` and `diagnostics` of the
        reply, or raises `RequestError` if the configuration has errors."""
        return await self.request("reload")

    async def set_scene(self, scene: str, for_ms: Optional[int] = None) -> None:
        """Switches to a scene of the configuration, or to "default". With `for_ms`, the scene that was last set without it
        comes back after this time."""
        await self.request("set_scene", scene=scene, for_ms=for_ms)

    async def set_profile(self, profile: str, *, lease: bool = False) -> None:
        """Switches to a profile of the configuration, or to "default". Gestures in progress keep the values of the earlier one.
        With a lease, the profile ends with the connection, so set it again after a reconnection."""
        await self.request("set_profile", profile=profile, lease=lease)

    async def set_output(
        self,
        device: Optional[str] = None,
        *,
        rotation: Union[int, str, None] = None,
        size: Optional[Sequence[int]] = None,
    ) -> None:
        """Maps a panel to an output that is turned (0, 90, 180, 270, "flipped", "flipped-90", …) or has another size in pixels,
        until the next call. What is left out is that of the configuration. The device may be left out if there is only one."""
        await self.request("set_output", device=device, rotation=rotation, size=size)

    async def set_region(self, region: str, enabled: bool) -> bool:
        """Switches a region on or off. Returns whether it is now on; this also depends on the scene."""
        return self._session.part(await self.request("set_region", region=region, enabled=enabled), "enabled", bool)

    async def define_regions(self, regions: Sequence[Dict[str, Any]], *, lease: bool = True) -> List[Dict[str, Any]]:
        """Replaces the regions of this client, and returns the warnings about them. With a lease, the daemon removes them
        when the connection ends, and the client defines them again when it reconnects."""
        reply = await self.request("define_regions", lease=lease, regions=list(regions))
        if lease:
            self._session.leased(list(regions))
        return self._session.part({"diagnostics": [], **reply}, "diagnostics", List[Dict[str, Any]])

    async def put_region(self, region: Dict[str, Any], *, below: Optional[str] = None, wait: bool = False,
                         lease: bool = True) -> bool:
        """Adds a region to those of this client, or replaces the one with the same id. A new region is placed on top, or
        directly below the region `below`. With `wait`, the change waits while a gesture is in progress in the region
        instead of cancelling the gesture. Returns whether the change waits."""
        reply = await self.request("put_region", lease=lease, region=region, below=below, wait=wait)
        if lease:
            self._session.put(region, below)
        return self._session.part(reply, "waiting", bool)

    async def remove_region(self, region: str, *, wait: bool = False, lease: bool = True) -> bool:
        """Removes a region of this client. Returns whether the change waits, as in `put_region`."""
        reply = await self.request("remove_region", lease=lease, region=region, wait=wait)
        if lease:
            self._session.removed(region)
        return self._session.part(reply, "waiting", bool)

    async def cancel(self, region: str) -> None:
        """Cancels the gestures of the regions that match a glob."""
        await self.request("cancel", region=region)


# -- as a program ---------------------------------------------------------------------------------


def _main(arguments: List[str]) -> int:
    import argparse

    parser = argparse.ArgumentParser(prog="gestured.py", description="Prints gestures as they happen.")
    parser.add_argument("--socket", default=None, help="the daemon's socket (default: $GESTURED_SOCKET or /run/gestured/gestured.sock)")
    parser.add_argument("-r", "--region", action="append", metavar="GLOB", help="print only these regions")
    parser.add_argument("-g", "--gesture", action="append", metavar="GLOB", help="print only these kinds of gestures")
    parser.add_argument("--updates", action="store_true", help="print every update of continuous gestures, such as drags")
    given = parser.parse_args(arguments)
    client = Client(given.socket)
    phases = ALL_PHASES if given.updates else None
    try:
        for event in client.events(regions=given.region, gestures=given.gesture, phases=phases):
            print(json.dumps(event.raw, ensure_ascii=False, separators=(",", ":")), flush=True)
    except (KeyboardInterrupt, BrokenPipeError):
        return 0
    except Error as error:
        print(f"gestured.py: {error}", file=sys.stderr)
        return 69 if isinstance(error, Unavailable) else 1
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
