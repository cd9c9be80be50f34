# SPDX-License-Identifier: MIT
"""The QML module on a Wayland compositor: a page in the session of sway, whose item is a region.

`cmake -S clients/qt -B .build/qt && cmake --build .build/qt` makes the module. Without it, this file is not collected.
"""
import contextlib
from pathlib import Path

import pytest

from bench import bench
from compositor import OUTPUT, SIZE, in_session, make_user, session, swaymsg
from harness import ROOT, wait_until

LOG = Path("/tmp/qml.log")
MODULE = Path(ROOT) / ".build/qt"


@contextlib.contextmanager
def page():
    """The panel, with the session of a user who may define regions."""
    def change(text):
        return text + '\n[access]\ndefine_uids = ["kiosk"]\n'

    make_user()
    bench.prepare()
    with bench.configured(change), session():
        panel, _ = bench.prepare()
        yield panel


@contextlib.contextmanager
def runner():
    command = ["env", "QT_QPA_PLATFORM=wayland", "QT_QUICK_BACKEND=software", "QT_FORCE_STDERR_LOGGING=1", f"QML_IMPORT_PATH={MODULE}",
               "/usr/lib/qt6/bin/qml", str(Path(__file__).with_name("region.qml"))]
    with LOG.open("w") as log, in_session(*command, stderr=log) as process:
        def said():
            assert process.poll() is None, LOG.read_text()
            return [line.removeprefix("qml: ") for line in LOG.read_text().splitlines() if line.startswith("qml: ")]

        yield said


def region():
    regions = bench.client.request("regions", region="app.item")["regions"]
    return regions and regions[0]["shape"]["rect"]


@pytest.mark.parametrize("scale", (1, 2))
def test_touches_reach_the_item_also_after_it_has_moved(scale):
    width, height = SIZE
    with page() as panel:
        swaymsg("output", OUTPUT, "scale", str(scale))
        with runner() as said:
            wait_until(lambda: region() == [0, 0, width / 4, height / 4], lambda: f"the item is a region: {LOG.read_text()}", 60)
            panel.tap((120, 80))
            tap = ["pressed", f"tap {120 // scale} {80 // scale}", "released"]
            wait_until(lambda: said()[-3:] == tap, lambda: f"the item is tapped: {said()}")
            wait_until(lambda: region() == [width / 2, height / 2, width / 4, height / 4], lambda: f"the region has moved: {region()}")
            panel.tap((120, 80))
            panel.swipe((width / 2 + 40, height / 2 + 40), (width / 2 + 400, height / 2 + 40))
            wait_until(lambda: said()[-3:] == ["pressed", "swipe right", "released"], lambda: f"the item is swiped: {said()}")
            assert sum(word.startswith("tap") for word in said()) == 1, said()
            bench.note(said()[0])
