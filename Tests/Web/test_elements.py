# SPDX-License-Identifier: MIT
"""Elements as regions: gestured.js in Chromium, with the real daemon and bridge."""
import re

import pytest

from chromium import Browser
from fixture import Bridge, Fixture


def middle(rect):
    return rect[0] + rect[2] / 2, rect[1] + rect[3] / 2


class ElementTests:
    @classmethod
    def setup_class(cls):
        cls.browser = Browser()
        cls.class_cleanup.callback(cls.browser.close)

    def setup_method(self):
        self.fixture = Fixture()
        self.cleanup.callback(self.fixture.close)
        self.bridge = Bridge(self.fixture)
        self.cleanup.callback(self.bridge.close)
        self.page = self.open()

    def open(self, name="page.html", ready="await isThere('ok')", window=False):
        page = self.browser.page(window=window)
        self.cleanup.callback(page.close)
        assert page.open(self.bridge.address + name) is None
        page.until(f"(async () => {ready})()")
        return page

    def there(self, *ids, page=None):
        for each in ids:
            (page or self.page).until(f"isThere('{each}')")

    def centre(self, element):
        return middle(self.page.js(f"rect(document.getElementById('{element}'))"))

    def seen(self, page=None):
        """The events of elements since the last call."""
        return (page or self.page).js("seen.splice(0)")

    def gestures(self):
        return [(each["id"], each["gesture"], each.get("phase") or "") for each in self.seen() if "gesture" in each]

    def test_an_element_is_a_region_where_it_is_drawn(self):
        regions = self.page.js("regions()")
        assert regions["app.ok"]["shape"]["rect"] == [20, 20, 160, 80]
        assert [each["gesture"] for each in regions["app.ok"]["gestures"]] == ["press", "tap", "long_press"]
        assert regions["app.item1"]["parent"] == "app.list"
        assert regions["app.item5"]["shape"]["rect"] == self.page.js("rect(item5)")
        assert set(regions) == {"app.ok", "app.click", "app.menu", "app.list", "app.map", "app.card",
                                        *(f"app.item{n}" for n in range(1, 6))}, "hidden and clipped elements are not regions"
        assert self.page.console == []

    def test_a_tap_is_an_event_of_the_element(self):
        self.fixture.panel.land(60, 60)
        self.page.until("ok.hasAttribute('data-pressed')")
        self.fixture.panel.lift()
        self.page.until("!ok.hasAttribute('data-pressed') && seen.length === 6")
        seen = self.seen()
        assert [(each.get("gesture") or each["named"], each.get("phase")) for each in seen] == [("press", "begin"), ("gesture:press", "begin"), ("tap", None), ("gesture:tap", None), ("press", "end"), ("gesture:press", "end")]
        assert {each["id"] for each in seen} == {"ok"}
        tap = seen[2]
        assert (tap["x"], tap["y"], tap["region"], tap["fingers"]) == (60, 60, "app.ok", 1)
        assert (tap["clientX"], tap["clientY"], tap["elementX"], tap["elementY"]) == (60, 60, 40, 40)

    def test_parameters_are_attributes(self):
        x, y = self.centre("menu")
        self.fixture.panel.land(x, y)
        self.fixture.panel.hold(700, x, y)
        self.fixture.panel.hold(50, x, y)
        self.page.until("menu.hasAttribute('data-pressed')")
        assert self.gestures() == [("menu", "press", "begin")]
        self.fixture.panel.hold(100, x, y)
        self.page.until("seen.some((each) => each.gesture === 'long_press')")
        self.fixture.panel.lift()
        self.page.until("seen.some((each) => each.phase === 'end')")

    def test_a_wrong_attribute_is_an_error_that_names_the_element(self):
        self.page.js("plain.dataset.gesture = 'tap', plain.setAttribute('data-gesture-tap-slopp', '8mm')")
        self.until_console("slopp")
        error = next(each for each in self.page.console if "slopp" in each)
        assert 'error: gestured: <button id="plain" data-gesture="tap" data-gesture-tap-slopp="8mm">' in error
        assert 'did you mean "slop"?' in error
        # Other elements still work, and changing the attribute again reports it again.
        self.there("ok")
        assert "app.plain" not in self.page.js("regions()")
        self.page.js("plain.removeAttribute('data-gesture-tap-slopp')")
        self.there("plain")
        for attributes, word in (("dataset.gesture = 'tapp'", "tapp"), ("dataset.gesture = '[{'", "JSON"),
                                 ("setAttribute('data-gesture-swipe-rest', '1ms')", "swipe")):
            self.page.console.clear()
            self.page.js(f"plain.{attributes}")
            self.until_console(word)
            assert len(self.page.console) == 1, self.page.console
            assert '<button id="plain"' in self.page.console[0]

    def until_console(self, word):
        for _ in range(200):
            if any(word in each for each in self.page.console):
                return
            self.page.frames(1)
        pytest.fail(f"no message about {word} in the console: {self.page.console}")

    def test_regions_follow_the_layout(self):
        self.page.js("ok.style.left = '500px', ok.style.top = '600px'")
        self.there("ok")
        self.fixture.panel.tap(520, 620)
        self.page.until("seen.some((each) => each.gesture === 'tap' && each.id === 'ok')")
        self.page.js("ok.hidden = true")
        self.page.until("regions().then((all) => !all['app.ok'])")
        self.page.js("ok.hidden = false, ok.disabled = true")
        self.page.until("regions().then((all) => !all['app.ok'])")
        self.page.js("ok.disabled = false")
        self.there("ok")

    def test_regions_follow_the_output(self):
        assert self.fixture.ask("set_output", size=[2048, 1536])["ok"]
        self.page.until("regions().then((all) => all['app.ok'].shape.rect.join() === rect(ok).map((edge) => edge * 2).join())")
        assert self.fixture.ask("set_output", rotation=180)["ok"]
        self.there("ok")
        self.fixture.panel.tap(1024 - 60, 768 - 60)
        self.page.until("seen.some((each) => each.gesture === 'tap' && each.id === 'ok')")

    def test_regions_follow_scrolling(self):
        self.page.js("list.scrollTop = 150")
        self.there("item4", "item5", "item6")
        regions = self.page.js("regions()")
        assert "app.item2" not in regions
        assert regions["app.item3"]["shape"]["rect"] == [20, 140, 345, 30], "clipped by the list"
        self.fixture.panel.tap(*self.centre("item6"))
        self.page.until("seen.some((each) => each.gesture === 'tap' && each.id === 'item6')")

    def test_regions_follow_the_window_and_the_zoom(self):
        self.page.resize(512, 384, 2)
        self.page.until("regions().then((all) => all['app.ok'].shape.rect.join() === rect(ok).map((edge) => edge * 2).join())")
        self.fixture.panel.tap(60, 60)
        self.page.until("seen.some((each) => each.gesture === 'tap')")
        tap = next(each for each in self.seen() if each.get("gesture") == "tap")
        assert (tap["clientX"], tap["elementX"], tap["elementY"]) == (30, 10, 10)
        self.page.resize(1024, 768)
        self.there("ok")
        # Zooming in with a pinch keeps the layout, but shows a smaller part of it.
        self.page.call("Emulation.setPageScaleFactor", pageScaleFactor=2)
        self.page.until("visualViewport.scale === 2 && regions().then((all) => all['app.ok'].shape.rect.join() === '40,40,320,160')")
        self.page.call("Emulation.setPageScaleFactor", pageScaleFactor=1)
        self.there("ok")

    def test_an_element_that_always_moves_delays_no_other(self):
        self.page.js("""(() => {
            const step = () => (ok.style.left = `${Math.random() * 10}px`, requestAnimationFrame(step));
            step();
            click.style.left = "300px";
        })()""")
        self.there("click")
        # Once a second, the page sends the latest position to the daemon.
        self.page.until("regions().then((all) => (window.first ??= all['app.ok'].shape.rect[0]) !== all['app.ok'].shape.rect[0])")

    def test_keys_of_the_region(self):
        self.page.js("plain.dataset.gesture = 'tap', plain.setAttribute('data-gesture-margin', '4mm')")
        self.there("plain")
        assert self.page.js("regions().then((all) => all['app.plain'].margin)") > 0
        # Simulates the line of a touch next to the element. The daemon cannot send it, because there are regions on all sides
        # of the element.
        self.page.js("""gestures.dispatchEvent(new CustomEvent("gesture", { detail:
            { event: "gesture", gesture: "tap", name: "tap", region: "app.plain", device: "panel", sequence: 1000, x: 700, y: 108 } }))""")
        assert [(each["id"], each["elementY"]) for each in self.seen() if "gesture" in each] == [("plain", 88)]

    def test_gestures_with_names(self):
        self.page.js("""plain.dataset.gesture = '[{"type":"tap","name":"menu"},"press"]', plain.setAttribute("data-gesture-menu-slop", "5mm"),
            plain.dataset.gestureClick = 'menu'""")
        self.there("plain")
        self.fixture.panel.tap(700, 60)
        self.page.until("seen.some((each) => each.named === 'gesture:menu' && each.id === 'plain')")
        self.page.until("seen.some((each) => each.native === 'click' && each.id === 'plain')")

    def test_a_click_can_be_prevented(self):
        self.page.js("click.addEventListener('gesture:tap', (event) => event.preventDefault())".replace("click.", "document.getElementById('click').", 1))
        self.fixture.panel.tap(*self.centre("click"))
        self.page.until("seen.some((each) => each.phase === 'end')")
        assert [each for each in self.seen() if "native" in each] == []

    def test_what_a_dialog_covers_is_not_touched(self):
        self.page.js("dialog.showModal()")
        self.there("close")
        assert list(self.page.js("regions()")) == ["app.close"]
        self.fixture.panel.tap(*self.centre("ok"))
        self.fixture.panel.tap(*self.centre("close"))
        self.page.until("seen.some((each) => each.id === 'close' && each.phase === 'end')")
        assert {each[0] for each in self.gestures()} == {"close"}
        self.page.js("dialog.close()")
        self.there("ok")

    def test_what_is_drawn_above_is_touched(self):
        # The menu comes after the buttons in the page, and is drawn above the list, which comes before it.
        self.page.js("document.body.prepend(dropdown), dropdown.hidden = false")
        self.there("choice")
        self.fixture.panel.tap(150, 150)
        self.page.until("seen.some((each) => each.gesture === 'tap')")
        assert {each[0] for each in self.gestures()} == {"choice"}
        self.fixture.panel.tap(30, 30)
        self.page.until("seen.some((each) => each.gesture === 'tap')")
        assert {each[0] for each in self.gestures()} == {"ok"}, "the part that is not covered"

    def test_nested_elements(self):
        x, y = self.centre("item3")
        self.fixture.panel.swipe(x, y, x - 150, y)
        self.page.until("seen.some((each) => each.gesture === 'swipe')")
        seen = self.seen()
        swipe = next(each for each in seen if each.get("gesture") == "swipe")
        assert (swipe["id"], swipe["direction"]) == ("list", "left")
        assert not [each for each in seen if each.get("gesture") == "tap"]

    def test_a_drag_has_updates_in_pixels_of_the_page(self):
        self.page.resize(512, 384, 2)
        self.page.until("regions().then((all) => all['app.map'].shape.rect[0] === 840)")
        self.fixture.panel.land(900, 400)
        for step in range(1, 6):
            self.fixture.panel.move(900 + 20 * step, 400)
        self.fixture.panel.lift()
        self.page.until("seen.some((each) => each.gesture === 'drag' && each.phase === 'end')")
        drags = [each for each in self.seen() if each.get("gesture") == "drag"]
        assert drags[0]["phase"] == "begin"
        assert len([each for each in drags if each["phase"] == "update"]) > 1
        assert drags[-1]["clientDx"] == pytest.approx(drags[-1]["dx"] / 2, abs=5e-8)
        assert drags[-1]["clientX"] == 500

    def both(self, x, y, kind="tap"):
        """Sends a touch to both the daemon and the browser."""
        self.fixture.panel.land(x, y)
        self.page.touch("touchStart", (x, y))
        self.page.until("document.querySelector('[data-pressed]')")
        self.fixture.panel.lift()
        self.page.touch("touchEnd")
        self.page.until("!document.querySelector('[data-pressed]')")
        self.page.frames()

    def test_nothing_happens_twice(self):
        self.both(*self.centre("ok"))
        self.page.until("seen.some((each) => each.gesture === 'tap')")
        assert [each for each in self.seen() if "native" in each] == []
        # gestured.js dispatches the click; the browser must not.
        self.both(*self.centre("click"))
        self.page.until("seen.some((each) => each.native)")
        assert [(each["native"], each["isTrusted"]) for each in self.seen() if "native" in each] == [("click", False)]
        assert self.page.js("document.activeElement.id === 'click'")
        # Other elements and the mouse work as on a page without gestured.
        self.page.touch("touchStart", self.centre("plain"))
        self.page.touch("touchEnd")
        self.page.until("seen.some((each) => each.native === 'click' && each.id === 'plain')")
        self.seen()
        self.page.mouse(*self.centre("ok"))
        self.page.until("seen.some((each) => each.native === 'click')")
        assert [each["native"] for each in self.seen()] == ["pointerdown", "mousedown", "pointerup", "click"]

    def test_a_long_press_opens_no_menu_of_the_browser(self):
        x, y = self.centre("ok")
        self.fixture.panel.land(x, y)
        self.page.touch("touchStart", (x, y))
        self.page.until("ok.hasAttribute('data-pressed')")
        self.fixture.panel.hold(600, x, y)
        self.page.until("seen.some((each) => each.gesture === 'long_press')")
        self.fixture.panel.lift()
        self.page.touch("touchEnd")
        self.page.frames()
        assert [each for each in self.seen() if "native" in each] == []

    def test_controls_in_an_element_stay_the_browsers(self):
        x, y = self.centre("link")
        self.fixture.panel.tap(x, y)
        self.page.touch("touchStart", (x, y))
        self.page.touch("touchEnd")
        self.page.until("location.hash === '#linked'")
        assert self.gestures() == []
        self.fixture.panel.tap(60, 560)
        self.page.until("seen.some((each) => each.gesture === 'tap' && each.id === 'card')")

    def test_a_finger_that_scrolls_presses_nothing(self):
        x, y = self.centre("item4")
        self.page.js("list.dataset.gesture = ''")
        self.page.until("regions().then((all) => all['app.item4'].parent === null)")
        self.fixture.panel.land(x, y)
        self.page.touch("touchStart", (x, y))
        self.page.until("item4.hasAttribute('data-pressed')")
        for step in range(1, 9):
            self.page.touch("touchMove", (x, y - 10 * step))
        self.page.until("list.scrollTop > 20 && !item4.hasAttribute('data-pressed')")
        self.page.touch("touchEnd")
        self.fixture.panel.lift()
        self.page.until("seen.some((each) => each.added)")
        ends = [each for each in self.seen() if each.get("phase") in ("end", "cancel") and "gesture" in each]
        assert [(each["id"], each["phase"], each["reason"], each["added"]) for each in ends] == [("item4", "cancel", "scrolled", True)]

    def test_an_element_that_moves_under_a_finger_is_not_cancelled(self):
        x, y = self.centre("ok")
        self.fixture.panel.land(x, y)
        self.page.until("ok.hasAttribute('data-pressed')")
        self.page.js("ok.style.top = '650px', click.style.top = '650px'")
        self.there("click")
        assert self.page.js("ok.hasAttribute('data-pressed')")
        self.fixture.panel.lift()
        self.page.until("!ok.hasAttribute('data-pressed')")
        assert self.gestures() == [("ok", "press", "begin"), ("ok", "tap", ""), ("ok", "press", "end")]
        self.there("ok")

    def test_an_element_that_is_removed_gets_its_cancel(self):
        x, y = self.centre("ok")
        self.fixture.panel.land(x, y)
        self.page.until("ok.hasAttribute('data-pressed')")
        self.page.js("window.last = [], window.gone = ok, gone.addEventListener('gesture', ({ detail }) => last.push([detail.gesture, detail.phase, detail.reason])), gone.remove()")
        self.page.until("last.length > 0")
        assert self.page.js("last") == [["press", "cancel", "removed"]]
        assert not self.page.js("gone.hasAttribute('data-pressed')")
        self.fixture.panel.lift()
        self.page.until("regions().then((all) => !all['app.ok'])")
        assert self.page.js("last.length") == 1

    def test_a_hidden_page_has_no_regions(self):
        other = self.open("empty.html", "gestures.hello")
        other.until("regions().then((all) => Object.keys(all).length === 0)")
        self.page.call("Page.bringToFront")
        self.there("ok")

    def test_regions_go_with_the_page(self):
        self.page.open("about:blank")
        other = self.open("empty.html", "gestures.hello")
        other.until("regions().then((all) => Object.keys(all).length === 0)")

    def test_two_pages_at_once(self):
        other = self.open(ready="Object.keys(await regions()).length >= 22", window=True)
        ids = list(other.js("bound.regions().map(({ id }) => id)"))
        assert re.search(r"^app\.[a-z0-9]{6}\.ok$", next(each for each in ids if each.endswith(".ok")))
        # The touch belongs to the page whose regions are on top in the daemon. The other page receives nothing.
        self.fixture.panel.tap(60, 60)
        other.until("seen.some((each) => each.gesture === 'tap')")
        self.page.frames()
        assert self.gestures() == []

    def test_many_elements(self):
        page = self.open("many.html", "await isThere('n249')")
        assert page.js("bound.regions().length") == 250
        page.js("document.body.classList.add('moved')")
        page.until("isThere('n0').then((is) => is && isThere('n249'))")
        x, y = middle(page.js("rect(n137)"))
        self.fixture.panel.tap(x, y)
        page.until("seen.some((each) => each.gesture === 'tap' && each.id === 'n137')")
        assert page.console == []
        page.js("many(300)")
        page.until("bound.regions().length === 256")
        assert [each for each in page.console if "256 of 300" in each] == ["error: gestured: only 256 of 300 elements fit"]

    def test_shadow_roots(self):
        self.page.js("""(() => {
            const host = document.createElement("div");
            host.style.cssText = "position: absolute; left: 500px; top: 500px";
            document.body.append(host);
            const root = host.attachShadow({ mode: "open" });
            root.innerHTML = '<button id="inner" data-gesture="press tap" style="width: 200px; height: 100px">in the shadow</button>';
            root.addEventListener("gesture:tap", () => (window.tapped = true));
            bound.gestures.bind(root);
        })()""")
        self.page.until("regions().then((all) => all['app.inner'])")
        self.fixture.panel.tap(600, 550)
        self.page.until("window.tapped")
