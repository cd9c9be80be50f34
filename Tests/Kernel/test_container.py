# SPDX-License-Identifier: MIT
"""The daemon in a container of podman, as docs/containers.md starts it, in place of the service."""
import contextlib
import grp
import json
import os
import re
import subprocess
import threading
import time
import traceback
from pathlib import Path

import pytest
from bench import CONFIGURATION, KEY, bench, rest
from harness import ROOT, Client, transcript, wait_until
from harness.process import status_of
from harness.service import UNIT, command, systemctl
from sharing import CORNER, OPEN, configuration, slots, twin

import container
from container import devices, doctor, inside, logs, running, start_command, with_options, without

INPUT = ("-v", "/dev/input:/dev/input:ro")
UDEV = ("-v", "/run/udev:/run/udev:ro")
RULE = ("--device-cgroup-rule", "c 13:* r")
NETWORK = ("--network", "none")
SOCKET = "/run/gestured/gestured.sock"
UNIT_FILE = Path(ROOT, "packaging/gestured.container")
# The rule for panels, with which the daemon's user needs no group
PANELS = Path("/usr/lib/udev/rules.d/74-gestured.rules")


@pytest.fixture(scope="module", autouse=True)
def host():
    """A host with podman and the image, but without the service and the rule for panels."""
    systemctl("stop", "gestured.socket", UNIT)
    if bench.panel:
        bench.unplug()
    hidden = PANELS.rename(PANELS.with_suffix(".hidden"))
    command("udevadm", "control", "--reload")
    command("setfacl", "-b", "/dev/uinput")
    container.build()
    yield
    if bench.panel:
        bench.unplug()
    hidden.rename(PANELS)
    command("udevadm", "control", "--reload")
    os.chown("/run/gestured", 0, 0)
    os.chmod("/var/lib/gestured", 0o700)
    systemctl("start", "gestured.socket")


def group_option():
    return "--group-add", str(grp.getgrnam("input").gr_gid)


def replug():
    """Plugs the panel in again. Returns the seconds until the daemon has it."""
    bench.unplug()
    bench.client.wait(event="device", change="removed", device="panel", seconds=10)
    begun = time.monotonic()
    bench.plug()
    bench.client.wait(event="device", change="added", device="panel", seconds=10)
    return time.monotonic() - begun


def properties():
    """The panel's properties, from udev or derived."""
    return bench.client.request("describe")["description"]["udev"]


def press():
    panel, client = bench.prepare()
    panel.tap(KEY)
    assert transcript(client.gestures(gesture="press", phase="end")) == ["press begin key", "press end key"]


def test_started_as_on_the_page():
    """Touches reach a client on the host, and the daemon has no more rights than the page gives it."""
    with running(start_command()):
        press()
        daemon = container.process()
        assert status_of(daemon, "CapEff") == status_of(daemon, "CapBnd") == "0000000000000000"
        assert status_of(daemon, "NoNewPrivs") == "1"
        assert int(status_of(daemon, "Uid").split()[0]) == os.stat(SOCKET).st_uid != 0
        seconds = [replug() for _ in range(3)]
        press()
        assert max(seconds) < 3, seconds
        assert "ID_INPUT_WIDTH_MM" in properties(), "udev's database is read"
        bench.note(f"plugged in: {', '.join(f'{one:.2f}' for one in seconds)} s, without udev's events")


def test_in_the_network_of_the_host():
    """udev's events arrive."""
    with running(with_options(without(start_command(), NETWORK), "--network", "host")):
        press()
        seconds = [replug() for _ in range(3)]
        press()
        bench.note(f"plugged in: {', '.join(f'{one:.2f}' for one in seconds)} s, with udev's events")


def test_without_udev():
    """Panels are found by their capabilities, and no other device is opened."""
    with running(without(start_command(), UDEV)):
        press()
        assert properties() == {"ID_INPUT": "1", "ID_INPUT_TOUCHSCREEN": "1"}
        assert max(replug() for _ in range(3)) < 3
        press()
        with bench.another("a touchpad", touchpad=True) as touchpad:
            assert "touchpad" in bench.verdict(touchpad)["reason"]
        open_nodes = [os.readlink(path) for path in Path(f"/proc/{container.process()}/fd").iterdir()]
        assert sorted(node for node in open_nodes if node.startswith("/dev/input")) == [bench.panel.node]


