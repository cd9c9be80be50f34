# SPDX-License-Identifier: MIT
"""Elements as regions when the bridge's user has only the right to define regions."""
import pytest

from chromium import Browser
from fixture import Bridge, Fixture
from harness import GUEST

PARENT = """
[[region]]
id = "stage"
shape = { rect = [100, 48, 800, 600] }
[[region]]
id = "pin"
shape = { rect = [800, 0, 224, 200] }
private = true
gestures = ["press", "tap"]
"""


@pytest.mark.skipif(not GUEST, reason="only root can start a program of another user")
class GuestTests:
    @classmethod
    def setup_class(cls):
        cls.browser = Browser()
        cls.class_cleanup.callback(cls.browser.close)

    def open(self, access="", name="page.html", limit=1024):
        self.fixture = Fixture(start=False)
        self.cleanup.callback(self.fixture.close)
        text = self.fixture.file.read_text()
        self.fixture.file.write_text(text.replace("define_limit = 1024", f"define_limit = {limit}\n{access}") + PARENT)
        self.fixture.start()
        self.fixture.open_to_others()
        self.bridge = Bridge(self.fixture, user=GUEST)
        self.cleanup.callback(self.bridge.close)
        page = self.browser.page()
        self.cleanup.callback(page.close)
        assert page.open(self.bridge.address + name) is None
        return page

    def test_it_needs_nothing_but_the_right_to_define(self):
        page = self.open()
        page.until("isThere('ok')")
        assert page.js("gestures.hello.rights") == ["define"]
        self.fixture.panel.tap(60, 60)
        page.until("seen.some((each) => each.gesture === 'tap' && each.id === 'ok')")
        assert page.console == []

    def test_the_region_that_all_lie_in(self):
        page = self.open('define_parent = "stage"')
        page.until("isThere('click')")
        assert page.js("regions().then((all) => all['app.click'].parent)") == "stage"
        self.fixture.panel.tap(300, 60)
        page.until("seen.some((each) => each.gesture === 'tap' && each.id === 'click')")
        page.js("click.style.left = '500px', click.style.top = '600px'")
        page.until("isThere('click')")

    def test_a_limit_is_an_error_that_names_its_key(self):
        page = self.open(limit=3)
        page.until("gestures.hello && gestures.request('ping')")
        for _ in range(200):
            if page.console:
                break
            page.frames(1)
        assert len(page.console) == 1, page.console
        assert "define_limit" in page.console[0]
        assert page.js("bound.regions()") == []

    def test_an_element_over_a_private_region_gets_none_of_its_touches(self):
        page = self.open()
        page.until("isThere('ok')")
        page.js("ok.style.left = '840px', ok.style.top = '30px'")
        page.until("isThere('ok')")
        assert page.js("regions().then((all) => all['app.ok'].enabled)")
        self.fixture.panel.tap(900, 60)
        self.fixture.panel.tap(300, 60)
        page.until("seen.some((each) => each.gesture === 'tap')")
        assert {each["id"] for each in page.js("seen")} == {"click"}
