# SPDX-License-Identifier: MIT
"""packaging/identity, and the files that repeat what it says."""
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLACEHOLDER = ".".join(["gestured", "invalid"])
# Files that the project owns, without what describes other projects.
OTHERS = re.compile(r"^(vendor/|Tests/Cases/|THIRD-PARTY\.md)")


def listed():
    names = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, text=True, check=True).stdout.split("\0")
    return [name for name in names if name and not OTHERS.match(name)]


def text(name, root=ROOT):
    try:
        return (root / name).read_text()
    except (OSError, UnicodeDecodeError):
        return ""


def run(root, *arguments):
    return subprocess.run([root / "scripts/identity", *arguments], capture_output=True, text=True)


@pytest.fixture
def copy(tmp_path):
    """A copy of the project's files that have an address, with another host."""
    for name in [*(name for name in listed() if PLACEHOLDER in text(name)), "scripts/identity"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    file = tmp_path / "packaging/identity"
    file.write_text(file.read_text().replace(f"HOST={PLACEHOLDER}", "HOST=touch.net"))
    return tmp_path


class IdentityTests:
    def test_every_file_has_its_values(self):
        outcome = run(ROOT, "--check")
        assert outcome.returncode == 0, outcome.stderr

    def test_one_line_changes_every_file(self, copy):
        assert run(copy, "--check").returncode == 1
        assert run(copy).returncode == 0
        assert run(copy, "--ready").returncode == 0
        left = [name for name in listed() if PLACEHOLDER in text(name, copy)]
        assert left == [], "scripts/identity does not write these"
        assert "Maintainer: The gestured authors <maintainers@touch.net>\n" in text("packaging/debian/control", copy)
        assert json.loads(text("clients/javascript/package.json", copy))["bugs"]["url"] == "https://touch.net/gestured/issues"

    @pytest.mark.skipif(f"HOST={PLACEHOLDER}" not in text("packaging/identity"), reason="the addresses are real")
    def test_the_placeholder_is_not_ready_for_a_release(self):
        outcome = run(ROOT, "--ready")
        assert outcome.returncode == 1
        assert "change HOST in packaging/identity" in outcome.stderr

    def test_a_file_without_its_line_is_an_error(self, copy):
        file = copy / "packaging/debian/control"
        file.write_text(file.read_text().replace("Homepage:", "Home:"))
        assert "packaging/debian/control has no line like: Homepage:" in run(copy).stderr

    def test_no_file_has_an_address_on_this_machine(self):
        found = [(name, address) for name in listed() for address in re.findall(r"[\w.+-]+@localhost\b", text(name))
                 if not name.startswith(("Sources/", "Tests/"))]
        assert found == []

    @pytest.mark.parametrize("folder", ["systemd"])
    def test_units_link_to_their_own_pages(self, folder):
        for name in listed():
            if name.startswith(folder + "/"):
                for link in " ".join(re.findall(r"^Documentation=(.*)$", text(name), re.M)).split():
                    assert link.startswith(("man:", "file:///usr/share/doc/gestured")), f"{name}: {link}"
