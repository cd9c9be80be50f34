// SPDX-License-Identifier: MIT
#if MQTT
import BridgeProgram
import GestureClient
import GestureProtocol

/// Announces the panel to Home Assistant with one retained message for each entity (MQTT discovery).
final class HomeAssistant {
    private let settings: MQTTSettings
    let topics: Topics
    /// The messages that have been published to the broker, by topic.
    private var published: [String: [UInt8]] = [:]
    private var isAsking = false
    /// Whether the report's file was there when this was last looked at. After a boot, it may come a moment later.
    private var hadReport = true

    init(_ settings: MQTTSettings, _ topics: Topics) {
        (self.settings, self.topics) = (settings, topics)
    }

    /// Sends everything again, because this may be a different broker.
    func connected(_ service: Service) {
        published = [:]
        update(service)
    }

    /// Publishes the entities that have changed, and removes those that no longer exist.
    func update(_ service: Service) {
        guard service.broker.isConnected, service.panel.hello != nil, !service.mayHavePrivateRegions, !isAsking else {
            return
        }
        isAsking = true
        service.request("regions") { [weak self] reply in
            self?.isAsking = false
            guard case .success(let value) = reply else { return }
            self?.publish(Self.regions(value), service)
        }
    }

    /// Returns each region once, even if it is on several panels.
    static func regions(_ reply: JSONValue) -> [GestureClient.Region] {
        var seen: Set<String> = []
        return reply.list("regions").map { GestureClient.Region($0) }.filter { seen.insert($0.id).inserted }
    }

    /// Returns the topics in a list that belong to this panel. The list may also contain other entries.
    func known(_ list: String) -> [String] {
        list.split(separator: "\n").map { String($0) }.filter { topic in
            let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
            return topic.hasPrefix(settings.homeAssistant.prefix + "/") && levels.suffix(3).first == node[...]
                && levels.last == "config"
        }
    }

    private func publish(_ regions: [GestureClient.Region], _ service: Service) {
        var wanted: [String: [UInt8]] = [:]
        // Entities that were published before this program was started are listed in the spool.
        let before = Set(published.keys).union(known(service.spool.state("homeassistant") ?? ""))
        let hasReport = DailySums.read(settings.report) != nil
        let keepsReport = hadReport && report.contains { before.contains(topic($0)) }
        hadReport = hasReport
        for entity in entities(regions, service.panel.status, hasReport: hasReport || keepsReport) {
            wanted[topic(entity)] = payload(entity)
        }
        for topic in before.subtracting(wanted.keys).sorted() { service.publish(retained: [], to: topic) }
        for (topic, payload) in wanted.sorted(by: { $0.key < $1.key }) where published[topic] != payload {
            service.publish(retained: payload, to: topic)
        }
        if Set(wanted.keys) != before {
            service.spool.set(["homeassistant": wanted.keys.sorted().joined(separator: "\n")])
        }
        published = wanted
    }

    // MARK: entities

    /// One entity, without the members that all entities have in common.
    struct Entity {
        /// One of the components of Home Assistant's MQTT integration, such as `event` or `sensor`.
        var component: String
        /// Unique on this panel.
        var id: String
        /// `nil` for a trigger, which is no entity and has no state.
        var name: String?
        var write: (inout JSONWriter) -> Void
    }

    /// - Parameters:
    ///   - status: the daemon's reply.
    ///   - hasReport: whether `gestured-report` counts on this panel.
    func entities(_ regions: [GestureClient.Region], _ status: JSONValue?, hasReport: Bool = false) -> [Entity] {
        // Clients choose the names of the regions that they define, which may come and go with each page.
        let regions = regions.filter { !$0.gestures.isEmpty && !$0.isLeased }
        return regions.map { event($0) } + triggers(regions) + presence + health + (hasReport ? report : [])
            + controls(status)
    }

    private var presence: [Entity] {
        [
            Entity(component: "binary_sensor", id: "presence", name: "Presence") { [topics] json in
                json.member("state_topic", topics.activity)
                json.member("value_template", "{{ 'ON' if value_json.state == 'active' else 'OFF' }}")
                json.member("device_class", "occupancy")
            }, time("last_touch", "Last touch"), time("last_gesture", "Last gesture"),
            Entity(component: "event", id: "wake", name: "Wake") { [topics] json in
                json.member("state_topic", topics.wake)
                json.member("event_types", ["display", "scene"])
                json.member("value_template", "{{ dict(value_json, event_type=value_json.reason) | to_json }}")
                json.member("icon", "mdi:gesture-tap-hold")
            },
        ]
    }

    private func time(_ id: String, _ name: String) -> Entity {
        Entity(component: "sensor", id: id, name: name) { [topics] json in
            json.member("state_topic", topics.activity)
            json.member(
                "value_template",
                "{{ as_datetime(value_json.\(id)_ms / 1000) if value_json.\(id)_ms is defined else None }}")
            json.member("device_class", "timestamp")
        }
    }

