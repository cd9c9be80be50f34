# SPDX-License-Identifier: MIT
"""sway on the panels of the guest, and an application in it that fills the screen and receives touches.

    with compositor() as application:
        warm_up(application, panel)
        panel.tap((100, 200))
        application.touches()     # ["down 0 100,200", "up 0"]
        with in_session("swayidle", ...):
            ...

sway has a headless output of 1920 x 1080 pixels, and receives panels through seatd and libinput, as on a kiosk.
"""
import array
import contextlib
import functools
import os
import pwd
import select
import socket
import struct
import subprocess
from pathlib import Path

from harness import connected, wait_until
from harness.service import command
from sharing import OPEN

FOLDER = Path("/run/kiosk")
LOG = Path("/tmp/compositor.log")
OUTPUT, SIZE = "HEADLESS-1", (1920, 1080)


class Application:
    """A Wayland client that uses no library. A message consists of an object, a length, an opcode and arguments."""

    DISPLAY = 1
    WANTED = {"wl_compositor": 4, "wl_shm": 1, "wl_seat": 4, "xdg_wm_base": 1}  # the required version of each

    def __init__(self, connection, output=None, name=None):
        """`output` is the name of the output to fill; by default, the compositor chooses one. `name` is the id of the application."""
        self._socket = connection
        self._rest = b""
        self._outputs = {}  # the names of outputs by their ids, of compositors from 2022 on
        self._made = self.DISPLAY  # ids are assigned in the order in which objects are created
        self._global = {}  # the ids of the objects in WANTED
        self._xdg = self._touch = None
        self._is_shown = False
        self._touches = []
        self._down = set()
        self.most = 0  # contacts that were down at the end of a frame
        self._registry = self._make(self.DISPLAY, 1)
        wait_until(lambda: self._read() or len(self._global) == len(self.WANTED), "the compositor has all that it needs", 20, pause=0)
        self._surface = self._make(self._global["wl_compositor"], 0)
        self._xdg = self._make(self._global["xdg_wm_base"], 2, self._surface)
        if output:
            wait_until(lambda: self._read() or output in self._outputs.values(), f"the compositor has {output}", 20, pause=0)
        place = next((number for number, name in self._outputs.items() if name == output), 0)
        toplevel = self._make(self._xdg, 1)
        if name:
            self._send(toplevel, 3, name)
        self._send(toplevel, 11, place)  # full screen
        self._send(self._surface, 6)
        wait_until(lambda: self._read() or self._is_shown, "the application is shown", 20, pause=0)

    def touches(self, wait=0.2):
        """The events since the last call, until none has arrived for `wait` seconds: "down 0 100,200", "move", "up 0",
        "cancel"."""
        while select.select([self._socket], [], [], wait)[0]:
            self._read()
        touches, self._touches = self._touches, []
        return touches

    def close(self):
        self._socket.close()

    # Protocol

    def _send(self, target, number, *arguments, descriptor=None):
        body = b"".join(struct.pack("=I", each) if isinstance(each, int) else self._text(each) for each in arguments)
        message = struct.pack("=II", target, (8 + len(body)) << 16 | number) + body
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [descriptor]))] if descriptor is not None else []
        self._socket.sendmsg([message], rights)

    def _make(self, target, number, *arguments, before=(), descriptor=None):
        """Sends a request that creates an object. Returns the object's id."""
        self._made += 1
        self._send(target, number, *before, self._made, *arguments, descriptor=descriptor)
        return self._made

    @staticmethod
    def _text(text):
        data = text.encode() + b"\0"
        return struct.pack("=I", len(data)) + data + bytes(-len(data) % 4)

    def _read(self):
        if not select.select([self._socket], [], [], 0.05)[0]:
            return
        data = self._socket.recv(65536)
        assert data, f"the compositor has closed the connection: {LOG.read_text()[-2000:]}"
        self._rest += data
        while len(self._rest) >= 8:
            target, word = struct.unpack_from("=II", self._rest)
            if len(self._rest) < word >> 16:
                return
            body, self._rest = self._rest[8:word >> 16], self._rest[word >> 16:]
            self._take(target, word & 0xFFFF, body)

    def _take(self, target, number, body):
        if target == self.DISPLAY and number == 0:
            raise AssertionError(f"an error of the protocol: {body[12:]}")
        if target == self._registry and number == 0:
            name, length = struct.unpack_from("=II", body)
            interface = body[8:8 + length - 1].decode()
            if interface in self.WANTED and interface not in self._global:
                self._global[interface] = self._make(self._registry, 0, before=(name, interface, self.WANTED[interface]))
            elif interface == "wl_output" and struct.unpack("=I", body[-4:])[0] >= 4:
                self._outputs[self._make(self._registry, 0, before=(name, interface, 4))] = None
        elif target in self._outputs and number == 4:
            self._outputs[target] = body[4:].rstrip(b"\0").decode()
        elif target == self._global.get("xdg_wm_base"):
            self._send(target, 3, *struct.unpack("=I", body))  # pong
        elif target == self._global.get("wl_seat") and number == 0:
            self._change_seat(struct.unpack("=I", body)[0] & 4 != 0)
        elif target == self._xdg:
            self._send(self._xdg, 4, *struct.unpack("=I", body))
            self._draw()
        elif target == self._touch:
            self._touched(number, body)

    def _draw(self):
        """Draws a buffer of a fixed size, which also fills the screen when it is turned."""
        if self._is_shown:
            self._send(self._surface, 6)
            return
        width = height = max(SIZE)
        descriptor = os.memfd_create("buffer")
        os.ftruncate(descriptor, width * height * 4)
        pool = self._make(self._global["wl_shm"], 0, width * height * 4, descriptor=descriptor)
        os.close(descriptor)
        self._send(self._surface, 1, self._make(pool, 0, 0, width, height, width * 4, 1), 0, 0)
        self._send(self._surface, 2, 0, 0, width, height)
        self._send(self._surface, 6)
        self._is_shown = True

    def _change_seat(self, has_touch):
        if has_touch and self._touch is None:
            self._touch = self._make(self._global["wl_seat"], 2)
        elif not has_touch:
            self._touch = None

    def _touched(self, number, body):
        if number == 0:
            *_, identifier, x, y = struct.unpack("=IIIiii", body)
            self._touches.append(f"down {identifier} {x / 256:.0f},{y / 256:.0f}")
            self._down.add(identifier)
        elif number == 1:
            identifier = struct.unpack("=IIi", body)[2]
            self._touches.append(f"up {identifier}")
            self._down.discard(identifier)
        elif number == 2:
            self._touches.append("move")
        elif number == 3:
            self.most = max(self.most, len(self._down))
        elif number == 4:
            self._touches.append("cancel")
            self._down.clear()