def test_one_listed_device():
    """Systems without folders of the host list devices. The container keeps the node of a panel that is unplugged, so nothing
    shows that it is back, until the next check."""
    if not bench.panel:
        bench.plug()
    with running(with_options(without(start_command(), INPUT, UDEV, RULE), "--device", f"{bench.panel.node}:{bench.panel.node}:r")):
        press()
        bench.unplug()
        bench.client.wait(event="device", change="removed", device="panel", seconds=10)
        bench.plug()
        bench.client.request("reload")
        press()


@pytest.mark.parametrize("dropped, cure", [
    (INPUT, "mount the host's /dev/input into the container"),
    (RULE, "--device-cgroup-rule 'c 13:* r'"),
    (None, "--group-add and the number of the host's group input"),
])
def test_what_is_missing_is_named(dropped, cure):
    if not bench.panel:
        bench.plug()
    with running(without(start_command(), dropped or group_option())):
        device = wait_until(devices, "the device is listed")[0]
        assert cure in device["reason"], device
        assert logs().count(cure) == 1, "it is logged once"
        findings = doctor()
        assert any(cure in text for verdict, text in findings.values() if verdict == "problem"), findings
        assert findings["container"][0] == "note"
        impossible = [text for _, text in findings.values() if re.search("systemctl|usermod|sysusers|udevadm|apt", text)]
        assert not impossible, impossible


def test_an_empty_folder_of_devices():
    """docker makes the folder if the host has none."""
    Path("/srv/empty").mkdir(exist_ok=True)
    with running(with_options(without(start_command(), INPUT), "-v", "/srv/empty:/dev/input:ro")):
        assert "mount the host's /dev/input" in wait_until(devices, "the device is listed")[0]["reason"]


def test_no_panel_yet():
    """The container starts before the only panel is there, or while it is plugged in."""
    if bench.panel:
        bench.unplug()
    with running(start_command()):
        assert devices() == [] and "no touch device" in doctor()["panel"][1]
        press()
    for _ in range(bench.options.rounds or 2):
        bench.unplug()
        plugging = threading.Timer(bench.random.uniform(0, 1.5), bench.plug)
        plugging.start()
        with running(start_command()):
            plugging.join()
            press()


def test_the_last_device():
    """The kernel removes /dev/input when the last device is unplugged, unless a folder keeps it."""
    modules = re.search(r"VM_MODULES=(\S+)", Path("/proc/cmdline").read_text())[1]
    with running(start_command()):
        press()
        command("rmmod", "mousedev")
        try:
            bench.unplug()
            wait_until(lambda: os.listdir("/dev/input") == ["keep"], lambda: f"{os.listdir('/dev/input')}")
            bench.plug()
            bench.client.wait(event="device", change="added", device="panel", seconds=10)
            press()
        finally:
            command("insmod", f"/host{modules}/mousedev.ko")


def test_sharing():
    """With uinput, an unprivileged container passes touches on, and applications read the panel itself when it is killed."""
    rules = Path("/run/udev/rules.d/99-uinput.rules")
    rules.parent.mkdir(parents=True, exist_ok=True)
    good = CONFIGURATION.read_text()
    CONFIGURATION.write_text(configuration())
    try:
        with running(start_command()):
            bench.prepare()
            wait_until(lambda: "start the container with --device /dev/uinput" in logs(), logs, 10)
        command("chmod", "600", "/dev/uinput")
        with running(with_options(start_command(), "--device", "/dev/uinput")):
            bench.prepare()
            wait_until(lambda: "group input to write to /dev/uinput" in logs(), logs, 10)
        rules.write_text(container.block(""))
        command("udevadm", "control", "--reload")
        command("udevadm", "trigger", "--settle", "/sys/class/misc/uinput")
        with running(with_options(start_command(), "--device", "/dev/uinput")):
            panel, client = bench.prepare()
            node = wait_until(lambda: twin(panel), "the twin is there", 10)
            wait_until(lambda: bench.devices(device="panel", grab="held"), "the panel is taken")
            panel.down(*CORNER)
            rest()
            assert slots(panel, node) == {}
            panel.up()
            client.wait(gesture="tap", region="corner")
            panel.down(*OPEN)
            wait_until(lambda: list(slots(panel, node).values()) == [OPEN], lambda: f"{slots(panel, node)}")
            os.kill(container.process(), 9)
            wait_until(lambda: not twin(panel), "the twin is gone")
            panel.up()
    finally:
        rules.unlink(missing_ok=True)
        CONFIGURATION.write_text(good)
        command("udevadm", "control", "--reload")
        command("udevadm", "trigger", "--settle", "/sys/class/misc/uinput")


