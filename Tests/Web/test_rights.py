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
        self.bridge = Bridge(fixture, commands=self.commands, assets=f"{ROOT}/web", user=GUEST)
        self.cleanup.callback(self.bridge.close)
        self.page = self.open()


@pytest.mark.skipif(not GUEST, reason="only root can start the bridge as another user")
class HealthRightsTests(RightsCase):
    def test_the_health_says_what_would_show_more(self):
        self.click("nav a[href='#health']")
        self.page.until("[...document.querySelectorAll('#health-clients tr')].some((row) => row.textContent.includes('this page'))")
        assert f'add "{GUEST}" to control_uids in [access]' in self.text("#health-noclients")
        assert f'add "{GUEST}" to raw_uids in [access] of gestured.toml, run gesturectl reload' in self.text("#health-map-text")


@pytest.mark.skipif(not GUEST, reason="only root can start the bridge as another user")
class UsualCommandsTests(RightsCase):
    commands = USUAL

    def test_the_health_says_what_would_show_more(self):
        self.click("nav a[href='#health']")
        self.page.until("!document.getElementById('health-noclients').hidden")
        assert 'add "clients" to commands in web.toml, run systemctl reload gestured-web' in self.text("#health-noclients")
        assert 'add "touch_map" to commands in web.toml' in self.text("#health-map-text")
        assert self.page.js("document.querySelector('#health-clients').checkVisibility()") is False
