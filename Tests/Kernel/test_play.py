# SPDX-License-Identifier: MIT
"""`gesturectl play` on the real kernel: what libinput, the daemon and Chromium get of it, and what is left of its panel."""
import functools
import os
import re
import statistics
import subprocess
import time
from pathlib import Path
from signal import Signals

import pytest

import recordings
from bench import bench
from browser import Said, page, serve
from compositor import FOLDER, compositor, make_user, session
from harness import ROOT, Client, wait_until
from harness.service import UNIT, systemctl
from harness.uinput import ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_SLOT, ABS_MT_TRACKING_ID, EV_ABS
from printed import Printed
from sharing import configuration, forwarded, shared

ATMEL = "evemu-devices/touchscreens/Atmel_maXTouch_Touchscreen."
NAMES = [ATMEL + "1-finger-drag-up-down", ATMEL + "1-finger-fast-taps", ATMEL + "2-fingers-touch-release", ATMEL + "4-finger-drag-down",
         "xorg-integration-tests/n4"]
PANEL = """# EVEMU 1.3
N: Glass
I: 0018 0001 0002 0003
P: 02 00 00 00 00 00 00 00
A: 2f 0 9 0 0 0
A: 35 0 1919 0 0 10
A: 36 0 1079 0 0 10
A: 39 0 65535 0 0 0
"""
LOG = Path("/tmp/play.log")
# The axes of a contact, with their values before its first event
STATE = ((ABS_MT_TRACKING_ID, -1), (ABS_MT_POSITION_X, 0), (ABS_MT_POSITION_Y, 0))


class Player:
    """A running `gesturectl play`, and the node that it has printed."""

    def __init__(self, *words):
        self.process = subprocess.Popen([bench.programs / "gesturectl", "play", "--wait", "2min", *words], stdout=subprocess.PIPE, text=True)

    @functools.cached_property
    def first(self):
        return self.process.stdout.readline()

    @property
    def node(self):
        return self.first.split(":")[0]

    def end(self):
        """Waits until it has ended well, and returns what it has printed."""
        said = self.first + self.process.stdout.read()
        assert self.process.wait(60) == 0, said
        return said


class Libinput(Printed):
    """The touches that libinput reports for all panels, as by `touches`, but with positions in percent of the panel."""

    def __init__(self):
        super().__init__("libinput", "debug-events")

    def _take(self, line):
        touch = re.search(r"(event\d+)\s+TOUCH_(DOWN|MOTION|UP|CANCEL)\s+\+([\d.]+)s\s+(\d+)(?: \(\d+\)\s+([\d.]+)/\s*([\d.]+))?", line)
        removal = re.search(r"(event\d+)\s+DEVICE_REMOVED", line)
        if touch:
            node, kind, seconds, slot, x, y = touch.groups()
            yield node, (float(seconds), int(slot), kind, float(x or 0), float(y or 0))
        elif removal:
            yield removal[1], (0, 0, "REMOVED", 0, 0)

    def of(self, node):
        """What it has reported for a node."""
        return [touch for name, touch in self._words if node.endswith(f"/{name}")]


def touches(frames):
    """What contacts do in frames of (seconds, events), as (seconds, slot, "DOWN", "MOTION" or "UP", x, y)."""
    slot, contacts, found = 0, {}, []
    for seconds, events in frames:
        before = {number: dict(contact) for number, contact in contacts.items()}
        for kind, code, value in events:
            if kind == EV_ABS and code == ABS_MT_SLOT:
                slot = value
            elif kind == EV_ABS:
                contacts.setdefault(slot, {})[code] = value
        for number, contact in sorted(contacts.items()):
            old = before.get(number, {})
            (was, *from_), (now, *at) = ([each.get(code, default) for code, default in STATE] for each in (old, contact))
            if now != was:
                found.append((seconds, number, "DOWN", *at) if now >= 0 else (seconds, number, "UP", 0, 0))
            elif now >= 0 and at != from_:
                found.append((seconds, number, "MOTION", *at))
    return found


def deviations(found, expected):
    """By how many milliseconds the times of two lists of touches differ, if the first list began when it fits best."""
    offsets = [one[0] - other[0] for one, other in zip(found, expected)]
    middle = statistics.median(offsets)
    return [1000 * abs(offset - middle) for offset in offsets]


