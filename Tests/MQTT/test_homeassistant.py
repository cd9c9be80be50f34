# SPDX-License-Identifier: MIT
"""Discovery messages for Home Assistant. If the package `homeassistant` is installed, they and the automations of
docs/mqtt.md are also validated against its schemas, and its templates read the messages."""
import asyncio
import json
import os
import re

import pytest

from fixture import BASE, Fixture
from harness import PATIENCE, ROOT, wait_until

# The allowed and the required keys of each component, from https://www.home-assistant.io/integrations/mqtt and its pages.
COMMON = {"name", "unique_id", "availability_topic", "availability_template", "device", "origin", "icon", "entity_category", "json_attributes_topic"}
STATE = {"state_topic", "value_template", "device_class"}
FIELDS = {
    "event": (COMMON | STATE | {"event_types"}, {"state_topic", "event_types"}),
    "sensor": (COMMON | STATE | {"unit_of_measurement", "state_class"}, {"state_topic"}),
    "binary_sensor": (COMMON | STATE, {"state_topic"}),
    "select": (COMMON | STATE | {"command_topic", "options"}, {"command_topic", "options"}),
    "switch": (COMMON | STATE | {"command_topic", "payload_on", "payload_off", "state_on", "state_off"}, {"command_topic"}),
    "button": (COMMON | {"command_topic", "payload_press"}, {"command_topic"}),
    "device_automation": ({"automation_type", "topic", "payload", "type", "subtype", "value_template", "device", "origin"},
                          {"automation_type", "topic", "type", "subtype", "device"}),
}

SETTINGS = ("[homeassistant]\ndiscovery = true\nlock = \"night\"\n"
            "[commands]\nscene = true\nprofile = true\nreload = true\nactivity = true\n")
# Two events and five triggers of the regions, four entities of presence, six of health, and five controls
COUNT = 22