@contextlib.contextmanager
def owned_by(user):
    """The folders of the container belong to another user while the body runs."""
    folders = ("/run/gestured", "/var/lib/gestured")
    before = os.stat(folders[0])
    for folder in folders:
        os.chown(folder, user, user)
    try:
        yield
    finally:
        for folder in folders:
            os.chown(folder, before.st_uid, before.st_gid)


def test_rights_across_a_user_namespace():
    """Lists of users contain the numbers in the container. Users who have none there, even the host's root, are 65534."""
    def may_reload(user, group):
        child = os.fork()
        if child == 0:
            try:
                os.setgroups([])
                os.setgid(group)
                os.setuid(user)
                with Client(SOCKET) as client:
                    os._exit(0 if client.ask("reload")["ok"] else 1)
            except BaseException:
                traceback.print_exc()
                os._exit(2)
        return {0: True, 1: False}[os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])]

    good = CONFIGURATION.read_text()
    CONFIGURATION.write_text(good + "\n[access]\ncontrol_uids = [5]\n")
    own = start_command()
    user, group = own[own.index("--user") + 1].split(":")
    words = without(own, ("--user", f"{user}:{group}"), group_option())
    words = with_options(words, "--user", "990:990", "--uidmap", "0:100000:2000", "--gidmap", "0:100000:2000")
    try:
        with owned_by(100990), running(words):
            with Client(SOCKET) as client:
                assert not client.ask("reload")["ok"]
                seen = json.loads(inside("gesturectl", "status", "--clients", "--json").splitlines()[-1])["clients"]
                assert {one["uid"] for one in seen} >= {65534, 990}, seen
            assert may_reload(100005, 100990)
            assert may_reload(100000, 100990), "the root of the container"
            assert not may_reload(100006, 100990)
            assert not may_reload(5, 100990), "the number of the host"
    finally:
        CONFIGURATION.write_text(good)


def test_rootless():
    """A user in the group input needs neither root nor a device rule, and has the number 0 in the container."""
    command("useradd", "--uid", "1001", "--groups", "input", "rootless")
    # Without ranges of numbers, only the user's own is mapped, which needs no helper. Then no file of an image can belong to
    # another user, and each layer is copied, so the image is the stand-in for Debian's, to which the programs are added.
    for path in ("/etc/subuid", "/etc/subgid"):
        Path(path).write_text("")
    home = Path("/home/rootless")
    home.mkdir()
    command("mount", "-t", "tmpfs", "-o", "uid=1001,gid=1001", "tmpfs", home)
    image = f"{home}/image.tar"
    command("podman", "save", "--quiet", "-o", image, container.BASE)
    os.chmod(image, 0o644)
    kiosk = ["setpriv", "--reuid", "1001", "--regid", "1001", "--init-groups", "env", "-C", "/", f"HOME={home}", f"XDG_RUNTIME_DIR={home}"]
    # The guest has no session of the user, in which podman would make cgroups, and its overlayfs does not work for users.
    podman = [*kiosk, "STORAGE_DRIVER=vfs", "podman", "--cgroup-manager", "cgroupfs"]
    command(*podman, "load", "--quiet", "-i", image)
    own = start_command()
    words = without(own, ("--user", own[own.index("--user") + 1]), group_option(), RULE, ("--name", container.NAME))
    words = with_options(words, "--user", "0:0", "--group-add", "keep-groups", "--cgroups", "disabled")
    for name in ("gestured", "gesturectl"):
        words = with_options(words, "-v", f"{bench.programs / name}:/usr/bin/{name}:ro")
    words.remove("-d")
    words[-1:] = [container.BASE, "gestured"]
    with owned_by(1001):
        daemon = subprocess.Popen([*podman, *words[1:]])
        try:
            wait_until(Path(SOCKET).exists, "the daemon listens", 20)
            press()
            assert max(replug() for _ in range(2)) < 3
            press()
            with Client(SOCKET) as client:
                assert not client.ask("reload")["ok"], "the host's root"
            assert command(*kiosk, "gesturectl", "reload")
        finally:
            daemon.terminate()
            daemon.wait(10)


