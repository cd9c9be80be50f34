# SPDX-License-Identifier: MIT
"""The origins of pages that may connect, and pages whose daemon or bridge ends, in Chromium."""
import http.server
import os
import signal
import threading
import time
import urllib.error
import urllib.request

import pytest

from chromium import Browser
from fixture import HERE, Bridge, Fixture
from websocket import Refused, WebSocket

# Tries to get everything from the bridge that a page of another origin could request.
PROBE = """(async (address) => {
    const outcome = {};
    const socket = new WebSocket(address.replace("http", "ws") + "socket");
    outcome.socket = await new Promise((resolve) => {
        socket.onmessage = ({ data }) => resolve(JSON.parse(data).event);
        socket.onclose = () => resolve("refused");
    });
    socket.close();
    const events = new EventSource(address + "events");
    outcome.events = await new Promise((resolve) => {
        events.onmessage = ({ data }) => resolve(JSON.parse(data).event);
        events.onerror = () => resolve("refused");
    });
    events.close();
    outcome.module = await import(address + "gestured.js").then((module) => typeof module.bind, () => "refused");
    return outcome;
})"""
ALL = {"socket": "hello", "events": "hello", "module": "function"}
NOTHING = {"socket": "refused", "events": "refused", "module": "refused"}


class Quiet(http.server.BaseHTTPRequestHandler):
    """Serves a page from another origin."""

    def do_GET(self):
        page = b"<!doctype html><title>elsewhere</title>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_):
        pass