    private var health: [Entity] {
        [
            Entity(component: "binary_sensor", id: "problem", name: "Problem") { [topics] json in
                json.member("state_topic", topics.status)
                json.member("value_template", "{{ 'OFF' if value_json.health == 'ok' else 'ON' }}")
                json.member("device_class", "problem")
                json.member("entity_category", "diagnostic")
                json.member("json_attributes_topic", topics.status)
            },
            diagnostic("storms", "Ghost touch storms", "{{ value_json.devices | sum(attribute='storms', start=0) }}"),
            diagnostic("lost_events", "Lost events", "{{ value_json.lost_events }}"),
            diagnostic("longest_turn", "Longest turn", "{{ value_json.longest_turn_us / 1000 }}", unit: "ms"),
            diagnostic("waiting", "Messages on disk", "{{ value_json.spool.waiting }}"),
            diagnostic("dropped", "Messages dropped", "{{ value_json.spool.dropped }}"),
        ]
    }

    /// The sums of the day. They begin again each day.
    private var report: [Entity] {
        [
            ("sessions", "Sessions today"), ("touches", "Touches today"), ("failed", "Failed touches today"),
        ].map { member, name in
            sensor("report_\(member)", name, "{{ value_json.\(member) }}", topics.report) {
                $0.member("state_class", "total_increasing")
            }
        } + [
            sensor("report_health", "Health of the glass", "{{ value_json.health }}", topics.report) { [topics] json in
                json.member("state_class", "measurement")
                json.member("unit_of_measurement", "%")
                json.member("json_attributes_topic", topics.report)
            }
        ]
    }

    /// The entities with which a user gives the commands that are allowed.
    private func controls(_ status: JSONValue?) -> [Entity] {
        let (allowed, scenes) = (settings.commands, status?.texts("scenes") ?? [])
        var entities: [Entity] = []
        if allowed.scene, !scenes.isEmpty { entities.append(select("scene", "Scene", scenes)) }
        if allowed.scene, let lock = settings.homeAssistant.lock, scenes.contains(lock) {
            entities.append(self.lock(lock))
        }
        if allowed.profile, let profiles = status?.texts("profiles"), !profiles.isEmpty {
            entities.append(select("profile", "Profile", profiles))
        }
        if allowed.reload { entities.append(button("reload", "Reload", "mdi:reload")) }
        if allowed.activity { entities.append(button("activity", "Somebody is there", "mdi:motion-sensor")) }
        return entities
    }

    private func select(_ id: String, _ name: String, _ options: [String]) -> Entity {
        Entity(component: "select", id: id, name: name) { [topics] json in
            json.member("state_topic", topics.status)
            json.member("value_template", "{{ value_json.daemon.\(id) | default('', true) }}")
            json.member("command_topic", topics.command(id))
            json.member("options", options)
        }
    }

    private func lock(_ scene: String) -> Entity {
        Entity(component: "switch", id: "lock", name: "Lock") { [topics, settings] json in
            json.member("state_topic", topics.status)
            // Jinja reads texts of JSON.
            let text = String(decoding: JSONWriter.bytes { $0.value(scene) }, as: UTF8.self)
            json.member("value_template", "{{ 'ON' if value_json.daemon.scene == \(text) else 'OFF' }}")
            json.member("state_on", "ON")
            json.member("state_off", "OFF")
            json.member("command_topic", topics.command("scene"))
            json.member("payload_on", scene)
            json.member("payload_off", settings.homeAssistant.unlocked)
            json.member("icon", "mdi:lock")
        }
    }

    private func button(_ command: String, _ name: String, _ icon: String) -> Entity {
        Entity(component: "button", id: command, name: name) { [topics] json in
            json.member("command_topic", topics.command(command))
            json.member("payload_press", "{}")
            json.member("icon", icon)
        }
    }

    private func diagnostic(_ id: String, _ name: String, _ template: String, unit: String? = nil) -> Entity {
        sensor(id, name, template, topics.health) { json in
            if let unit { json.member("unit_of_measurement", unit) }
            json.member("state_class", "measurement")
            json.member("entity_category", "diagnostic")
        }
    }

    private func sensor(
        _ id: String, _ name: String, _ template: String, _ topic: String, _ more: @escaping (inout JSONWriter) -> Void
    ) -> Entity {
        Entity(component: "sensor", id: id, name: name) { json in
            json.member("state_topic", topic)
            json.member("value_template", template)
            more(&json)
        }
    }

    // MARK: messages

    private var node: String { Self.sanitized("\(settings.prefix)_\(settings.panelName)") }

    func topic(_ entity: Entity) -> String {
        "\(settings.homeAssistant.prefix)/\(entity.component)/\(node)/\(Self.sanitized(entity.id))/config"
    }

    func payload(_ entity: Entity) -> [UInt8] {
        Reports.object { json in
            entity.write(&json)
            if let name = entity.name {
                json.member("name", name)
                json.member("unique_id", "\(node)_\(Self.sanitized(entity.id))")
                json.member("availability_topic", topics.status)
                json.member("availability_template", "{{ value_json.state }}")
            }
            json.object("device") { json in
                json.member("identifiers", [node])
                json.member("name", settings.panelName)
                json.member("manufacturer", "gestured")
                json.member("sw_version", Version.number)
            }
            json.object("origin") { json in
                json.member("name", "gestured-mqtt")
                json.member("sw_version", Version.number)
            }
        }
    }

    /// Returns an id that Home Assistant accepts in a discovery topic. It consists of letters, digits, `_` and `-`. All
    /// other characters are replaced by their codes, so that different ids stay different.
    static func sanitized(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            let isPlain =
                scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            if isPlain || scalar == "-" || scalar == "_" {
                result.unicodeScalars.append(scalar)
            } else {
                result += "--\(String(scalar.value, radix: 16))-"
            }
        }
    }
}
#endif
