# SPDX-License-Identifier: MIT
"""The contrast of the inspector's controls while the pointer is on them."""
from test_inspector import InspectorCase

# WCAG 2, level AA, for text of a usual size
LEAST = 4.5
CONTROLS = "button:not(:disabled), a[href], summary, select:not(:disabled), .file"
# Returns the contrast of each text of the controls, as [contrast, control, text]. The colours of the backgrounds are painted over
# each other, as the browser does, so that transparent ones are measured too.
MEASURE = """(() => {
    const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const paint = (colour) => { context.fillStyle = colour; context.fillRect(0, 0, 1, 1); };
    const luminance = () => [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
        .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
    const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const contrast = (element) => {
        const outward = [];
        for (let each = element; each; each = each.parentElement) outward.push(getComputedStyle(each).backgroundColor);
        paint("white");
        outward.reverse().forEach(paint);
        const back = luminance();
        paint(getComputedStyle(element).color);
        const [low, high] = [back, luminance()].sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
    };
    return [...document.querySelectorAll(CONTROLS)].flatMap((control) => [control, ...control.querySelectorAll("*")].filter(hasText)
        .map((element) => [contrast(element), control.outerHTML.slice(0, 80), element.textContent.trim()]));
})()"""


class ContrastTests(InspectorCase):
    def hovered(self):
        """The contrast of each text of the controls while the pointer is on its control."""
        root = self.page.call("DOM.getDocument")["root"]["nodeId"]
        nodes = self.page.call("DOM.querySelectorAll", nodeId=root, selector=CONTROLS)["nodeIds"]
        for node in nodes:
            self.page.call("CSS.forcePseudoState", nodeId=node, forcedPseudoClasses=["hover"])
        return self.page.js(MEASURE.replace("CONTROLS", repr(CONTROLS)))

    def test_every_text_can_be_read_under_the_pointer(self):
        self.fixture.panel.swipe(200, 200, 230, 200)
        self.fixture.panel.tap(500, 350)
        self.page.until("document.querySelectorAll('#live-log button').length > 3")
        self.click("nav a[href='#design']")
        self.page.until("document.querySelectorAll('#design-list button').length === 6")
        self.page.js("[...document.querySelectorAll('#design-list button')].find((each) => each.textContent.startsWith('buy')).click()")
        self.page.js("""(() => { const area = document.getElementById('design-text'); area.value = area.value.replace('"long_press"', '"tpa"');
            area.dispatchEvent(new Event('input', { bubbles: true })) })()""")
        self.page.until("document.querySelector('#design-checks .error')")
        self.click("nav a[href='#recordings']")
        self.click("#recordings-record")
        self.page.until("document.querySelector('#recordings-record.recording')")
        self.page.call("DOM.enable")
        self.page.call("CSS.enable")
        texts = self.hovered()
        assert {"Stop recording", "Save as TOML", "Select", "Open a file …", "error", "tap"} <= {text for _, _, text in texts}
        assert [each for each in texts if each[0] < LEAST] == []


class DarkContrastTests(ContrastTests):
    theme = "dark"
