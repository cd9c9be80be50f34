# SPDX-License-Identifier: MIT
"""The packages for rpm and for Arch, which `scripts/release` makes of a tar file, here with stubs of the programs."""
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
VERSION = re.search(r'number = "(.*)"', (ROOT / "Sources/core/GestureProtocol/Version.swift").read_text())[1]
MACHINE = os.uname().machine


def run(*arguments, **variables):
    outcome = subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True, cwd=ROOT, env=os.environ | variables)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    return outcome.stdout


class Release:
    """A tar file with stubs in place of the programs, and the files that scripts/install installs of it."""

    def __init__(self, folder):
        architecture = run("dpkg", "--print-architecture").strip()
        self.out = folder / "dist"
        self.variables = {"BUILT": str(folder / "built"), "OUT": str(self.out), "ARCHITECTURES": architecture, "SOURCE_DATE_EPOCH": "1700000000"}
        for name in ("stripped", "completions", "man"):
            (folder / "built" / name).mkdir(parents=True)
        for shell in ("bash", "zsh", "fish"):
            (folder / f"built/completions/gesturectl.{shell}").touch()
        run("scripts/pages", "man", folder / "built/man")
        self.installed = set(run("scripts/install", "list", PREFIX="/usr", BUILT=str(folder / "built")).splitlines())
        for name in self.installed:
            if name.startswith("/usr/bin/"):
                program = folder / "built/stripped" / Path(name).name
                program.write_text("#!/bin/sh\nexit 99\n")
                program.chmod(0o755)
        self.make("tarball")

    def make(self, part):
        run("scripts/release", part, **self.variables)

    def package(self, pattern):
        [file] = self.out.glob(pattern)
        return file


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    return Release(tmp_path_factory.mktemp("release"))


@pytest.mark.skipif(not shutil.which("rpmbuild"), reason="needs rpm")
class RpmTests:
    @pytest.fixture(scope="class")
    def package(self, release):
        release.make("rpm")
        return release.package(f"gestured-{VERSION}-1.{MACHINE}.rpm")

    def test_has_the_files_that_are_installed(self, release, package):
        assert set(run("rpm", "-qlp", package).splitlines()) == release.installed | {"/etc/gestured", "/etc/gestured/conf.d"}

    def test_programs_can_be_executed_and_all_can_be_read(self, package):
        modes = dict(line.split() for line in run("rpm", "-qp", "--queryformat", "[%{FILENAMES} %{FILEMODES:perms}\n]", package).splitlines())
        assert modes["/usr/bin/gestured"] == "-rwxr-xr-x"
        assert {mode[7] for mode in modes.values()} == {"r"}

    def test_scripts_are_shell(self, package):
        scripts = run("rpm", "-qp", "--queryformat", "%{POSTIN}\n%{PREUN}\n%{POSTUN}\n", package)
        subprocess.run(["sh", "-n"], input=scripts, text=True, check=True)
        units = set(re.findall(r"gestured[\w-]*\.(?:service|socket)", scripts))
        assert units == {file.name for file in (ROOT / "systemd").glob("gestured*.s*t")} | {file.name for file in (ROOT / "systemd").glob("gestured*.service")}


@pytest.mark.skipif(not shutil.which("makepkg") or not shutil.which("bsdtar"), reason="needs makepkg and libarchive-tools")
class ArchTests:
    @pytest.fixture(scope="class")
    def package(self, release):
        release.make("arch")
        return release.package(f"gestured-{VERSION}-1-{MACHINE}.pkg.tar.zst")

    def test_has_the_files_that_are_installed(self, release, package):
        names = {"/" + name for name in run("bsdtar", "-tf", package).splitlines() if not name.startswith(".") and not name.endswith("/")}
        # makepkg compresses manual pages.
        assert {re.sub(r"(/man/.*)\.gz$", r"\1", name) for name in names} == release.installed

    def test_says_what_it_is(self, package):
        information = run("bsdtar", "-xOf", package, ".PKGINFO")
        assert f"pkgver = {VERSION}-1\n" in information
        assert "depend = libevdev\n" in information

    def test_the_recipe_has_the_sum_of_the_tar_file(self, release, package):
        [archive] = release.out.glob("*.tar.gz")
        assert run("sha256sum", archive).split()[0] in (release.out / "arch/PKGBUILD").read_text()
        assert f"pkgver={VERSION}\n" in (ROOT / "packaging/arch/PKGBUILD").read_text()
