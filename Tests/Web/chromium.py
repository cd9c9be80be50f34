# SPDX-License-Identifier: MIT
"""Runs Debian's Chromium without a window, controlled with the DevTools protocol through a pipe. Uses only the standard
library."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PATIENCE = 20.0
PROGRAM = os.environ.get("CHROMIUM", "chromium")
FLAGS = ["--headless=new", "--disable-gpu", "--no-first-run", "--touch-events=enabled", "--remote-debugging-pipe",
         "--disable-background-networking", "--disable-component-update", "--no-proxy-server"]


class Problem(AssertionError):
    """The browser has refused a command, or a script has thrown an error."""


class Browser:
    """A browser with its own profile. `log` is the file with its output."""

    def __init__(self, *flags, size=(1024, 768)):
        self.folder = tempfile.mkdtemp(prefix="chromium.", dir="/tmp")
        self.log = os.path.join(self.folder, "log")
        reads_from, self.output = os.pipe()
        self.input, writes_to = os.pipe()
        sandbox = ["--no-sandbox"] if os.getuid() == 0 else []
        with open(self.log, "wb") as log:
            # bash connects the pipes to the descriptors that the browser expects; sh does not support
            # descriptors above 9.
            self.process = subprocess.Popen(
                ["bash", "-c", f'exec "$@" 3<&{reads_from} 4>&{writes_to}', "bash", PROGRAM, *FLAGS, *sandbox,
                 f"--user-data-dir={self.folder}/profile", f"--window-size={size[0]},{size[1]}", *flags, "about:blank"],
                pass_fds=(reads_from, writes_to), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        os.close(reads_from)
        os.close(writes_to)
        self.size = size
        self.pages = {}
        self._buffer = b""
        self._count = 0
        self._answers = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        os.close(self.output)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.input)
        shutil.rmtree(self.folder, ignore_errors=True)

    def page(self, url="about:blank", window=False):
        """Opens a tab with the size of the panel's output. It hides the previous tab, unless it has its own window."""
        target = self.call("Target.createTarget", url="about:blank", newWindow=window)["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self.pages[session] = Page(self, session, target)
        for domain in ("Page", "Runtime", "Log"):
            page.call(f"{domain}.enable")
        page.resize(*self.size)
        if url != "about:blank":
            page.open(url)
        return page

    def call(self, method, _session=None, **params):
        number = self.send(method, _session, **params)
        end = time.monotonic() + PATIENCE
        while number not in self._answers:
            self._read(end, method)
        answer = self._answers.pop(number)
        if "error" in answer:
            raise Problem(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def send(self, method, _session=None, **params):
        """Sends a command without waiting for the answer. Returns the command's number."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": params}
        if _session:
            message["sessionId"] = _session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        return self._count

    def _read(self, end, what):
        if not select.select([self.input], [], [], max(0, end - time.monotonic()))[0]:
            raise Problem(f"{what}: the browser does not answer within {PATIENCE} s")
        data = os.read(self.input, 1 << 20)
        if not data:
            with open(self.log, encoding="utf-8", errors="replace") as log:
                raise Problem(f"{what}: the browser has ended:\n{log.read()[-3000:]}")
        *messages, self._buffer = (self._buffer + data).split(b"\0")
        for message in map(json.loads, messages):
            if "id" in message:
                self._answers[message["id"]] = message
            elif (page := self.pages.get(message.get("sessionId"))) is not None:
                page.take(message["method"], message["params"])


class Page:
    """A tab. `console` contains the messages and errors on its console, `asked` the addresses that it asks for after Network.enable."""

    def __init__(self, browser, session, target):
        self.browser = browser
        self.session = session
        self.target = target
        self.console = []
        self.asked = []
        self.loads = 0

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def take(self, event, params):
        if event == "Runtime.consoleAPICalled":
            text = " ".join(str(part.get("value", part.get("description"))) for part in params["args"])
            self.console.append(f"{params['type']}: {text}")
        elif event == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.console.append("exception: " + details.get("exception", {}).get("description", details["text"]))
        elif event == "Log.entryAdded":
            self.console.append(f"{params['entry']['source']}: {params['entry']['text']} {params['entry'].get('url', '')}")
        elif event == "Network.requestWillBeSent":
            self.asked.append(params["request"]["url"])
        elif event == "Page.loadEventFired":
            self.loads += 1

    def open(self, url):
        """Opens a page. Returns the error message if it does not load, otherwise None."""
        before = self.loads
        problem = self.call("Page.navigate", url=url).get("errorText")
        end = time.monotonic() + PATIENCE
        while not problem and self.loads == before:
            self.browser._read(end, url)
        return problem

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
        del self.browser.pages[self.session]

    def resize(self, width, height, ratio=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio, mobile=False)

    def js(self, code):
        """The value of an expression. If it is a promise, waits for its result."""
        answer = self.call("Runtime.evaluate", expression=code, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise Problem(f"{code}: {details.get('exception', {}).get('description', details['text'])}")
        return answer["result"].get("value")

    def until(self, condition, seconds=60):
        """Waits in the page until an expression is true. Returns its value."""
        code = f"""new Promise((resolve, reject) => {{
            const end = performance.now() + {seconds * 1000};
            const look = async () => {{
                let value;
                try {{ value = await ({condition}); }} catch (error) {{ value = undefined; }}
                if (value) return resolve(value);
                if (performance.now() > end) return reject(new Error("not within {seconds} s"));
                setTimeout(look, 4);
            }};
            look();
        }})"""
        try:
            return self.js(code)
        except Problem as problem:
            raise Problem(f"{problem}\nconsole: {self.console[-20:]}") from None

    def frames(self, count=2):
        """Waits until the browser has drawn the page this many times."""
        for _ in range(count):
            self.js("new Promise((resolve) => requestAnimationFrame(() => resolve(true)))")

    def touch(self, kind, *points):
        """Sends a touch event to the browser: touchStart, touchMove, touchEnd or touchCancel."""
        self.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y} for x, y in points])

    def mouse(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def picture(self):
        """A screenshot of the page in PNG format."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
