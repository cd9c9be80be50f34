# SPDX-License-Identifier: MIT
"""What panels write that is not what one expects."""
import time

from bench import KEY, OK, bench, test
from harness import transcript


@test
def a_contact_replaced_without_a_lift_is_two_contacts():
    """A tracking id that changes from N to M in one slot."""
    panel, client = bench.prepare()
    panel.down(*KEY)
    time.sleep(0.05)  # past min_gap since the test before lifted from OK: no bounce
    panel.replace(*OK)
    time.sleep(0.05)
    panel.up()
    lines = client.gestures(gesture="press", phase="end", region="ok")
    assert transcript(lines) == ["press begin key", "press cancel key sync_lost", "press begin ok", "tap ok", "press end ok"], \
        transcript(lines)
