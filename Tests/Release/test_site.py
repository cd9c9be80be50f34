# SPDX-License-Identifier: MIT
"""The site that scripts/site makes: each link leads somewhere, nothing is loaded from elsewhere, and the search finds keys."""
import csv
import html.parser
import json
import shutil
import subprocess
import urllib.parse
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(not shutil.which("mkdocs") or not shutil.which("mandoc"), reason="needs mkdocs-material and mandoc")


class Page(html.parser.HTMLParser):
    """The links, the names of places, and what a browser loads."""

    def __init__(self, file):
        super().__init__()
        self.links, self.names, self.loads, self.rows = [], {""}, [], 0
        self.feed(file.read_text())

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.names.add(values.get("id") or values.get("name"))
        self.rows += tag == "tr"
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        loaded = values.get("src") or (values.get("href") if tag == "link" and values.get("rel") != "canonical" else None)
        if loaded:
            self.loads.append(loaded)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site") / "out"
    outcome = subprocess.run([ROOT / "scripts/site", folder], capture_output=True, text=True)
    assert outcome.returncode == 0, outcome.stderr
    return {file: Page(file) for file in folder.rglob("*.html")}, folder


class SiteTests:
    def test_each_page_of_the_repository_is_there(self, site):
        pages, folder = site
        for file in (ROOT / "docs").glob("*.md"):
            name = "index" if file.stem == "README" else file.stem
            assert folder / f"docs/{name}.html" in pages
        for file in (ROOT / "docs/man").iterdir():
            assert folder / f"docs/man/{file.name}.html" in pages

    def test_each_link_leads_to_a_place(self, site):
        pages, folder = site
        dead, count = [], 0
        for file, page in pages.items():
            for link in page.links:
                address, _, anchor = urllib.parse.unquote(link).partition("#")
                if ":" in address or file.name == "404.html":
                    continue
                count += 1
                target = (file.parent / address).resolve() if address else file
                target = target / "index.html" if target.is_dir() else target
                if not target.exists() or target in pages and anchor not in pages[target].names:
                    dead.append(f"{file.relative_to(folder)}: {link}")
        assert count > 1000
        assert sorted(set(dead)) == []

    def test_loads_nothing_from_elsewhere(self, site):
        pages, folder = site
        assert {loaded for page in pages.values() for loaded in page.loads if ":" in loaded and not loaded.startswith("data:")} == set()
        assert (folder / "docs/demo.webp").exists()
        assert "docs/demo.webp" in pages[folder / "index.html"].loads

    def test_the_panels_are_a_table(self, site):
        pages, folder = site
        with open(ROOT / "docs/panels.csv", newline="") as file:
            assert pages[folder / "docs/panels.html"].rows == len(list(csv.reader(file)))

    @pytest.mark.parametrize("word", ["max_contact_age", "long_press", "gesturectl explain", "usermod"])
    def test_the_search_knows(self, site, word):
        index = json.loads((site[1] / "search/search_index.json").read_text())
        assert any(word in document["text"] for document in index["docs"])

    def test_every_page_is_in_the_navigation(self):
        text = (ROOT / "packaging/site/mkdocs.yml").read_text()
        for file in (ROOT / "docs").glob("*.md"):
            assert f": docs/{file.name}\n" in text
