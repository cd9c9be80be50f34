# SPDX-License-Identifier: MIT
"""The kernel drops events."""
from bench import HOLD, KEY, OK, bench
from harness import transcript, wait_until
from harness.process import Stopped
from harness.service import main_process


def behind_its_back(change, survivor=None):
    """Stops the daemon, fills the kernel's buffer until events are dropped, calls `change`, and continues the daemon."""
    panel, client = bench.panel, bench.client
    before = client.request("status")["resyncs"]
    with Stopped(main_process()):
        change()
        for step in range(400):
            slot, (x, y) = survivor
            panel.move(x + step % 50, y + step % 40, slot)
        panel.move(x, y, slot)
    wait_until(lambda: client.request("status")["resyncs"] > before, "SYN_DROPPED is seen")


def test_syn_dropped_keeps_survivors_and_cancels_the_vanished():
    panel, client = bench.prepare()
    panel.down(*KEY, slot=0)
    panel.down(*OK, slot=1)
    begins = client.gestures(gesture="press", phase="begin", region="ok")
    before = len(client.lines)

    def change():
        panel.up(0)
        panel.down(*HOLD, slot=2)

    behind_its_back(change, survivor=(1, OK))
    lost = [line for line in client.lines[before:] if line.get("event") == "gesture"]
    assert transcript(lost) == ["press cancel key sync_lost", "press begin hold"], transcript(lost)
    panel.up(1)
    end = client.wait(gesture="press", phase="end", region="ok")
    assert end["sequence"] == begins[-1]["sequence"], (begins, end)
    panel.up()
    client.wait(gesture="press", phase="end", region="hold")


def test_syn_dropped_tells_a_new_contact_in_an_old_slot():
    panel, client = bench.prepare()
    panel.down(*KEY, slot=0)
    panel.down(*OK, slot=1)
    old = client.wait(gesture="press", phase="begin", region="key")["sequence"]
    client.wait(gesture="press", phase="begin", region="ok")
    before = len(client.lines)

    def change():
        panel.up(0)
        panel.down(*KEY, slot=0)

    behind_its_back(change, survivor=(1, OK))
    lines = [line for line in client.lines[before:] if line.get("event") == "gesture"]
    assert transcript(lines) == ["press cancel key sync_lost", "press begin key"], transcript(lines)
    assert lines[0]["sequence"] == old != lines[1]["sequence"], lines
    panel.up()
    client.collect(until=2, gesture="press", phase="end")
