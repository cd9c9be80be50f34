# SPDX-License-Identifier: MIT
"""Tests of the client in C: how it builds, what it does with lines that no daemon sends, and its examples with the real daemon.

    python3 -m pytest clients/c
"""
import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading

import pytest

from harness import PATIENCE, Daemon, first_line
from harness.basics import ROOT

HERE = os.path.join(ROOT, "clients/c")
sys.path.insert(0, os.path.join(ROOT, "clients/python"))
import test_lies  # noqa: E402  the lines that no daemon sends are the same for all clients

WARNINGS = ["-pedantic", "-Wall", "-Wextra", "-Werror"]
COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)]
with open(os.path.join(ROOT, "clients/harness.toml"), encoding="utf-8") as file:
    CONFIGURATION = file.read()


def compiled(folder, *words):
    """Compiles a program and returns its path."""
    path = os.path.join(folder, "program")
    subprocess.run([*words, "-o", path], check=True, cwd=HERE)
    return path


def flags(package):
    return subprocess.run(
        ["pkg-config", "--cflags", "--libs", package], check=True, capture_output=True, text=True).stdout.split()


class BuildTests:
    def setup_method(self):
        self.folder = tempfile.mkdtemp(prefix="gestured-c.", dir="/tmp")
        self.cleanup.callback(shutil.rmtree, self.folder)

    @pytest.mark.parametrize("compiler", COMPILERS)
    def test_it_is_c99_and_cpp17_without_warnings(self, compiler):
        common = [compiler, *WARNINGS, "-c", "-o", os.devnull]
        subprocess.run([*common, "-std=c99", "-Wconversion", "-Wshadow", "gestured.c"], check=True, cwd=HERE)
        subprocess.run([*common, "-std=c++17", "-x", "c++", "gestured.c"], check=True, cwd=HERE)
        subprocess.run([*common, "-std=c++17", "-x", "c++", "gestured.h"], check=True, cwd=HERE)

    def test_the_library_exports_the_functions_of_the_header_and_is_small(self):
        subprocess.run(["make", "-s", f"BUILD={self.folder}/build", "CFLAGS=-O2", f"DESTDIR={self.folder}", "PREFIX=/usr", "install"],
                       check=True, cwd=HERE)
        library = f"{self.folder}/usr/lib/libgestured.so.0"
        listed = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
        with open(os.path.join(HERE, "gestured.h"), encoding="utf-8") as header:
            declared = set(re.findall(r"^GESTURED_API .*?(gestured_\w+)\(", header.read(), re.MULTILINE))
        assert set(re.findall(r"T (\w+)@@GESTURED_0", listed)) == declared
        with open(os.path.join(ROOT, "packaging/debian/libgestured0.symbols"), encoding="utf-8") as symbols:
            assert set(re.findall(r"^ (gestured_\w+)@GESTURED_0 ", symbols.read(), re.MULTILINE)) == declared
        subprocess.run(["strip", library], check=True)
        assert os.path.getsize(library) <= 64 << 10
        needed = subprocess.run(["readelf", "-d", library], check=True, capture_output=True, text=True).stdout
        assert re.findall(r"NEEDED.*\[(.*?)\]", needed) == ["libc.so.6"]
        words = subprocess.run(["pkg-config", "--cflags", "--libs", "gestured"], check=True, capture_output=True, text=True, env={
            **os.environ, "PKG_CONFIG_PATH": f"{self.folder}/usr/lib/pkgconfig", "PKG_CONFIG_SYSROOT_DIR": self.folder}).stdout.split()
        compiled(self.folder, "gcc", "examples/print.c", *words)

    def test_the_structures_have_the_keys_of_the_protocol(self):
        with open(os.path.join(ROOT, "docs/protocol.schema.json"), encoding="utf-8") as file:
            definitions = json.load(file)["$defs"]
        keys = {}
        for definition in definitions.values():
            properties = definition.get("properties", {})
            if "const" in properties.get("event", {}):
                keys.setdefault(properties["event"]["const"], set()).update(set(properties) - {"event"})
        # The line has these lists.
        del keys["frame"]
        keys["touches"] -= {"seen_by", "given"}
        keys["config"] -= {"diagnostics"}
        with open(os.path.join(HERE, "gestured.h"), encoding="utf-8") as file:
            tables = dict(re.findall(r"^GSD_TABLE\((\w+), gestured_\w+,(.*?)\)$", file.read(), re.MULTILINE | re.DOTALL))
        for event, wanted in keys.items():
            found = re.findall(r"GSD_[KNOTL]\((?:[A-Z]+, |\d, )?(\w+)", tables[event])
            assert set(found) == wanted, event

    @pytest.mark.parametrize("compiler", COMPILERS)
    def test_odd_arguments_and_rare_situations(self, compiler):
        words = [compiler, "-std=c99", *WARNINGS, "-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
        subprocess.run([compiled(self.folder, *words, "test/checks.c")], check=True, timeout=PATIENCE)

    def test_the_example_for_lvgl_compiles(self):
        subprocess.run(["gcc", "-std=c99", *WARNINGS, "-I.", "-Itest/lvgl", "-c", "-o", os.devnull, "examples/lvgl.c"], check=True, cwd=HERE)


class LiesTests:
    """Lines that no daemon sends."""
    def setup_class(self):
        self.folder = tempfile.mkdtemp(prefix="gestured-c.", dir="/tmp")
        self.feed = compiled(self.folder, "gcc", "-std=c99", *WARNINGS, "-g", "-O1", "-fsanitize=address,undefined",
                             "-fno-sanitize-recover=all", "test/feed.c")

    def teardown_class(self):
        shutil.rmtree(self.folder)

    def fed(self, lines):
        """Gives lines to the client, each in a connection of its own, and returns what the program counts."""
        done = subprocess.run([self.feed], input=lines, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()[-4000:]
        return json.loads(done.stdout)

    def test_no_line_breaks_the_client_and_every_gesture_ends(self):
        lies = list(test_lies.lies())
        counts = self.fed(b"".join(lies))
        assert counts["lines"] == len(lies)
        assert counts["ended"] == len(lies)
        assert counts["memory"] < 16 << 20

    def test_random_changes_of_valid_lines(self):
        chance = random.Random(77)
        valid = [test_lies.line(value) for value in test_lies.LINES]
        lines = []
        for _ in range(100_000):
            torn = bytearray(chance.choice(valid)[:-1])
            for _ in range(chance.randrange(1, 4)):
                place = chance.randrange(len(torn))
                torn[place:place + chance.randrange(3)] = chance.randbytes(chance.randrange(3)).replace(b"\n", b"")
            lines.append(bytes(torn).replace(b"\n", b"") + b"\n")
        assert self.fed(b"".join(lines))["lines"] == len(lines)


class Stub(threading.Thread):
    """A program at a socket that accepts each client, begins a press, and hangs up."""
    def __init__(self, path):
        super().__init__(daemon=True)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen(16)
        self.requests = []

    def run(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            with client, client.makefile("rwb") as stream:
                stream.write(test_lies.line(test_lies.HELLO))
                while True:
                    request = json.loads(stream.readline())
                    self.requests.append(request["cmd"])
                    stream.write(test_lies.line({"reply": request["cmd"], "id": request["id"], "ok": True}))
                    if request["cmd"] == "subscribe":
                        break
                stream.write(test_lies.line({**test_lies.STATE, "active": []}) + test_lies.line(test_lies.PRESS))


class ReconnectTests:
    def setup_method(self):
        self.folder = tempfile.mkdtemp(prefix="gestured-c.", dir="/tmp")
        self.cleanup.callback(shutil.rmtree, self.folder)
        self.program = compiled(self.folder, "gcc", "-std=c99", *WARNINGS, "-O1", "test/reconnect.c")

    def counted(self, connections, path):
        done = subprocess.run([self.program, str(connections), path], check=True, capture_output=True, timeout=PATIENCE)
        counts = json.loads(done.stdout)
        assert counts["connections"] == connections
        return counts

    def test_a_thousand_reconnections_need_no_more_memory_and_end_every_press(self):
        stub = Stub(f"{self.folder}/socket")
        self.cleanup.callback(stub.listener.close)
        stub.start()
        counts = self.counted(1000, f"{self.folder}/socket")
        assert counts["begun"] == counts["cancels"] == 1000
        assert counts["heap"] == counts["early"]
        assert stub.requests[:2] == ["put_region", "subscribe"] and len(stub.requests) >= 2000

    def test_a_server_that_lies_is_left_and_every_press_ends(self):
        lies = list(test_lies.lies())
        left = iter(lies)

        def answer(request):
            reply = test_lies.line({"reply": request["cmd"], "id": request["id"], "ok": True})
            if request["cmd"] != "subscribe":
                return test_lies.line(test_lies.HELLO) + reply
            # Some of the lines are true enough to be accepted.
            lines = [{**test_lies.STATE, "active": []}, test_lies.PRESS]
            return reply + b"".join(map(test_lies.line, lines)) + next(left, b"") + b"wrong\n"

        with test_lies.Liar(answer) as liar:
            assert self.counted(len(lies), liar.path)["heap"] < 32 << 20


class ExampleTests:
    """The examples with the real daemon and a fake panel."""
    def setup_method(self):
        self.daemon = Daemon(CONFIGURATION)
        self.cleanup.callback(self.daemon.close)
        self.daemon.start()

    def started(self, name, *packages, **environment):
        words = [word for package in packages for word in flags(package)]
        program = compiled(self.daemon.folder, "gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-I.",
                           name if name.endswith(".c") else f"examples/{name}.c", "gestured.c", *words)
        process = subprocess.Popen([program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={
            **os.environ, "GESTURED_SOCKET": self.daemon.path, **environment})
        self.cleanup.callback(process.wait, PATIENCE)
        self.cleanup.callback(process.kill)
        return process

    def lines(self, process, count):
        return [process.stdout.readline().rstrip() for _ in range(count)]

    def first_tap(self, process):
        return first_line(process, lambda: self.daemon.panel.tap(1000, 2000))

    def test_the_loop_with_poll_ends_presses_when_the_daemon_dies_and_goes_on_with_the_next(self):
        process = self.started("print")
        assert self.lines(process, 1) == ["connected"]
        self.daemon.panel.tap(1000, 2000)
        assert self.lines(process, 3) == ["press begin ok", "tap ok", "press end ok"]
        self.daemon.panel.land(1000, 2000)
        assert self.lines(process, 1) == ["press begin ok"]
        self.daemon.kill()
        assert self.lines(process, 2) == ["press cancel ok", "disconnected: the daemon has closed the connection"]
        self.daemon.panel.lift()
        self.daemon.start()
        assert self.lines(process, 1) == ["connected"]
        self.daemon.panel.tap(1000, 2000)
        assert self.lines(process, 3) == ["press begin ok", "tap ok", "press end ok"]

    def test_the_example_of_the_page(self):
        with open(os.path.join(ROOT, "docs/clients.md"), encoding="utf-8") as page:
            source = re.search(r"```c\n(.*?)```", page.read(), re.DOTALL).group(1)
        path = os.path.join(self.daemon.folder, "page.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        assert self.first_tap(self.started(path)) == "tap ok"

    def test_the_main_loop_of_glib(self):
        assert self.first_tap(self.started("glib", "glib-2.0")) == "tap ok"

    def test_the_game_loop_of_sdl(self):
        process = self.started("sdl2", "sdl2", SDL_VIDEODRIVER="dummy")
        # The daemon maps 4096 units to 1024 pixels, and a drag counts from where it began.
        line = first_line(process, lambda: self.daemon.panel.swipe(2400, 2000, 3200, 2400))
        x, y, scale = map(float, line.split())
        assert 400 < x < 800 and 300 < y < 500 and scale == 1

    def test_valgrind_finds_no_mistake_while_the_daemon_comes_and_goes(self):
        program = compiled(self.daemon.folder, "gcc", "-std=c99", "-g", "-I.", "examples/print.c", "gestured.c")
        process = subprocess.Popen(
            ["valgrind", "-q", "--error-exitcode=9", "--exit-on-first-error=yes", program], stdout=subprocess.PIPE, text=True,
            env={**os.environ, "GESTURED_SOCKET": self.daemon.path})
        self.cleanup.callback(process.wait, PATIENCE)
        self.cleanup.callback(process.kill)
        assert self.lines(process, 1) == ["connected"]
        for _ in range(3):
            self.daemon.panel.land(1000, 2000)
            assert self.lines(process, 1) == ["press begin ok"]
            self.daemon.kill()
            assert self.lines(process, 1) == ["press cancel ok"]
            self.daemon.panel.lift()
            self.daemon.start()
            assert self.lines(process, 2)[1] == "connected"
        assert process.poll() is None
