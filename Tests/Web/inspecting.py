# SPDX-License-Identifier: MIT
"""Shared by the tests of the inspector: a fixture with all rights, and a comparison of pictures that tolerates other fonts."""
import base64
import os
import struct
import zlib

import pytest

from fixture import Bridge, Fixture
from harness import ROOT

HERE = os.path.dirname(os.path.abspath(__file__))
KEPT = os.path.join(HERE, "pictures")
COMMANDS = ["subscribe", "status", "devices", "regions", "state", "ping", "at", "counts", "touch_map", "describe", "clients",
            "define_regions", "put_region", "remove_region", "set_scene"]

# Nested regions, a private region, all kinds of shapes, and two scenes, on a panel of 270 x 200 mm
REGIONS = """
[[region]]
id = "carousel" # turns pages
shape = { rect = ["5%", "5%", "60%", "55%"] }
gestures = [{ type = "swipe", name = "page" }, "press"]
[[region]]
id = "buy"
parent = "carousel"
shape = { rect = ["60%", "60%", "30%", "30%"] } # its place
gestures = ["press", "tap", "long_press"]
[[region]]
id = "dial"
shape = { circle = { center = ["82%", "32%"], radius = "28mm" } }
gestures = ["rotate", { type = "drag", axis = "horizontal" }]
[[region]]
id = "arrow"
shape = { polygon = [["10%", "70%"], ["40%", "65%"], ["35%", "95%"]] }
gestures = ["tap"]
[[region]]
id = "pin"
shape = { rect = ["60%", "66%", "35%", "28%"] }
private = true
gestures = ["tap"]
[[scene]]
id = "closed"
regions = ["pin"]
"""


class InspectedFixture(Fixture):
    """The panel with the regions above."""

    def __init__(self, addition=REGIONS):
        super().__init__(start=False)
        self.configure(addition)
        self.start()


def bridge(fixture, **settings):
    return Bridge(fixture, commands=COMMANDS, assets=os.path.join(ROOT, "web"), **settings)


# -- pictures -------------------------------------------------------------------------------------------

# Pictures are compared in square blocks with sides of this many pixels. They are considered equal if at most SHARE of the
# blocks differ by more than STEP (of 255) in the mean of a colour: other fonts move letters, but not boxes.
BLOCK = 8
STEP = 24
SHARE = 0.03
SCALE = 0.5


def snapshot(page, selector):
    """An element's screenshot in PNG format, at half its size."""
    x, y, width, height = page.js(f"(() => {{ const r = document.querySelector({selector!r}).getBoundingClientRect();"
                                  " return [r.x, r.y, r.width, r.height] })()")
    clip = {"x": x, "y": y, "width": width, "height": height, "scale": SCALE}
    return base64.b64decode(page.call("Page.captureScreenshot", format="png", clip=clip)["data"])


def differences(one, other):
    """The fraction of blocks that differ; 1 for pictures with different sizes."""
    (width, height, first), (other_width, other_height, second) = blocks(one), blocks(other)
    if (width, height) != (other_width, other_height):
        return 1.0
    different = sum(any(abs(a - b) > STEP for a, b in zip(p, q)) for p, q in zip(first, second))
    return different / len(first)


def blocks(png):
    """The mean colour of each block."""
    width, height, channels, rows = decode(png)
    columns, lines = width // BLOCK, height // BLOCK
    means = []
    for line in range(lines):
        part = rows[line * BLOCK:(line + 1) * BLOCK]
        for column in range(columns):
            start = column * BLOCK * channels
            pixels = [row[start:start + BLOCK * channels] for row in part]
            means.append(tuple(sum(sum(row[channel::channels]) for row in pixels) / BLOCK ** 2 for channel in range(3)))
    return columns, lines, means


def decode(png):
    """Width, height, channels and rows of a PNG with 8 bits per channel and without interlacing, as Chromium writes it."""
    width, height, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", png[16:29])
    assert (depth, interlaced) == (8, 0) and kind in (2, 6), "not a PNG of Chromium"
    channels = 3 if kind == 2 else 4
    data, at = b"", 8
    while at < len(png):
        size, name = struct.unpack(">I4s", png[at:at + 8])
        if name == b"IDAT":
            data += png[at + 8:at + 8 + size]
        at += size + 12
    raw, stride, rows = zlib.decompress(data), width * channels, []
    above = bytes(stride)
    for line in range(height):
        start = line * (stride + 1)
        above = unfilter(raw[start], bytearray(raw[start + 1:start + 1 + stride]), above, channels)
        rows.append(above)
    return width, height, channels, rows


def unfilter(kind, row, above, channels):
    for index in range(len(row)) if kind else ():
        left = row[index - channels] if index >= channels else 0
        up = above[index]
        corner = above[index - channels] if index >= channels else 0
        row[index] = (row[index] + predict(kind, left, up, corner)) & 255
    return row


def predict(kind, left, up, corner):
    if kind == 4:
        guess = left + up - corner
        return min((left, up, corner), key=lambda value: abs(guess - value))
    return {1: left, 2: up, 3: (left + up) // 2}[kind]


def compare(page, selector, name):
    """Compares an element with the stored picture. WRITE_PICTURES=1 stores a new picture."""
    path = os.path.join(KEPT, f"{name}.png")
    picture = snapshot(page, selector)
    if os.environ.get("WRITE_PICTURES"):
        os.makedirs(KEPT, exist_ok=True)
        with open(path, "wb") as file:
            file.write(picture)
    with open(path, "rb") as file:
        share = differences(file.read(), picture)
    if share <= SHARE:
        return
    with open(os.path.join("/tmp", f"inspector-{name}.png"), "wb") as file:
        file.write(picture)
    pytest.fail(f"{share:.1%} of the blocks of {name}.png differ, at most {SHARE:.0%} may; the picture is /tmp/inspector-{name}.png")