def test_recordings_arrive_as_they_were():
    """All of them are played at the same time."""
    _, other = bench.prepare()
    off, count = {"libinput": [], "gestured": []}, 0
    with Client() as client, Libinput() as libinput:
        client.request("subscribe", events=["frame", "device"])
        # They stay, so that no panel gets the node of an earlier one.
        players = [Player(recordings.FOLDER / f"recordings/{name}.evemu", "--stay", "2s") for name in NAMES]
        assert len({player.node for player in players}) == len(NAMES)
        late = []  # how late this process wakes up meanwhile, in milliseconds
        while any(player.process.poll() is None for player in players):
            wanted = time.monotonic() + 0.01
            time.sleep(0.01)
            late.append(1000 * (time.monotonic() - wanted))
            client.receive()
            other.receive()
        lines = client.drain()
    for player, name in zip(players, NAMES):
        said, recording = player.end(), recordings.evemu(f"recordings/{name}.evemu")
        assert "gestured" in said and "libinput" in said, said
        expected = touches(recording.frames)
        device = next(line["device"] for line in lines if line["event"] == "device" and line.get("node") == player.node)
        mine = touches((line["time_us"] / 1e6, line["events"]) for line in lines
                       if line["event"] == "frame" and line["device"] == device and not line.get("removed"))
        assert [touch[1:] for touch in mine] == [touch[1:] for touch in expected], name
        theirs = [touch for touch in libinput.of(player.node) if touch[2] != "REMOVED"]
        assert [touch[1:3] for touch in theirs] == [touch[1:3] for touch in expected], name
        for one, other in zip(theirs, expected):
            for place, code in ((3, ABS_MT_POSITION_X), (4, ABS_MT_POSITION_Y)):
                assert abs(one[place] - 100 * other[place] / (1 + recording.axes[code][1])) < 0.006, (name, one, other)
        off["gestured"] += deviations(mine, expected)
        off["libinput"] += deviations(theirs, expected)
        count += len(expected)
    medians = {name: statistics.median(values) for name, values in off.items()}
    bench.note(f"{count} touches; off at the median and at most: "
               + ", ".join(f"{name} {medians[name]:.2f} and {max(off[name]):.1f} ms" for name in off)
               + f"; this process wakes up {statistics.median(late):.2f} ms late")
    # A busy host is late itself.
    most = max(2, 2 * statistics.median(late))
    assert all(median < most for median in medians.values()), (medians, most)


def evemu(events):
    """A file with these (seconds, code, value) on a panel of the size of the screen."""
    path = Path("/tmp/panel.evemu")
    path.write_text(PANEL + "".join(f"E: {seconds:.6f} {3 if code else 0:04x} {code:04x} {value}\n" for seconds, code, value in events))
    return path


def landing(seconds, number, x, y):
    return [(seconds, ABS_MT_TRACKING_ID, number), (seconds, ABS_MT_POSITION_X, x), (seconds, ABS_MT_POSITION_Y, y), (seconds, 0, 0)]


def lift(seconds):
    return [(seconds, ABS_MT_TRACKING_ID, -1), (seconds, 0, 0)]


@pytest.mark.parametrize("signal", [Signals.SIGKILL, Signals.SIGTERM])
def test_no_panel_and_no_touch_is_left(signal):
    bench.prepare()
    with Libinput() as libinput:
        player = Player(evemu(landing(0, 1, 960, 540) + lift(60)))
        wait_until(lambda: libinput.of(player.node), "the finger lands", 60)
        player.process.send_signal(signal)
        wait_until(lambda: libinput.of(player.node)[-1][2] == "REMOVED", "libinput removes the panel")
        kinds = [touch[2] for touch in libinput.of(player.node)]
    player.process.wait()
    bench.note(" ".join(kinds))
    assert kinds in (["DOWN", "UP", "REMOVED"], ["DOWN", "CANCEL", "REMOVED"]), kinds
    wait_until(lambda: not Path(player.node).exists(), "the node is gone")
    wait_until(lambda: not bench.devices(node=player.node), "the daemon removes it")


