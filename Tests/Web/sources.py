# SPDX-License-Identifier: MIT
"""The pictures in docs that show a page, and the files that each of them is made from. Their scripts note a digest of these files in
docs/pictures.json, so that a test can tell when a picture is older than the page that it shows."""
import glob
import hashlib
import json
import os

from harness import ROOT

NOTED = os.path.join(ROOT, "docs", "pictures.json")
SOURCES = {
    "inspector.png": ["clients/web/inspector/*.js", "clients/web/inspector/index.html", "clients/web/inspector/style.css", "config/demo.*",
                      "scripts/make-screenshot"],
    "demo.webp": ["scripts/demo.html", "config/demo.*", "scripts/make-animation"],
}


def digest(picture):
    """A digest of the files that a picture is made from."""
    found = hashlib.sha256()
    for pattern in SOURCES[picture]:
        names = sorted(glob.glob(pattern, root_dir=ROOT))
        assert names, f"{pattern} matches no file"
        for name in names:
            with open(os.path.join(ROOT, name), "rb") as file:
                found.update(hashlib.sha256(file.read()).digest())
    return found.hexdigest()


def noted():
    """The digests that were noted, by picture."""
    with open(NOTED, encoding="utf-8") as file:
        return json.load(file)


def note(picture):
    """Notes that a picture has just been made."""
    digests = {**(noted() if os.path.exists(NOTED) else {}), picture: digest(picture)}
    with open(NOTED, "w", encoding="utf-8") as file:
        json.dump(digests, file, indent=2, sort_keys=True)
        file.write("\n")
