# SPDX-License-Identifier: MIT
"""Contacts of a shared panel that a filter keeps from the application: ghosts, palms, double strikes, further fingers."""
import pytest

import recordings
from bench import bench, rest
from compositor import application_behind, still_down, version, warm_up
from harness import wait_until
from sharing import DEVICE, OPEN, shared, strike_twice, twin

ON = "filter = true"


def configuration(application=None, filter="", cancel="lift"):
    return f"""version = 1
[filter]
{filter}
{DEVICE}cancel = "{cancel}"
{"[device.application]" if application else ""}
{application or ""}
[[region]]
id = "page"
shape = "full"
gestures = ["press", "two_finger_tap"]
"""


def screen(*arguments, **options):
    """The shared panel, a client, and the application."""
    return application_behind(shared(configuration(*arguments, **options)))


def kinds(touches):
    return [word.split()[0] for word in touches if word != "move"]


def kept(client, key):
    """The number of contacts that this key has kept from the application."""
    return client.request("status")["touches"].get("kept", {}).get(key, 0)


# Double strikes

def test_double_strikes_click_once():
    """`vm test double_strikes --rounds 1000` repeats this test more often."""
    count, gaps = bench.options.rounds or 60, []
    with screen('min_gap = "60ms"') as (panel, client, application):
        while len(gaps) < count:
            gap = strike_twice(panel, (bench.random.randrange(100, 1800), bench.random.randrange(100, 1000)))
            got = application.touches(0.08)
            # A busy machine may have made the gap too long.
            if gap < 0.058:
                gaps.append(gap)
                assert kinds(got) == ["down", "up"], (len(gaps), gap, got)
            client.drain()
        assert kept(client, "min_gap") >= count
    bench.note(f"{count} double strikes with gaps of {min(gaps) * 1000:.0f} to {max(gaps) * 1000:.0f} ms, {count} clicks")


def test_other_fast_taps_click():
    """Without `min_gap` a double strike clicks twice. With it, so does a tap that is far away or late enough."""
    with screen() as (panel, _, application):
        strike_twice(panel, OPEN)
        assert kinds(application.touches()) == ["down", "up"] * 2
    with screen('min_gap = "60ms"\nbounce_distance = "10mm"') as (panel, _, application):
        panel.tap(OPEN)
        rest(0.02)
        panel.tap((OPEN[0] + 150, OPEN[1]))
        assert kinds(application.touches()) == ["down", "up"] * 2
        panel.tap(OPEN)
        rest(0.08)
        panel.tap(OPEN)
        assert kinds(application.touches()) == ["down", "up"] * 2


# Further fingers

@pytest.mark.parametrize("limit", [1, 2])
def test_the_application_has_at_most_max_contacts(limit):
    """At the end of a frame of Wayland. In a frame in which one finger lifts and another one lands, the landing may come first."""
    with screen(f"max_contacts = {limit}") as (panel, client, application):
        panel.tap(OPEN, (1200, 500))
        client.wait(gesture="two_finger_tap")
        assert kinds(application.touches()) == ["down"] * limit + ["up"] * limit
        got, application.most = [], 0
        for _ in range(bench.options.rounds or 300):
            contacts = {slot: at for slot, at in panel.contacts.items() if bench.random.random() < 0.8}
            for slot in range(5):
                if slot not in panel.contacts and bench.random.random() < 0.2:
                    contacts[slot] = (bench.random.randrange(1920), bench.random.randrange(1080))
            panel.frame(contacts)
            rest(0.01)
            got += application.touches(0)
            assert client.is_open()
        panel.up()
        got += application.touches()
        assert application.most == limit and still_down(got) == set(), (application.most, got[-10:])
    bench.note(f"{kinds(got).count('down')} contacts, {application.most} at a time, of up to 5 fingers")


# Ghosts

def test_ghosts_end_and_then_never_land():
    """More than `contacts_per_second` landings are a storm. The application hears those before it, and each of them ends."""
    count = 200
    with screen(ON) as (panel, client, application):
        for number in range(count):
            panel.frame({number % 10: (bench.random.randrange(1920), bench.random.randrange(1080))})
            rest(0.01)
            # A client that does not read would lose lines.
            assert client.is_open()
        panel.up()
        got = application.touches()
        heard = kinds(got).count("down")
        assert 0 < heard <= 41 and still_down(got) == set(), got
        panel.tap(OPEN)
        assert application.touches() == [], "the storm is over too early"
        rest(2.1)
        panel.tap(OPEN)
        assert kinds(application.touches()) == ["down", "up"]
        assert kept(client, "filter") >= count - heard
    bench.note(f"of {count} ghosts, the application hears {heard} before they are a storm")


