# SPDX-License-Identifier: MIT
"""Tests of gestured_kivy.py: Kivy without a display, with the daemon on a fake panel."""
import os
import warnings

import pytest

from harness import PATIENCE, Daemon
from harness.basics import wait_until
from test_gestured import CONFIGURATION
from test_lies import HELLO, STATE, Liar, line

os.environ.update(
    {f"KIVY_{name}": "1" for name in ("NO_ARGS", "NO_CONSOLELOG", "NO_FILELOG", "NO_CONFIG", "NO_ENV_CONFIG")},
    KIVY_GL_BACKEND="mock", KIVY_WINDOW="mock")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    pytest.importorskip("kivy")
    from kivy.base import EventLoop
    from kivy.core.window import WindowBase
    from kivy.input.factory import MotionEventFactory
    from kivy.logger import LoggerHistory
    from kivy.uix.widget import Widget

    import gestured_kivy


class Window(WindowBase):
    """A window of 800 × 600 that is not shown."""

    def create_window(self, *_):
        pass

    def add_widget(self, widget, *_):
        # Without its canvas, because nothing is drawn
        widget.parent = self
        self.children.insert(0, widget)

    def remove_widget(self, widget):
        self.children.remove(widget)
        widget.parent = None


class Tile(gestured_kivy.GestureBehavior, Widget):
    def __init__(self, **keys):
        super().__init__(**keys)
        self.log = []
        self.fbind("pressed", lambda _, pressed: self.log.append(f"pressed {pressed}"))

    def on_gesture(self, gesture):
        self.log.append(" ".join(filter(None, (gesture.gesture, gesture.phase, gesture.reason))))

    def on_touch_down(self, touch):
        self.log.append(f"down {round(touch.x)} {round(touch.y)} {touch.region}")

    def on_touch_move(self, touch):
        self.log.append(f"move {round(touch.x)} {round(touch.y)}")

    def on_touch_up(self, touch):
        self.log.append("up")


class KivyTests:
    def setup_method(self):
        self.daemon = Daemon(CONFIGURATION)
        self.cleanup.callback(self.daemon.close)
        self.window = EventLoop.window or Window()
        self.tile = Tile(region="ok")
        self.window.add_widget(self.tile)
        self.cleanup.callback(self.window.remove_widget, self.tile)

    def provider(self, path=None):
        # As Kivy does for "panel = gestured,PATH" in the section [input] of its configuration
        provider = MotionEventFactory.get("gestured")("panel", path or self.daemon.path)
        provider.start()
        EventLoop.add_input_provider(provider)
        self.cleanup.callback(EventLoop.remove_input_provider, provider)
        self.cleanup.callback(provider.stop)
        return provider

    def wait(self, is_true):
        def frame():
            EventLoop.dispatch_input()
            return is_true()
        wait_until(frame, lambda: f"it comes; the log: {self.tile.log}", PATIENCE)

    def connect(self):
        self.daemon.start()
        provider = self.provider()
        self.wait(lambda: gestured_kivy.gestures.connected and gestured_kivy.gestures.scene == "default" and provider._sizes)
        return provider

    def test_a_contact_is_a_touch_and_a_gesture_reaches_the_widget_of_its_region(self):
        self.connect()
        self.daemon.panel.land(1024, 1024)
        self.wait(lambda: len(self.tile.log) >= 3)
        # The window's y goes up, and its last pixel is at 799 or 599.
        assert sorted(self.tile.log) == ["down 200 449 ok", "press begin", "pressed True"]
        self.tile.log.clear()
        self.daemon.panel.move(1034, 1024)
        self.wait(lambda: self.tile.log)
        assert self.tile.log[0] == "move 202 449"
        self.daemon.panel.lift()
        self.wait(lambda: "press end" in self.tile.log and "up" in self.tile.log)
        assert "tap" in self.tile.log and not self.tile.pressed

    def test_a_gesture_of_another_region_only_reaches_those_who_ask_for_all(self):
        self.connect()
        seen = []

        def take(_, gesture):
            seen.append((gesture.region, gesture.phase))

        gestured_kivy.gestures.bind(on_gesture=take)
        self.cleanup.callback(gestured_kivy.gestures.unbind, on_gesture=take)
        self.daemon.panel.swipe(2500, 2000, 3500, 2000)
        self.wait(lambda: ("map", "end") in seen)
        assert ("map", "begin") in seen and ("map", "update") in seen
        assert not [entry for entry in self.tile.log if "drag" in entry]

    def test_a_region_that_a_client_has_defined_needs_a_widget_that_says_so(self):
        for leased, log in [(False, []), (True, ["tap"])]:
            tile = Tile(region="app.a", leased=leased)
            gestured_kivy.gestures.dispatch("on_gesture", gestured_kivy.gestured.Gesture(
                gesture="tap", name="tap", region="app.a", leased=True))
            assert tile.log == log

    def test_nothing_stays_down_when_the_daemon_goes(self):
        provider = self.connect()
        self.daemon.panel.land(1024, 1024)
        self.wait(lambda: self.tile.pressed and any("down" in entry for entry in self.tile.log))
        self.daemon.kill()
        self.wait(lambda: not gestured_kivy.gestures.connected)
        assert "up" in self.tile.log and "press cancel disconnected" in self.tile.log and not self.tile.pressed
        assert not provider._touches
        self.daemon.panel.lift()
        self.daemon.start()
        self.wait(lambda: gestured_kivy.gestures.connected)
        self.tile.log.clear()
        self.daemon.panel.tap()
        self.wait(lambda: "tap" in self.tile.log and "up" in self.tile.log)

    def test_a_turned_output_is_the_whole_window(self):
        provider = self.connect()
        self.daemon.ask("set_output", size=[512, 256])
        self.wait(lambda: provider._sizes == {"panel": (512, 256)})
        self.daemon.panel.land(2048, 2048)
        self.wait(lambda: any("down" in entry for entry in self.tile.log))
        assert "down 400 300" in " ".join(self.tile.log)

    def test_without_the_right_to_see_touches_there_are_gestures(self):
        asked = []

        def answer(request):
            reply = {"reply": request["cmd"], "id": request["id"], "ok": True}
            if request["cmd"] == "devices":
                return line({**reply, "devices": []})
            asked.append(request["events"])
            if "touches" in request["events"]:
                return line(HELLO) + line({**reply, "ok": False, "error": {
                    "code": "permission_denied", "message": "touches need the right raw"}})
            return line(HELLO) + line(reply) + line(STATE)

        self.provider(self.cleanup.enter_context(Liar(answer)).path)
        # The client first ends the subscription that was refused.
        self.wait(lambda: len(asked) == 3 and gestured_kivy.gestures.connected)
        assert "touches" in asked[0] and asked[1:] == [[], ["gesture", "device", "config"]]
        assert any("no touches" in record.getMessage() for record in LoggerHistory.history)
