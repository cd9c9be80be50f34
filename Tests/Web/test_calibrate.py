# SPDX-License-Identifier: MIT
"""The page /calibrate in Chromium, with the real daemon and bridge."""
import os
import subprocess

import pytest

from chromium import Browser
from fixture import OUTPUT, Bridge, Fixture
from harness import GUEST, PATIENCE, ROOT, program, wait_until
from harness.panel import UNITS
from test_contrast import LEAST, MEASURE
from test_rights import USUAL

AREA = {"id": "calibration", "device": "panel", "shape": "full", "gestures": ["press"]}
# The middle of the cross, or null
CROSS = """(() => {
    const { x, y, width, height } = document.querySelector("#target .cross").getBoundingClientRect();
    return width ? [x + width / 2, y + height / 2] : null;
})()"""


def target(x, y, name="1/4"):
    """The region of a target whose middle is at this point of the output."""
    return {"id": "calibration.target", "device": "panel", "parent": "calibration", "shape": {"rect": [x - 10, y - 10, 20, 20]},
            "gestures": [{"type": "press", "name": name}]}


class CalibrationCase:
    """The page in a bridge with the usual settings, whose user has no rights."""

    @classmethod
    def setup_class(cls):
        cls.browser = Browser(size=OUTPUT)
        cls.class_cleanup.callback(cls.browser.close)

    def setup_method(self):
        self.fixture = Fixture(start=False)
        self.folder = os.path.join(self.fixture.folder, "conf.d")
        os.mkdir(self.folder)
        self.fixture.command = [program("gestured"), "--conf-dir", self.folder]
        self.fixture.start()
        self.cleanup.callback(self.fixture.close)
        self.fixture.open_to_others()
        self.bridge = Bridge(self.fixture, commands=USUAL, assets=os.path.join(ROOT, "clients/web"), user=GUEST)
        self.cleanup.callback(self.bridge.close)
        self.page = self.browser.page()
        self.cleanup.callback(self.page.close)
        self.resize(*OUTPUT)
        assert self.page.open(self.bridge.address + "calibrate") is None
        self.until("title", "Calibrate the touchscreen")

    def teardown_method(self):
        assert self.page.console == []

    def resize(self, width, height, ratio=1, screen=None):
        """Gives the window this size in CSS pixels, and the screen the same unless it has another one."""
        self.page.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio, mobile=False,
                       screenWidth=(screen or (width, height))[0], screenHeight=(screen or (width, height))[1])

    def until(self, element, words):
        """Waits until an element has exactly this text."""
        self.page.until(f"document.getElementById('{element}').textContent === {words!r}")

    def text(self, element):
        return self.page.js(f"document.getElementById('{element}').textContent")

    def cross(self):
        """The position in CSS pixels where the lines of the cross meet, or None if none is drawn."""
        return self.page.js(CROSS)

    def until_cross(self, x, y):
        """Waits until the cross is within a CSS pixel of this position."""
        self.page.until(f"{CROSS}.every((each, axis) => Math.abs(each - [{x}, {y}][axis]) < 1)")


