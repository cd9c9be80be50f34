# SPDX-License-Identifier: MIT
"""A cracked panel, which reports contacts that nobody makes: `gesturectl measure noise` masks them, and the rest of the panel works."""
import subprocess
from pathlib import Path

from bench import OK, bench, rest
from harness import transcript
from harness.service import command

# A crack across the region "ok", beside the point OK, with 10 units per millimetre
CRACK = [(310 + 12 * step, 20 + 9 * step) for step in range(12)]
FILE = Path("/etc/gestured/conf.d/90-mask-panel.toml")


def test_a_mask_hides_what_a_crack_does():
    panel, client = bench.prepare()
    FILE.parent.mkdir(exist_ok=True)
    with subprocess.Popen(["gesturectl", "measure", "noise", "--duration", "15s", "--write"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as tool:
        assert "do not touch the panel" in tool.stderr.readline()
        for _ in range(4):
            for place in CRACK:
                panel.tap(place, hold=0.02)
                rest(0.03)
        printed, said = tool.communicate(timeout=60)
    assert tool.returncode == 0 and f"wrote {FILE}" in said, (printed, said)
    try:
        command("gesturectl", "reload")
        bench.let_storms_end()
        client.drain()
        for place in CRACK:
            panel.tap(place)
            rest(0.03)
        panel.tap(OK)
        lines = client.gestures(gesture="tap")
        assert transcript(lines) == ["press begin ok", "tap ok"] and (lines[1]["x"], lines[1]["y"]) == OK, transcript(lines)
    finally:
        FILE.unlink()
        command("gesturectl", "reload")
    bench.note(printed.splitlines()[0][2:])
