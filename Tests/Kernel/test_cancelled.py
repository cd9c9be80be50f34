# SPDX-License-Identifier: MIT
"""What an application hears of a touch that a gesture takes, with `cancel = "palm"`, in each compositor that is installed.

docs/sharing.md has the result. weston is missing: without a display, it reads no input devices. Debian 12 has only sway, the others are of Debian 13 (VM_SUITE=trixie) or newer."""
import contextlib
import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from bench import bench
from compositor import Application, make_user, session, warm_up
from harness.service import command
from sharing import EDGE, OPEN, forwarded

# The command of each compositor, with an output of 1920 x 1080 pixels and without a program of its own
COMMANDS = {
    "sway": ("sway", "-d", "-c", "/tmp/sway.conf"),
    "labwc": ("labwc",),
    "cage": ("cage", "--", "sleep", "infinity"),
    "phoc": ("phoc",),
}
# The versions of which an application keeps the finger, from Debian 12 and 13
STUCK = {"sway": "1.7", "cage": "0.2.0", "labwc": "0.8.3", "phoc": "0.46.0"}


def version(name, *debian):
    """The version of Debian's package, for example 1.10.1."""
    words = (*(("chroot", *debian) if debian else ()), "dpkg-query", "-W", "-f", "${Version}", name)
    return command(*words).stdout.split(":")[-1].split("-")[0].split("+")[0]


@contextlib.contextmanager
def other_debian(folder):
    """Yields the words that run a program of the Debian in this folder of the host, as the kiosk's user."""
    with tempfile.TemporaryDirectory(dir="/mnt") as place:
        command("mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", place)
        parts = [Path(place, name) for name in ("upper", "work", "root")]
        for part in parts:
            part.mkdir()
        upper, work, root = map(str, parts)
        command("mount", "-t", "overlay", "-o", f"lowerdir=/host{folder},upperdir={upper},workdir={work}", "overlay", root)
        for name in ("dev", "proc", "sys", "run", "tmp"):
            command("mount", "--rbind", f"/{name}", f"{root}/{name}")
        # The session has no rights of root any more when it starts the compositor.
        chroot = shutil.copy(shutil.which("chroot"), "/usr/local/bin/kiosk-chroot")
        os.chmod(chroot, 0o4755)
        make_user()
        user = pwd.getpwnam("kiosk")
        try:
            yield root, (chroot, f"--userspec={user.pw_uid}:{user.pw_gid}", root)
        finally:
            os.unlink(chroot)
            command("umount", "-R", "-l", root)
            command("umount", "-l", place)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_palm_is_cancelled_or_stays_down(name):
    """`VM_SUITE=trixie vm test cancelled --debian FOLDER` runs the compositors of another Debian, such as sid, whose systemd does
    not run on the guest's kernel."""
    with contextlib.ExitStack() as stack:
        debian, before = [], ()
        if bench.options.debian:
            root, before = stack.enter_context(other_debian(bench.options.debian))
            debian = [root]
        elif not shutil.which(name):
            pytest.skip(f"{name} is not installed")
        panel, client = stack.enter_context(forwarded("palm"))
        connection = stack.enter_context(session(*before, *COMMANDS[name]))
        application = stack.enter_context(contextlib.closing(Application(connection)))
        warm_up(application, panel, OPEN)
        client.drain()
        panel.glide(EDGE, (960, 800))
        client.wait(gesture="drag", phase="begin", region="edge")
        panel.up()
        got = [word.split()[0] for word in application.touches() if word != "move"]
        result = {("down",): "stays down", ("down", "cancel"): "is cancelled"}.get(tuple(got), "something else")
        # cage ends only after its program.
        subprocess.run(["pkill", "-u", "kiosk", "-x", "sleep"])
        bench.note(f"{name} {version(name, *debian)}: the finger {result}: {got}")
        if not debian:
            assert result == ("stays down" if version(name).startswith(STUCK[name]) else "is cancelled"), got