class TargetTests(CalibrationCase):
    """The regions come from a client of the tests, in place of `gesturectl calibrate`."""

    def setup_method(self):
        super().setup_method()
        self.tool = self.fixture.client()
        self.cleanup.callback(self.tool.close)

    def define(self, *regions):
        self.tool.request("define_regions", lease=True, regions=list(regions))

    def put(self, region):
        self.tool.request("put_region", lease=True, region=region)

    @pytest.mark.parametrize("scale", [1, 2, 1.5])
    def test_the_cross_is_in_the_middle_of_the_target(self, scale):
        self.resize(round(OUTPUT[0] / scale), round(OUTPUT[1] / scale), scale)
        self.define(AREA, target(102, 77))
        self.until_cross(102 / scale, 77 / scale)
        self.put(target(1013, 757, "2/4"))
        self.until_cross(1013 / scale, 757 / scale)
        self.resize(*OUTPUT)
        self.until_cross(1013, 757)

    def test_a_page_in_portrait(self):
        assert self.fixture.ask("set_output", rotation=90)["ok"]
        self.until("hint", "The output of panel, 768 × 1024, is turned by 90 degrees from this page. Set its rotation before you calibrate it.")
        self.resize(384, 512, 2)
        self.until("hint", "")
        self.define(AREA, target(700, 77))
        self.until_cross(350, 38.5)

    def test_the_texts_follow_the_calibration(self):
        assert self.text("commands") == "gesturectl calibrate"
        assert self.cross() is None
        self.define(AREA)
        self.until("text", "See the terminal.")
        self.put(target(100, 100, "1/9"))
        self.until("title", "1 of 9")
        assert self.text("text") == "Touch the middle of the cross, and hold the finger still for a moment."
        self.put(target(100, 100, "press"))
        self.until("title", "Calibration")
        assert self.cross() is not None
        self.tool.close()
        self.until("title", "Finished")
        assert (self.text("text"), self.cross()) == ("See the terminal.", None)

    def test_the_ring_fills_while_a_finger_is_down(self):
        self.define(AREA, target(200, 200))
        self.until("title", "1 of 4")
        for x, y in ((200, 200), (900, 700)):
            self.fixture.panel.land(x, y)
            self.page.until("document.querySelector('#target.pressed')")
            self.fixture.panel.lift()
            self.page.until("document.querySelector('#target:not(.pressed)')")

    def test_a_target_that_moves_under_the_finger(self):
        self.define(AREA, target(200, 200))
        self.fixture.panel.land(200, 200)
        self.page.until("document.querySelector('#target.pressed')")
        self.put(target(500, 500, "2/4"))
        self.until_cross(500, 500)
        self.page.until("document.querySelector('#target:not(.pressed)')")

    def test_a_restart_of_the_daemon(self):
        self.define(AREA, target(200, 200))
        self.until("title", "1 of 4")
        self.fixture.kill()
        self.until("title", "Connecting …")
        assert (self.text("commands"), self.cross()) == ("gesturectl doctor", None)
        self.fixture.start()
        self.fixture.open_to_others()
        self.until("title", "Calibrate the touchscreen")
        with self.fixture.client() as tool:
            tool.request("define_regions", lease=True, regions=[AREA, target(300, 200)])
            self.until_cross(300, 200)
        # The browser reports connections that the bridge refuses meanwhile.
        assert all("WebSocket" in line for line in self.page.console)
        self.page.console.clear()

    def test_a_window_that_does_not_fill_the_screen_has_no_cross(self):
        self.resize(1024, 700, screen=OUTPUT)
        self.until("title", "This page must fill the screen")
        assert self.text("text") == "Its window has 1024 × 700 pixels. Press F11 or this button:"
        self.define(AREA, target(200, 300))
        self.page.until("document.getElementById('text').textContent.includes('Ctrl+C')")
        assert self.cross() is None
        self.page.mouse(*self.page.js("""(() => {
            const { x, y, width, height } = document.getElementById("enlarge").getBoundingClientRect();
            return [x + width / 2, y + height / 2];
        })()"""))
        self.until("title", "1 of 4")
        assert self.page.js("document.fullscreenElement !== null && document.getElementById('enlarge').hidden")
        width, height = self.page.js("[innerWidth, innerHeight]")
        self.until_cross(200 * width / OUTPUT[0], 300 * height / OUTPUT[1])

    def test_without_a_panel(self):
        self.fixture.panel.tell("remove 0")
        self.until("title", "No touchscreen is ready")
        self.fixture.panel.tell("add 0")
        self.until("title", "Calibrate the touchscreen")

    def test_several_panels(self):
        self.fixture.panel.tell("add 1")
        self.page.until("document.getElementById('commands').children.length === 2")
        commands = self.page.js("[...document.querySelectorAll('code')].map((each) => each.textContent)")
        assert sorted(commands) == ["gesturectl calibrate panel", "gesturectl calibrate panel@event1"]
        self.define(AREA, target(200, 300))
        self.until("text", "Touch the middle of the cross on the panel panel, and hold the finger still for a moment.")

    def test_a_bridge_that_does_not_allow_regions(self):
        bridge = Bridge(self.fixture, commands=["subscribe", "devices"], assets=os.path.join(ROOT, "clients/web"), user=GUEST)
        self.cleanup.callback(bridge.close)
        assert self.page.open(bridge.address + "calibrate") is None
        self.until("title", "This page cannot show targets")
        assert self.text("text").startswith('regions: pages may not use "regions"; add it to commands in ')

    def test_every_text_can_be_read(self):
        self.resize(1024, 700, screen=OUTPUT)
        self.until("title", "This page must fill the screen")
        texts = self.page.js(MEASURE.replace("CONTROLS", "'h1, p, button'"))
        assert {"This page must fill the screen", "Full screen"} <= {text for _, _, text in texts}
        self.resize(768, 1024)
        self.page.until("document.getElementById('hint').textContent")
        texts += self.page.js(MEASURE.replace("CONTROLS", "'h1, p, code'"))
        assert [each for each in texts if each[0] < LEAST] == []