class ConnectionTests:
    @classmethod
    def setup_class(cls):
        cls.browser = Browser("--host-resolver-rules=MAP rebound.example 127.0.0.1")
        cls.class_cleanup.callback(cls.browser.close)
        cls.elsewhere = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
        threading.Thread(target=cls.elsewhere.serve_forever, daemon=True).start()
        cls.class_cleanup.callback(cls.elsewhere.server_close)
        cls.class_cleanup.callback(cls.elsewhere.shutdown)
        cls.origin = f"http://127.0.0.1:{cls.elsewhere.server_port}"

    def setup_method(self):
        self.fixture = Fixture()
        self.cleanup.callback(self.fixture.close)

    def serve(self, **settings):
        bridge = Bridge(self.fixture, **settings)
        self.cleanup.callback(bridge.close)
        return bridge

    def open(self, address):
        page = self.browser.page()
        self.cleanup.callback(page.close)
        assert page.open(address) is None
        return page

    def pressed(self, bridge):
        """Opens a page and puts a finger on its button."""
        page = self.open(bridge.address + "page.html")
        page.until("isThere('ok')")
        # Records when the button is released, on the clock of time.time().
        page.js("new MutationObserver(() => { if (!ok.hasAttribute('data-pressed')) window.up ??= performance.timeOrigin + performance.now(); })"
                ".observe(ok, { attributes: true })")
        self.fixture.panel.land(60, 60)
        page.until("ok.hasAttribute('data-pressed')")
        return page

    def check_comes_up(self, page, kill):
        before = time.time()
        kill()
        page.until("window.up")
        assert page.js("up") / 1000 - before <= 0.1, "seconds from the kill until the button is up"
        cancel = page.js("seen.filter((each) => each.phase === 'cancel' && each.gesture)")
        assert [(each["id"], each["reason"], each["added"]) for each in cancel] == [("ok", "disconnected", True)]
        # Events that the browser makes from touches arrive again.
        page.js("seen.length = 0")
        page.touch("touchStart", (60, 60))
        page.touch("touchEnd")
        page.until("seen.some((each) => each.native === 'click' && each.isTrusted && each.id === 'ok')")

    def check_comes_back(self, page, since):
        page.until("isThere('ok')")
        assert time.monotonic() - since <= 1.0, "seconds until the page has its regions again"
        page.js("seen.length = 0")
        self.fixture.panel.tap(60, 60)
        page.until("seen.some((each) => each.gesture === 'tap')")

    def test_a_daemon_that_is_killed_under_a_finger(self):
        page = self.pressed(self.serve())
        self.check_comes_up(page, self.fixture.kill)
        self.fixture.panel.lift()
        self.fixture.start()
        self.check_comes_back(page, time.monotonic())

    def test_a_bridge_that_is_killed_under_a_finger(self):
        bridge = self.serve()
        page = self.pressed(bridge)
        self.check_comes_up(page, bridge.kill)
        self.fixture.panel.lift()
        bridge.start()
        self.check_comes_back(page, time.monotonic())

    def test_a_page_that_is_there_before_the_daemon(self):
        bridge = self.serve()
        self.fixture.kill()
        page = self.open(bridge.address + "page.html")
        page.touch("touchStart", (60, 60))
        page.touch("touchEnd")
        page.until("seen.some((each) => each.native === 'click' && each.id === 'ok')")
        self.fixture.start()
        self.check_comes_back(page, time.monotonic())

    def test_a_new_daemon_has_nothing_of_the_old_one(self):
        page = self.open(self.serve().address + "page.html")
        page.until("isThere('ok')")
        # An element covers a corner of the button, so a touch there does not belong to the button.
        page.js("""document.body.insertAdjacentHTML("beforeend",
            '<div id="over" style="position: absolute; left: 20px; top: 20px; width: 50px; height: 50px; z-index: 3"></div>')""")
        self.fixture.panel.tap(40, 42)
        page.until("gestures.request('ping')")
        assert page.js("seen.filter((each) => each.id === 'ok')") == []
        page.js("over.remove()")
        self.fixture.kill()
        self.fixture.start()
        page.until("isThere('ok')")
        self.fixture.panel.tap(40, 42)
        page.until("seen.some((each) => each.gesture === 'tap' && each.id === 'ok')")

    def test_a_panel_that_is_unplugged_under_a_finger(self):
        page = self.pressed(self.serve())
        self.fixture.panel.tell("remove 0")
        page.until("seen.some((each) => each.phase === 'cancel' && each.reason === 'device_removed')")
        page.until("!ok.hasAttribute('data-pressed') && bound.regions().length === 0")
        page.js("seen.length = 0")
        page.touch("touchStart", (60, 60))
        page.touch("touchEnd")
        page.until("seen.some((each) => each.native === 'click' && each.id === 'ok')")
        self.fixture.panel.tell("add 0")
        page.until("bound.regions().length > 0")
        self.fixture.panel.tap(60, 60)
        page.until("seen.some((each) => each.gesture === 'tap' && each.id === 'ok')")

    def test_a_bridge_that_hangs(self):
        bridge = self.serve()
        page = self.pressed(bridge)
        bridge.process.send_signal(signal.SIGSTOP)
        page.until("!ok.hasAttribute('data-pressed')")
        self.fixture.panel.lift()
        bridge.process.send_signal(signal.SIGCONT)
        page.until("gestures.hello && isThere('ok')")

    def test_a_page_that_is_visited_again(self):
        bridge = self.serve()
        page = self.open(bridge.address + "page.html")
        page.until("isThere('ok')")
        page.open(bridge.address + "empty.html")
        page.until("gestures.hello && regions().then((all) => Object.keys(all).length === 0)")
        page.js("history.back()")
        page.until("document.title === 'elements as regions' && isThere('ok')")
        self.fixture.panel.tap(60, 60)
        page.until("seen.some((each) => each.gesture === 'tap' && each.id === 'ok')")

    def test_the_same_origin(self):
        bridge = self.serve()
        page = self.open(bridge.address + "empty.html")
        assert page.js(f"{PROBE}('{bridge.address}')") == ALL

    def test_another_port_is_refused(self):
        bridge = self.serve()
        assert self.open(self.origin).js(f"{PROBE}('{bridge.address}')") == NOTHING

    def test_another_port_that_is_allowed(self):
        bridge = self.serve(origins=[self.origin])
        page = self.open(self.origin)
        assert page.js(f"{PROBE}('{bridge.address}')") == ALL
        # The page's elements become regions, like those of the bridge's own pages.
        page.js(f"""(async () => {{
            document.body.innerHTML = '<button id="far" data-gesture="press tap" style="position: absolute; left: 100px; top: 100px; width: 200px; height: 99px">far</button>';
            const {{ bind }} = await import("{bridge.address}gestured.js");
            window.bound = bind();
            far.addEventListener("gesture:tap", () => (window.tapped = true));
        }})()""")
        page.until("bound.regions().length === 1")
        self.fixture.panel.tap(200, 150)
        page.until("window.tapped")

    def test_a_file_is_refused(self):
        bridge = self.serve()
        page = self.open("file://" + os.path.join(HERE, "site", "elsewhere.html"))
        assert page.js("origin") == "null"
        assert page.js(f"{PROBE}('{bridge.address}')") == NOTHING

    def test_a_name_that_points_here_is_refused(self):
        bridge = self.serve()
        address = f"http://rebound.example:{bridge.port}/"
        page = self.open(address + "page.html")
        assert page.js("[performance.getEntriesByType('navigation')[0].responseStatus, typeof bound]") == [421, "undefined"]
        assert page.js(f"{PROBE}('{address}')") == NOTHING
        for path in ("page.html", "events", "gestured.js"):
            request = urllib.request.Request(bridge.address + path, headers={"Host": f"rebound.example:{bridge.port}"})
            with pytest.raises(urllib.error.HTTPError) as caught:
                urllib.request.urlopen(request)
            caught.value.close()
            assert caught.value.code == 421
        with pytest.raises(Refused) as refused:
            WebSocket(bridge.port, host=f"rebound.example:{bridge.port}", origin=f"http://rebound.example:{bridge.port}")
        assert refused.value.status == 421

    def test_pages_define_nothing_unless_they_may(self):
        bridge = self.serve(commands=["subscribe", "status", "devices", "regions", "state", "ping", "at"])
        page = self.open(bridge.address + "page.html")
        page.until("gestures.hello && gestures.request('ping')")
        for _ in range(200):
            if page.console:
                break
            page.frames(1)
        assert len(page.console) == 1, page.console
        assert "elements are no regions: define_regions: " in page.console[0]
        assert "add it to commands in /etc/gestured/web.toml, then run: systemctl reload gestured-web" in page.console[0]
        # The page says so, too, where a person in front of the panel looks.
        notice = "document.querySelector('gestured-notice')"
        assert page.js(f"{notice}.textContent") == page.console[0].removeprefix("error: gestured: ")
        assert page.js(f"{notice}.getBoundingClientRect().bottom === innerHeight && {notice}.clientHeight > 20")
        # Touches work as on a page without gestured.
        page.touch("touchStart", (60, 60))
        page.touch("touchEnd")
        page.until("seen.some((each) => each.native === 'click' && each.id === 'ok')")
        # It is gone when the elements are regions.
        bridge.kill()
        with open(bridge.file, encoding="utf-8") as file:
            text = file.read().replace('"at"]', '"at", "define_regions", "put_region", "remove_region"]')
        with open(bridge.file, "w", encoding="utf-8") as file:
            file.write(text)
        bridge.start()
        page.until(f"isThere('ok').then((is) => is && !{notice})")
