# SPDX-License-Identifier: MIT
"""Compares the inspector with the pictures in Tests/Web/pictures: each mode, on a phone, a laptop and a large screen, in both
themes. scripts/make-pictures makes new ones."""
import os

import pytest

import sources
from inspecting import KEPT, ROOT, SHARE, compare, differences, image, kept
from test_inspector import InspectorCase

SIZES = [(390, 844), (1280, 800), (1920, 1080)]
MODES = ["live", "recordings", "design", "health"]
THEMES = ["light", "dark"]
# All pictures together, in bytes
MOST_BYTES = 1_500_000


class PictureTests(InspectorCase):
    def compare_sizes(self, mode):
        for width, height in SIZES:
            self.page.resize(width, height)
            self.page.frames(20)
            compare(self.page, f"{mode}-{width}-{self.theme}")

    def test_live(self):
        self.fixture.panel.swipe(200, 200, 400, 200)
        self.fixture.panel.swipe(200, 250, 230, 250)
        self.fixture.panel.land(500, 350)
        self.page.until(self.lit("buy:active"))
        self.compare_sizes("live")

    def test_recordings(self):
        self.click("nav a[href='#recordings']")
        self.page.until("!document.getElementById('recordings-record').disabled")
        self.give_file("#recordings-file", os.path.join(ROOT, "config", "demo.evemu"))
        self.page.until("document.querySelectorAll('#recordings-log li.touch').length > 5")
        # The moment three seconds after the beginning
        self.page.js("document.querySelector('#recordings-timeline canvas').focus()")
        self.key(" ", 32)
        self.key("Home", 36)
        for _ in range(3):
            self.key("PageDown", 34)
        self.compare_sizes("recordings")

    def test_design(self):
        self.click("nav a[href='#design']")
        self.page.until("document.querySelectorAll('#design-list button').length === 6")
        self.page.until("document.querySelector('[data-tab=check].good, [data-tab=check].warn')")
        self.page.js("[...document.querySelectorAll('#design-list button')].find((each) => each.textContent.startsWith('buy')).click()")
        self.compare_sizes("design")

    def test_health(self):
        self.fixture.panel.tap(500, 350)
        self.fixture.panel.swipe(200, 250, 230, 250)
        self.click("nav a[href='#health']")
        self.page.until("[...document.querySelectorAll('#health-gestures tr')].some((row) => row.textContent.includes('moved too little'))")
        self.compare_sizes("health")


class DarkPictureTests(PictureTests):
    theme = "dark"


class DocumentedPictureTests:
    """The pictures in docs show the pages of today."""

    @pytest.mark.parametrize("picture, script", [("inspector.png", "make-screenshot"), ("demo.webp", "make-animation")])
    def test_it_is_not_older_than_what_it_shows(self, picture, script):
        assert sources.noted()[picture] == sources.digest(picture), f"docs/{picture} is older than its page; make it anew with scripts/{script}"

    def test_each_picture_is_noted(self):
        assert set(sources.noted()) == set(sources.SOURCES)


class ComparisonTests(InspectorCase):
    """The comparison notices a change of the page, and does not notice another font."""

    def change(self, style):
        """The fraction of blocks of the page that this style changes."""
        before = image(self.page)
        # The page's policy forbids a style element.
        self.page.js(f"(() => {{ const sheet = new CSSStyleSheet(); sheet.replaceSync({style!r}); document.adoptedStyleSheets = [sheet] }})()")
        self.page.frames(5)
        return differences(before, image(self.page))

    @pytest.mark.parametrize("style", ["#live-timeline { visibility: hidden }", "aside { display: none }", ":root { --page: #c9d1dc }",
                                       "header { padding: 2rem }", ".region { fill-opacity: .5 }"])
    def test_a_change_is_noticed(self, style):
        assert self.change(style) > SHARE

    @pytest.mark.parametrize("style", ["* { letter-spacing: .3px }", "* { font-weight: 400 !important }", "* { font-family: monospace }"])
    def test_another_font_is_not(self, style):
        assert self.change(style) <= SHARE

    def test_each_mode_is_kept_in_each_size_and_theme(self):
        names = {f"{mode}-{width}-{theme}" for mode in MODES for width, _ in SIZES for theme in THEMES}
        assert {name.removesuffix(".webp") for name in os.listdir(KEPT)} == names
        assert sum(os.path.getsize(os.path.join(KEPT, name)) for name in os.listdir(KEPT)) <= MOST_BYTES
        for width, height in SIZES:
            assert kept(f"live-{width}-light").size == (width, height)
