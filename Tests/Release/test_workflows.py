# SPDX-License-Identifier: MIT
"""scripts/check-workflows, and the parts of scripts/release that the workflow of a release calls."""
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GOOD = """\
name: Test
on:
  push:
permissions:
  contents: read
jobs:
  one:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
      - run: scripts/release notes
"""
# A change of the workflow above, and words of the complaint
MISTAKES = {
    "a tag": (("@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2", "@v4"), "actions/checkout@v4 is not pinned"),
    "no version": ((" # v4.2.2", ""), "needs its version in a comment"),
    "too many rights": (("contents: read", "contents: write"), "must begin with `permissions: contents: read`"),
    "no rights": (("permissions:\n  contents: read\n", ""), "must begin with `permissions: contents: read`"),
    "a missing script": (("scripts/release notes", "scripts/relaese notes"), "scripts/relaese, which does not exist"),
    "broken shell": (("scripts/release notes", "if true"), "bash cannot read a command"),
    "an injection": (("scripts/release notes", "echo ${{ github.event.head_commit.message }}"), "pass it in `env`"),
    "a missing job": (("    runs-on", "    needs: two\n    runs-on"), "needs two, which does not exist"),
    "an unknown key": (("timeout-minutes", "timeout"), "an unknown key: timeout"),
    "no time limit": (("    timeout-minutes: 5\n", ""), "needs runs-on, timeout-minutes and steps"),
    "no YAML": (("jobs:", "jobs: ["), "is not YAML"),
}


def check(file):
    return subprocess.run([ROOT / "scripts/check-workflows", file], capture_output=True, text=True, env=os.environ | {"PATH": "/usr/bin:/bin"})


def release(*arguments, **variables):
    return subprocess.run([ROOT / "scripts/release", *arguments], capture_output=True, text=True, env=os.environ | variables)


class WorkflowTests:
    @pytest.mark.parametrize("file", sorted((ROOT / ".github/workflows").glob("*.yml")), ids=lambda file: file.name)
    def test_each_is_right(self, file):
        outcome = check(file)
        assert outcome.returncode == 0, outcome.stderr

    def test_a_right_one(self, tmp_path):
        (tmp_path / "test.yml").write_text(GOOD)
        assert check(tmp_path / "test.yml").returncode == 0

    @pytest.mark.parametrize("mistake", MISTAKES)
    def test_each_mistake_is_found(self, tmp_path, mistake):
        (old, new), words = MISTAKES[mistake]
        assert old in GOOD
        (tmp_path / "test.yml").write_text(GOOD.replace(old, new, 1))
        outcome = check(tmp_path / "test.yml")
        assert outcome.returncode == 1
        assert words in outcome.stderr

    def test_a_release_runs_all_parts(self):
        text = (ROOT / ".github/workflows/release.yml").read_text()
        for words in ("uses: ./.github/workflows/ci.yml", "run: scripts/release\n", "scripts/release rpm arch image sums", "scripts/release notes",
                      'scripts/release ready "$GITHUB_REF_NAME"', "attest-build-provenance", "gh release create"):
            assert words in text


class ReleaseTests:
    def test_the_notes_are_the_section_of_the_version(self):
        notes = release("notes").stdout
        changes = (ROOT / "CHANGELOG.md").read_text()
        sections = re.split(r"^## .*\n", changes, flags=re.M)
        assert notes.strip() == sections[1].strip()
        assert len(notes) > 100

    @pytest.mark.parametrize("tag", ["v9.9.9", "0.1.0", ""])
    def test_another_tag_is_not_ready(self, tag):
        outcome = release("ready", tag)
        assert outcome.returncode != 0
        assert "Version.swift" in outcome.stderr or "usage" in outcome.stderr

    @pytest.fixture
    def copy(self, tmp_path):
        """A copy of the project in which a person has decided everything."""
        archive = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--", ":!Tests", ":!docs/*.webp"], capture_output=True, check=True).stdout
        subprocess.run(["tar", "-C", ROOT, "--null", "-T", "-", "-cf", tmp_path / "files.tar"], input=archive, check=True)
        subprocess.run(["tar", "-xf", tmp_path / "files.tar", "-C", tmp_path], check=True)
        self.change(tmp_path / "CHANGELOG.md", r"^(## [\d.]+), .*", r"\1, 2027-01-01")
        self.change(tmp_path / "packaging/identity", r"^HOST=.*", "HOST=touch.net")
        for file in [tmp_path / "README.md", *tmp_path.glob("docs/*.md")]:
            self.change(file, "no release yet", "a release")
        subprocess.run([tmp_path / "scripts/identity"], check=True, capture_output=True)
        return tmp_path

    @staticmethod
    def change(file, pattern, replacement):
        file.write_text(re.sub(pattern, replacement, file.read_text(), count=1, flags=re.M))

    def ready(self, folder):
        version = re.search(r'number = "(.*)"', (ROOT / "Sources/core/GestureProtocol/Version.swift").read_text())[1]
        return subprocess.run([folder / "scripts/release", "ready", f"v{version}"], capture_output=True, text=True,
                              env=os.environ | {"SOURCE_DATE_EPOCH": "1700000000"})

    def test_is_ready_when_everything_is_decided(self, copy):
        outcome = self.ready(copy)
        assert outcome.returncode == 0, outcome.stderr

    @pytest.mark.parametrize("file, pattern, replacement, words", [
        ("CHANGELOG.md", r"^(## [\d.]+), .*", r"\1, not yet released", "YEAR-MONTH-DAY"),
        ("packaging/identity", r"^HOST=.*", "HOST=gestured" + ".invalid", "a placeholder"),
        ("packaging/identity", r"^HOST=.*", "HOST=other.net", "run scripts/identity"),
        ("README.md", r"^#", "There is no release yet.\n#", "these lines say that there is no release"),
    ], ids=["date", "placeholder", "addresses", "README"])
    def test_is_not_ready_before(self, copy, file, pattern, replacement, words):
        self.change(copy / file, pattern, replacement)
        outcome = self.ready(copy)
        assert outcome.returncode != 0
        assert words in outcome.stderr
