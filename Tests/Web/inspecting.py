# SPDX-License-Identifier: MIT
"""Shared by the tests of the inspector: a fixture with all rights, and a comparison of pictures that tolerates other fonts."""
import functools
import io
import os

import pytest
from PIL import Image, ImageChops

from fixture import Bridge, Fixture
from harness import ROOT

HERE = os.path.dirname(os.path.abspath(__file__))
KEPT = os.path.join(HERE, "pictures")
COMMANDS = ["subscribe", "status", "devices", "regions", "state", "ping", "at", "counts", "touch_map", "describe", "clients",
            "define_regions", "put_region", "remove_region", "set_scene", "set_profile"]

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
    return Bridge(fixture, commands=COMMANDS, assets=os.path.join(ROOT, "clients/web"), **settings)


# -- pictures -------------------------------------------------------------------------------------------

# Pictures are compared in square blocks with sides of this many pixels. They are considered equal if at most SHARE of the
# blocks differ by more than STEP (of 255) in the mean of a colour. Measured: two runs differ in up to 1.3 % (figures of
# Health), another font in 2 %, a card that is missing in 15 %.
BLOCK = 16
STEP = 12
SHARE = 0.03
# Good enough to look at, and small
QUALITY = 60


def differences(one, other):
    """The fraction of blocks that differ; 1 for pictures with different sizes."""
    if one.size != other.size:
        return 1.0
    # The greatest difference of a colour, for each block
    difference = functools.reduce(ImageChops.lighter, ImageChops.difference(*(each.reduce(BLOCK) for each in (one, other))).split())
    return sum(difference.histogram()[STEP + 1:]) / (difference.width * difference.height)


def image(page):
    """The page as an image."""
    return Image.open(io.BytesIO(page.picture())).convert("RGB")


def kept(name):
    """The stored picture with this name."""
    with Image.open(os.path.join(KEPT, f"{name}.webp")) as picture:
        return picture.convert("RGB")


def compare(page, name):
    """Compares the page with the stored picture. WRITE_PICTURES=1 stores a new picture (scripts/make-pictures)."""
    picture = image(page)
    if os.environ.get("WRITE_PICTURES"):
        picture.save(os.path.join(KEPT, f"{name}.webp"), quality=QUALITY, method=6)
    share = differences(kept(name), picture)
    if share > SHARE:
        path = os.path.join("/tmp", f"inspector-{name}.png")
        picture.save(path)
        pytest.fail(f"{share:.1%} of the blocks of {name}.webp differ, at most {SHARE:.0%} may; the picture is {path}")
