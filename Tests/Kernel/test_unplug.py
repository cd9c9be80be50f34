# SPDX-License-Identifier: MIT
"""A panel is unplugged while gestures are active or pending."""
import time

from bench import BUY, HOLD, KEY, MAP, OK, ONE, PAGES, PAIR, TWO, VOLUME, ZOOM, bench, rest
from harness import transcript
from harness.uinput import Touchscreen

# The maximum delay of a cancel, in seconds
BAR = 0.05


def test_unplugged_in_mid_press():
    panel, client = bench.prepare()
    panel.down(*KEY)
    begin = client.wait(gesture="press", phase="begin")
    bench.unplug()
    lines = client.collect(event="device", change="removed", device="panel")
    assert transcript(lines) == ["press cancel key device_removed", "device removed panel"], transcript(lines)
    assert lines[0]["sequence"] == begin["sequence"], lines
    bench.plug()
    begun = time.monotonic()
    client.wait(event="device", change="added", device="panel", seconds=10)
    back = time.monotonic() - begun
    panel, client = bench.prepare()
    panel.tap(KEY)
    lines = client.gestures(gesture="press", phase="end")
    assert transcript(lines) == ["press begin key", "press end key"], transcript(lines)
    bench.note(f"taken again {back * 1000:.0f} ms after its node appeared")


def test_one_panel_lost_leaves_the_other_alone():
    panel, client = bench.prepare()
    second = Touchscreen(name="second panel")
    client.wait(event="device", change="added", device="second", seconds=10)
    panel.down(*KEY)
    second.down(*OK)
    client.wait(gesture="press", phase="begin", device="second")
    second.unplug()
    cancel = client.wait(gesture="press", phase="cancel")
    assert (cancel["device"], cancel["reason"]) == ("second", "device_removed"), cancel
    panel.up()
    lines = client.gestures(gesture="press", phase="end")
    assert [line["device"] for line in lines] == ["panel"], lines


# For each phase of each gesture: the function that touches the panel, the line to wait for, and the lines that unplugging
# causes. If a gesture is pending, the panel is unplugged less than 400 ms before it would be recognized.


def zoom(*spans, turn=0):
    """Puts two fingers on the region zoom. `spans` contains their distance in each frame, and `turn` is how far they then turn,
    both in px."""
    (x, y), panel = ZOOM, bench.panel
    panel.play([{0: (x, y - span / 2), 1: (x, y + span / 2)} for span in spans], hz=60)
    for step in range(0, turn, 10):
        panel.frame({0: (x + step, y - spans[-1] / 2), 1: (x - step, y + spans[-1] / 2)})


def taps(*places, pause=0.05):
    for place in places:
        bench.panel.tap(place)
        rest(pause)


def holding(place, seconds):
    bench.panel.down(*place)
    rest(seconds)


def beside(x, y, by):
    return x + by, y


PHASES = {
    "press": (lambda: bench.panel.down(*KEY), "press begin key", ["press cancel key"]),
    "tap, finger down": (lambda: bench.panel.down(*OK), "press begin ok", ["press cancel ok"]),
    "tap, pending": (lambda: taps(TWO), None, []),
    "double tap, between": (lambda: taps(TWO), None, []),
    "double tap, second down": (lambda: (taps(BUY, pause=0.1), bench.panel.down(*BUY)), "press begin buy", ["press cancel buy"]),
    "two finger tap": (lambda: bench.panel.frame({0: PAIR, 1: beside(*PAIR, 80)}), "press begin pair", ["press cancel pair"]),
    "long press, before": (lambda: holding(HOLD, 0.3), "press begin hold", ["press cancel hold"]),
    "long press": (lambda: holding(HOLD, 0.5), "long_press begin hold", ["long_press cancel hold", "press cancel hold"]),
    "repeat, before": (lambda: holding(VOLUME, 0.1), "press begin volume", ["press cancel volume"]),
    "repeat": (lambda: holding(VOLUME, 0.45), "repeat volume", ["press cancel volume"]),
    "drag, before": (lambda: bench.panel.play([{0: MAP}, {0: beside(*MAP, 20)}]), None, []),
    "drag": (lambda: bench.panel.play([{0: beside(*MAP, by)} for by in (0, 20, 40)]), "drag begin map", ["drag cancel map"]),
    "drag, moving": (lambda: bench.panel.glide(MAP, beside(*MAP, 400)), "drag begin map", ["drag cancel map"]),
    "swipe": (lambda: bench.panel.glide(PAGES, beside(*PAGES, 300)), None, []),
    "pinch, before": (lambda: zoom(100, 110, 120), "press begin zoom", ["press cancel zoom"]),
    "pinch": (lambda: zoom(100, 130, 160, 190), "pinch begin zoom", ["pinch cancel zoom"]),
    "rotate": (lambda: zoom(250, turn=80), "rotate begin zoom", ["rotate cancel zoom"]),
    "pattern": (lambda: taps(ONE), "tap one", []),
}


def unplugged_in(phase):
    """Returns the time in seconds from unplugging until the first line arrives."""
    act, awaited, cancels = PHASES[phase]
    panel, client = bench.prepare()
    act()
    lines = client.drain()
    while awaited and awaited not in transcript(lines):
        line = client.next()
        assert line, f"{phase}: no {awaited} in {transcript(lines)}"
        lines.append(line)
    begun = time.monotonic()
    bench.unplug()
    lines = client.collect(event="device", change="removed", device="panel")
    wanted = [f"{cancel} device_removed" for cancel in cancels]
    assert sorted(transcript(lines)) == sorted([*wanted, "device removed panel"]), f"{phase}: {transcript(lines)}"
    delay = lines[0]["arrived"] - begun
    bench.plug()
    rest(max(0.0, begun + 0.45 - time.monotonic()))
    lines = client.collect(event="device", change="added", device="panel", seconds=10)
    assert transcript(lines) == ["device added panel"], f"{phase}: {transcript(lines)}"
    return delay


def test_unplugged_in_every_phase_of_every_gesture():
    """Active gestures are cancelled at once, and pending ones are not reported."""
    delays = []
    for phase in PHASES:
        # Repeats a slow case: a delay that the daemon causes occurs again, unlike one that the machine causes.
        delays.append(unplugged_in(phase))
        for _ in range(2):
            if delays[-1] > BAR:
                delays[-1] = min(delays[-1], unplugged_in(phase))
    # The last case was a pattern. Its first step must no longer count.
    panel, client = bench.prepare()
    taps(TWO, pause=0.45)
    assert transcript(client.drain()) == ["tap two"], transcript(client.drain())
    assert max(delays) <= BAR, delays
    bench.note(f"{len(PHASES)} phases, the line comes {sorted(delays)[len(delays) // 2] * 1000:.1f} ms after the unplug, at worst {max(delays) * 1000:.1f} ms")
