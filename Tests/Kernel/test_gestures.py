# SPDX-License-Identifier: MIT
"""Each kind of gesture, from the kernel to the line that a client receives."""
import statistics
import time

from bench import BUY, HOLD, KEY, MAP, OK, PAGES, PAIR, VOLUME, bench, rest
from harness import Client, transcript


def test_press_begins_and_ends():
    panel, client = bench.prepare()
    panel.down(*KEY)
    begin = client.wait(gesture="press", phase="begin")
    assert (begin["region"], begin["device"], begin["fingers"], begin["inside"]) == ("key", "panel", 1, True), begin
    assert (begin["x"], begin["y"]) == KEY, begin
    panel.up()
    end = client.wait(gesture="press", phase="end")
    assert end["sequence"] == begin["sequence"] and end["inside"] is True, end
    assert end["held_ms"] == (end["time_us"] - begin["time_us"]) // 1000, (begin, end)


def test_press_is_quick():
    """Measures the time from the write to the kernel until the line arrives at a client."""
    panel, client = bench.prepare()
    delays = []
    for _ in range(30):
        begun = time.monotonic()
        panel.down(*KEY)
        delays.append(client.wait(gesture="press", phase="begin")["arrived"] - begun)
        panel.up()
        client.wait(gesture="press", phase="end")
        rest()  # at the speed of a person; more than 40 landings per second are a storm
    delays.sort()
    assert statistics.median(delays) < 0.02, delays
    bench.note(f"median {statistics.median(delays) * 1000:.2f} ms, worst {delays[-1] * 1000:.2f} ms")


def test_tap_is_recognized():
    panel, client = bench.prepare()
    panel.tap(OK)
    lines = client.gestures(gesture="press", phase="end")
    assert transcript(lines) == ["press begin ok", "tap ok", "press end ok"], transcript(lines)
    tap = lines[1]
    assert tap["count"] == 1 and 40 <= tap["duration_ms"] < 500, tap
    assert (tap["u"], tap["v"]) == (0.5, 0.5), tap


def test_double_tap_is_recognized():
    panel, client = bench.prepare()
    panel.tap(BUY)
    rest(0.1)  # between min_gap and gap
    panel.tap(BUY)
    lines = client.gestures(until=2, gesture="press", phase="end")
    taps = [line for line in transcript(lines) if not line.startswith("press")]
    assert taps == ["tap buy", "double_tap buy"], transcript(lines)
    double, = (line for line in lines if line["gesture"] == "double_tap")
    assert double["count"] == 2, double


def test_swipe_has_its_direction():
    panel, client = bench.prepare()
    x, y = PAGES
    for direction, (dx, dy) in {"left": (-300, 0), "right": (300, 0), "up": (0, -250), "down": (0, 250)}.items():
        panel.swipe((x - dx, y - dy), (x + dx, y + dy), seconds=0.25)
        swipe = client.wait(gesture="swipe")
        assert swipe["direction"] == direction and swipe["name"] == "page", swipe
        length = 2 * (abs(dx) + abs(dy)) / 10
        assert abs(swipe["distance_mm"] - length) < 0.5, (length, swipe)
        assert (swipe["start"]["x"], swipe["start"]["y"]) == (x - dx, y - dy), swipe
        assert swipe["velocity_mm_s"] > 80, swipe


def test_a_slow_movement_is_no_swipe():
    panel, client = bench.prepare()
    x, y = PAGES
    panel.swipe((x - 300, y), (x + 300, y), seconds=0.7)
    panel.tap(KEY)
    lines = client.gestures(gesture="press", phase="end")
    assert transcript(lines) == ["press begin key", "press end key"], transcript(lines)


def test_two_finger_tap_is_recognized():
    panel, client = bench.prepare()
    x, y = PAIR
    panel.tap((x - 80, y), (x + 80, y))
    lines = client.gestures(gesture="two_finger_tap")
    assert transcript(lines) == ["press begin pair", "press cancel pair multi_touch", "two_finger_tap pair"], transcript(lines)
    assert lines[-1]["fingers"] == 2, lines[-1]


def test_long_press_begins_and_ends():
    panel, client = bench.prepare()
    panel.down(*HOLD)
    lines = client.gestures(gesture="long_press", phase="begin")
    assert transcript(lines) == ["press begin hold", "long_press begin hold"], transcript(lines)
    assert lines[1]["time_us"] - lines[0]["time_us"] == 500_000, lines
    late = lines[1]["arrived"] - lines[0]["arrived"] - 0.5
    panel.up()
    lines = client.gestures(gesture="press", phase="end")
    assert transcript(lines) == ["long_press end hold", "press end hold"], transcript(lines)
    assert lines[0]["held_ms"] >= 500, lines[0]
    bench.note(f"the line came {late * 1000:.1f} ms after its time")


def test_repeat_repeats_until_the_lift():
    panel, client = bench.prepare()
    panel.down(*VOLUME)
    lines = client.gestures(gesture="repeat", n=5)
    panel.up()
    lines += client.gestures(gesture="press", phase="end")
    landed = lines[0]["time_us"]
    repeats = [line for line in lines if line["gesture"] == "repeat"]
    assert [line["n"] for line in repeats] == list(range(1, len(repeats) + 1)), repeats
    assert [(line["time_us"] - landed) // 1000 for line in repeats] == \
        [300 + 100 * index for index in range(len(repeats))], repeats
    panel.tap(KEY, hold=0.3)
    later = client.gestures(gesture="press", phase="end")
    assert transcript(later) == ["press begin key", "press end key"], transcript(later)


def test_drag_begins_moves_and_ends():
    panel, client = bench.prepare()
    x, y = MAP
    watcher = Client()
    watcher.request("subscribe", events=["gesture"])
    watcher.wait(event="state")
    panel.glide((x - 300, y), (x + 300, y), seconds=0.5)
    panel.up()
    drags = watcher.gestures(gesture="drag", phase="end")
    phases = [line["phase"] for line in drags]
    assert phases[0] == "begin" and phases[-1] == "end" and set(phases[1:-1]) == {"update"}, phases
    begin, *updates, end = drags
    assert (begin["dx"], begin["dy"]) == (0, 0), begin
    # The client does not read while the finger moves. Lines that do not fit into the socket are merged and counted.
    moved = sum(1 + line.get("coalesced", 0) for line in updates)
    assert moved > 20, moved
    # The drag begins after 3 mm, which are 30 of the 600 px.
    assert (end["x"], end["y"]) == (x + 300, y) and abs(end["dx"] - 570) < 1 and end["dy"] == 0, end
    assert end["vx"] > 500 and end["predicted"]["x"] > end["x"], end
    assert [line["dx"] for line in updates] == sorted(line["dx"] for line in updates), updates
    # The other client has not subscribed, so it receives no updates.
    assert transcript(client.gestures(gesture="drag", phase="end")) == ["drag begin map", "drag end map"]
    watcher.close()
    bench.note(f"{len(updates)} lines of {moved} updates")


def test_fingers_in_two_regions_do_not_disturb_each_other():
    panel, client = bench.prepare()
    panel.frame({0: KEY})
    panel.frame({0: KEY, 1: OK})
    rest()
    panel.frame({0: KEY})
    lines = client.gestures(gesture="press", phase="end", region="ok")
    assert transcript(lines) == ["press begin key", "press begin ok", "tap ok", "press end ok"], transcript(lines)
    panel.up()
    client.wait(gesture="press", phase="end", region="key")
