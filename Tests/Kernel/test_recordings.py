# SPDX-License-Identifier: MIT
"""Recordings of libinput's tools are replayed by gesturectl, and vice versa."""
import contextlib
import json
import re
import signal
import subprocess
import time
from pathlib import Path

from bench import CONFIGURATION, HOLD, KEY, OK, PAIR, bench
from harness import transcript, wait_until
from harness.service import command


def touch(panel, client):
    """Makes several gestures, and returns their lines."""
    client.drain()
    panel.tap(OK)
    panel.tap(*(PAIR, (PAIR[0] + 80, PAIR[1])))
    panel.swipe((200, 700), (800, 720))
    panel.tap(HOLD, hold=0.6)
    panel.tap(KEY)
    return client.gestures(gesture="press", phase="end", region="key", seconds=10)


def comparable(lines):
    """The lines, without numbers that differ between runs, and with times relative to the first line."""
    first = lines[0]
    since = [{**line, "time_us": line["time_us"] - first["time_us"], "sequence": line["sequence"] - first["sequence"]}
             for line in lines]
    return [{key: value for key, value in line.items() if key not in ("seq", "text", "arrived")} for line in since]


def replayed(file):
    lines = command(bench.programs / "gesturectl", "replay", "-c", CONFIGURATION, file).stdout.splitlines()
    gestures = map(json.loads, lines)
    return [line for line in gestures if line.get("phase") != "update" or line["gesture"] == "press"]


def begun(words, stream, process):
    """Reads the output of a process until it contains `words`, and returns it."""
    said = ""
    while words not in said:
        text = stream.readline()
        assert text, f"{process.args} printed only: {said}"
        said += text
    return said


def test_a_recording_of_libinput_replays_what_clients_saw():
    # Needs a new panel: the kernel does not repeat unchanged positions, and libinput's recorder does not save the earlier
    # ones.
    bench.prepare()
    bench.unplug()
    panel, client = bench.prepare()
    theirs, ours = Path("/tmp/theirs.yml"), Path("/tmp/ours.yml")
    theirs.unlink(missing_ok=True)
    recorders = [
        subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for words in (["libinput", "record", "-o", theirs, panel.node],
                      [bench.programs / "gesturectl", "record", "-o", ours])]
    try:
        begun("end with Ctrl-C", recorders[1].stdout, recorders[1])
        wait_until(lambda: theirs.exists() and "events:" in theirs.read_text(), "libinput record has begun", 10)
        seen = touch(panel, client)
    finally:
        for recorder in recorders:
            recorder.send_signal(signal.SIGINT)
        for recorder in recorders:
            recorder.communicate(timeout=10)
    expected = comparable(seen)
    for file in (theirs, ours):
        found = comparable(replayed(file))
        assert found == expected, f"{file.name}:\n{found}\nseen:\n{expected}"
    # Converted to the same format, the events differ only in their times.
    texts = [command(bench.programs / "gesturectl", "convert", file).stdout for file in (theirs, ours)]
    events = [re.findall(r"^E: \S+ (.*)$", text, re.M) for text in texts]
    assert events[0] == events[1], events
    bench.note(f"{len(expected)} lines, {len(events[0])} events")


def test_libinput_replays_a_recording_of_gesturectl():
    panel, client = bench.prepare()
    file = Path("/tmp/replay.yml")
    recorder = subprocess.Popen([bench.programs / "gesturectl", "record", "-o", file],
                                stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        begun("end with Ctrl-C", recorder.stderr, recorder)
        seen = touch(panel, client)
    finally:
        recorder.send_signal(signal.SIGINT)
        recorder.communicate(timeout=10)
    bench.unplug()
    client.wait(event="device", change="removed", device="panel", seconds=10)
    player = subprocess.Popen(["libinput", "replay", file], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
    try:
        client.wait(event="device", change="added", device="panel", seconds=20)
        client.drain()
        player.stdin.write("\n")
        player.stdin.flush()
        again = client.gestures(gesture="press", phase="end", region="key", seconds=20)
    finally:
        # `libinput replay` now waits for Enter to replay again. Interrupt it before its input ends. It ignores a signal that
        # comes before it waits.
        end = time.monotonic() + 10
        while player.poll() is None and time.monotonic() < end:
            player.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                player.wait(timeout=1)
        has_ended = player.poll() is not None
        player.kill()
        player.wait(timeout=10)
        said = player.stdout.read()
    client.wait(event="device", change="removed", device="panel", seconds=10)
    assert has_ended, said
    assert "Error" not in said and "Traceback" not in said, said
    assert transcript(again) == transcript(seen), f"{transcript(again)}\nseen:\n{transcript(seen)}"
    bench.note(f"{len(again)} lines")
