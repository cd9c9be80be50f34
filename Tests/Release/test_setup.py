# SPDX-License-Identifier: MIT
"""scripts/setup on a machine without a Swift that is new enough, with a server on the loopback interface in place of swift.org, a
small archive, and keys made here. Stubs replace apt and dpkg, so nothing is installed."""
import functools
import http.server
import os
import pty
import shutil
import subprocess
import tarfile
import threading
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NAME = "swift-6.3.1-RELEASE-debian12.tar.gz"
PLACE = f"/swift-6.3.1-release/debian12/swift-6.3.1-RELEASE/{NAME}"
SWIFT = '#!/bin/sh\necho "Swift version {} (test)"\n'
# Each stub writes its name and arguments to the log.
STUBS = {
    "apt-get": "",
    "apt-cache": '[ "$2" != swiftlang ] && echo git: || echo "  Candidate: ${CANDIDATE:-6.0.3+1}"',
    "dpkg": "",
    "dpkg-query": "exit 1",
    "sudo": '"$@"',
    "uname": 'echo "${MACHINE:-x86_64}"',
    "df": 'echo; echo "fs 1 1 ${FREE:-9000} 1% /"',
}


class Site(http.server.BaseHTTPRequestHandler):
    """Serves the files of a dictionary, with ranges. `breaks` lists after how many bytes the next answers end."""

    def do_GET(self):
        self.server.requests.append((self.path.rsplit(".", 1)[1], self.headers["Range"]))
        content = self.server.files.get(self.path)
        if content is None:
            return self.send_error(404)
        begin = 0
        if self.headers["Range"] and self.server.has_ranges:
            begin = int(self.headers["Range"].removeprefix("bytes=").rstrip("-"))
            if begin >= len(content):
                return self.send_error(416)
        self.send_response(206 if begin else 200)
        if begin:
            self.send_header("Content-Range", f"bytes {begin}-{len(content) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(content) - begin))
        self.end_headers()
        end = len(content)
        if self.path.endswith(".gz") and self.server.breaks:
            end = begin + self.server.breaks.pop(0)
        self.wfile.write(content[begin:end])

    def log_message(self, *_):
        pass


@functools.lru_cache
def keyring(_name):
    """A folder of gpg with one key, which lasts for ever, and its fingerprint."""
    folder = Path(subprocess.run(["mktemp", "-d", "/tmp/gpg.XXXXXX"], capture_output=True, text=True, check=True).stdout.strip())
    gpg(folder, "--passphrase", "", "--quick-generate-key", "Test <test@test.invalid>", "rsa2048", "sign", "never", at="20240101")
    listed = gpg(folder, "--with-colons", "--list-keys").decode()
    return folder, next(line.split(":")[9] for line in listed.splitlines() if line.startswith("fpr"))


def gpg(folder, *arguments, at=None, content=None):
    time = ["--faked-system-time", f"{at}T000000"] if at else []
    return subprocess.run(["gpg", "--homedir", folder, "--batch", "--quiet", "--yes", *time, *arguments], input=content,
                          capture_output=True, check=True).stdout


@pytest.fixture(scope="module", autouse=True)
def remove_keyrings():
    yield
    for name in ("ours", "theirs", "expiring"):
        folder = keyring(name)[0]
        subprocess.run(["gpgconf", "--homedir", folder, "--kill", "all"], capture_output=True)
        shutil.rmtree(folder, ignore_errors=True)


@functools.lru_cache
def archive():
    """An archive like that of swift.org, with bytes that do not compress, so that it can be broken off anywhere."""
    folder = Path(subprocess.run(["mktemp", "-d"], capture_output=True, text=True, check=True).stdout.strip())
    program = folder / "usr/bin/swift"
    program.parent.mkdir(parents=True)
    program.write_text(SWIFT.format("6.3.1"))
    program.chmod(0o755)
    (folder / "usr/filler").write_bytes(os.urandom(300_000))
    with tarfile.open(folder / NAME, "w:gz") as tar:
        tar.add(folder / "usr", "swift-6.3.1-RELEASE-debian12/usr")
    content = (folder / NAME).read_bytes()
    shutil.rmtree(folder)
    return content


def sign(name="ours", content=None, at=None):
    return gpg(keyring(name)[0], "--detach-sign", at=at, content=archive() if content is None else content)


@functools.lru_cache
def expired_signatures():
    """Signatures from before and after 2024-02-01, by date, of a key that was then made to expire on that day."""
    signatures = {date: sign("expiring", at=date) for date in ("20240115", "20240301")}
    home, fingerprint = keyring("expiring")
    gpg(home, "--quick-set-expire", fingerprint, "2024-02-01", at="20240103")
    return signatures


class Machine:
    """A copy of the scripts in a folder, whose swift.org is a server here, and whose Swift is Debian 13's own."""

    def __init__(self, folder, server):
        self.folder, self.server, self.log = folder, server, folder / "log"
        self.swift = folder / ".build/swift/usr/bin/swift"
        self.download = folder / ".build" / NAME
        (folder / "scripts").mkdir()
        for name in ("setup", "fetch-swift", "swift-path"):
            text = (ROOT / "scripts" / name).read_text().replace("/opt/swift", str(folder / "opt"))
            (folder / "scripts" / name).write_text(text)
            (folder / "scripts" / name).chmod(0o755)
        self.bin = folder / "bin"
        self.bin.mkdir()
        for name, body in STUBS.items():
            self.program(self.bin / name, f'#!/bin/sh\necho "{name} $*" >>{self.log}\n{body}\n')
        self.program(self.bin / "swift", SWIFT.format("6.0.3"))
        self.trust("ours")
        self.facts(f"http://127.0.0.1:{server.server_port}")

    @staticmethod
    def program(path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def facts(self, site, unpacked=5):
        lines = (ROOT / "packaging/swift/toolchain").read_text().splitlines()
        values = {"SITE": site, "FINGERPRINT": self.fingerprint, "ARCHIVE_MB": 5, "UNPACKED_MB": unpacked}
        lines = [f"{key}={values[key]}" if (key := line.split("=")[0]) in values else line for line in lines]
        (self.folder / "packaging/swift/toolchain").write_text("\n".join(lines) + "\n")

    def trust(self, name):
        home, self.fingerprint = keyring(name)
        (self.folder / "packaging/swift").mkdir(parents=True, exist_ok=True)
        (self.folder / "packaging/swift/release-key.asc").write_bytes(gpg(home, "--armor", "--export"))

    def offer(self, content=None, signature=None):
        self.server.files = {PLACE: archive() if content is None else content}
        if signature is not None:
            self.server.files[PLACE + ".sig"] = signature

    def environment(self, **variables):
        clean = {name: value for name, value in os.environ.items() if name not in ("YES", "GESTURED_SWIFT")}
        return clean | {"PATH": f"{self.bin}:/usr/bin:/bin"} | variables

    def setup(self, *wrapper, **variables):
        return subprocess.run([*wrapper, self.folder / "scripts/setup"], env=self.environment(**variables), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=120)

    def on_terminal(self, answer):
        """Runs scripts/setup on a terminal, where `answer` is typed. Returns what it prints, and its status."""
        process, terminal = pty.fork()
        if process == 0:
            os.execve(self.folder / "scripts/setup", ["setup"], self.environment())
        os.write(terminal, answer)
        output = b""
        while True:
            try:
                data = os.read(terminal, 4096)
            except OSError:
                break
            if not data:
                break
            output += data
        return output.decode(), os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])

    def installed(self):
        return [line for line in self.log.read_text().splitlines() if line.startswith("apt-get install")] if self.log.exists() else []

    def is_refused(self, outcome, *words):
        """The outcome is an error that has these words, and nothing was unpacked."""
        assert outcome.returncode != 0
        for word in words:
            assert word in outcome.stderr, outcome.stderr
        assert not self.swift.exists()
        return True


