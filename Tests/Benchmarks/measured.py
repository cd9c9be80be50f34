# SPDX-License-Identifier: MIT
"""The daemon on a fake panel, with measurements of the turns of its loop, and groups of clients."""

import json
import os
import signal
import struct
import subprocess
import sys
import threading
import time
from functools import partial

from harness import Daemon, FakePanel, Program
from harness.process import descriptors, memory, processor_seconds

KINDS = """never_reads reads_a_byte_a_second half_closes floods sends_no_newline sends_binary nests_deeply
passes_descriptors passes_what_closes_slowly connects_1000_a_second dies_at_random_bytes subscribes_64_a_second holds_16_connections""".split()

# The kinds of clients that cost the daemon the most (Tests/Tools/Crowd/attacks.c)
ATTACKS = "subscribes_and_hangs_up passes_what_closes_slowly asks_and_hangs_up subscribes_to_64_globs ends_2000_leases defines_deeply defines_patterns".split()
# Tests/Benchmarks/turns.c stores turns of at least this length, up to this number.
LONG_TURN_US = 15_000
KEPT_TURNS = 1000
HOSTILE_USERS = range(61001, 61101)

# Two rows of five regions. In each, one finger drags.
REGIONS = "".join(
    f'[[region]]\nid = "region_{i}"\nshape = {{ rect = ["{i % 5 * 20}%", "{i // 5 * 50}%", "20%", "50%"] }}\n'
    'gestures = ["press", "drag"]\n' for i in range(10))
# A region with a long name, whose lines fill queues quickly
LONG = '[[region]]\nid = "%s"\nshape = "full"\ngestures = ["press", "tap"]\n' % ("a_region_with_a_long_name" * 2)


def configuration(regions: str, max_clients: int = 64) -> str:
    return (f'version = 1\n[access]\ndefine_uids = {list(HOSTILE_USERS)}\ndefine_limit = 4096\n'
            f'[daemon]\nmax_clients = {max_clients}\nlog_level = "error"\n'
            '[filter]\nstorm = { contacts_per_second = 10000, quiet = "1ms" }\nmax_contact_age = "off"\n'
            '[[device]]\nid = "panel"\nmatch = { name = "Fake Panel" }\n'
            'output = { size = [1024, 1024], size_mm = [200, 200] }\n' + regions)


class Crowd(Program):
    """Runs clients that read and clients that do not."""

    def __init__(self, daemon: "MeasuredDaemon", reading: int, hung: int):
        super().__init__([daemon.crowd, "streams", daemon.path, str(reading), str(hung)])
        self.answer("READY")

    def tally(self, command: str = "tally") -> dict:
        return json.loads(self.tell(command, answers=("TALLY", "TAKEN")))


class MeasuredDaemon(Daemon):
    """Starts a daemon on a fake panel. The panel's touches are played in real time."""

    def __init__(self, daemon: str, fake_panel: str, crowd: str, text: str):
        super().__init__(text, partial(FakePanel, program=os.path.abspath(fake_panel)), [os.path.abspath(daemon)])
        self.crowd = crowd
        self.hostile: list = []
        self.turns = os.path.join(self.folder, "turns")
        try:
            library = os.path.join(self.folder, "turns.so")
            source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "turns.c")
            subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source], check=True)
            self.clear_turns()
            self.start(library, GESTURED_MACHINE=f"turns={self.turns}")
        except BaseException:
            self.close()
            raise

    def close(self):
        self.be_peaceful()
        if self.process:
            # The daemon only logs errors.
            sys.stderr.write(self.log())
        super().close()

    def clear_turns(self):
        with open(self.turns, "r+b" if os.path.exists(self.turns) else "wb") as file:
            file.write(bytes(24 + 40 * KEPT_TURNS))

    def longest_turn(self) -> tuple:
        """The duration of the longest turn since the turns were cleared, and the longest time that a turn spent on a core. Both are
        in microseconds."""
        with open(self.turns, "rb") as file:
            return tuple(time // 1000 for time in struct.unpack("qq", file.read(16)))

    def long_turns(self) -> list:
        """The first KEPT_TURNS turns of at least LONG_TURN_US since the turns were cleared. For each: when it began, its
        duration by the clock and on a core, in microseconds, and the cores on which it began and ended."""
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

    def status(self) -> dict:
        return self.ask("status")

    def memory(self, key: str = "RssAnon") -> int:
        """The daemon's memory in bytes."""
        return memory(self.process.pid, key) * 1024

    def cpu_seconds(self) -> tuple:
        return processor_seconds(self.process.pid)

    def descriptors(self, kind: str = "") -> int:
        return descriptors(self.process.pid, kind)

    def be_hostile(self, kinds=tuple(KINDS), nice: int = 0):
        """Starts hostile clients of all these kinds, each as a different user if possible."""
        for user, kind in zip(HOSTILE_USERS, kinds):
            program = Program(["nice", "-n", str(nice), self.crowd, "hostile", kind, self.path, str(user)])
            self.hostile.append(program)
            program.answer("ACTED")
            # The client prints lines while it acts, and would block if nothing read them.
            threading.Thread(target=program.process.stdout.read, daemon=True).start()

    def be_peaceful(self):
        while self.hostile:
            program = self.hostile.pop()
            program.process.stdin.close()
            program.process.wait()

    def tap(self, times: int):
        for number in range(times):
            self.panel.tell(f"frame 3 47 0 3 57 {number} 3 53 1000 3 54 1000 1 330 1", "frame 3 47 0 3 57 -1 1 330 0")

    def stop(self) -> float:
        """Stops the daemon with SIGTERM. Returns the time until it has ended, in seconds."""
        start = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        if self.process.wait() != 0:
            raise RuntimeError(f"the daemon ended with {self.process.returncode}")
        return time.monotonic() - start


def drags(seconds: int, fingers: int = 10, rate: int = 120) -> str:
    """An evemu recording in which all fingers repeatedly land together, drag for two seconds and lift."""
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
