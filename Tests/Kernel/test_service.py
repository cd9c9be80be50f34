# SPDX-License-Identifier: MIT
"""The service under systemd."""
import grp
import os
import pwd
import time
import traceback

from bench import bench
from harness import Client, wait_until
from harness.client import SOCKET
from harness.process import status_of
from harness.service import UNIT, command, main_process, unit_property


def test_socket_activation_starts_the_service():
    """The daemon is not running until a client connects. The socket belongs to root and the group."""
    assert unit_property("ActiveState") == "inactive", unit_property("ActiveState")
    status = os.stat(SOCKET)
    group = grp.getgrgid(status.st_gid).gr_name
    assert (status.st_mode & 0o777, group) == (0o660, "gestured"), (oct(status.st_mode), group)
    begun = time.monotonic()
    client = bench.connect()
    seconds = time.monotonic() - begun
    assert client.hello["protocol"] == 1, client.hello
    wait_until(lambda: unit_property("ActiveState") == "active", "the service is active")
    bench.note(f"hello after {seconds * 1000:.0f} ms")


def test_only_root_and_the_group_may_connect():
    def connects(group):
        child = os.fork()
        if child == 0:
            try:
                os.setgroups([])
                os.setgid(group)
                os.setuid(pwd.getpwnam("nobody").pw_uid)
                Client().close()
                os._exit(0)
            except PermissionError:
                os._exit(13)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    assert connects(pwd.getpwnam("nobody").pw_gid) == 13
    assert connects(grp.getgrnam("gestured").gr_gid) == 0


def test_service_is_notify_and_unprivileged():
    assert unit_property("Type") == "notify"
    assert unit_property("SubState") == "running"
    process = main_process()
    user = int(status_of(process, "Uid").split()[0])
    assert user != 0, "it runs as root"
    assert int(status_of(process, "CapEff"), 16) == 0, status_of(process, "CapEff")
    assert status_of(process, "NoNewPrivs") == "1"
    assert status_of(process, "Seccomp") == "2", "no system call filter"
    assert unit_property("StatusText"), "no STATUS="
    command("systemd-analyze", "verify", "--man=no", f"/usr/lib/systemd/system/{UNIT}", "/usr/lib/systemd/system/gestured.socket")
    score = command("systemd-analyze", "security", UNIT, "--no-pager").stdout.strip().splitlines()[-1]
    bench.note(f"{pwd.getpwuid(user).pw_name}; {score.split(':', 1)[-1].strip()}")
