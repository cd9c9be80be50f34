# SPDX-License-Identifier: MIT
"""Compares docs/mqtt.md with docs/mqtt.schema.json, and tests the alert rules."""
import json
import os
import re
import shutil
import subprocess

import jsonschema
import pytest

from fixture import SCHEMA
from harness import ROOT


def page(name):
    with open(os.path.join(ROOT, "docs", name), encoding="utf-8") as file:
        return file.read()


class DocumentationTests:
    def test_examples(self):
        lines = [line for block in re.findall(r"```json # mqtt\n(.*?)```", page("mqtt.md"), re.S) for line in block.splitlines()]
        assert len(lines) > 5
        kinds = ["status", "gesture", "activity", "wake", "report", "health", "statistics", "problem", "recording", "response"]
        for line in lines:
            fitting = [kind for kind in kinds
                       if jsonschema.Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": SCHEMA["$defs"]}).is_valid(json.loads(line))]
            assert len(fitting) == 1, f"{line}: {fitting}"

    def test_topics_and_faults(self):
        text = page("mqtt.md")
        for name in SCHEMA["$defs"]:
            if name in ("status", "activity", "wake", "report", "health", "statistics", "problem", "gesture", "recording", "response"):
                assert re.search(rf"\| `…/{name}[/`]", text)
        for fault in SCHEMA["$defs"]["fault"]["enum"]:
            assert f"`{fault}`" in text

    @pytest.mark.skipif(not shutil.which("promtool"), reason="there is no promtool")
    def test_alerts(self):
        folder = os.path.join(ROOT, "config", "fleet")
        for arguments in (["check", "rules", "alerts.yml"], ["test", "rules", "alerts_test.yml"]):
            result = subprocess.run(["promtool", *arguments], cwd=folder, capture_output=True, text=True)
            assert result.returncode == 0, result.stdout + result.stderr

    def test_the_dashboard_and_the_alerts_use_figures_that_there_are(self):
        with open(os.path.join(ROOT, "Sources", "bridges", "GestureWeb", "Daemon", "Metrics.swift"), encoding="utf-8") as file:
            known = set(re.findall(r'"(gestured_[a-z_]+)"', file.read()))
        known |= {f"{name}_total" for name in known}
        used = set()
        for name in ("dashboard.json", "alerts.yml"):
            with open(os.path.join(ROOT, "config", "fleet", name), encoding="utf-8") as file:
                text = file.read()
            if name.endswith("json"):
                for panel in json.loads(text)["panels"]:
                    text += "".join(target["expr"] for target in panel.get("targets", []))
            used |= set(re.findall(r"\bgestured_[a-z_]+\b", text))
        assert len(used) > 4
        assert used - known == set()
