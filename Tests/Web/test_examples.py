# SPDX-License-Identifier: MIT
"""The example pages in Chromium, with React and Vue from Debian's packages."""
import os
import shutil
import tempfile

from chromium import Browser
from fixture import Bridge, Fixture
from harness import ROOT

EXAMPLES = os.path.join(ROOT, "clients/web", "examples")
FRAMEWORKS = ["/usr/share/nodejs/react/umd/react.production.min.js", "/usr/share/nodejs/react-dom/umd/react-dom.production.min.js",
              "/usr/share/javascript/vue/vue.min.js"]


class ExampleTests:
    @classmethod
    def setup_class(cls):
        cls.browser = Browser()
        cls.class_cleanup.callback(cls.browser.close)
        cls.root = tempfile.mkdtemp(prefix="gestured.", dir="/tmp")
        cls.class_cleanup.callback(shutil.rmtree, cls.root)
        for path in [*(os.path.join(EXAMPLES, name) for name in os.listdir(EXAMPLES)), *FRAMEWORKS]:
            shutil.copy(path, cls.root)
        cls.fixture = Fixture()
        cls.class_cleanup.callback(cls.fixture.close)
        cls.bridge = Bridge(cls.fixture, root=cls.root)
        cls.class_cleanup.callback(cls.bridge.close)

    def open(self, name):
        page = self.browser.page()
        self.cleanup.callback(page.close)
        assert page.open(self.bridge.address + name) is None
        return page

    def centre(self, page, element):
        """The centre of an element, as soon as the daemon has its region."""
        page.until(f"""import("/gestured.js").then(async ({{ connection }}) => {{
            const {{ regions: [region] }} = await connection().request("regions", {{ region: "app.{element}" }});
            const {{ left, top, width, height }} = document.getElementById("{element}").getBoundingClientRect();
            return String(region.shape.rect) === String([Math.round(left), Math.round(top), Math.round(left + width) - Math.round(left), Math.round(top + height) - Math.round(top)]);
        }})""")
        return page.js(f"(({{ left, top, width, height }}) => [left + width / 2, top + height / 2])({element}.getBoundingClientRect())")

    def test_a_kiosk_page(self):
        page = self.open("kiosk.html")
        self.fixture.panel.tap(*self.centre(page, "buy"))
        page.until("said.textContent === 'bought'")
        x, y = self.centre(page, "service")
        self.fixture.panel.land(x, y)
        self.fixture.panel.hold(2100, x, y)
        page.until("said.textContent === 'service'")
        self.fixture.panel.lift()
        # Without the daemon, the browser dispatches the click.
        self.fixture.kill()
        self.cleanup.callback(self.fixture.start)
        page.js("said.textContent = ''")
        x, y = page.js("(({ left, top }) => [left + 40, top + 40])(buy.getBoundingClientRect())")
        page.until("!document.querySelector('[data-pressed]')")
        page.touch("touchStart", (x, y))
        page.touch("touchEnd")
        page.until("said.textContent === 'bought'")

    def counts(self, name):
        page = self.open(name)
        x, y = self.centre(page, "counter")
        for count in (1, 2, 3):
            self.fixture.panel.tap(x, y)
            page.until(f"counter.textContent === 'touched {count} times'")
        self.fixture.panel.land(x, y)
        self.fixture.panel.hold(600, x, y)
        page.until("counter.textContent === 'touched 0 times'")
        self.fixture.panel.lift()
        page.until("!counter.hasAttribute('data-pressed')")
        assert page.js("counter.textContent") == "touched 0 times"
        assert [each for each in page.console if "error" in each or "exception" in each] == []

    def test_react(self):
        self.counts("react.html")

    def test_vue(self):
        self.counts("vue.html")