def test_quadlet():
    """packaging/gestured.container passes the same options as the page's command."""
    unit = [line.split("=", 1) for line in UNIT_FILE.read_text().splitlines() if "=" in line]
    numbers = {"990": str(os.stat("/run/gestured").st_uid), "104": str(grp.getgrnam("input").gr_gid)}
    options = {"Volume": "-v", "Network": "--network", "DropCapability": "--cap-drop"}
    words = [(options[key], numbers.get(value, value)) for key, value in unit if key in options]
    own = start_command()
    pairs = list(zip(own, own[1:]))
    assert all(word in pairs for word in words), (words, pairs)
    assert sorted(value for key, value in pairs if key == "-v") == sorted(value for key, value in unit if key == "Volume")
    assert ["PodmanArgs", "--group-add 104"] in unit
    assert ["PodmanArgs", f"{RULE[0]} '{RULE[1]}'"] in unit and ["ReadOnly", "true"] in unit and ["NoNewPrivileges", "true"] in unit
    # podman before 4.4 has no Quadlet.
    if Path("/usr/libexec/podman/quadlet").exists():
        start_unit(numbers)


def start_unit(numbers):
    """Starts the unit with the numbers of this host. It is active when the daemon is ready."""
    folder = Path("/etc/containers/systemd")
    folder.mkdir(parents=True, exist_ok=True)
    unit = folder / "gestured.container"
    text = UNIT_FILE.read_text()
    for number, real in numbers.items():
        text = text.replace(number, real)
    unit.write_text(text)
    systemctl("daemon-reload")
    try:
        systemctl("start", UNIT)
        press()
    finally:
        systemctl("stop", UNIT)
        unit.unlink()
        systemctl("daemon-reload")


def test_the_add_on_for_home_assistant():
    """The image of packaging/home-assistant with a broker: a tap reaches it, and the panel is announced."""
    folder = Path(ROOT, "packaging/home-assistant")
    container.build_bridges()
    command("podman", "build", "--network", "none", "-t", "addon", "--build-arg", "BUILD_FROM=localhost/gestured-bridges", folder)
    place = Path("/srv/addon")
    for name in ("config", "data"):
        (place / name).mkdir(parents=True)
    settings = (folder / "mqtt.toml").read_text()
    (place / "config/mqtt.toml").write_text(settings.replace('"core-mosquitto"', '"127.0.0.1"'))
    if bench.panel:
        bench.unplug()
    bench.plug()
    broker = subprocess.Popen(["mosquitto", "-p", "1883"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    options = ("-v", f"{place}/config:/config", "-v", f"{place}/data:/data", "-v", "/run/udev:/run/udev:ro", "--device", bench.panel.node)
    try:
        command("podman", "run", "-d", "--name", container.NAME, "--network", "host", *options, "addon")

        def heard(topic):
            """The first message of a topic, which may be retained."""
            done = command("mosquitto_sub", "-t", topic, "-C", "1", "-W", "1", "-F", "%p", check=False)
            return done.stdout and json.loads(done.stdout)

        status = wait_until(lambda: heard("gestured/panel/status"), logs, 30)
        wait_until(lambda: heard("gestured/panel/status")["health"] == "ok", logs, 30)
        assert status["state"] == "online"
        assert heard("homeassistant/binary_sensor/gestured_panel/presence/config")["device_class"] == "occupancy"
        reader = subprocess.Popen(["mosquitto_sub", "-t", "gestured/panel/gesture/#", "-C", "1", "-W", "20", "-F", "%p"], stdout=subprocess.PIPE)
        rest(1)
        bench.panel.tap(OPEN)
        tap = json.loads(reader.communicate()[0])
        assert (tap["region"], tap["gesture"]) == ("screen", "tap")
        users = {status_of(int(pid), "Name"): status_of(int(pid), "Uid").split()[0] for pid in command("podman", "top", container.NAME, "hpid").stdout.split()[1:]}
        assert (users["gestured"], users["gestured-mqtt"]) == ("990", "991"), users
        # If the bridge ends, so does the add-on, which the Supervisor starts again.
        command("pkill", "-9", "-x", "gestured-mqtt")
        wait_until(lambda: command("podman", "inspect", "-f", "{{.State.Running}}", container.NAME).stdout.strip() == "false", logs, 20)
    except AssertionError as error:
        raise AssertionError(f"{error}\n{logs()}") from error
    finally:
        command("podman", "rm", "--force", "--time", "5", container.NAME, check=False)
        broker.kill()
        bench.unplug()
