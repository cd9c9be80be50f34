# SPDX-License-Identifier: MIT
"""Clients of the service."""
import contextlib
import fcntl
import grp
import os
import re
import signal
import socket
import struct
import subprocess
import threading
import time
from pathlib import Path

from bench import CONFIGURATION, HOLD, KEY, MAP, OK, PAIR, bench
from harness import Client, wait_until
from harness.client import SOCKET
from harness.service import command, main_process


def test_a_client_that_never_reads_delays_nobody():
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
    bench.note(f"{delay * 1000:.1f} ms")


@contextlib.contextmanager
def local_listener():
    """A TCP socket that listens on the loopback interface. Its connections have small buffers, so that many fit in memory."""
    with socket.socket() as any_socket:
        # SIOCSIFFLAGS with IFF_UP, because the guest has no ip(8)
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh", b"lo", 1))
    with socket.create_server(("127.0.0.1", 0), backlog=128) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        yield listener


def lingering_socket(listener, kept):
    """A TCP socket whose last close takes 18 hours, because its other end, which is appended to `kept`, does not read."""
    sender = socket.create_connection(listener.getsockname())
    kept.append(listener.accept()[0])
    sender.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 65535))
    sender.setblocking(False)
    try:
        while True:
            sender.send(bytes(65536))
    except BlockingIOError:
        return sender


@contextlib.contextmanager
def as_user(number):
    """Makes the connections in the body belong to this user, who is in the group that may connect."""
    os.setegid(grp.getgrnam("gestured").gr_gid)
    os.seteuid(number)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)


def connect_with(passed):
    """A connection over which a descriptor has been passed."""
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(SOCKET)
    socket.send_fds(connection, [b"#"], [passed.fileno()])
    passed.close()
    return connection


def is_accepted():
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(3)
        connection.connect(SOCKET)
        return b'"hello"' in connection.recv(4096)


def test_sockets_that_clients_pass_delay_nobody():
    """This kernel cannot refuse passed descriptors. The daemon holds the last reference to a descriptor when it reads from
    the connection, closes it, or refuses it with `busy`."""
    panel, client = bench.prepare()
    kept, connections, worst = [], [], 0.0
    with local_listener() as listener:
        for number in range(24):
            passed = lingering_socket(listener, kept)
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(SOCKET)
            flags = socket.MSG_OOB if number % 2 else 0
            with contextlib.suppress(BrokenPipeError):
                socket.send_fds(connection, [b'#'], [passed.fileno()], flags)
            # If the daemon has closed or refused the descriptor already, this process has the last reference, and would wait
            # for 18 hours.
            threading.Thread(target=passed.close, daemon=True).start()
            if number % 3:
                connection.close()
            else:
                connections.append(connection)
            begun = time.monotonic()
            panel.tap(KEY)
            pressed = client.wait(gesture="press", phase="begin", seconds=20)
            client.wait(gesture="press", phase="end", seconds=20)
            worst = max(worst, pressed["arrived"] - begun)
        wait_until(is_accepted, "a client is accepted, although none of the sockets is closed", 5)
    for each in kept + connections:
        each.close()
    assert worst < 0.5, f"{worst * 1000:.0f} ms"
    bench.note(f"{worst * 1000:.1f} ms at most")


@contextlib.contextmanager
def waiting_connections(users=()):
    """Makes 60 connections that pass lingering sockets while they wait to be accepted, then one connection for each user.

    Yields the daemon's process, which is stopped, and the connections of the users.
    """
    kept = []
    with local_listener() as listener:
        sockets = [lingering_socket(listener, kept) for _ in range(60)]
        process = main_process()
        os.kill(process, signal.SIGSTOP)
        others = []
        try:
            with as_user(61000):
                connections = [connect_with(passed) for passed in sockets]
            for user in users:
                with as_user(user):
                    others.append(socket.socket(socket.AF_UNIX))
                    others[-1].connect(SOCKET)
            yield process, others
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)
            for each in kept + connections + others:
                each.close()


def test_sockets_passed_before_accept_lock_out_nobody():
    """Connections of root and of another user wait in the same queue, behind the connections that have passed sockets."""
    bench.prepare()
    with waiting_connections(users=(0, 61001)) as (process, others):
        begun = time.monotonic()
        os.kill(process, signal.SIGCONT)
        for other in others:
            other.settimeout(10)
            assert b'"hello"' in other.recv(4096)
        taken = time.monotonic() - begun
    assert taken < 1, f"{taken * 1000:.0f} ms"
    bench.note(f"{taken * 1000:.0f} ms")


def test_sockets_passed_before_accept_do_not_delay_the_end():
    """When the daemon receives SIGTERM, it is closing some of the sockets. The connections of the others are still waiting to be
    accepted."""
    bench.prepare()
    ends = []
    for pause in (0, 0.05):
        with waiting_connections() as (process, _):
            os.kill(process, signal.SIGCONT)
            time.sleep(pause)
            begun = time.monotonic()
            os.kill(process, signal.SIGTERM)
            wait_until(lambda: not Path(f"/proc/{process}").exists(), "the process has ended", 20)
            ends.append(time.monotonic() - begun)
        bench.connect()
    assert max(ends) < 1, f"{max(ends) * 1000:.0f} ms"
    bench.note(f"{max(ends) * 1000:.0f} ms at most")


def test_gesturectl_talks_to_the_service():
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


def test_a_recording_replays_what_clients_saw():
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
    bench.note(f"{len(output)} lines")
