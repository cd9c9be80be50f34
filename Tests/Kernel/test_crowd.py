# SPDX-License-Identifier: MIT
"""Maximum load from panels and clients. The kernel must not drop any events."""
import os
import time

from bench import bench
from harness import Client
from harness.process import resident
from harness.service import main_process

HANGING, FINGERS, HZ = 32, 10, 120
SECONDS = 10
# The daemon closes a client that reads nothing for 30 s, so each one is replaced earlier.
PATIENCE = 20
# The users of the connections. Each may have 16.
USERS = (0, 61001, 61002, 61003)

FIELDS = 12  # one region for each finger, so that each has its own continuous gestures


def fields(configuration):
    devices = configuration[:configuration.index("[[region]]")]
    regions = [f'[[region]]\nid = "{field}"\nshape = {{ rect = [{field * 160}, 0, 160, 1080] }}\ngestures = ["press", "drag"]\n'
               for field in range(FIELDS)]
    return "\n".join([f'version = 1\n[access]\nraw_uids = {list(USERS)}\n[filter]\nmax_contact_age = "off"\n', devices.replace("version = 1\n", ""), *regions])


def as_user(user):
    """A connection of a user in the group. It subscribes to all events and reads nothing."""
    group = os.stat("/run/gestured/gestured.sock").st_gid
    os.setegid(group)
    os.seteuid(user)
    try:
        client = Client()
    finally:
        os.seteuid(0)
        os.setegid(0)
    client.request("subscribe", events=["gesture", "touches", "failed", "device", "config", "frame"])
    return client


def moving(index):
    """Moves all fingers up and down in their regions."""
    phase = index % 200
    height = 100 + 8 * min(phase, 200 - phase)
    return {finger: (80 + 160 * finger, height + finger) for finger in range(FINGERS)}


def test_clients_that_hang_cost_no_event():
    """Ten fingers move at 120 Hz while 32 clients never read."""
    seconds = bench.options.minutes * 60 if bench.options.minutes else SECONDS
    panel, client = bench.prepare()
    with bench.configured(fields):
        before, frames = client.request("status"), 0
        hanging, worst, begun = [], 0.0, time.monotonic()
        while (left := begun + seconds - time.monotonic()) > 0:
            for each in hanging:
                each.close()
            hanging = [as_user(USERS[number % len(USERS)]) for number in range(HANGING)]
            count = max(1, round(min(left, PATIENCE) * HZ))
            worst = max(worst, panel.play((moving(index) for index in range(count)), HZ, catches_up=False))
            frames += count
            client.drain()
            open_still = sum(each.is_listening() for each in hanging)
            assert open_still == HANGING, f"{open_still} of {HANGING} are still connected"
        memory = resident(main_process())[0]
        panel.up()
        client.collect(until=FINGERS, gesture="press", phase="end")
        after = client.request("status")
        for each in hanging:
            each.close()
    drops, seen = after["resyncs"] - before["resyncs"], after["frames"] - before["frames"]
    assert drops == 0, f"{drops} drops"
    assert seen >= frames, f"{seen} of {frames} frames"
    bench.note(f"{drops} drops in {seen} frames of {FINGERS} fingers, {HANGING} clients hanging; "
            f"the panel was late by {worst * 1000:.0f} ms at most; RSS {memory} kB")