class HomeAssistantTests:
    def setup_method(self):
        self.fixture = Fixture()
        self.cleanup.callback(self.fixture.close)

    def discovered(self, subscriber, count=COUNT):
        """The discovered entities by topic."""
        def entities():
            found = {m.topic: m.payload for m in subscriber.all if m.topic.startswith("homeassistant/")}
            return {topic: json.loads(payload) for topic, payload in found.items() if payload}

        wait_until(lambda: len(entities()) == count, lambda: f"{count} entities: {sorted(entities())}", PATIENCE)
        return entities()

    def test_entities(self):
        subscriber = self.fixture.subscriber()
        self.fixture.program(SETTINGS)
        entities = self.discovered(subscriber)
        assert sum(topic.split("/")[1] == "event" for topic in entities) == 3
        for topic, entity in entities.items():
            _, component, node, name, last = topic.split("/")
            assert (node, last) == ("gestured_kiosk-17", "config")
            assert re.search(r"^[a-zA-Z0-9_-]+$", name)
            allowed, needed = FIELDS[component]
            assert set(entity) - allowed == set(), topic
            assert needed - set(entity) == set(), topic
        ids = [entity["unique_id"] for entity in entities.values() if "unique_id" in entity]
        assert len(set(ids)) == len(ids) == COUNT - 5

    def write_sums(self):
        """Writes the file of gestured-report, and returns its path."""
        today = self.fixture.file.parent / "today.json"
        today.write_text('{"day":"2026-11-30","sessions":2,"touches":9,"failed":1,"health":100,"trouble":"none","reason":"x"}\n')
        return today

    def test_the_sums_of_the_day(self):
        subscriber = self.fixture.subscriber()
        today = self.write_sums()
        self.fixture.program(f'report = "{today}"\n' + SETTINGS)
        entities = {topic.split("/")[3]: entity for topic, entity in self.discovered(subscriber, COUNT + 4).items()}
        message = subscriber.wait(f"{BASE}/report")
        for name, value in {"sessions": 2, "touches": 9, "failed": 1, "health": 100}.items():
            entity = entities[f"report_{name}"]
            assert set(entity) <= FIELDS["sensor"][0], name
            assert (entity["state_topic"], entity["value_template"]) == (f"{BASE}/report", f"{{{{ value_json.{name} }}}}")
            assert message[name] == value
        today.unlink()
        topic = "homeassistant/sensor/gestured_kiosk-17/report_sessions/config"
        wait_until(lambda: any(m.topic == topic and not m.payload for m in subscriber.all), "the sums are removed", PATIENCE)

    def test_what_a_user_clicks(self):
        subscriber = self.fixture.subscriber()
        self.fixture.program(SETTINGS)
        entities = {topic.split("/")[3]: entity for topic, entity in self.discovered(subscriber).items()}
        assert entities["scene"]["options"] == ["default", "night"]
        subscriber.client.publish(entities["scene"]["command_topic"], "night", 1)
        subscriber.wait(f"{BASE}/status", lambda value: value["daemon"].get("scene") == "night")
        subscriber.client.publish(entities["lock"]["command_topic"], entities["lock"]["payload_off"], 1)
        subscriber.wait(f"{BASE}/status", lambda value: value["daemon"].get("scene") == "default")
        subscriber.client.publish(entities["profile"]["command_topic"], "steady", 1)
        subscriber.wait(f"{BASE}/status", lambda value: value["daemon"].get("profile") == "steady")
        for name in ("reload", "activity"):
            subscriber.client.publish(entities[name]["command_topic"], entities[name]["payload_press"], 1)
            assert subscriber.wait(f"{BASE}/response/{name}")["ok"]

    def test_a_region_and_a_scene_that_are_gone(self):
        subscriber = self.fixture.subscriber()
        program = self.fixture.program(SETTINGS)
        self.discovered(subscriber)
        # They are removed while the program is not running.
        program.kill()
        text = self.fixture.file.read_text().replace('id = "door/front"', 'id = "other"')
        self.fixture.reload(text.replace('id = "night"', 'id = "late"'))
        program.start()
        for gone in ("event/gestured_kiosk-17/gesture_door--2f-front", "device_automation/gestured_kiosk-17/trigger_door--2f-front_tap",
                     "switch/gestured_kiosk-17/lock"):
            topic = f"homeassistant/{gone}/config"
            wait_until(lambda: any(m.topic == topic and not m.payload for m in subscriber.all), f"{topic} is removed", PATIENCE)
        assert "homeassistant/event/gestured_kiosk-17/gesture_other/config" in self.discovered(subscriber, COUNT - 1)

    def test_templates_and_schemas_of_home_assistant_itself(self):
        try:
            # Without this first, its modules import each other in a circle.
            import homeassistant.bootstrap  # noqa: F401
            from homeassistant.components.automation.config import PLATFORM_SCHEMA
            from homeassistant.components.mqtt import binary_sensor, button, device_trigger, event, select, sensor, switch
            from homeassistant.core import HomeAssistant
            from homeassistant.helpers.template import Template
            from homeassistant.util.yaml import parse_yaml
        except ImportError:
            pytest.skip("the package homeassistant is not installed")
        modules = {"event": event, "sensor": sensor, "binary_sensor": binary_sensor, "select": select, "switch": switch, "button": button}
        schemas = {name: module.DISCOVERY_SCHEMA for name, module in modules.items()}
        schemas["device_automation"] = device_trigger.TRIGGER_DISCOVERY_SCHEMA
        subscriber = self.fixture.subscriber()
        self.fixture.program(f'report = "{self.write_sums()}"\n' + SETTINGS)
        entities = self.discovered(subscriber, COUNT + 4)
        subscriber.wait(f"{BASE}/report")
        self.fixture.panel.tap(100, 100)
        subscriber.wait(f"{BASE}/gesture/door%2Ffront/tap")
        messages = {m.topic: m.payload.decode() for m in subscriber.all}

        async def states():
            hass = HomeAssistant(self.fixture.folder)
            return {topic.split("/")[3]: Template(entity["value_template"], hass).async_render_with_possible_json_value(messages[entity["state_topic"]])
                    for topic, entity in entities.items() if messages.get(entity.get("state_topic")) and "value_template" in entity}

        found = asyncio.run(states())
        assert (found["presence"], found["lock"], found["scene"], found["profile"]) == ("ON", "OFF", "default", "default")
        assert [found[f"report_{name}"] for name in ("sessions", "touches", "failed", "health")] == ["2", "9", "1", "100"]
        assert re.search(r"^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00:00$", found["last_touch"]), found
        for topic, entity in entities.items():
            # Home Assistant removes this key before it validates the others.
            entity.pop("origin")
            schemas[topic.split("/")[1]](entity)
        with open(os.path.join(ROOT, "docs", "mqtt.md"), encoding="utf-8") as file:
            automations = parse_yaml(re.search(r"```yaml\n(.*?)```", file.read(), re.S)[1])
        assert len(automations) == 4
        for automation in automations:
            PLATFORM_SCHEMA(automation)
