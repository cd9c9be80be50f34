# SPDX-License-Identifier: MIT
"""The user service gestured-follow: the scene follows the application that has the focus."""
import contextlib
import re
import shutil
import socket
import struct
import subprocess

import pytest

from bench import bench
from compositor import FOLDER, Application, in_session, make_user, running, session
from harness import connected, wait_until
from harness.service import command
from xorg import ENVIRONMENT, in_xorg, xorg

SCRIPT = "/usr/lib/gestured/follow-focus"
FILE = FOLDER / ".config/gestured/follow"
COMPOSITORS = {"sway": (), "labwc": ("labwc",)}


def with_scenes(text):
    lines = text.replace("version = 1\n", 'version = 1\n[access]\ncontrol_uids = ["kiosk"]\n', 1)
    return lines + "".join(f'[[scene]]\nid = "{name}"\nregions = ["ok"]\n' for name in ("map", "browser", "lock"))


@contextlib.contextmanager
def configured():
    make_user()
    bench.prepare()
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text("org.maps map\n*browser browser\n")
    try:
        with bench.configured(with_scenes):
            yield
    finally:
        command("gesturectl", "scene", "default")


def until(scene):
    wait_until(lambda: command("gesturectl", "scene").stdout.strip() == scene, f"the scene is {scene}", 20)


@pytest.mark.parametrize("name", COMPOSITORS)
def test_the_scene_follows_the_window_with_the_focus(name):
    if not shutil.which(name):
        pytest.skip("Debian 12 has no labwc")
    with configured(), session(*COMPOSITORS[name]) as connection, contextlib.ExitStack() as stack:
        def opened(application):
            return stack.enter_context(contextlib.closing(Application(connected(connection.getpeername()), name=application)))

        # sway answers the script only when it is ready.
        opened("org.maps")
        stack.enter_context(in_session(SCRIPT, *([] if name == "sway" else ["wlrctl"]), is_sway=name == "sway"))
        until("map")
        browser = opened("a-browser")
        until("browser")
        # A lock is another client's scene: what is opened under it comes when it ends.
        command("gesturectl", "scene", "lock", "--for", "8s")
        browser.close()
        other = opened("unknown")
        until("lock")
        until("default")
        other.close()
        until("map")


@contextlib.contextmanager
def window(name):
    """The id of a window of X11 with this class."""
    with subprocess.Popen(["xev"], env=ENVIRONMENT, stdout=subprocess.PIPE, text=True) as process:
        try:
            found = re.search("0x[0-9a-f]+", process.stdout.readline())[0]
            in_xorg("xprop", "-id", found, "-f", "WM_CLASS", "8s", "-set", "WM_CLASS", name)
            yield int(found, 16)
        finally:
            process.kill()


def activate(number):
    """Sets the property that a window manager sets: xprop cannot write one that is a window."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(f"/tmp/.X11-unix/X{ENVIRONMENT['DISPLAY'][1:]}")
        connection.sendall(struct.pack("=BxHHHHxx", ord("l"), 11, 0, 0, 0))
        head = connection.recv(8, socket.MSG_WAITALL)
        data = connection.recv(4 * struct.unpack_from("=H", head, 6)[0], socket.MSG_WAITALL)
        vendor, formats = struct.unpack_from("=H", data, 16)[0], data[21]
        root = struct.unpack_from("=I", data, 32 + (vendor + 3) // 4 * 4 + 8 * formats)[0]
        name = b"_NET_ACTIVE_WINDOW"
        connection.sendall(struct.pack("=BxHHxx20s", 16, 7, len(name), name))
        atom = struct.unpack_from("=I", connection.recv(32, socket.MSG_WAITALL), 8)[0]
        connection.sendall(struct.pack("=BBHIIIBxxxII", 18, 0, 7, root, atom, 33, 32, 1, number))
        # The reply to another request comes after the change.
        connection.sendall(struct.pack("=BxHHxx20s", 16, 7, len(name), name))
        connection.recv(32, socket.MSG_WAITALL)


def test_the_scene_follows_the_active_window_of_x11():
    as_kiosk = ["setpriv", "--reuid=kiosk", "--regid=kiosk", "--init-groups"]
    with configured(), xorg("-ac"), window("org.maps") as maps, window("a-browser") as browser:
        activate(maps)
        with running([*as_kiosk, SCRIPT, "x11"], env={**ENVIRONMENT, "HOME": str(FOLDER)}):
            for each, scene in ((maps, "map"), (browser, "browser"), (0, "default"), (maps, "map")):
                activate(each)
                until(scene)
