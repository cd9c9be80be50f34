# SPDX-License-Identifier: MIT
"""podman in the guest, the image of packaging/Containerfile, and the commands of docs/containers.md.

The guest has no network. In place of Debian's image there is one with the guest's own programs and libraries, whose
`apt-get` only provides a package of the libraries where one is to be downloaded.
"""
import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
from pathlib import Path

from harness import ROOT, program, wait_until
from harness.service import command

PAGE = Path(ROOT, "docs/containers.md").read_text()
NAME = "gestured"
# The source with the programs that are tested
CONTEXT = Path("/srv/context")
# The image that the Containerfile begins with
BASE = re.search(r"^FROM (\S+) AS bridges$", Path(ROOT, "packaging/Containerfile").read_text(), re.M)[1]
# The programs of the stand-in for Debian's image
TOOLS = ("bash", "ls", "install", "rm", "mkdir", "stat", "cp", "sleep", "setpriv", "dpkg-deb", "tar")
APT = """#!/bin/sh
case $* in *--download-only*) cp /libraries.deb /packages/libraries.deb ;; esac
"""


def block(language):
    """The first block of the page in this language."""
    return next(text for word, text in re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.M | re.S) if word == language)


def start_command():
    """The page's command that starts the container, as words without `sudo`. The shell has replaced the numbers of users."""
    text = re.search(r"^sudo (podman run .*?[^\\])$", block("sh"), re.M | re.S)[1]
    return command("bash", "-c", f"printf '%s\\n' {text}").stdout.splitlines()


def without(words, *dropped):
    """The words without these options, each of which is a word and its value."""
    result = list(words)
    for option in dropped:
        at = next(index for index in range(len(result)) if result[index:index + 2] == list(option))
        del result[at:at + 2]
    return result


def with_options(words, *options):
    """The words with more options before the name of the image."""
    return [*words[:-1], *options, words[-1]]


def logs():
    done = command("podman", "logs", NAME, check=False)
    return done.stdout + done.stderr


def inside(*words, check=True):
    """Runs a command in the container."""
    return command("podman", "exec", NAME, *words, check=check).stdout


def process():
    """The process of the daemon, as the host sees it."""
    return int(command("podman", "inspect", "-f", "{{.State.Pid}}", NAME).stdout)


def devices():
    return json.loads(inside("gesturectl", "devices", "--json"))["devices"]


def doctor():
    """The findings of `gesturectl doctor` in the container: {what: (verdict, text)}."""
    report = json.loads(inside("gesturectl", "doctor", "--quick", "--json", check=False))
    return {item["what"]: (item["verdict"], item["text"]) for item in report["items"]}


def listens():
    """Whether the daemon accepts connections. Its socket is there a little earlier."""
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex("/run/gestured/gestured.sock") == 0


@contextlib.contextmanager
def running(words):
    """The container while the body runs. If the body fails, its log is part of the error."""
    command(*words)
    try:
        wait_until(listens, logs, 10)
        yield
    except AssertionError as error:
        raise AssertionError(f"{error}\n{logs()}") from error
    finally:
        command("podman", "rm", "--force", "--time", "5", NAME, check=False)
        Path("/run/gestured/gestured.sock").unlink(missing_ok=True)


def build_bridges():
    """Builds the other image of packaging/Containerfile."""
    command("podman", "build", "--network", "none", "-t", "gestured-bridges", "--target", "bridges", "-f", CONTEXT / "packaging/Containerfile", CONTEXT)


def build():
    """Builds the image with the page's command."""
    # The guest's root is an overlay, on which podman cannot make another one. On a slow host podman did not find a file system
    # that was mounted for it, so its folder is on one that is always there.
    storage = Path("/dev/shm/containers")
    storage.mkdir()
    place = Path("/var/lib/containers")
    shutil.rmtree(place, ignore_errors=True)
    place.symlink_to(storage)
    make_base()
    for folder, origin in ((".build/stripped", os.path.dirname(program("gestured"))), *((name, Path(ROOT, name)) for name in ("clients/web", "config", "packaging", "systemd"))):
        (CONTEXT / folder).mkdir(parents=True)
        command("mount", "--bind", origin, CONTEXT / folder)
    first, *rest = block("sh").split("\n", 1)
    assert first.startswith("sudo podman build "), first
    # podman takes no network for a build from its configuration.
    script = first.replace("podman build", "podman build --network none") + "\n" + rest[0].split("sudo podman run")[0]
    done = subprocess.run(["bash", "-c", 'sudo() { "$@"; }\n' + script], cwd=CONTEXT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


def make_base():
    """Imports the stand-in for Debian's image."""
    base = Path("/srv/base")
    for folder in ("usr/bin", "usr/lib", "usr/lib64", "etc", "var/lib/apt/lists", "tmp", "proc", "sys", "dev", "run"):
        (base / folder).mkdir(parents=True)
    for link in ("bin", "lib", "lib64"):
        (base / link).symlink_to(f"usr/{link}")
    tools = [shutil.which(tool) for tool in TOOLS]
    programs = [program(name) for name in ("gestured", "gesturectl", "gestured-web", "gestured-mqtt")]
    for tool in tools:
        shutil.copy(tool, base / "usr/bin")
    copy_libraries(base, *tools, *programs)
    (base / "usr/bin/sh").symlink_to("bash")
    (base / "usr/bin/apt-get").write_text(APT)
    (base / "usr/bin/apt-get").chmod(0o755)
    make_package(base / "libraries.deb", *programs[:2])
    (base / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/sh\n")
    (base / "etc/group").write_text("root:x:0:\n")
    command("bash", "-o", "pipefail", "-c", f"tar -C {base} -c . | podman import --quiet - {BASE}")
    shutil.rmtree(base)


def copy_libraries(folder, *programs):
    """Copies the libraries of programs to a folder that stands for a root."""
    for path in {*re.findall(r"/\S+", command("ldd", *programs).stdout.replace(":", ""))} - set(programs):
        target = folder / path.removeprefix("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)


def make_package(file, *programs):
    """Makes a package of the libraries of programs, with the folders of Debian's package base-files."""
    folder = Path("/srv/libraries")
    for name in ("usr/lib", "usr/lib64", "etc", "tmp", "proc", "sys", "dev", "run", "var/lib", "DEBIAN"):
        (folder / name).mkdir(parents=True)
    for link in ("lib", "lib64"):
        (folder / link).symlink_to(f"usr/{link}")
    copy_libraries(folder, *programs)
    (folder / "DEBIAN/control").write_text("Package: libraries\nVersion: 1\nArchitecture: all\nMaintainer: nobody\nDescription: libraries\n")
    command("dpkg-deb", "-Znone", "--build", folder, file)
    shutil.rmtree(folder)
