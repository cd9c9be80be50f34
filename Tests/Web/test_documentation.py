# SPDX-License-Identifier: MIT
"""The pages in docs/pages.md, docs/tutorial.md and docs/cookbook.md, in Chromium."""
import json
import os
import re
import shutil
import subprocess
import tempfile

from chromium import Browser
from fixture import HERE, Bridge, Fixture
from harness import ROOT

with open(os.path.join(ROOT, "docs", "pages.md"), encoding="utf-8") as file:
    TEXT = file.read()
with open(os.path.join(ROOT, "docs", "tutorial.md"), encoding="utf-8") as file:
    TUTORIAL = file.read()
with open(os.path.join(ROOT, "docs", "cookbook.md"), encoding="utf-8") as file:
    COOKBOOK = file.read()


def recipe(title):
    """A recipe of the cookbook."""
    return re.search(rf"^## {title}\n.*?(?=^## |\Z)", COOKBOOK, re.M | re.S).group(0)


def html(text):
    """The only HTML page in a text."""
    (page,) = re.findall(r"^```html\n(.*?)^```$", text, re.M | re.S)
    return page


class DocumentationTests:
    def setup_method(self):
        self.root = tempfile.mkdtemp(prefix="gestured.", dir="/tmp")
        self.cleanup.callback(shutil.rmtree, self.root)
        self.fixture = Fixture()
        self.cleanup.callback(self.fixture.close)

    def test_the_first_example(self):
        with open(os.path.join(self.root, "page.html"), "w", encoding="utf-8") as page:
            page.write(html(TEXT))
        bridge = Bridge(self.fixture, root=self.root)
        self.cleanup.callback(bridge.close)
        with Browser() as browser:
            page = browser.page(bridge.address + "page.html")
            page.until("""import("/gestured.js").then(async ({ connection }) =>
                (await connection().request("regions", { region: "app.ok" })).regions[0].shape.rect.length === 4)""")
            x, y = page.js("(({ left, top }) => [left + 10, top + 9])(ok.getBoundingClientRect())")
            self.fixture.panel.tap(x, y)
            for _ in range(200):
                if any("tapped" in each for each in page.console):
                    break
                page.frames(1)
            said = [each for each in page.console if "tapped" in each]
            assert len(said) == 1, page.console
            assert re.search(r"^log: tapped at (9\.\d+|10(\.\d+)?) \d", said[0])

    def test_the_examples_are_copied_into_the_root(self):
        (command,) = re.findall(r"^```sh\n(cp .*)\n```$", TEXT, re.M)
        # Where scripts/install puts them
        listed = subprocess.run([os.path.join(ROOT, "scripts/install"), "list", "web"], env={**os.environ, "PREFIX": "/usr"}, stdout=subprocess.PIPE, text=True, check=True).stdout
        assert "/usr/share/gestured/web/examples/kiosk.html" in listed
        subprocess.run(command.replace("/usr/share/gestured/web", os.path.join(ROOT, "clients/web")).replace("/srv/kiosk", self.root), shell=True, check=True)
        bridge = Bridge(self.fixture, root=self.root)
        self.cleanup.callback(bridge.close)
        with Browser() as browser:
            page = browser.page(bridge.address + re.search(r"open `http://127.0.0.1:8990/(kiosk.*)`", TEXT).group(1))
            page.until("""import("/gestured.js").then(async ({ connection }) =>
                (await connection().request("regions", { region: "app.buy" })).regions.length === 1)""")
            x, y = page.js("(({ left, top }) => [left + 40, top + 40])(buy.getBoundingClientRect())")
            self.fixture.panel.tap(x, y)
            page.until("said.textContent === 'bought'")
            # The browser has found an icon.
            assert page.console == []

    def test_the_page_of_the_tutorial(self):
        with open(os.path.join(self.root, "index.html"), "w", encoding="utf-8") as page:
            page.write(html(TUTORIAL))
        settings = re.search(r"^```toml # web.toml\n(.*?)^```$", TUTORIAL, re.M | re.S).group(1)
        commands = json.loads(re.search(r"^commands = (.*)$", settings, re.M).group(1))
        bridge = Bridge(self.fixture, root=self.root, commands=commands)
        self.cleanup.callback(bridge.close)
        with Browser() as browser:
            page = browser.page(bridge.address + "index.html")
            page.until("""import("/gestured.js").then(async ({ connection }) =>
                (await connection().request("regions", { region: "app.tea" })).regions.length === 1)""")
            x, y = page.js("(({ left, top }) => [left + 20, top + 20])(tea.getBoundingClientRect())")
            self.fixture.panel.tap(x, y)
            for _ in range(200):
                if page.console:
                    break
                page.frames(1)
            assert page.console == ["log: make tea"]

    def test_the_countdown_of_the_cookbook(self):
        lock = recipe("A lock")
        scenes = re.search(r"^```toml\n(.*?)^```$", lock, re.M | re.S).group(1)
        configuration = os.path.join(self.root, "lock.toml")
        with open(os.path.join(HERE, "fixture.toml"), encoding="utf-8") as file, open(configuration, "w", encoding="utf-8") as both:
            both.write(file.read() + scenes.replace("version = 1\n", ""))
        with open(os.path.join(self.root, "page.html"), "w", encoding="utf-8") as page:
            page.write('<button id="ok" data-gesture="tap">OK</button><script type="module">import { bind } from "/gestured.js"; bind()</script>' + html(lock))
        fixture = Fixture(configuration)
        self.cleanup.callback(fixture.close)
        bridge = Bridge(fixture, root=self.root)
        self.cleanup.callback(bridge.close)

        def switch(scene, **keys):
            assert fixture.ask("set_scene", scene=scene, **keys)["ok"]

        def is_region(is_there):
            return f"""import("/gestured.js").then(async ({{ connection }}) =>
                ((await connection().request("regions", {{ region: "app.ok" }})).regions.length === 1) === {is_there})"""

        with Browser() as browser:
            page = browser.page(bridge.address + "page.html")
            page.until(is_region("true"))
            assert page.js("lock.hidden")
            switch("locked", for_ms=60000)
            page.until("!lock.hidden && /^Locked for (60|5[0-9]) s$/.test(lock.textContent)")
            # The page covers its regions.
            page.until(is_region("false"))
            # The remaining time is also known to a page that is loaded later.
            page.open(bridge.address + "page.html")
            page.until("!lock.hidden && /^Locked for (60|5[0-9]) s$/.test(lock.textContent)")
            switch("locked", for_ms=1000)
            page.until("lock.hidden")
            page.until(is_region("true"))
            assert fixture.ask("state")["scene"] == "open"
            switch("locked", for_ms=60000)
            page.until("!lock.hidden")
            switch("open")
            page.until("lock.hidden")
            assert page.console == []

    def test_the_page_of_the_cookbook_that_is_easier_to_touch(self):
        text = recipe("Easier to touch")
        with open(os.path.join(self.root, "page.html"), "w", encoding="utf-8") as page:
            page.write(html(text))
        also = re.findall(r"`(\w+)`", re.search(r"`commands`\sneed\s(.*?)\.", text, re.S).group(1))
        bridge = Bridge(self.fixture, root=self.root, commands=["subscribe", "status", "devices", "regions", "state", "ping", *also, "define_regions", "put_region", "remove_region"])
        self.cleanup.callback(bridge.close)
        with Browser() as browser:
            page = browser.page(bridge.address + "page.html")
            page.until("""import("/gestured.js").then(async ({ connection }) =>
                (await connection().request("regions", { region: "app.easier" })).regions.length === 1)""")
            x, y = page.js("(({ left, top }) => [left + 10, top + 9])(easier.getBoundingClientRect())")
            self.fixture.panel.tap(x, y)
            in_force = 'import("/gestured.js").then(async ({ connection }) => (await connection().request("state")).profile ?? "default")'
            page.until(f"{in_force}.then((profile) => profile === 'steady')")
            page.js("""import("/gestured.js").then(({ connection }) =>
                connection().dispatchEvent(new CustomEvent("idle", { detail: { change: "idle" } })))""")
            page.until(f"{in_force}.then((profile) => profile === 'default')")
            assert page.console == []

    def test_the_commands_that_pages_need(self):
        """The commands that docs/pages.md lists are sufficient, together with those that the bridge always allows."""
        sentence = re.search(r"`commands`\sthere\shas\sthe\seight\sof\sthe\sdefault,\sand\s(.*?):", TEXT, re.S).group(1)
        also = re.findall(r"`(\w+)`", sentence)
        assert also == ["define_regions", "put_region", "remove_region"]
        commands = json.loads(re.search(r"^commands = (.*)$", TEXT, re.M).group(1))
        assert commands == ["subscribe", "status", "devices", "regions", "state", "ping", "at", "counts", *also]
        bridge = Bridge(self.fixture, commands=commands)
        self.cleanup.callback(bridge.close)
        with Browser() as browser:
            page = browser.page(bridge.address + "page.html")
            page.until("isThere('ok')")
            page.js("ok.style.left = '30px', plain.dataset.gesture = 'tap'")
            page.until("isThere('ok').then((is) => is && isThere('plain'))")
            page.js("plain.remove()")
            page.until("regions().then((all) => !all['app.plain'])")
            assert page.console == []
