# SPDX-License-Identifier: MIT
"""The configuration changes."""
import os
import signal

from bench import CONFIGURATION, KEY, OK, bench
from harness import transcript, wait_until
from harness.service import UNIT, main_process, systemctl, unit_property


def rejected(trigger):
    """A wrong file has no effect, except that a line reports it."""
    panel, client = bench.prepare()
    good = CONFIGURATION.read_text()
    generation = client.request("status")["config"]["generation"]
    CONFIGURATION.write_text(good + '\n[[region]]\nid = "wrong"\nshpe = "full"\n')
    try:
        panel.down(*KEY)
        client.wait(gesture="press", phase="begin")
        trigger()
        lines = client.collect(event="config", change="rejected")
        assert len(lines) == 1, transcript(lines)
        diagnostics = lines[0]["diagnostics"]
        for diagnostic in diagnostics:
            assert diagnostic["severity"] == "error" and diagnostic["file"] == str(CONFIGURATION), diagnostic
        # The key that is missing as a consequence of the wrong one is not reported.
        assert [(each["code"], each["line"] - good.count("\n")) for each in diagnostics] == [("unknown_key", 4)], diagnostics
        panel.up()
        lines = client.gestures(gesture="press", phase="end")
        assert transcript(lines) == ["press end key"], transcript(lines)
        config = client.request("status")["config"]
        assert (config["generation"], config["state"]) == (generation, "rejected"), config
        assert unit_property("ActiveState") == "active"
    finally:
        CONFIGURATION.write_text(good)


def test_reload_with_a_wrong_file_keeps_the_old_one():
    rejected(lambda: systemctl("reload", UNIT, check=False))
    systemctl("reload", UNIT)
    wait_until(lambda: bench.client.request("status")["config"]["state"] == "ok", "the good file is in use again")


def test_hangup_with_a_wrong_file_keeps_the_old_one():
    rejected(lambda: os.kill(main_process(), signal.SIGHUP))
    os.kill(main_process(), signal.SIGHUP)
    wait_until(lambda: bench.client.request("status")["config"]["state"] == "ok", "the good file is in use again")


def test_reload_cancels_only_what_changed():
    panel, client = bench.prepare()
    good = CONFIGURATION.read_text()
    panel.down(*KEY, slot=0)
    panel.down(*OK, slot=1)
    client.collect(until=2, gesture="press", phase="begin")
    changed = good.replace('id = "key"\nshape = { rect = [0, 0, 300, 300] }', 'id = "key"\nshape = { rect = [0, 0, 200, 200] }')
    assert changed != good
    CONFIGURATION.write_text(changed)
    try:
        systemctl("reload", UNIT)
        cancel = client.wait(gesture="press", phase="cancel")
        assert (cancel["region"], cancel["reason"]) == ("key", "reload"), cancel
        panel.up()
        lines = client.gestures(gesture="press", phase="end")
        assert lines[-1]["region"] == "ok", lines
    finally:
        CONFIGURATION.write_text(good)
        systemctl("reload", UNIT)
