# SPDX-License-Identifier: MIT
"""The README says how far the project is, with numbers that change."""
import collections
import csv
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_readme_counts_the_panels_as_the_list_has_them():
    with open(ROOT / "docs/panels.csv", newline="") as file:
        counts = collections.Counter(row["tested with its"] for row in csv.DictReader(file))
    text = " ".join((ROOT / "README.md").read_text().split())
    words = r"Of (\d+) \[panels\]\(docs/panels\.csv\), (\d+) are tested by their descriptions and (\d+) by recorded touches"
    assert [int(number) for number in re.search(words, text).groups()] == [counts.total(), counts["description"], counts["touches"]]


def test_the_readme_names_the_version():
    version = re.search(r'number = "(.*)"', (ROOT / "Sources/core/GestureProtocol/Version.swift").read_text())[1]
    assert f"[{version}](CHANGELOG.md)" in (ROOT / "README.md").read_text()