class CommandTests(CalibrationCase):
    """`gesturectl calibrate` on a panel that is mounted the wrong way round: a person touches the crosses of the page."""

    def mount(self, output=OUTPUT):
        """The panel lies on its side behind a display of this size, with one axis inverted, and is larger than the display."""
        self.output = output
        self.fixture.panel.units = lambda x, y: (round((0.95 - 0.9 * y / output[1]) * UNITS), round((0.03 + 0.92 * x / output[0]) * UNITS))

    def calibrate(self, *options):
        """Starts the tool, touches each cross until there is none, and returns what the tool has printed."""
        tool = subprocess.Popen([program("gesturectl"), "calibrate", "--socket", self.fixture.path, *options], stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.cleanup.enter_context(tool)
        self.cleanup.callback(tool.kill)
        title = self.text("title")
        while True:
            wait_until(lambda: tool.poll() is not None or self.text("title") != title, "the next target", PATIENCE)
            if tool.poll() is not None:
                return tool.communicate()[0], tool.returncode
            title = self.text("title")
            cross = self.cross()
            if cross:
                width, height = self.page.js("[innerWidth, innerHeight]")
                x, y = cross[0] / width * self.output[0], cross[1] / height * self.output[1]
                self.fixture.panel.land(x, y)
                self.fixture.panel.hold(300, x, y)
                self.fixture.panel.lift()

    def errors(self):
        """How far off the daemon has touches, in millimetres."""
        with self.fixture.client() as client:
            for x, y in ((0.1, 0.2), (0.5, 0.5), (0.9, 0.3), (0.3, 0.9)):
                x, y = x * self.output[0], y * self.output[1]
                self.fixture.panel.land(x, y)
                line = client.wait(event="gesture", region="screen", phase="begin")
                self.fixture.panel.lift()
                client.wait(event="gesture", region="screen", phase="end")
                output = self.fixture.ask("devices")["devices"][0]["output"]
                yield max(abs(line["x"] - x) * output["width_mm"] / output["width"], abs(line["y"] - y) * output["height_mm"] / output["height"])

    def check(self):
        assert max(self.errors()) > 20
        printed, status = self.calibrate("--write", "--config", str(self.fixture.file), "--conf-dir", self.folder)
        assert status == 0, printed
        assert self.fixture.ask("reload")["ok"], printed
        assert max(self.errors()) < 0.5, printed

    def test_a_panel_that_is_mounted_the_wrong_way_round(self):
        self.mount()
        self.resize(OUTPUT[0] // 2, OUTPUT[1] // 2, 2)
        self.check()

    def test_a_rotation_in_force(self):
        assert self.fixture.ask("set_output", rotation=90)["ok"]
        self.mount(OUTPUT[::-1])
        self.resize(*self.output)
        self.until("hint", "")
        self.check()
