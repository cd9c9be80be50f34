// SPDX-License-Identifier: MIT
#if MQTT
import BridgeProgram

/// The topics of one panel. `docs/mqtt.md` lists them.
struct Topics: Hashable {
    /// The maximum length in bytes of the topic that a command may name for its answer.
    private static let longestResponse = 256

    /// The prefix, such as `gestured/kiosk-17`.
    let base: String
    /// The allowed prefixes of topics for answers.
    private let responses: [String]

    init(_ settings: MQTTSettings) {
        base = settings.base
        responses = ([settings.base + "/response"] + [settings.commands.responses].compactMap { $0 }).map { $0 + "/" }
    }

    var status: String { base + "/status" }
    var health: String { base + "/health" }
    var statistics: String { base + "/statistics" }
    var problem: String { base + "/problem" }
    var activity: String { base + "/activity" }
    var wake: String { base + "/wake" }
    var report: String { base + "/report" }

    func gesture(region: String, name: String) -> String {
        "\(base)/gesture/\(Self.level(region))/\(Self.level(name))"
    }

    func gestures(region: String) -> String { "\(base)/gesture/\(Self.level(region))/+" }

    func command(_ name: String) -> String { "\(base)/command/\(name)" }

    /// Returns the topic for answers to commands that do not name a topic.
    func response(_ command: String) -> String { "\(base)/response/\(command)" }

    /// Whether an answer may be sent to this topic. Otherwise, a client that sends commands could make this panel
    /// publish to any topic.
    func mayRespond(to topic: String) -> Bool {
        let isPlain = topic.unicodeScalars.allSatisfy {
            $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && $0 != "+" && $0 != "#"
        }
        return isPlain && topic.utf8.count <= Self.longestResponse
            && responses.contains { topic.utf8.count > $0.utf8.count && topic.utf8.starts(with: $0.utf8) }
    }

    /// Returns the topic for the pieces of a recording.
    func recording(_ id: String) -> String { "\(base)/recording/\(Self.level(id))" }

    /// Returns the command that the topic of a message names.
    func command(of topic: String) -> String? {
        let start = base + "/command/"
        return topic.hasPrefix(start) ? String(topic.dropFirst(start.count)) : nil
    }

    /// Returns an id as one level of a topic. Of the characters that are valid in ids, only `/` would split the level,
    /// so it is replaced. Invalid characters are replaced as well.
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
#endif
