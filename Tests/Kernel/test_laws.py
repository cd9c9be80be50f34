# SPDX-License-Identifier: MIT
"""Checks all lines that the other tests have received. Runs last."""
from bench import bench


def test_every_begin_had_its_end():
    bench.prepare()
    for client in bench.clients:
        begun = {}
        if client.is_open():
            client.drain()
        for line in client.lines:
            # Gestures that had begun before the client connected
            if line.get("event") == "state":
                begun.update({(active["sequence"], active["region"], active["name"]): True for active in line["active"]})
            if line.get("event") != "gesture" or "phase" not in line:
                continue
            key = (line["sequence"], line["region"], line["name"])
            if line["phase"] == "begin":
                assert key not in begun, f"begun twice: {line}"
                begun[key] = True
            else:
                assert begun.get(key), f"not begun: {line}"
                begun[key] = line["phase"] == "update"
        if client.lines[-1].get("event") == "bye" or not client.ended:  # a daemon that was killed cannot end gestures
            assert not any(begun.values()), f"never ended: {[key for key, open in begun.items() if open]}"


def test_no_line_was_lost():
    for client in bench.clients:
        numbers = [line["seq"] for line in client.lines if line.get("event") not in (None, "hello", "state", "bye", "overflow")]
        wrong = [number for place, number in enumerate(numbers, 1) if number != place]
        lost = [line for line in client.lines if line.get("event") == "overflow"]
        assert not wrong, f"from here on: {wrong[:10]}, {lost}"
