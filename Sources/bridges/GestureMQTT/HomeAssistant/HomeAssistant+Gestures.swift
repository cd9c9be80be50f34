// SPDX-License-Identifier: MIT
#if MQTT
import GestureClient
import GestureProtocol

// The entities of regions: an event for each, and a trigger for each gesture.
extension HomeAssistant {
    /// The largest number of triggers, because Home Assistant lists all of them for each new automation.
    private static let mostTriggers = 200

    /// Returns a trigger for each gesture, and for the begin and the end of a continuous one.
    func triggers(_ regions: [GestureClient.Region]) -> [Entity] {
        let all = regions.flatMap { region in
            region.gestures.flatMap { gesture in
                let phases: [String?] = gesture.kind.isContinuous ? ["begin", "end"] : [nil]
                return phases.map { trigger(region.id, gesture.name, $0) }
            }
        }
        return Array(all.prefix(Self.mostTriggers))
    }

    private func trigger(_ region: String, _ name: String, _ phase: String?) -> Entity {
        let type = [name, phase].compactMap { $0 }.joined(separator: " ")
        return Entity(component: "device_automation", id: "trigger_\(region)_\(type)", name: nil) { [topics] json in
            json.member("automation_type", "trigger")
            json.member("topic", topics.gesture(region: region, name: name))
            if let phase {
                json.member("value_template", "{{ value_json.phase }}")
                json.member("payload", phase)
            }
            json.member("type", type)
            json.member("subtype", region)
        }
    }

    func event(_ region: GestureClient.Region) -> Entity {
        let topic = topics.gestures(region: region.id)
        return Entity(component: "event", id: "gesture_\(region.id)", name: region.id) { json in
            json.member("state_topic", topic)
            json.member("event_types", region.gestures.flatMap { Self.eventTypes($0) })
            // Each phase of a continuous gesture is a separate event type.
            json.member(
                "value_template",
                "{{ dict(value_json, event_type=value_json.name ~ ('_' ~ value_json.phase if value_json.phase is defined else '')) | to_json }}"
            )
            json.member("icon", "mdi:gesture-tap")
        }
    }

    /// Returns the event types of a gesture: its name or, for a continuous gesture, its name with each phase.
    private static func eventTypes(_ gesture: GestureClient.RegionGesture) -> [String] {
        guard gesture.kind.isContinuous else { return [gesture.name] }
        return GestureClient.Gesture.Phase.allCases.map { "\(gesture.name)_\($0.rawValue)" }
    }
}
#endif
