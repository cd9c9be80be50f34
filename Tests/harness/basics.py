# SPDX-License-Identifier: MIT
"""Paths, and waiting."""
import os
import select
import socket
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
# The maximum wait in seconds. It only matters if an expected event never occurs.
PATIENCE = 120.0
# A user without rights, for programs started by root
GUEST = "nobody" if os.getuid() == 0 else None


class Timeout(AssertionError):
    """Something did not happen in time."""


def wait_until(condition, what, seconds=20.0, pause=0.02):
    """Returns the first true value of condition(). If there is none in time, raises a Timeout that contains `what`, a text or
    a function that returns one."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise Timeout(f"not within {seconds:g} s: {what() if callable(what) else what}")
        time.sleep(pause)


def first_line(process, touch):
    """Returns the first line that a program prints. Touches the panel again and again until then, because programs do not say
    when they are connected."""
    wait_until(lambda: touch() or select.select([process.stdout], [], [], 0.2)[0], "the program prints a line", PATIENCE)
    return process.stdout.readline().rstrip("\n")


def program(name):
    """The path of a built program, such as gestured."""
    return os.path.join(os.environ.get("PROGRAMS", os.path.join(ROOT, ".build/stripped")), name)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]
