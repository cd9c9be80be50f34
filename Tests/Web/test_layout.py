# SPDX-License-Identifier: MIT
"""Measures every text and control of the inspector: nothing is cut off, nothing overlaps, and each text can be read. It looks at each
mode with much and with little to show, without the daemon and without rights, on a phone, a laptop and a large screen, in both
themes. axe-core looks at the same pages, if scripts/setup could fetch it."""
import os
import pathlib

import pytest

from harness import GUEST, ROOT
from test_contrast import LEAST
from test_inspector import InspectorCase
from test_pictures import MODES, SIZES
from test_rights import RightsCase

MEASURE = (pathlib.Path(__file__).parent / "layout.js").read_text(encoding="utf-8").replace("LEAST", str(LEAST))
AXE = pathlib.Path(ROOT, ".build", "axe", "axe.min.js")


class LayoutCase(InspectorCase):
    def ready(self, mode):
        """Waits until a mode shows what it has to show."""

    def check(self):
        found = []
        for mode in MODES:
            self.page.resize(*SIZES[1])
            self.page.js(f"location.hash = '{mode}'")
            self.ready(mode)
            for width, height in SIZES:
                self.page.resize(width, height)
                self.page.frames(12)
                found += [f"{mode} {width} {self.theme}: {problem}" for problem in self.page.js(MEASURE)]
                found += [f"{mode} {width} {self.theme}: axe: {problem}" for problem in self.axe()]
        assert found == []
        assert self.said() == []

    def said(self):
        return [line for line in self.page.console if "favicon" not in line]

    def axe(self):
        if not AXE.exists():
            return []
        if not self.page.js("typeof axe === 'object'"):
            self.page.js(AXE.read_text(encoding="utf-8") + "\n;true")
        return self.page.js("""axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
            violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help}: ${node.html.slice(0, 120)}`)))""")


class FullTests(LayoutCase):
    """All rights, nested regions, gestures and misses, an open recording, a region that is selected, landings in the map."""

    def test_layout(self):
        panel = self.fixture.panel
        panel.swipe(200, 200, 400, 200)
        for _ in range(15):
            panel.tap(500, 350)
        panel.swipe(200, 250, 230, 250)
        panel.land(500, 350)
        self.page.until(self.lit("buy:active"))
        self.check()

    def ready(self, mode):
        if mode == "recordings":
            self.page.until("!document.getElementById('recordings-record').disabled")
            self.give_file("#recordings-file", os.path.join(ROOT, "config", "demo.evemu"))
            self.page.until("document.querySelectorAll('#recordings-log li.touch').length > 5 && !document.getElementById('what-if').hidden")
        if mode == "design":
            self.page.until("document.querySelectorAll('#design-list button').length === 6")
            self.page.until("document.querySelector('[data-tab=check].good, [data-tab=check].warn')")
            self.page.js("[...document.querySelectorAll('#design-list button')].find((each) => each.textContent.startsWith('buy')).click()")
            self.page.js("document.getElementById('design-save').click()")
            self.page.until("!document.getElementById('design-next').hidden")
        if mode == "health":
            self.page.until("document.querySelectorAll('#health-gestures tr').length > 1")
            self.page.js("document.getElementById('health-map').click()")
            self.page.until("!document.getElementById('health-heat').hidden")
            self.fixture.panel.lift()
            self.fixture.panel.tap(200, 200)


class DarkFullTests(FullTests):
    theme = "dark"


class EmptyTests(LayoutCase):
    """The daemon has just started. There are no regions, and nothing has been touched or opened."""

    def setup_method(self):
        super().setup_method()
        self.fixture.file.write_text("version = 1\n", encoding="utf-8")
        self.fixture.reload("version = 1\n[access]\n" + self.fixture.file.read_text(encoding="utf-8").partition("[access]\n")[2])

    def test_layout(self):
        self.check()


class DarkEmptyTests(EmptyTests):
    theme = "dark"


class GoneTests(LayoutCase):
    """The daemon is killed, after it was there or before the page is opened."""

    @pytest.mark.parametrize("was_there", [True, False])
    def test_layout(self, was_there):
        self.fixture.panel.tap(500, 350)
        self.page.until("document.querySelectorAll('#live-log button').length > 0")
        self.fixture.kill()
        if not was_there:
            self.page.open(f"{self.bridge.address}?again")
        self.page.until("!document.getElementById('lost').hidden")
        assert "systemctl status gestured" in self.text("#lost")
        assert ("What you see is from" in self.text("#lost")) == was_there
        self.check()

    def said(self):
        # The console reports each request that the bridge had to refuse.
        return [line for line in super().said() if "503" not in line]

    def teardown_method(self):
        self.page.console.clear()


class DarkGoneTests(GoneTests):
    theme = "dark"


@pytest.mark.skipif(not GUEST, reason="only root can start the bridge as another user")
class PoorTests(RightsCase, LayoutCase):
    """The bridge's user has no rights."""

    def test_layout(self):
        self.fixture.panel.tap(500, 350)
        self.check()

    def said(self):
        # The console reports that the bridge has refused the files.
        return [line for line in super().said() if "403" not in line]

    def teardown_method(self):
        self.page.console.clear()


class DarkPoorTests(PoorTests):
    theme = "dark"


class MeasureTests(InspectorCase):
    """The measurement finds what it looks for."""

    @pytest.mark.parametrize("style, word", [
        ("#live-clear { margin-right: -40px }", "cut"),
        ("#live-draw { margin-right: -60px }", "overlap"),
        ("#live-clear { color: #999 }", "contrast"),
        (".brand { width: 30px; overflow: hidden }", "cut"),
    ])
    def test_a_fault_is_found(self, style, word):
        assert self.page.js(MEASURE) == []
        self.page.js(f"(() => {{ const sheet = new CSSStyleSheet(); sheet.replaceSync({style!r}); document.adoptedStyleSheets = [sheet] }})()")
        self.page.frames(3)
        assert any(problem.startswith(word) for problem in self.page.js(MEASURE))
