# SPDX-License-Identifier: MIT
"""`gesturectl exec --step` slides the volume with wpctl and the brightness with brightnessctl."""
import contextlib
import os
import subprocess
from pathlib import Path

import pytest

from bench import MAP, bench, rest
from harness import wait_until
from harness.service import command

FOLDER = Path("/run/exec-test")
# One run at a time, and a line with its steps for each.
LOGGED = f'mkdir {FOLDER}/lock || echo two >>{FOLDER}/log; echo "$GESTURE_STEPS" >>{FOLDER}/log; {{}}; rmdir {FOLDER}/lock'


@pytest.fixture(autouse=True)
def folder():
    command("rm", "-rf", str(FOLDER))
    FOLDER.mkdir()
    yield
    command("rm", "-rf", str(FOLDER))


@contextlib.contextmanager
def running(*words, **environment):
    process = subprocess.Popen(words, env={**os.environ, **environment}, stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def sliding(action, *before):
    """Runs the recipe's command for each 5 mm of a drag. Yields what slides, and returns the steps that were counted."""
    panel, client = bench.prepare()

    def slide(millimeters, frames=60):
        (FOLDER / "log").write_text("")
        x, y = MAP
        for frame in range(frames + 1):
            panel.frame({0: (x, y + millimeters * 5 - millimeters * 10 * frame // frames)})
            rest(0.01)
        panel.up()
        log = FOLDER / "log"
        # The drag begins after 3 mm.
        wanted = (abs(millimeters) - 3) // 5 * (1 if millimeters > 0 else -1)
        wait_until(lambda: not (FOLDER / "lock").exists() and sum(map(int, log.read_text().replace("two", "1000").split())) == wanted,
                   f"{wanted} steps are counted", 20)
        return [int(line) for line in log.read_text().split()]

    clients = len(client.request("clients")["clients"])
    with running(*before, "gesturectl", "exec", "--step", "5mm", "-r", "map", "--", "sh", "-c", LOGGED.format(action)):
        wait_until(lambda: len(client.request("clients")["clients"]) > clients, "gesturectl is connected", 20)
        rest(0.5)
        yield slide


def test_brightness_slides_with_brightnessctl():
    """The guest has no backlight: brightnessctl gets files in its place."""
    light = FOLDER / "class/backlight/panel"
    light.mkdir(parents=True)
    for name, value in (("brightness", 50), ("max_brightness", 100), ("actual_brightness", 50)):
        (light / name).write_text(f"{value}\n")
    before = ("unshare", "-m", "sh", "-c", f'mount --bind {FOLDER}/class /sys/class && exec "$@"', "sh")
    action = 'brightnessctl -q -n set "$((5 * ${GESTURE_STEPS#-}))%$GESTURE_SIGN"'
    with sliding(action, *before) as slide:
        runs = slide(30)
        assert int((light / "brightness").read_text()) == 50 + 5 * 5, runs
        assert 1 <= len(runs) <= 5
        runs = slide(-40)
        assert int((light / "brightness").read_text()) == 75 - 5 * 7, runs


def test_volume_slides_with_wpctl():
    environment = {"XDG_RUNTIME_DIR": str(FOLDER), "DBUS_SESSION_BUS_ADDRESS": f"unix:path={FOLDER}/bus", "HOME": str(FOLDER)}
    sink = """context.objects = [ { factory = adapter args = { factory.name = support.null-audio-sink node.name = sink
        media.class = Audio/Sink object.linger = true audio.position = [ FL FR ] } } ]"""
    settings = FOLDER / "pipewire/pipewire.conf.d"
    settings.mkdir(parents=True)
    (settings / "sink.conf").write_text(sink)
    environment["XDG_CONFIG_HOME"] = str(FOLDER)

    def volume():
        said = subprocess.run(["wpctl", "get-volume", "@DEFAULT_AUDIO_SINK@"], env={**os.environ, **environment}, capture_output=True, text=True)
        return said.stdout.split()[1] if said.stdout.startswith("Volume:") else None

    with running("dbus-daemon", "--session", "--nofork", f"--address=unix:path={FOLDER}/bus"):
        wait_until((FOLDER / "bus").exists, "there is a session bus", 20)
        with running("pipewire", **environment), running("wireplumber", **environment):
            wait_until(volume, "there is a sink", 60)
            subprocess.run(["wpctl", "set-volume", "@DEFAULT_AUDIO_SINK@", "40%"], env={**os.environ, **environment}, check=True)
            wait_until(lambda: volume() == "0.40", "the sink has a volume", 20)
            action = 'wpctl set-volume -l 1 @DEFAULT_AUDIO_SINK@ "$((2 * ${GESTURE_STEPS#-}))%$GESTURE_SIGN"'
            with sliding(action, "env", *(f"{key}={value}" for key, value in environment.items())) as slide:
                runs = slide(40)
                wait_until(lambda: volume() == "0.54", f"the volume is louder by 7 steps of 2 % after {runs}", 20)
                runs = slide(-30)
                wait_until(lambda: volume() == "0.44", f"the volume is lower by 5 steps after {runs}", 20)
                bench.note(f"runs of wpctl for 5 steps: {runs}")