def still_down(touches):
    """The contacts that are down after these events of an application."""
    down = set()
    for word in touches:
        if word == "cancel":
            down.clear()
        elif word != "move":
            kind, identifier = word.split()[:2]
            (down.add if kind == "down" else down.remove)(identifier)
    return down


@contextlib.contextmanager
def compositor():
    """Runs seatd and sway with the application, and yields the application."""
    with session() as connection, contextlib.closing(Application(connection)) as application:
        yield application


@contextlib.contextmanager
def application_behind(shared, prepare=lambda client: None):
    """The shared panel, a client, and an application that receives touches of the panel.

    `shared` is a context of the module `sharing`. `prepare` gets the client before the first touch."""
    with shared as (panel, client), compositor() as application:
        prepare(client)
        warm_up(application, panel, OPEN)
        client.drain()
        yield panel, client, application


@contextlib.contextmanager
def session(*words, outputs=1, lines=()):
    """Runs seatd and sway, or the compositor of this command, and yields a connection to the compositor. The lines are added to the
    configuration of sway."""
    make_user()
    command("udevadm", "settle")
    with running(["seatd", "-u", "kiosk"], stderr=subprocess.DEVNULL, env={**os.environ, "SEATD_VTBOUND": "0"}):
        wait_until(lambda: connected("/run/seatd.sock"), "seatd listens").close()
        first = f"output {OUTPUT} mode {SIZE[0]}x{SIZE[1]} position 0 0"
        Path("/tmp/sway.conf").write_text("\n".join([first, *lines, ""]))
        environment = {
            "WLR_BACKENDS": "headless,libinput", "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman", "LIBSEAT_BACKEND": "seatd",
            "WLR_HEADLESS_OUTPUTS": str(outputs),
        }
        words = words or ("sway", "-d", "-c", "/tmp/sway.conf")
        with _kiosk(*words, environment=environment, stderr=LOG.open("w")) as process:
            with wait_until(lambda: _connected(process), "the compositor listens", 30) as connection:
                yield connection


def in_session(*words, is_sway=True, **options):
    """Runs a program in the session of sway, or of another compositor."""
    environment = {"WAYLAND_DISPLAY": next(FOLDER.glob("wayland-?")).name, **({"SWAYSOCK": str(_control())} if is_sway else {})}
    return _kiosk(*words, environment=environment, **options)


def swaymsg(*words):
    return command("swaymsg", "-s", _control(), *words).stdout


def _control():
    """The socket for commands to sway, which sway makes after the one for applications."""
    return wait_until(lambda: next(FOLDER.glob("sway-ipc.*.sock"), None), "sway takes commands")


def _kiosk(*words, environment, **options):
    """Runs a program as the kiosk's user, because sway refuses to run as root."""
    as_kiosk = ["setpriv", "--reuid=kiosk", "--regid=kiosk", "--init-groups"]
    environment = {"PATH": os.environ["PATH"], "HOME": str(FOLDER), "XDG_RUNTIME_DIR": str(FOLDER), "XKB_DEFAULT_LAYOUT": "us", **environment}
    return running([*as_kiosk, *words], stdout=subprocess.DEVNULL, env=environment, **options)


@contextlib.contextmanager
def running(words, **options):
    """Runs a process, and terminates it at the end."""
    process = subprocess.Popen(words, **options)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(10)


def _connected(process):
    assert process.poll() is None, f"the compositor has ended: {LOG.read_text()[-2000:]}"
    return next(filter(None, map(connected, FOLDER.glob("wayland-?"))), None)


def make_user():
    """The kiosk's user, who may connect to the daemon."""
    command("systemd-sysusers", "--inline", "u kiosk -", "m kiosk gestured")
    user = pwd.getpwnam("kiosk")
    FOLDER.mkdir(mode=0o700, exist_ok=True)
    os.chown(FOLDER, user.pw_uid, user.pw_gid)


@functools.cache
def version():
    """The version of sway, for example (1, 7)."""
    return tuple(map(int, command("sway", "--version").stdout.split()[2].split("-")[0].split(".")[:2]))


def warm_up(application, panel, at=(960, 540)):
    """Taps until the application receives a tap. The compositor may not have found the device yet, and wlroots only announces
    that a seat has touch at the first touch."""
    def taps():
        panel.tap(at)
        return "up 0" in application.touches()

    wait_until(taps, "the application gets a tap", 10)


def lands_and_lifts(application, panel):
    """Checks that the application receives a tap."""
    panel.tap(OPEN)
    got = application.touches()
    assert got == [f"down 0 {OPEN[0]},{OPEN[1]}", "up 0"], got
