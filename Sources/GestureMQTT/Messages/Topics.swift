// SPDX-License-Identifier: MIT
import GestureMQTTSettings

/// The topics of one panel. `docs/mqtt.md` lists them.
struct Topics: Hashable {
    /// `gestured/kiosk-17`
    let base: String

    init(_ settings: MQTTSettings) { base = "\(settings.prefix)/\(settings.panelName)" }

    var status: String { base + "/status" }
    var health: String { base + "/health" }
    var statistics: String { base + "/statistics" }
    var problem: String { base + "/problem" }

    func gesture(region: String, name: String) -> String {
        "\(base)/gesture/\(Self.level(region))/\(Self.level(name))"
    }

    /// All gestures of a region.
    func gestures(region: String) -> String { "\(base)/gesture/\(Self.level(region))/+" }

    func command(_ name: String) -> String { "\(base)/command/\(name)" }

    /// Where answers go that nobody has given a topic for.
    func response(_ command: String) -> String { "\(base)/response/\(command)" }

    /// One piece of a recording.
    func recording(_ id: String) -> String { "\(base)/recording/\(Self.level(id))" }

    /// The command that a topic of a message names.
    func command(of topic: String) -> String? {
        let start = base + "/command/"
        return topic.hasPrefix(start) ? String(topic.dropFirst(start.count)) : nil
    }

    /// An id as one level: of what ids may have, only `/` would make two. What ids may not have is replaced too.
    static func level(_ id: String) -> String {
        id.reduce(into: "") { result, character in
            switch character {
            case "/": result += "%2F"
            case "+": result += "%2B"
            case "#": result += "%23"
            default: result.append(character)
            }
        }
    }
}
