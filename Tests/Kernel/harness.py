# SPDX-License-Identifier: MIT
"""Shared by the scripts that run in the guest: a client of the daemon's socket, the service under systemd, processes."""
import json
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

SOCKET = "/run/gestured/gestured.sock"
UNIT = "gestured.service"
CONFIGURATION = Path("/etc/gestured/gestured.toml")
OVERRIDE = Path(f"/run/systemd/system/{UNIT}.d/test.conf")


class Timeout(AssertionError):
    pass


def wait_until(condition, what, seconds=5.0, pause=0.02):
    """The first true value of condition(). Raises a Timeout that names `what` if there is none in time."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise Timeout(f"not within {seconds:g} s: {what}")
        time.sleep(pause)


def connected(path):
    """A connection to this socket, or None as long as nothing listens there; a socket has its path before it listens."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(str(path))
    except (FileNotFoundError, ConnectionRefusedError):
        connection.close()
        return None
    return connection


def matches(line, wanted):
    return all(line.get(key) == value for key, value in wanted.items())


class Client:
    """One connection. Lines are read only while waiting; each has its bytes (`text`) and the time when it `arrived`."""

    def __init__(self, path=SOCKET, seconds=10.0):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(path)
        self._rest = b""
        self._queue = []
        self._id = 0
        self.lines = []  # all lines read so far
        self.ended = False
        self.hello = self.wait(event="hello", seconds=seconds)
        self.state = self.wait(event="state", seconds=seconds)

    def _receive(self, seconds):
        """Reads once if data arrives in time; true if there may be more."""
        if self.ended or not select.select([self.socket], [], [], max(0.0, seconds))[0]:
            return False
        try:
            data = self.socket.recv(65536)
        except ConnectionResetError:
            data = b""
        now = time.monotonic()
        if not data:
            self.ended = True
            return False
        *complete, self._rest = (self._rest + data).split(b"\n")
        for text in complete:
            line = json.loads(text)
            line["arrived"], line["text"] = now, text.decode()
            self._queue.append(line)
        return True

    def next(self, seconds=3.0):
        """The next line; None if none came in time or the daemon has closed the connection."""
        end = time.monotonic() + seconds
        while not self._queue:
            self._receive(end - time.monotonic())
            if not self._queue and (self.ended or time.monotonic() >= end):
                return None
        line = self._queue.pop(0)
        self.lines.append(line)
        return line

    def collect(self, until=1, seconds=3.0, **wanted):
        """All lines up to the `until`-th that has these keys and values."""
        taken, left, end = [], until, time.monotonic() + seconds
        while left:
            line = self.next(end - time.monotonic())
            if line is None:
                why = "end of file" if self.ended else f"nothing within {seconds:g} s"
                raise Timeout(f"waited for {wanted}: {why}, after {[brief(line) for line in taken]}")
            taken.append(line)
            left -= matches(line, wanted)
        return taken

    def wait(self, seconds=3.0, **wanted):
        return self.collect(seconds=seconds, **wanted)[-1]

    def gestures(self, until=1, seconds=3.0, **wanted):
        """Like `collect`, for gesture lines only."""
        return [line for line in self.collect(until, seconds, **wanted) if line.get("event") == "gesture"]

    def request(self, command, seconds=3.0, **keys):
        self._id += 1
        self.socket.sendall(json.dumps({"cmd": command, "id": self._id, **keys}).encode() + b"\n")
        reply = self.wait(reply=command, id=self._id, seconds=seconds)
        assert reply["ok"], f"{command}: {reply}"
        return reply

    def drain(self):
        """Reads everything sent so far; returns the lines before the reply to a ping."""
        before = len(self.lines)
        self.request("ping")
        return self.lines[before:-1]

    def is_open(self):
        """Reads available data, to find out whether the daemon has closed the connection after it."""
        while self._receive(0):
            pass
        return not self.ended

    def is_listening(self):
        """Like `is_open`, but without reading: asks the kernel whether the daemon has hung up."""
        poll = select.poll()
        poll.register(self.socket, select.POLLRDHUP)
        return not poll.poll(0)

    def wait_for_end(self, seconds=5.0):
        end = time.monotonic() + seconds
        while not self.ended:
            if self.next(end - time.monotonic()) is None and not self.ended:
                raise Timeout(f"the connection is still open after {seconds:g} s")

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def brief(line):
    """A short form of a line, for transcripts: "press begin ok", "tap ok", "device removed panel"."""
    if line.get("event") == "gesture":
        words = (line["gesture"], line.get("phase"), line["region"], line.get("reason"))
    else:
        words = (line.get("event") or f"reply {line.get('reply')}", line.get("change"), line.get("device"))
    return " ".join(word for word in words if word)