def test_without_filter_ghosts_click():
    with screen() as (panel, client, application):
        for _ in range(100):
            panel.tap((bench.random.randrange(1920), bench.random.randrange(1080)), hold=0.01)
            assert client.is_open()
        assert kinds(application.touches()).count("down") == 100


def test_contacts_in_a_mask_never_land():
    with screen(ON, filter="mask = [[0, 0, 400, 1080]]") as (panel, _, application):
        panel.swipe((100, 500), (1000, 500))
        assert application.touches() == []
        panel.swipe((1000, 500), (100, 500))
        assert kinds(application.touches()) == ["down", "up"]


def test_a_contact_that_stays_too_long_is_taken_back():
    with screen(ON, filter='max_contact_age = "1s"') as (panel, _, application):
        panel.down(*OPEN)
        assert kinds(application.touches(0.5)) == ["down"]
        assert kinds(application.touches(1.5)) == ["up"]
        panel.down(300, 300, slot=1)
        panel.up()
        assert kinds(application.touches()) == ["down", "up"]


# Palms

def play(recording, client, application):
    """Plays a recording on a panel of its own. Returns the events that the application hears, and the number of contacts that
    its filter keeps from it, or takes back."""
    if bench.panel:
        bench.unplug()
    bench.panel = recording.panel()
    wait_until(lambda: bench.ready() and twin(bench.panel), "the panel has its twin", 10)
    # The middle of the axes
    warm_up(application, bench.panel, tuple(sum(recording.axes[code][:2]) // 2 for code in (0x35, 0x36)))
    client.drain()
    before, got = kept(client, "filter"), []
    for _ in recording.play(bench.panel):
        got += application.touches(0)
    got += application.touches(0.3)
    number = kept(client, "filter") - before
    bench.unplug()
    return got, number


@pytest.mark.parametrize("source", ["findings/explain-palm.evemu", "findings/lost-tap.evemu"])
def test_a_contact_that_becomes_a_palm_is_taken_back(source):
    """The application has heard its landing. With `cancel = "lift"` it lifts, which may click; only a cancel does not."""
    recording = recordings.evemu(source)
    with screen(ON) as (_, *both):
        got, number = play(recording, *both)
        assert kinds(got) == ["down", "up"] * recording.landings() and number == 1, (got, number)
    if version() >= (1, 9):
        with screen(ON, cancel="palm") as (_, *both):
            got, _ = play(recording, *both)
            assert kinds(got) == ["down", "up"] * (recording.landings() - 1) + ["down", "cancel"], got


def test_a_palm_never_lands():
    """The first contact of the recording becomes a palm, and the second one lands as a palm."""
    recording = recordings.case("palm-type-kept-for-next-touch")
    with screen(ON) as (_, *both):
        got, number = play(recording, *both)
        assert recording.landings() == number == 2 and kinds(got) == ["down", "up"], (got, number)


# Recordings of fingers, and of panels that lose them

LOST = ["flapping-while-held", "one-frame-dropout"]


@pytest.mark.parametrize("bridge", [False, True])
def test_a_finger_that_the_panel_loses_stays(bridge):
    with screen("bridge = true" if bridge else None, filter='bridge = "80ms"') as (_, *both):
        for recording in map(recordings.case, LOST):
            got, _ = play(recording, *both)
            assert kinds(got) == ["down", "up"] * (1 if bridge else recording.landings()), got


def test_fingers_land_and_lift():
    """The filter keeps no finger of a real panel: neither fast taps nor four fingers, nor one whose first report is too wide."""
    folder = "recordings/evemu-devices/touchscreens/Atmel_maXTouch_Touchscreen."
    sources = [f"{folder}{name}.evemu" for name in ("1-finger-fast-taps", "4-finger-drag-down", "2-fingers-touch-release")]
    with screen(ON) as (_, *both):
        for source in [*sources, "recordings/xorg-integration-tests/n4.evemu", "findings/wide-first.evemu"]:
            recording = recordings.evemu(source)
            got, number = play(recording, *both)
            assert kinds(got).count("down") == recording.landings() and still_down(got) == set() and number == 0, (source, got, number)
