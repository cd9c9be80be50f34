# SPDX-License-Identifier: MIT
"""The real daemon on a fake panel, and crowds of clients of it: for Benchmarks/clients and Benchmarks/soak-clients."""

import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time
from typing import Optional

KINDS = """never_reads reads_a_byte_a_second half_closes floods sends_no_newline sends_binary nests_deeply
passes_descriptors passes_what_closes_slowly connects_1000_a_second dies_at_random_bytes subscribes_64_a_second holds_16_connections""".split()

# What costs the daemon the most (Tests/Tools/Crowd/attacks.c).
ATTACKS = "subscribes_and_hangs_up passes_what_closes_slowly asks_and_hangs_up subscribes_to_64_globs ends_2000_leases defines_deeply defines_patterns".split()
# From when a turn is long for Benchmarks/turns.c, and how many of those it keeps.
LONG_TURN_US = 15_000
KEPT_TURNS = 1000
HOSTILE_USERS = range(61001, 61101)

# Two rows of five regions: a finger drags in each.
REGIONS = "".join(
    f'[[region]]\nid = "region_{i}"\nshape = {{ rect = ["{i % 5 * 20}%", "{i // 5 * 50}%", "20%", "50%"] }}\n'
    'gestures = ["press", "drag"]\n' for i in range(10))
# A region that makes long lines, to fill queues.
LONG = '[[region]]\nid = "%s"\nshape = "full"\ngestures = ["press", "tap"]\n' % ("a_region_with_a_long_name" * 2)


def configuration(regions: str, max_clients: int = 64) -> str:
    return (f'version = 1\n[access]\ndefine_uids = {list(HOSTILE_USERS)}\ndefine_limit = 4096\n'
            f'[daemon]\nmax_clients = {max_clients}\nlog_level = "error"\n'
            '[filter]\nstorm = { contacts_per_second = 10000, quiet = "1ms" }\nmax_contact_age = "off"\n'
            '[[device]]\nid = "panel"\nmatch = { name = "Fake Panel" }\n'
            'output = { size = [1024, 1024], size_mm = [200, 200] }\n' + regions)


class Program:
    """A program that takes commands, one a line, and answers each with a line that begins with a certain word."""

    def __init__(self, command: list, **more):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, **more)

    def answer(self, *words: str) -> str:
        for line in self.process.stdout:
            if line.startswith("ERROR"):
                raise RuntimeError(line.strip())
            if line.split(" ")[0].strip() in words:
                return line.partition(" ")[2].strip()
        raise RuntimeError(f"{self.process.args[0]} has ended")

    def ask(self, command: str, *words: str) -> str:
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return self.answer(*words)

    def end(self):
        self.process.stdin.close()
        self.process.wait()


class Crowd(Program):
    """Clients that read, and clients that do not."""

    def __init__(self, harness: "Harness", reading: int, hung: int):
        super().__init__([harness.crowd, "streams", harness.socket, str(reading), str(hung)])
        self.answer("READY")

    def tally(self, command: str = "tally") -> dict:
        return json.loads(self.ask(command, "TALLY", "TAKEN"))


