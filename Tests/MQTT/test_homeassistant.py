# SPDX-License-Identifier: MIT
"""Discovery messages for Home Assistant. If the package `homeassistant` is installed, they are also validated against its
schemas."""
import json
import re

import pytest

from fixture import BASE, Fixture
from harness import PATIENCE, wait_until

# The allowed and the required keys of each entity type, from https://www.home-assistant.io/integrations/mqtt and its
# pages on event, sensor, binary_sensor and select.
COMMON = {"name", "unique_id", "availability_topic", "availability_template", "device", "origin", "icon", "entity_category", "json_attributes_topic"}
FIELDS = {
    "event": (COMMON | {"state_topic", "event_types", "value_template", "device_class"}, {"state_topic", "event_types"}),
    "sensor": (COMMON | {"state_topic", "value_template", "unit_of_measurement", "state_class", "device_class"}, {"state_topic"}),
    "binary_sensor": (COMMON | {"state_topic", "value_template", "device_class"}, {"state_topic"}),
    "select": (COMMON | {"state_topic", "value_template", "command_topic", "options"}, {"command_topic", "options"}),
}

SETTINGS = "[homeassistant]\ndiscovery = true\n[commands]\nscene = true\n"


class HomeAssistantTests:
    def setup_method(self):
        self.fixture = Fixture()
        self.cleanup.callback(self.fixture.close)

    def discovered(self, subscriber, count):
        """The discovered entities by topic."""
        def entities():
            found = {m.topic: m.payload for m in subscriber.all if m.topic.startswith("homeassistant/")}
            return {topic: json.loads(payload) for topic, payload in found.items() if payload}

        wait_until(lambda: len(entities()) == count, lambda: f"{count} entities: {sorted(entities())}", PATIENCE)
        return entities()

    def test_entities(self):
        subscriber = self.fixture.subscriber()
        self.fixture.program(SETTINGS)
        entities = self.discovered(subscriber, 9)
        assert sum(topic.split("/")[1] == "event" for topic in entities) == 2
        for topic, entity in entities.items():
            _, component, node, name, last = topic.split("/")
            assert (node, last) == ("gestured_kiosk-17", "config")
            assert re.search(r"^[a-zA-Z0-9_-]+$", name)
            allowed, needed = FIELDS[component]
            assert set(entity) - allowed == set(), topic
            assert needed - set(entity) == set(), topic
        assert len({entity["unique_id"] for entity in entities.values()}) == len(entities)
        select = next(entity for topic, entity in entities.items() if "/select/" in topic)
        assert select["options"] == ["default", "night"]
        subscriber.client.publish(select["command_topic"], "night", 1)
        subscriber.wait(f"{BASE}/status", lambda value: value["daemon"].get("scene") == "night")

    def test_a_region_that_is_gone(self):
        subscriber = self.fixture.subscriber()
        program = self.fixture.program(SETTINGS)
        self.discovered(subscriber, 9)
        # The region is removed while the program is not running.
        program.kill()
        self.fixture.reload(self.fixture.file.read_text().replace('id = "door/front"', 'id = "other"'))
        program.start()
        gone = "homeassistant/event/gestured_kiosk-17/gesture_door--2f-front/config"
        wait_until(lambda: any(m.topic == gone and not m.payload for m in subscriber.all), "the entity is removed", PATIENCE)
        assert "homeassistant/event/gestured_kiosk-17/gesture_other/config" in self.discovered(subscriber, 9)

    def test_templates_and_schemas_of_home_assistant_itself(self):
        try:
            from homeassistant.components.mqtt import binary_sensor, event, select, sensor
        except ImportError:
            pytest.skip("the package homeassistant is not installed")
        schemas = {"event": event.DISCOVERY_SCHEMA, "sensor": sensor.DISCOVERY_SCHEMA,
                   "binary_sensor": binary_sensor.DISCOVERY_SCHEMA, "select": select.DISCOVERY_SCHEMA}
        subscriber = self.fixture.subscriber()
        self.fixture.program(SETTINGS)
        for topic, entity in self.discovered(subscriber, 9).items():
            # Home Assistant removes this key before it validates the others.
            entity.pop("origin")
            schemas[topic.split("/")[1]](entity)
