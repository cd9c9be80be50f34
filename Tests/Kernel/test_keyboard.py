# SPDX-License-Identifier: MIT
"""The recipe of docs/cookbook.md for a keyboard on the screen, in sway: a swipe from the lower edge shows it, and a scene is in force while it is
shown."""
import contextlib
import os
import re
import subprocess

import pytest

from bench import bench
from compositor import FOLDER, SIZE, Application, in_session, make_user, session, swaymsg, warm_up
from harness import ROOT, wait_until
from harness.service import command

PAGE = os.path.join(ROOT, "docs/cookbook.md")
DEVICE = """[[device]]
id = "panel"
match = { name = "uinput panel" }
output = { size = [1920, 1080] }
"""
BUS = f"unix:path={FOLDER}/bus"


def recipe(name):
    """The configuration of the recipe, and its commands for a keyboard as a line for the shell."""
    with open(PAGE, encoding="utf-8") as file:
        section = file.read().split("## Show and hide a keyboard\n")[1].split("\n## ")[0]
    commands = re.findall(r"```sh\n(.*?)```", section, re.S)[-1]
    if name == "squeekboard":
        shown = re.search("`(busctl .*) true`", section)[1]
        for signal, state in (("USR2", "true"), ("USR1", "false")):
            commands = commands.replace(f"pkill -{signal} wvkbd", f"{shown} {state}")
        commands = "squeekboard\n" + commands.split("\n", 1)[1]
    return re.search(r"```toml\n(.*?)```", section, re.S)[1], commands.replace("\n", " &\n")


def rows(connection):
    """The lowest row and the middle row of the screen."""
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(FOLDER), "WAYLAND_DISPLAY": connection.getpeername()}
    picture = subprocess.run(["grim", "-t", "ppm", "-"], env=environment, stdout=subprocess.PIPE, check=True, timeout=20).stdout
    pixels = picture.split(b"\n", 3)[3]
    return [pixels[3 * SIZE[0] * y:3 * SIZE[0] * (y + 1)] for y in (SIZE[1] - 30, 200)]


def scene():
    return command("gesturectl", "scene").stdout.strip()


@pytest.mark.parametrize("name", ["wvkbd", "squeekboard"])
def test_a_swipe_shows_the_keyboard(name):
    make_user()
    panel, client = bench.prepare()
    configuration, commands = recipe(name)
    text = configuration.replace("control_uids = [1000]", 'control_uids = ["kiosk"]') + DEVICE
    with bench.configured(lambda _: text), contextlib.ExitStack() as stack:
        panel, client = bench.prepare()
        connection = stack.enter_context(session())
        application = stack.enter_context(contextlib.closing(Application(connection)))
        swaymsg("fullscreen", "disable")
        warm_up(application, panel, (960, 300))
        stack.enter_context(in_session("dbus-daemon", "--session", f"--address={BUS}", "--nofork"))
        wait_until(lambda: os.path.exists(FOLDER / "bus"), "the bus is there")
        stack.enter_context(in_session("env", f"DBUS_SESSION_BUS_ADDRESS={BUS}", "sh", "-c", commands + "\ntrap 'kill $(jobs -p)' TERM\nwait"))
        before = wait_until(lambda: (pair := (rows(connection), rows(connection)))[0] == pair[1] and pair[0], "the picture is still")

        def shows():
            if scene() == "default":
                panel.swipe((960, 1070), (960, 700))
            return scene() == "keyboard" and rows(connection)[0] != before[0]

        wait_until(shows, "the keyboard is shown", 30, pause=1)
        assert rows(connection)[1] == before[1]
        swaymsg("fullscreen", "enable")
        wait_until(lambda: len(set(rows(connection)[0])) == 1, "a window that is full screen covers the keyboard", 10)
        swaymsg("fullscreen", "disable")

        def hides():
            if scene() == "keyboard":
                panel.swipe((960, 100), (960, 450))
            return scene() == "default" and rows(connection) == before

        wait_until(hides, "the keyboard is hidden", 30, pause=1)
