// SPDX-License-Identifier: MIT
import GestureProtocol

extension GeneratedFile {
    static let mqttSchema = GeneratedFile("docs/mqtt.schema.json") { _ in
        let definitions = MQTTMessages.values + MQTTMessages.messages.map { ($0.name, $0.schema) }
        let schema: JSONTree = [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": "https://gestured.example/mqtt.schema.json",
            "title": "Messages of gestured-mqtt",
            "description":
                """
            Each definition is the payload of the topics gestured/PANEL/NAME and those below. Payloads of commands \
            are in docs/mqtt.md.
            """,
            "$defs": .object(definitions.map { .init(key: $0.0, value: $0.1) }),
        ]
        return schema.formatted() + "\n"
    }
}

/// The forms of the messages of `gestured-mqtt`. `make test-mqtt` checks each message with them.
private enum MQTTMessages {
    private static let counter: JSONTree = ["type": "integer", "minimum": 0]
    private static let faults = LineMember("faults", .array(of: .reference("fault")))
    private static let health = LineMember("health", .words(["ok", "fault"]))
    private static let id = LineMember("id", .reference("id"))
    private static let time = LineMember("time_ms", .reference("time"))
    private static let diagnostics = LineMember("diagnostics", .array(of: .reference("diagnostic")))

    private static func counters(_ keys: String...) -> [LineMember] { keys.map { LineMember($0, counter) } }
    private static func texts(_ keys: String...) -> [LineMember] { keys.map { LineMember($0, .string) } }

    /// The values that the messages share.
    static let values: [(String, JSONTree)] = [
        (
            "id",
            [
                "type": "string", "pattern": "^[0-9a-f]{8}-[0-9]+$",
                "description": "No other message has it: one that comes twice has the same.",
            ]
        ),
        ("time", counter.with(["description": "Milliseconds since 1970, by the panel's clock."])),
        (
            "fault",
            .words([
                "no_daemon", "private_regions", "no_panel", "device_failed", "dark_display", "config_rejected",
                "storms", "dead_regions", "noisy_areas", "lost_events", "spool", "spool_dropped",
            ])
        ),
        ("numbers", ["type": "object", "additionalProperties": counter]),
        ("point", .table([LineMember("x", .anyNumber), LineMember("y", .anyNumber)])),
        (
            "diagnostic",
            .table(
                [LineMember("severity", .words(["error", "warning"])), LineMember("file", .string)]
                    + counters("line", "column") + texts("code", "message") + [
                        LineMember("suggestion", .string).optional
                    ])
        ),
        ("status", JSONTree.described("Retained.").with(.oneOf([offline, online]))),
    ]

    static let messages: [LineForm] = [
        gesture, activity, wake, sums, report, statistics, problem, recording, response,
    ]

    private static let offline = JSONTree.table([
        LineMember("state", .word("offline")), LineMember("reason", .words(["lost", "stopped"])),
    ])

    private static let online = JSONTree.table([
        LineMember("state", .word("online")), LineMember("version", .string), LineMember("daemon", daemon),
        LineMember(
            "devices",
            .array(
                of: .table([
                    LineMember("device", .string), LineMember("name", .string),
                    LineMember("state", .words(["ready", "refused", "ignored", "failed"])),
                    LineMember("reason", .string).optional,
                ]))),
        health, faults, time,
    ])

    private static let daemon: JSONTree = {
        let configuration = JSONTree.table([
            LineMember("generation", .integer), LineMember("state", .words(["ok", "none", "rejected"])),
            LineMember("errors", .integer), LineMember("warnings", .integer),
        ])
        let members =
            texts("message", "server", "instance") + counters("regions") + texts("scene")
            + [LineMember("scenes", .array(of: .string))] + texts("profile") + [
                LineMember("profiles", .array(of: .string)), LineMember("config", configuration),
            ]
        return .table(
            [LineMember("state", .words(["connected", "withheld", "gone"]))] + members.map(\.optional))
    }()

