# SPDX-License-Identifier: MIT
"""The harness of all tests and benchmarks in Python: a client of the daemon's socket, the daemon on a fake panel, the daemon
as a systemd service, touches of panels, and functions that wait. Uses only the standard library.

The variable PROGRAMS names the folder of the programs; the default is that of `make build`.
"""
from .basics import GUEST, PATIENCE, ROOT, Timeout, first_line, free_port, program, wait_until
from .client import Client, brief, connected, transcript
from .daemon import Daemon
from .panel import FakePanel, Program

__all__ = ["GUEST", "PATIENCE", "ROOT", "Client", "Daemon", "FakePanel", "Program", "Timeout", "brief", "connected", "first_line",
           "free_port", "program", "transcript", "wait_until"]
