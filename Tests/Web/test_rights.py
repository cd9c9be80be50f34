# SPDX-License-Identifier: MIT
"""What the inspector shows if the bridge's user has no rights, or its configuration allows few commands."""
import pytest

import inspecting
from fixture import Bridge
from harness import GUEST, ROOT
from inspecting import InspectedFixture
from test_inspector import InspectorCase

# The commands that config/web.toml allows by default
USUAL = ["subscribe", "status", "devices", "regions", "state", "ping", "at", "counts"]


class RightsCase(InspectorCase):
    """The bridge's user has no rights."""

    commands = inspecting.COMMANDS

    def setup_method(self):
        fixture = self.fixture = InspectedFixture()
        self.cleanup.callback(fixture.close)
        fixture.open_to_others()
        self.bridge = Bridge(fixture, commands=self.commands, assets=f"{ROOT}/clients/web", user=GUEST)
        self.cleanup.callback(self.bridge.close)
        self.page = self.open()


@pytest.mark.skipif(not GUEST, reason="only root can start the bridge as another user")
class DesignRightsTests(RightsCase):
    def design(self):
        self.click("nav a[href='#design']")
        self.page.until("document.querySelectorAll('#design-list button').length > 0")
        # The console reports that the bridge has refused the files.
        assert "403" in self.page.console.pop()

    def names(self):
        return self.page.js("[...document.querySelectorAll('#design-list button')].map((each) => each.firstChild.data)")

    def test_the_design_starts_with_the_regions_of_the_daemon(self):
        self.design()
        assert self.names() == ["arrow", "dial", "buy", "carousel", "screen"], "the private region is not known"
        text = self.page.js("document.getElementById('design-text').value")
        assert 'id = "carousel"\nshape = { rect = [51, 38, 614, 422] }\ngestures = [{ type = "swipe", name = "page" }, "press"]' in text
        self.page.until("document.querySelector('[data-tab=check].good')")
        assert self.page.js("document.getElementById('design-save').disabled")
        reason = self.text("#design-obstacle")
        assert f'add "{GUEST}" to private_uids in [access] of {self.fixture.file}, then run, as root: gesturectl reload' in reason

    def test_it_does_so_if_the_page_begins_with_it_and_after_the_daemon_was_gone(self):
        page = self.open("design")
        page.until("document.querySelectorAll('#design-list button').length === 5 && document.getElementById('design-save').disabled")
        self.fixture.kill()
        page.until("document.querySelector('#status.bad')")
        self.fixture.configure('[[region]]\nid = "more"\nshape = "full"\ngestures = ["tap"]\n')
        self.fixture.start()
        self.fixture.open_to_others()
        page.until("document.querySelectorAll('#design-list button').length === 6")
        self.page.until("document.querySelector('#status.good')")
        self.page.console.clear()

    def test_the_design_follows_the_daemon_until_something_is_changed(self):
        self.design()
        self.fixture.ask("put_region", region={"id": "app.new", "shape": {"rect": [0, 700, 100, 60]}, "gestures": ["tap"]})
        self.page.until("document.querySelectorAll('#design-list button').length === 6")
        self.page.js("[...document.querySelectorAll('#design-list button')].find((each) => each.textContent === 'dial').click()")
        self.choose(".field[data-path=id] input", "knob")
        self.fixture.ask("remove_region", region="app.new")
        self.page.until("!document.querySelector('#live-panels [data-region=\"app.new\"]')")
        assert {"knob", "app.new"} <= set(self.names())

    def test_the_files_are_opened_once_the_bridge_may_read_them(self):
        self.design()
        self.fixture.reload(self.fixture.file.read_text(encoding="utf-8").replace("private = true", "private = false"))
        self.page.until("document.getElementById('design-obstacle').hidden")
        assert "# turns pages" in self.page.js("document.getElementById('design-text').value")
        assert not self.page.js("document.getElementById('design-save').disabled")

    def test_a_file_of_the_user_can_be_saved(self):
        self.design()
        path = f"{self.fixture.folder}/own.toml"
        with open(path, "w", encoding="utf-8") as file:
            file.write('version = 1\n[[region]]\nid = "own"\nshape = "full"\n')
        self.give_file("#design-open", path)
        self.page.until("!document.getElementById('design-save').disabled && document.getElementById('design-obstacle').hidden")
        self.fixture.ask("reload")
        self.page.frames(10)
        assert self.names() == ["own"]


@pytest.mark.skipif(not GUEST, reason="only root can start the bridge as another user")
class HealthRightsTests(RightsCase):
    def test_the_health_says_what_would_show_more(self):
        self.click("nav a[href='#health']")
        self.page.until("[...document.querySelectorAll('#health-clients tr')].some((row) => row.textContent.includes('this page'))")
        assert f'add "{GUEST}" to control_uids in [access]' in self.text("#health-noclients")
        assert f'add "{GUEST}" to raw_uids in [access] of {self.fixture.file}, run gesturectl reload as root' in self.text("#health-map-text")


@pytest.mark.skipif(not GUEST, reason="only root can start the bridge as another user")
class UsualCommandsTests(RightsCase):
    commands = USUAL

    def test_the_health_says_what_would_show_more(self):
        self.click("nav a[href='#health']")
        self.page.until("!document.getElementById('health-noclients').hidden")
        assert 'add "clients" to commands in web.toml, run systemctl reload gestured-web' in self.text("#health-noclients")
        assert 'add "touch_map" to commands in web.toml' in self.text("#health-map-text")
        assert self.page.js("document.querySelector('#health-clients').checkVisibility()") is False