    private static let gesture: LineForm = {
        let places = (Member.common + Member.own).filter(\.isPlace).map(\.key).joined(separator: ", ")
        let members =
            [
                LineMember("gesture", .string), LineMember("name", .string), LineMember("action", .string).optional,
                LineMember("phase", .words(ProtocolLines.phases)).optional, LineMember("reason", .string).optional,
                LineMember("region", .string), LineMember("leased", .yes).optional,
                LineMember("device", .string).optional,
                LineMember("sequence", .integer),
            ] + (Member.common + Member.own).map { LineMember($0.key, $0.type.messageSchema).optional }
            + [LineMember("coalesced", .integer).optional, LineMember("time_us", .integer).optional, time.optional]
        return LineForm(
            name: "gesture",
            description:
                "gesture/REGION/NAME. The keys of a position (\(places)) come only with positions = true.",
            members: members)
    }()

    private static let activity = LineForm(
        name: "activity", description: "Retained.",
        members: [
            LineMember("state", .words(["active", "idle"])), LineMember("last_touch_ms", .reference("time")).optional,
            LineMember("last_gesture_ms", .reference("time")).optional, time,
        ])

    private static let wake = LineForm(name: "wake", members: texts("device", "reason") + [time])

    private static let sums = LineForm(
        name: "report", description: "Retained. The sums of a day, from gestured-report.",
        members: texts("day") + counters("sessions", "touches", "failed", "tried_twice", "nothing_there", "seconds")
            + [LineMember("health", ["type": "integer", "minimum": 0, "maximum": 100])] + texts("trouble", "reason") + [
                time
            ])

    private static let report = LineForm(
        name: "health",
        members: [
            id, health, faults,
            LineMember(
                "devices",
                .array(
                    of: .table([
                        LineMember("device", .string), LineMember("contacts", counter),
                        LineMember("storms", counter).optional, LineMember("flickers", counter).optional,
                        LineMember("ignored", .reference("numbers")),
                        LineMember("kept", .reference("numbers")).optional,
                    ]))),
            LineMember("dead_regions", .array(of: .string)),
            LineMember("noisy_areas", counter.with(["description": "Only with the right raw."])).optional,
        ] + counters("lost_events", "lost_lines", "longest_turn_us", "gestures_dropped") + [
            LineMember("spool", .table(counters("waiting", "dropped") + [LineMember("failure", .string).optional])),
            time,
        ])

    private static let statistics = LineForm(
        name: "statistics", description: "Retained.",
        members: [
            id, LineMember("instance", .string), LineMember("seconds", counter),
            LineMember(
                "regions",
                .array(
                    of: .table([
                        LineMember("region", .string), LineMember("gestures", .reference("numbers")).optional,
                        LineMember("failed", .reference("numbers")).optional,
                    ]))),
            time,
        ])

    private static let problem = LineForm(
        name: "problem", description: "Retained.",
        members: [
            id, LineMember("problem", .words(["config_rejected", "none"])), LineMember("generation", .integer),
            diagnostics, time,
        ])

    private static let recording = LineForm(
        name: "recording",
        description: "recording/ID: one piece. The pieces in their order are a file of evemu.",
        members: [
            id, LineMember("recording", .string), LineMember("device", .string), LineMember("format", .word("evemu")),
            LineMember("piece", counter), LineMember("pieces", ["type": "integer", "minimum": 1]),
            LineMember("text", .string),
        ])

    private static let response: LineForm = {
        let commands = ["scene", "profile", "enable", "disable", "activity", "reload", "config", "confirm", "record"]
        let results = [
            LineMember("enabled", .boolean), LineMember("generation", .integer),
            LineMember("state", .words(["unconfirmed", "confirmed"])), LineMember("change", .string),
            LineMember("confirm_within_ms", .integer), LineMember("regions", .integer),
            LineMember("recording", .string), LineMember("topic", .string), LineMember("pieces", .integer),
            LineMember("error", .table(texts("code", "message") + [diagnostics.optional])),
        ]
        return LineForm(
            name: "response", description: "The answer to a command: to its response topic, or to response/COMMAND.",
            members: [
                LineMember("command", .words(commands)), LineMember("id", .string).optional, LineMember("ok", .boolean),
            ] + results.map(\.optional))
    }()
}

extension MemberType {
    /// The values of the member in a message.
    fileprivate var messageSchema: JSONTree {
        switch self {
        case .number: .anyNumber
        case .whole: .integer
        case .flag: .boolean
        case .text: .string
        case .point: .reference("point")
        }
    }
}
