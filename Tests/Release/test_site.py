# SPDX-License-Identifier: MIT
"""The site that scripts/site makes: each link leads somewhere, nothing is loaded from elsewhere, and the search finds keys, also in a
folder without a server, as in the package gestured-doc."""
import csv
import functools
import html.parser
import http.server
import json
import re
import shutil
import subprocess
import sys
import threading
import urllib.parse
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests/Web"))
from chromium import PROGRAM, Browser  # noqa: E402

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
        index = re.search(r"__index = (.*);\n", (site[1] / "search/search_index.js").read_text())[1]
        assert any(word in document["text"] for document in json.loads(index)["docs"])

    def test_nothing_is_for_a_debugger(self, site):
        assert [file.name for file in site[1].rglob("*") if file.suffix == ".map"] == []

    def test_every_page_is_in_the_navigation(self):
        text = (ROOT / "packaging/site/mkdocs.yml").read_text()
        for file in (ROOT / "docs").glob("*.md"):
            assert f": docs/{file.name}\n" in text


@pytest.fixture(scope="module")
def browser():
    if not shutil.which(PROGRAM):
        pytest.skip("needs chromium")
    with Browser() as browser:
        yield browser


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address(site):
    """The address of a server of the site."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site[1])) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class BrowserTests:
    """The site in a browser, mostly as files of a folder."""

    def test_each_page_asks_only_for_files(self, site, browser):
        tab = browser.page()
        tab.call("Network.enable")
        # A server sends 404.html for other addresses, so its links begin at the root of the server. The package is without it.
        for file in set(site[0]) - {site[1] / "404.html"}:
            assert tab.open(file.as_uri()) is None
            assert {file.as_uri(), (site[1] / "search/search_index.js").as_uri()} <= set(tab.asked), file
            assert [address for address in tab.asked if not address.startswith(("file://", "blob:", "data:"))] == [], file
            tab.asked.clear()
        assert tab.console == []

    @pytest.mark.parametrize("page", ["index.html", "docs/man/gestured.8.html"])
    @pytest.mark.parametrize("is_served", [False, True])
    def test_the_search_leads_to_a_page(self, site, browser, address, page, is_served):
        tab = browser.page((f"{address}/{page}" if is_served else (site[1] / page).as_uri()) + "?q=max_contact_age")
        link = tab.until("document.querySelector('.md-search-result__link')?.href")
        assert tab.open(link) is None
        assert "max_contact_age" in tab.js("document.querySelector('article').innerText")
        assert tab.console == []
