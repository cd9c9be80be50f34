# SPDX-License-Identifier: MIT
"""Chromium in the session of sway, with a page of buttons that says what happens to it.

    with session(), page() as said:
        panel.tap((240, 180))
        said.new()     # ["touchstart 1", "touchend 0", "click 0 at 1"], with the scale of the page
"""
import contextlib
import http.server
import shutil
import threading
import time
from pathlib import Path

from compositor import FOLDER, SIZE, in_session
from harness import wait_until

LOG = Path("/tmp/chromium.log")
COLUMNS, ROWS = 4, 3  # of buttons, which fill the screen
PAGE = f"""<!doctype html>
<meta name="viewport" content="width=device-width">
<style>
  body {{ margin: 0; display: grid; height: 100vh; grid: repeat({ROWS}, 1fr) / repeat({COLUMNS}, 1fr) }}
</style>
<script>
  let queue = Promise.resolve();
  const say = (words) => {{ queue = queue.then(() => fetch("/said", {{ method: "POST", body: words }})); }};
  addEventListener("load", () => {{
    for (let number = 0; number < {ROWS * COLUMNS}; number++) {{
      const button = document.body.appendChild(document.createElement("button"));
      button.textContent = number;
      button.addEventListener("click", () => {{
        history.pushState({{}}, "", `?${{number}}`);
        say(`click ${{number}} at ${{visualViewport.scale}}`);
      }});
    }}
    for (const kind of ["touchstart", "touchend", "touchcancel"]) {{
      addEventListener(kind, (event) => say(`${{kind}} ${{event.touches.length}}`), {{ passive: true }});
    }}
    addEventListener("contextmenu", (event) => say(`menu at ${{event.clientX}},${{event.clientY}}`));
    addEventListener("popstate", () => say("back"));
    visualViewport.addEventListener("resize", () => say(`scale ${{visualViewport.scale}}`));
    requestAnimationFrame(() => requestAnimationFrame(() => say(`ready ${{innerWidth}} ${{innerHeight}}`)));
  }});
</script>
<body>
"""


def button(number):
    """The middle of a button."""
    return tuple(round(length * (index + 0.5) / count) for length, index, count in zip(SIZE, (number % COLUMNS, number // COLUMNS), (COLUMNS, ROWS)))


class Said:
    """The messages of the page."""

    def __init__(self):
        self.words, self._taken = [], 0

    def new(self, wait=0.5, until=None):
        """The messages since the last call, until one begins with `until`, and none has arrived for `wait` seconds."""
        if until:
            wait_until(lambda: any(word.startswith(until) for word in self.words[self._taken:]), f"the page says {until}")
        count = -1
        while count != len(self.words):
            count = len(self.words)
            time.sleep(wait)
        new, self._taken = self.words[self._taken:count], count
        return new


@contextlib.contextmanager
def page():
    """Opens the page in Chromium, which fills the screen, and yields what it says."""
    said = Said()
    with serve(said) as address:
        profile = FOLDER / "chromium"
        flags = ["--ozone-platform=wayland", "--kiosk", "--disable-gpu", "--no-sandbox", "--no-first-run", "--touch-events=enabled",
                 "--disable-background-networking", "--disable-component-update", "--no-proxy-server", f"--user-data-dir={profile}"]
        with LOG.open("w") as log, in_session("chromium", *flags, address, stderr=log) as process:
            def is_ready():
                assert process.poll() is None, f"Chromium has ended: {LOG.read_text()[-3000:]}"
                return [word for word in said.words if word.startswith("ready")]

            wait_until(is_ready, lambda: f"the page is ready: {LOG.read_text()[-3000:]}", 90)
            said.new()
            yield said
        shutil.rmtree(profile, ignore_errors=True)


@contextlib.contextmanager
def serve(said):
    """Serves the page, and yields its address."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = PAGE.encode() if self.path == "/" else b""
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self):
            said.words.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