def test_the_daemon_takes_the_panel_for_the_one_of_its_configuration():
    _, client = bench.prepare()
    bench.unplug()
    client.wait(event="device", change="removed", device="panel", seconds=10)
    player = Player("tap ok; tap buy")
    lines = client.collect(until=2, seconds=60, gesture="tap")
    said = player.end()
    assert 'gestured uses it as "panel"' in said and '"uinput panel"' in said, said
    taps = [(line["region"], line["device"]) for line in lines if line.get("gesture") == "tap"]
    assert taps == [("ok", "panel"), ("buy", "panel")], taps


def test_a_whole_kiosk_gets_the_touches_that_gestures_leave():
    """sway and its application read the twin that the daemon makes of the panel, from the first touch on."""
    with forwarded() as (_, client):
        bench.unplug()
        with compositor() as application:
            player, got = Player("tap 960,500; tap corner; tap 1000,600"), []
            while player.process.poll() is None:
                # The application asks for touches when it reads that there is a panel.
                got += application.touches()
            said = player.end()
        got = [word for word in got if word != "move"]
        assert "gestured" in said and "sway" in said, said
        assert [word.split()[0] for word in got] == ["down", "up"] * 2, got
        assert [line["region"] for line in client.drain() if line.get("gesture") == "tap"] == ["corner"]


def test_chromium_and_the_gestures_of_a_played_kiosk():
    """`expect` plays on a panel that sway, Chromium and the daemon read, and compares the daemon's lines."""
    file = Path("/tmp/kiosk.expect")
    file.write_text("tap 700,540\n---\n! *\n\ntap corner\n---\ncorner tap\n! *\n\n"
                    "swipe right 15mm from corner\n---\ncorner drag begin\ncorner drag update\ncorner drag end\n\n"
                    "swipe left from menu\n---\nmenu open\n\ntap corner with 2 fingers\n---\n! *\n\n"
                    "tap corner with 2 fingers\n---\n! *\n\ntap 1200,540\n---\n! *\n")
    with shared(configuration() + '[[scene]]\nid = "night"\nregions = ["corner"]\n'):
        bench.unplug()
        with session(), page() as said:
            ran = subprocess.run([bench.programs / "gesturectl", "expect", "--play", file], capture_output=True, text=True)
            clicks = [word for word in said.new(until="click 6") if word.startswith("click")]
            file.write_text("tap corner\n---\ncorner drag begin\n")
            wrong = subprocess.run([bench.programs / "gesturectl", "expect", "--play", file], capture_output=True, text=True)
            file.write_text("--scene night\ntap corner\n---\ncorner tap\n")
            elsewhere = subprocess.run([bench.programs / "gesturectl", "expect", "--play", file], capture_output=True, text=True)
    bench.note(ran.stdout + ran.stderr)
    assert ran.returncode == 0 and ran.stdout.endswith("7 cases, 0 failed\n"), ran
    assert clicks == ["click 5 at 1", "click 6 at 1"]
    assert wrong.returncode == 1 and "- corner drag begin  did not come" in wrong.stdout, wrong
    assert elsewhere.returncode == 1 and "gesturectl scene night" in elsewhere.stderr, elsewhere


def test_chromium_in_sway_as_in_the_documentation():
    """Runs the commands of docs/trying.md, without the daemon."""
    page = (Path(ROOT) / "docs/trying.md").read_text()
    commands = page.split("\n## On a virtual panel\n")[1].split("\n```sh\n")[1].split("\n```")[0]
    shown = FOLDER / "shown"
    bench.prepare()
    bench.unplug()
    systemctl("stop", "gestured.socket", UNIT)
    make_user()
    said = Said()
    with serve(said) as address, LOG.open("w") as log:
        script = f"wait_for_page() {{ until [ -e {shown} ]; do sleep 0.1; done; }}\n{commands}"
        process = subprocess.Popen(["bash", "-c", script], start_new_session=True, stdout=log,
                                   stderr=log, env={**os.environ, "PAGE": address})
        try:
            wait_until(lambda: any(word.startswith("ready") for word in said.words), lambda: f"the page is ready: {LOG.read_text()[-3000:]}", 180)
            shown.touch()
            assert process.wait(120) == 0, LOG.read_text()[-3000:]
            # These buttons are at the corners that the commands touch.
            clicks = [word for word in said.new(until="click 8") if word.startswith("click")]
            assert clicks == ["click 3 at 1", "click 8 at 1"], said.words
        finally:
            os.killpg(process.pid, Signals.SIGKILL)
            shown.unlink(missing_ok=True)
            systemctl("start", "gestured.socket")
