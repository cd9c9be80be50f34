# SPDX-License-Identifier: MIT
"""The frames of docs/demo.webp (scripts/make-animation)."""
import importlib.machinery
import importlib.util
import os

import pytest

from chromium import Browser
from harness import ROOT


def script(name):
    """A script of the project as a module."""
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), os.path.join(ROOT, "scripts", name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


animation = script("make-animation")


class AnimationTests:
    @pytest.fixture(autouse=True)
    def page(self):
        with Browser(size=animation.SIZE) as browser:
            self.page = animation.open_page(browser)
            yield
            assert self.page.console == []

    def at(self, time):
        self.page.js(f"show({time})")
        return self.page.js("[...document.querySelectorAll('#lines p:not(.note)')].map((line) => line.textContent)")

    def test_a_frame_shows_the_lines_and_the_panel_at_its_time(self):
        assert self.at(animation.FIRST) == []
        assert self.at(50) == ['{"gesture":"press","phase":"begin","region":"coffee",…}']
        assert "rgb(255, 207, 125)" in self.page.js("coffee.style.background")
        assert self.page.js("fingers.querySelectorAll('circle').length") == 1
        assert len(self.at(1400)) == 3
        assert self.at(1450)[3] == '{"gesture":"swipe","name":"page","direction":"left",…}'
        last = self.at(animation.LAST)
        assert last[-1].startswith('{"gesture":"pinch","phase":"end","scale":2.0')
        # No line is cut off.
        assert self.page.js("lines.scrollHeight <= lines.clientHeight && lines.scrollWidth <= lines.clientWidth")

    def test_a_frame_depends_on_its_time_only(self):
        before = animation.frame(self.page, 1300)
        assert animation.frame(self.page, animation.LAST) != before
        assert animation.frame(self.page, 1300) == before

    def test_the_animation_takes_at_most_six_seconds(self):
        frames = range(animation.FIRST, animation.LAST, animation.STEP)
        assert len(frames) * animation.STEP + animation.REST <= 6000
