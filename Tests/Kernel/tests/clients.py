# SPDX-License-Identifier: MIT
"""Clients of the service."""
import contextlib
import fcntl
import os
import re
import signal
import socket
import struct
import subprocess
import time
from pathlib import Path

from bench import HOLD, KEY, MAP, OK, PAIR, bench, test
from harness import CONFIGURATION, SOCKET, Client, command, wait_until


@test
def a_client_that_never_reads_delays_nobody():
    panel, client = bench.prepare()
    hung = [Client() for _ in range(5)]
    for each in hung:
        each.request("subscribe")
    x, y = MAP
    for _ in range(4):
        panel.glide((x - 300, y - 200), (x + 300, y + 200), seconds=0.4, hz=500)
        panel.up()
    client.wait(until=4, gesture="drag", phase="end")
    begun = time.monotonic()
    panel.down(*KEY)
    delay = client.wait(gesture="press", phase="begin")["arrived"] - begun
    assert delay < 0.1, f"{delay * 1000:.0f} ms"
    for each in hung:
        each.close()
    return f"{delay * 1000:.1f} ms"


def lingering_socket(listener, kept):
    """A TCP socket whose last close takes 5 s: its other end, which is appended to `kept`, does not read."""
    sender = socket.create_connection(listener.getsockname())
    kept.append(listener.accept()[0])
    sender.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 5))
    sender.setblocking(False)
    try:
        while True:
            sender.send(bytes(65536))
    except BlockingIOError:
        return sender


def is_accepted():
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(3)
        connection.connect(SOCKET)
        return b'"hello"' in connection.recv(4096)


@test
def sockets_that_clients_pass_delay_nobody():
    """This kernel cannot refuse them. The daemon gets the last reference: by reading, by closing, with `busy`."""
    panel, client = bench.prepare()
    with socket.socket() as any_socket:
        # SIOCSIFFLAGS, IFF_UP: the guest has no ip(8).
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh", b"lo", 1))
    listener = socket.create_server(("127.0.0.1", 0))
    kept, connections, worst = [], [], 0.0
    for number in range(24):
        passed = lingering_socket(listener, kept)
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(SOCKET)
        flags = socket.MSG_OOB if number % 2 else 0
        with contextlib.suppress(BrokenPipeError):  # one too many may be refused before
            socket.send_fds(connection, [b'#'], [passed.fileno()], flags)
        passed.close()
        if number % 3:
            connection.close()
        else:
            connections.append(connection)
        begun = time.monotonic()
        panel.tap(KEY)
        pressed = client.wait(gesture="press", phase="begin", seconds=20)
        client.wait(gesture="press", phase="end", seconds=20)
        worst = max(worst, pressed["arrived"] - begun)
    for each in kept + connections:
        each.close()
    wait_until(is_accepted, "there are places again when all is closed", 20)
    assert worst < 0.5, f"{worst * 1000:.0f} ms"
    return f"{worst * 1000:.1f} ms at most"


@test
def gesturectl_talks_to_the_service():
    panel, client = bench.prepare()
    program = bench.programs / "gesturectl"
    command(program, "status")
    assert "panel" in command(program, "devices").stdout
    nowhere = subprocess.run([program, "status"], capture_output=True, env={**os.environ, "GESTURED_SOCKET": "/run/nothing.sock"})
    assert nowhere.returncode == 69, nowhere
    listener = subprocess.Popen([program, "listen"], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    try:
        os.set_blocking(listener.stdout.fileno(), False)
        text = b""

        def says(what):
            nonlocal text
            text += listener.stdout.read() or b""
            return what in text

        wait_until(lambda: says(b'"hello"'), "gesturectl listen prints hello")
        panel.tap(OK)
        wait_until(lambda: says(b'"gesture":"tap"'), "gesturectl listen prints the tap")
    finally:
        listener.terminate()
        listener.wait()


@test
def a_recording_replays_what_clients_saw():
    panel, client = bench.prepare()
    program = bench.programs / "gesturectl"
    file = Path("/tmp/kernel.evemu")
    recorder = subprocess.Popen([program, "record", "--output", file], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    try:
        recorder.stderr.readline()  # printed when it has started
        panel.tap(OK)
        panel.tap(*(PAIR, (PAIR[0] + 80, PAIR[1])))
        panel.swipe((200, 700), (800, 720))
        panel.tap(HOLD, hold=0.6)
        seen = client.gestures(gesture="press", phase="end", region="hold")
    finally:
        recorder.send_signal(signal.SIGINT)
        recorder.wait(10)
    output = command(program, "replay", file, "--config", CONFIGURATION).stdout.splitlines()

    def unnumbered(lines):
        return [re.sub(r'"seq":\d+', '"seq":0', line) for line in lines]

    assert unnumbered(output) == unnumbered(line["text"] for line in seen), \
        "\n".join(["saw:", *(line["text"] for line in seen), "replayed:", *output])
    return f"{len(output)} lines"
