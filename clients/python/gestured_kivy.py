# SPDX-License-Identifier: MIT
"""An input provider of gestured, the gesture daemon, for Kivy 2.1 or newer.

    import gestured_kivy
    from kivy.config import Config

    Config.set("input", "panel", "gestured")  # or "gestured,/path/of/the/socket"

It does two things:

- Contacts become touches of Kivy (`on_touch_down`, `on_touch_move`, `on_touch_up`), if the daemon gives the program's user the
  right `raw`, and the panel is not shared. The panel's output is the whole window.
- Gestures become the event `on_gesture` of `gestures`, and of each widget that has `GestureBehavior` among its bases and the id
  of their region in `region`:

    class Tile(GestureBehavior, Label):
        def on_gesture(self, gesture):
            if gesture.gesture == "tap":
                self.text = "tapped"

    Tile(region="ok")
"""
from __future__ import annotations

from typing import Any, Callable, Dict, Optional, Tuple

from kivy.event import EventDispatcher
from kivy.input.factory import MotionEventFactory
from kivy.input.motionevent import MotionEvent
from kivy.input.provider import MotionEventProvider
from kivy.logger import Logger
from kivy.properties import BooleanProperty, StringProperty

import gestured

__all__ = ["GestureBehavior", "Gestures", "GesturedProvider", "PanelTouch", "gestures"]


class Gestures(EventDispatcher):
    """What the daemon tells. `on_gesture` has each `gestured.Gesture`, also each `update`."""

    __events__ = ("on_gesture",)

    #: Whether there is a connection to the daemon.
    connected = BooleanProperty(False)
    #: The name of the scene in force.
    scene = StringProperty("")

    def on_gesture(self, gesture: gestured.Gesture) -> None:
        pass


gestures = Gestures()


class GestureBehavior:
    """A base of widgets that stand for a region, to the left of their other bases."""

    __events__ = ("on_gesture",)

    #: The id of the region.
    region = StringProperty("")
    #: Whether the region may also be one that a client has defined. Any program that may define regions can choose their ids.
    leased = BooleanProperty(False)
    #: Whether a gesture `press` of the region is under way.
    pressed = BooleanProperty(False)

    def __init__(self, **keys: Any) -> None:
        super().__init__(**keys)
        gestures.bind(on_gesture=self._take_gesture)

    def on_gesture(self, gesture: gestured.Gesture) -> None:
        pass

    def on_region(self, *_: Any) -> None:
        """Called by Kivy. The end of a press in the former region is not for this widget."""
        self.pressed = False

    def _take_gesture(self, _: Gestures, gesture: gestured.Gesture) -> None:
        if gesture.region != self.region or (gesture.leased and not self.leased):
            return
        if gesture.gesture == "press":
            self.pressed = gesture.phase in ("begin", "update")
        self.dispatch("on_gesture", gesture)


class PanelTouch(MotionEvent):
    """A contact of a panel. `region` is the id of the region that owns it, or `None`."""

    region: Optional[str] = None

    def __init__(self, device: str, id: int, args: Tuple[float, float]) -> None:
        super().__init__(device, id, args, is_touch=True, type_id="touch")
        self.profile = ["pos"]

    def depack(self, args: Tuple[float, float]) -> None:
        self.sx, self.sy = args
        super().depack(args)


_Dispatch = Callable[[str, MotionEvent], None]


class GesturedProvider(MotionEventProvider):
    """The provider `gestured`. It reads what has arrived once a frame, and never waits for events."""

    def __init__(self, device: str, args: str) -> None:
        super().__init__(device, args)
        # Only the sizes of the panels are requested. A slow daemon must not lose the connection each time.
        self._client = gestured.Client(args or None, timeout=2.0)
        self._sizes: Dict[str, Tuple[float, float]] = {}
        self._touches: Dict[Tuple[str, int], PanelTouch] = {}

    def start(self) -> None:
        """Called by Kivy."""
        self._subscribe("gesture", "device", "config", "touches")

    def _subscribe(self, *events: str) -> None:
        self._client.subscribe(events=events, phases=gestured.ALL_PHASES)

    def stop(self) -> None:
        """Called by Kivy."""
        self._client.close()

    def update(self, dispatch_fn: _Dispatch) -> None:
        """Called by Kivy, once a frame."""
        try:
            events = self._client.process()
        except gestured.RequestError as error:
            if error.code != "permission_denied":
                return Logger.error(f"gestured: {error}")
            Logger.warning(f"gestured: there are gestures, but no touches: {error}")
            return self._subscribe("gesture", "device", "config")
        except gestured.Error as error:
            return Logger.error(f"gestured: {error}")
        for event in events:
            self._take(event, dispatch_fn)

    def _take(self, event: gestured.Event, dispatch_fn: _Dispatch) -> None:
        if isinstance(event, gestured.Gesture):
            gestures.dispatch("on_gesture", event)
        elif isinstance(event, gestured.Touches):
            self._move(event, dispatch_fn)
        elif isinstance(event, (gestured.Hello, gestured.Device)):
            self._measure()
        elif isinstance(event, gestured.Config) and event.change in ("applied", "output"):
            self._measure()
        # The known contacts are out of date. Those that are still down come again.
        if isinstance(event, (gestured.State, gestured.Disconnected, gestured.Device)):
            self._end(list(self._touches), dispatch_fn)
        if isinstance(event, gestured.Disconnected):
            Logger.warning(f"gestured: {event.cause}")
        if isinstance(event, (gestured.Hello, gestured.Disconnected)):
            gestures.connected = isinstance(event, gestured.Hello)
        if isinstance(event, (gestured.State, gestured.Config)) and event.scene is not None:
            gestures.scene = event.scene

    def _measure(self) -> None:
        try:
            panels = self._client.devices()
        except gestured.Error as error:
            return Logger.warning(f"gestured: {error}")
        self._sizes = {panel["device"]: (panel["output"]["width"], panel["output"]["height"])
                       for panel in panels if "output" in panel}

    def _move(self, event: gestured.Touches, dispatch_fn: _Dispatch) -> None:
        # An application gets the contacts of a shared panel in another way.
        contacts = {(event.device, contact.id): contact for contact in event.contacts if contact.to is None}
        self._end([key for key in self._touches if key[0] == event.device and key not in contacts], dispatch_fn)
        if event.device not in self._sizes:
            return
        width, height = self._sizes[event.device]
        for key, contact in contacts.items():
            place = (contact.x / width, 1 - contact.y / height)
            touch = self._touches.get(key)
            if touch is None:
                touch = self._touches[key] = PanelTouch(self.device, contact.id, place)
                touch.region = contact.region
                dispatch_fn("begin", touch)
            elif (touch.sx, touch.sy) != place:
                touch.move(place)
                dispatch_fn("update", touch)

    def _end(self, keys: Any, dispatch_fn: _Dispatch) -> None:
        for key in keys:
            touch = self._touches.pop(key)
            touch.update_time_end()
            dispatch_fn("end", touch)


MotionEventFactory.register("gestured", GesturedProvider)