def transcript(lines):
    return [brief(line) for line in lines]


# Processes


def status_of(process, key):
    return re.search(rf"^{key}:\s*(.*)$", Path(f"/proc/{process}/status").read_text(), re.M)[1]


def resident(process):
    """(RSS, PSS, anonymous) in kB."""
    text = Path(f"/proc/{process}/smaps_rollup").read_text()
    size = {key: int(value) for key, value in re.findall(r"^(\w+):\s+(\d+) kB", text, re.M)}
    return size["Rss"], size["Pss"], size["Anonymous"]


def wakeups(process):
    """The number of context switches of all its threads since it started."""
    count = 0
    for status in Path(f"/proc/{process}/task").glob("*/status"):
        count += sum(int(number) for number in re.findall(r"ctxt_switches:\s+(\d+)", status.read_text()))
    return count


class Stopped:
    """Stops the process during the body, and waits until it has stopped."""

    def __init__(self, process):
        self.process = process

    def __enter__(self):
        os.kill(self.process, signal.SIGSTOP)
        wait_until(lambda: status_of(self.process, "State").startswith("T"), "the daemon is stopped")

    def __exit__(self, *_):
        os.kill(self.process, signal.SIGCONT)


# The service


def command(*words, check=True):
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    if check and done.returncode:
        raise AssertionError(f"{' '.join(map(str, words))}: exit {done.returncode}: {done.stdout}{done.stderr}".strip())
    return done


def systemctl(*words, check=True):
    return command("systemctl", *words, check=check)


def unit_property(name, unit=UNIT):
    return systemctl("show", "-P", name, unit).stdout.strip()


def main_process(unit=UNIT):
    return int(unit_property("MainPID", unit))


def install(project, build, configuration):
    """Installs the programs and the shipped units as a package would, and this configuration."""
    shipped = Path(project) / "systemd"
    units = [path for suffix in ("service", "socket") for path in shipped.rglob(f"*.{suffix}")]
    assert {path.name for path in units} >= {"gestured.service", "gestured.socket"}, f"no units in {shipped}"
    for folder, paths in (
        ("/usr/lib/systemd/system", units),
        ("/usr/lib/sysusers.d", list(shipped.rglob("sysusers.d/*.conf"))),
        ("/usr/lib/tmpfiles.d", list(shipped.rglob("tmpfiles.d/*.conf"))),
        ("/usr/lib/udev/rules.d", list(shipped.rglob("*.rules"))),
        ("/usr/lib/gestured", [shipped / "udev/twin-properties"]),
        ("/usr/share/gestured", [shipped / "gestured.service.d/gestured-share.conf"]),
    ):
        for path in paths:
            Path(folder).mkdir(parents=True, exist_ok=True)
            shutil.copy(path, folder)
    service = next(path for path in units if path.name == UNIT).read_text()
    folder = Path(re.search(r"^ExecStart=\W*(/\S+)/gestured\b", service, re.M)[1])
    folder.mkdir(parents=True, exist_ok=True)
    programs = ["gestured", "gesturectl", "gestured-web"]
    # A build without libmosquitto has none.
    if (Path(build) / "gestured-mqtt").exists():
        programs.append("gestured-mqtt")
    for program in programs:
        shutil.copy(Path(build) / program, folder / program)
        (folder / program).chmod(0o755)
    shutil.copytree(Path(project) / "web", "/usr/share/gestured/web", dirs_exist_ok=True)
    CONFIGURATION.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(configuration, CONFIGURATION)
    CONFIGURATION.chmod(0o644)
    command("systemd-sysusers")
    command("udevadm", "control", "--reload")
    systemctl("daemon-reload")
    return folder


def override(**settings):
    """Restarts the service with these settings of [Service] in place of the shipped ones."""
    OVERRIDE.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"{key}={value}" for key, value in settings.items()]
    OVERRIDE.write_text("\n".join(["[Service]", *lines, ""]))
    systemctl("daemon-reload")
    systemctl("restart", UNIT)


def restore():
    """Restarts the service with the shipped settings."""
    OVERRIDE.unlink()
    systemctl("daemon-reload")
    systemctl("restart", UNIT)


def journal(count=40, *matches):
    """The last lines of the journal of the daemon and of systemd about it."""
    return command("journalctl", "-b", "-u", UNIT, "-n", str(count), "-o", "short-monotonic", "--no-pager", *matches, check=False).stdout