class Harness:
    """A daemon, its panel and its folder. Ends all of them."""

    def __init__(self, daemon: str, fake_panel: str, crowd: str, text: str, wrapper: tuple = ()):
        """- wrapper: a program, and its arguments, that runs the daemon."""
        self.crowd = crowd
        self.folder = tempfile.mkdtemp(prefix="gestured.")
        self.socket = os.path.join(self.folder, "s")
        self.daemon: Optional[subprocess.Popen] = None
        self.hostile: list = []
        self.panel = Program([fake_panel], env={**os.environ, "TMPDIR": self.folder})
        try:
            root = self.panel.answer("ROOT")
            self.panel.ask("add", "OK")
            self.write("gestured.toml", text)
            turns = self.measure_turns()
            # It writes on this program's standard error, so that failures are seen.
            self.daemon = subprocess.Popen(
                [*wrapper, daemon, "-c", os.path.join(self.folder, "gestured.toml"), "--socket", self.socket],
                env={**os.environ, **turns, "LD_PRELOAD": f"{turns['LD_PRELOAD']} libumockdev-preload.so.0", "UMOCKDEV_DIR": root})
            self.wait(lambda: os.path.exists(self.socket) and self.status()["devices"]["ready"] == 1)
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.be_peaceful()
        if self.daemon and self.daemon.poll() is None:
            self.daemon.kill()
            self.daemon.wait()
        self.panel.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def measure_turns(self) -> dict:
        """The environment of a daemon whose turns are measured (Benchmarks/turns.c)."""
        library, self.turns = os.path.join(self.folder, "turns.so"), os.path.join(self.folder, "turns")
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "turns.c")
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source], check=True)
        self.clear_turns()
        return {"LD_PRELOAD": library, "GESTURED_MACHINE": f"turns={self.turns}"}

    def clear_turns(self):
        with open(self.turns, "r+b" if os.path.exists(self.turns) else "wb") as file:
            file.write(bytes(24 + 40 * KEPT_TURNS))

    def longest_turn(self) -> tuple:
        """Microseconds on the clock, and on a core; since the turns were cleared."""
        with open(self.turns, "rb") as file:
            return tuple(time // 1000 for time in struct.unpack("qq", file.read(16)))

    def long_turns(self) -> list:
        """Those of LONG_TURN_US and more since the turns were cleared: when each began, how long it took on the clock and was on
        a core, in microseconds, and the cores on which it began and ended. At most the first KEPT_TURNS."""
        with open(self.turns, "rb") as file:
            file.seek(16)
            count, = struct.unpack("q", file.read(8))
            turns = [struct.unpack("5q", file.read(40)) for _ in range(min(count, KEPT_TURNS))]
        return [(*(time // 1000 for time in turn[:3]), set(turn[3:])) for turn in turns]

    def write(self, name: str, text: str) -> str:
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    @staticmethod
    def wait(condition, seconds: float = 20):
        end = time.monotonic() + seconds
        while True:
            try:
                if condition():
                    return
            except OSError:
                pass
            if time.monotonic() > end:
                raise RuntimeError("waited in vain")
            time.sleep(0.02)

    def request(self, command: str) -> dict:
        with socket.socket(socket.AF_UNIX) as client:
            # A connect waits for room in the listener's queue; with a timeout of Python's it would fail at once.
            client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", 10, 0))
            client.connect(self.socket)
            client.settimeout(10)
            client.sendall((json.dumps({"cmd": command}) + "\n").encode())
            for line in client.makefile():
                reply = json.loads(line)
                if reply.get("reply") == command:
                    return reply
        raise OSError("no reply")

    def status(self) -> dict:
        return self.request("status")

    def memory(self, key: str = "RssAnon") -> int:
        """Bytes."""
        with open(f"/proc/{self.daemon.pid}/status", encoding="utf-8") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith(key + ":"))

    def cpu_seconds(self) -> tuple:
        """Seconds on a core, and seconds of waiting for one."""
        with open(f"/proc/{self.daemon.pid}/schedstat", encoding="utf-8") as file:
            return tuple(int(word) / 1e9 for word in file.read().split()[:2])

    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.daemon.pid}/fd"))

    def be_hostile(self, kinds=tuple(KINDS), nice: int = 0):
        """Starts all of these at once, each as another user where that is possible."""
        for user, kind in zip(HOSTILE_USERS, kinds):
            program = Program(["nice", "-n", str(nice), self.crowd, "hostile", kind, self.socket, str(user)])
            self.hostile.append(program)
            program.answer("ACTED")
            # It prints on for as long as it acts, and would stop when the pipe is full.
            threading.Thread(target=program.process.stdout.read, daemon=True).start()

    def be_peaceful(self):
        while self.hostile:
            self.hostile.pop().end()

    def tap(self, times: int):
        for number in range(times):
            self.panel.ask(f"frame 3 47 0 3 57 {number} 3 53 1000 3 54 1000 1 330 1", "OK")
            self.panel.ask("frame 3 47 0 3 57 -1 1 330 0", "OK")

    def stop(self) -> float:
        """Seconds from SIGTERM to the end."""
        start = time.monotonic()
        self.daemon.send_signal(signal.SIGTERM)
        if self.daemon.wait() != 0:
            raise RuntimeError(f"the daemon ended with {self.daemon.returncode}")
        return time.monotonic() - start


def drags(seconds: int, fingers: int = 10, rate: int = 120) -> str:
    """An evemu recording: all fingers land together, drag for two seconds and lift, again and again."""
    lines = []
    turn = 2 * rate
    for frame in range(seconds * rate):
        step, time_us = frame % turn, frame * 1_000_000 // rate
        stamp = f"E: {time_us // 1_000_000}.{time_us % 1_000_000:06d}"
        for finger in range(fingers):
            lines.append(f"{stamp} 0003 002f {finger}")
            if step == turn - 1:
                lines.append(f"{stamp} 0003 0039 -1")
                continue
            if step == 0:
                lines.append(f"{stamp} 0003 0039 {(frame // turn * fingers + finger) % 60000 + 1}")
            swing = 3 * (step if step < turn // 2 else turn - step)
            lines.append(f"{stamp} 0003 0035 {finger % 5 * 819 + 150 + swing}")
            lines.append(f"{stamp} 0003 0036 {finger // 5 * 2048 + 400 + swing}")
        if step in (0, turn - 1):
            lines.append(f"{stamp} 0001 014a {int(step == 0)}")
        lines.append(f"{stamp} 0000 0000 0")
    return "\n".join(lines) + "\n"