@pytest.fixture
def machine(tmp_path):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    server.requests, server.files, server.breaks, server.has_ranges = [], {}, [], True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    machine = Machine(tmp_path, server)
    machine.offer(signature=sign())
    yield machine
    server.shutdown()
    server.server_close()


class FetchTests:
    def test_fetches_a_signed_swift_which_the_build_finds(self, machine):
        outcome = machine.setup(YES="1")
        assert outcome.returncode == 0, outcome.stderr
        assert "Version 6.3.1 can be fetched from http://127.0.0.1" in outcome.stderr
        assert f"unpacked in {machine.folder}/.build/swift" in outcome.stderr
        assert any("curl" in line and "gpgv" in line and "libncurses6" in line for line in machine.installed())
        path = subprocess.run([machine.folder / "scripts/swift-path"], env=machine.environment(), capture_output=True, text=True).stdout
        assert shutil.which("swift", path=path) == str(machine.swift)
        assert not machine.download.exists()
        # It is not fetched again.
        machine.server.requests.clear()
        assert machine.setup().returncode == 0
        assert machine.server.requests == []

    def test_two_at_the_same_time_fetch_once(self, machine):
        run = [machine.folder / "scripts/setup"]
        options = {"env": machine.environment(YES="1"), "stdin": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        processes = [subprocess.Popen(run, **options) for _ in range(2)]
        assert [process.wait(60) for process in processes] == [0, 0]
        assert [kind for kind, _ in machine.server.requests] == ["sig", "gz"]

    def test_replaces_a_fetched_swift_of_another_version(self, machine):
        machine.program(machine.swift, SWIFT.format("6.1"))
        assert machine.setup(YES="1").returncode == 0
        assert "6.3.1" in machine.swift.read_text()

    def test_takes_files_that_were_copied_there(self, machine):
        machine.facts("http://127.0.0.1:9")
        (machine.folder / ".build").mkdir()
        machine.download.write_bytes(archive())
        machine.download.with_name(NAME + ".sig").write_bytes(sign())
        assert machine.setup(YES="1").returncode == 0
        assert machine.swift.exists()


class SignatureTests:
    @pytest.mark.parametrize("signature", [lambda: sign("theirs"), lambda: sign(content=b"other"), lambda: b"", lambda: b"<html>404</html>",
                                           lambda: sign() + sign("theirs")],
                             ids=["another key", "another file", "empty", "no signature", "a second one"])
    def test_a_wrong_one(self, machine, signature):
        machine.offer(signature=signature())
        assert machine.is_refused(machine.setup(YES="1"), "signature", keyring("ours")[1], "nothing was unpacked")
        assert not machine.download.exists()

    def test_a_changed_archive(self, machine):
        content = bytearray(archive())
        content[1000] ^= 1
        machine.offer(bytes(content), sign())
        assert machine.is_refused(machine.setup(YES="1"), "BAD signature")

    def test_none(self, machine):
        machine.offer()
        assert machine.is_refused(machine.setup(YES="1"), f"{NAME}.sig: HTTP 404", "GESTURED_SWIFT=DIR")
        assert [kind for kind, _ in machine.server.requests] == ["sig"]

    def test_another_key_in_the_project_than_the_pinned_one(self, machine):
        fingerprint = machine.fingerprint
        machine.trust("theirs")
        machine.fingerprint = fingerprint
        machine.facts(f"http://127.0.0.1:{machine.server.server_port}")
        machine.offer(signature=sign("theirs"))
        assert machine.is_refused(machine.setup(YES="1"), "nothing was unpacked")

    @pytest.mark.parametrize("made, is_good", [("20240115", True), ("20240301", False)], ids=["before", "after"])
    def test_made_before_or_after_the_key_expired(self, machine, made, is_good):
        machine.offer(signature=expired_signatures()[made])
        machine.trust("expiring")
        machine.facts(f"http://127.0.0.1:{machine.server.server_port}")
        outcome = machine.setup(YES="1")
        assert (outcome.returncode == 0) == is_good, outcome.stderr
        assert machine.swift.exists() == is_good

    def test_the_key_of_the_project_is_the_pinned_one(self):
        facts = dict(line.split("=") for line in (ROOT / "packaging/swift/toolchain").read_text().splitlines() if line[0] != "#")
        shown = subprocess.run(["gpg", "--show-keys", "--with-colons", ROOT / "packaging/swift/release-key.asc"], capture_output=True, text=True)
        fields = [line.split(":") for line in shown.stdout.splitlines()]
        assert [field[9] for field in fields if field[0] == "fpr"] == [facts["FINGERPRINT"]]
        assert "Swift 6.x Release Signing Key <swift-infrastructure@forums.swift.org>" in shown.stdout
        assert facts["SITE"] == "https://download.swift.org"


class InterruptionTests:
    def test_goes_on_by_itself(self, machine):
        machine.server.breaks = [100_000, 50_000]
        outcome = machine.setup(YES="1")
        assert outcome.returncode == 0, outcome.stderr
        assert [part for kind, part in machine.server.requests if kind == "gz"] == [None, "bytes=100000-", "bytes=150000-"]

    def test_goes_on_in_the_next_run(self, machine):
        machine.server.breaks = [100_000, 0, 0, 0]
        assert machine.is_refused(machine.setup(YES="1"), "100000 bytes have arrived", "Run this again")
        machine.server.requests.clear()
        assert machine.setup(YES="1").returncode == 0
        assert ("gz", "bytes=100000-") in machine.server.requests

    def test_starts_again_if_the_server_has_no_ranges(self, machine):
        machine.server.breaks, machine.server.has_ranges = [100_000], False
        assert machine.setup(YES="1").returncode == 0

    @pytest.mark.parametrize("there", [lambda: archive() + b"more", lambda: bytes(1000)], ids=["too long", "other bytes"])
    def test_deletes_another_file_and_starts_again_in_the_next_run(self, machine, there):
        (machine.folder / ".build").mkdir()
        machine.download.write_bytes(there())
        assert machine.is_refused(machine.setup(YES="1"), "BAD signature", "the download was deleted")
        assert machine.setup(YES="1").returncode == 0


class ObstacleTests:
    def test_no_network(self, machine):
        machine.facts("http://127.0.0.1:9")
        assert machine.is_refused(machine.setup(YES="1"), "is there a network?", "https_proxy", NAME, "another machine", "GESTURED_SWIFT=DIR")

    def test_no_space(self, machine):
        assert machine.is_refused(machine.setup(YES="1", FREE="7"), "needs 0.0 GB", "make room", "GESTURED_SWIFT=DIR")
        assert machine.installed() == []

    def test_what_an_interrupted_run_left_counts_as_space(self, machine):
        left = machine.folder / ".build/swift.part/usr"
        left.mkdir(parents=True)
        (left / "filler").write_bytes(bytes(8_000_000))
        outcome = machine.setup(YES="1", FREE="3")
        assert outcome.returncode == 0, outcome.stderr
        assert not left.exists()

    @pytest.mark.parametrize("kilobytes, words", [(200, "What has arrived is kept"), (500, "The archive is kept")], ids=["download", "unpack"])
    def test_a_disk_that_becomes_full(self, machine, kilobytes, words):
        (machine.folder / ".build").mkdir()
        mount = f'mount -t tmpfs -o size={kilobytes}k none "$0" && exec "$@"'
        wrapper = ["unshare", "--map-root-user", "--mount", "sh", "-c", mount, machine.folder / ".build"]
        if subprocess.run([*wrapper, "true"], capture_output=True).returncode:
            pytest.skip("needs a mount namespace")
        assert machine.is_refused(machine.setup(*wrapper, YES="1"), words, "make room")

    def test_a_machine_for_which_there_is_none(self, machine):
        assert machine.is_refused(machine.setup(YES="1", MACHINE="armv7l"), "no Swift for armv7l", "GESTURED_SWIFT=DIR")
        assert machine.installed() == []

    def test_arm64_has_an_archive_of_its_own(self, machine):
        name = PLACE.replace("debian12", "debian12-aarch64")
        machine.server.files = {name: archive(), name + ".sig": sign()}
        assert machine.setup(YES="1", MACHINE="aarch64").returncode == 0


class QuestionTests:
    @pytest.mark.parametrize("answer, is_fetched", [(b"y\n", True), (b"yes\n", True), (b"n\n", False), (b"\n", False), (b"\x04", False)])
    def test_on_a_terminal(self, machine, answer, is_fetched):
        output, status = machine.on_terminal(answer)
        assert "Fetch it? [y/N]" in output
        assert (status == 0) == is_fetched == machine.swift.exists() == bool(machine.installed()), output
        assert is_fetched or "GESTURED_SWIFT=DIR" in output

    def test_without_a_terminal(self, machine):
        assert machine.is_refused(machine.setup(), "no terminal to ask on; set YES=1", "GESTURED_SWIFT=DIR")
        assert machine.installed() == machine.server.requests == []


class OtherSwiftTests:
    def test_the_named_one(self, machine):
        machine.program(machine.folder / "mine/usr/bin/swift", SWIFT.format("6.2"))
        outcome = machine.setup(GESTURED_SWIFT=str(machine.folder / "mine"))
        assert outcome.returncode == 0, outcome.stderr
        assert machine.server.requests == []

    @pytest.mark.parametrize("folder, words", [("nothing", "no usr/bin/swift"), ("old", "Swift 6.1; at least 6.2")])
    def test_a_named_one_that_cannot_be_used(self, machine, folder, words):
        machine.program(machine.folder / "old/usr/bin/swift", SWIFT.format("6.1"))
        assert machine.is_refused(machine.setup(YES="1", GESTURED_SWIFT=str(machine.folder / folder)), words)
        assert machine.installed() == machine.server.requests == []

    def test_one_in_opt(self, machine):
        machine.program(machine.folder / "opt/usr/bin/swift", SWIFT.format("6.3"))
        assert machine.setup().returncode == 0
        assert machine.server.requests == []

    @pytest.mark.skipif(shutil.which("swift", path="/usr/bin:/bin") is not None, reason="this machine has a Swift on every PATH")
    @pytest.mark.parametrize("candidate, is_installed", [("6.2.3-1", True), ("6.0.3-2", False)], ids=["sid", "trixie"])
    def test_that_of_the_archive(self, machine, candidate, is_installed):
        (machine.bin / "swift").unlink()
        machine.setup(CANDIDATE=candidate)
        assert any("swiftlang" in line for line in machine.installed()) == is_installed

    def test_only_one_script_says_where_swift_is(self):
        found = subprocess.run(["git", "-C", ROOT, "grep", "-lF", "/opt/swift", "--", "Makefile", "debian", "scripts", "packaging", ".github", ".ci"],
                               capture_output=True, text=True).stdout.split()
        # scripts/deb mounts Swift there, in the Debian in which it builds.
        assert found == ["scripts/deb", "scripts/swift-path"]
