// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureServer

extension ProtocolLines {
    /// The lines that are not replies, except those of gestures.
    static let otherEvents: [LineForm] = connection + [failed, touches, frame] + idle + changes + endings

    private static func event(
        _ name: String, _ members: [LineMember], conditions: JSONTree = [:],
        named definition: String? = nil
    ) -> LineForm {
        LineForm(
            name: definition ?? name, members: [LineMember("event", .word(name)), LineMember("seq", .whole)] + members,
            conditions: conditions)
    }

    private static let connection = [
        LineForm(
            name: "hello",
            members: [
                LineMember("event", .word("hello")), LineMember("protocol", ["const": .int(ProtocolLimits.version)]),
                LineMember("server", .string), LineMember("instance", .string),
                LineMember("capabilities", .array(of: .words(ServerIdentity.defaultCapabilities), isSet: true)),
                LineMember("rights", .array(of: .words(Rights.named.map(\.word)), isSet: true)),
                LineMember("config_generation", .whole),
            ]),
        event("state", state),
    ]

    /// The members that name a gesture of a region, with those that come between name and region.
    static func gesture(_ kind: JSONTree, phase: [LineMember] = []) -> [LineMember] {
        [LineMember("gesture", kind), LineMember("name", .string), LineMember("action", .string).optional] + phase + [
            LineMember("region", .string), LineMember("leased", .yes).optional, LineMember("device", .string),
            LineMember("sequence", .identity),
        ]
    }

    private static let failed = event(
        "failed",
        gesture(.reference("kind")) + [
            LineMember("code", .words(GestureFailure.Code.words)),
            LineMember("key", .words(FailureKey.words)).optional,
            LineMember("value", .anyNumber).optional, LineMember("limit", .anyNumber).optional,
            LineMember("unit", .words(FailureUnit.allCases.map(\.name))).optional, LineMember("message", .string),
        ] + time,
        conditions: [
            "dependentRequired": [
                "value": ["limit", "unit"], "limit": ["value", "unit"], "unit": ["value", "limit"],
            ]
        ])

    private static let touches = event(
        "touches",
        [
            LineMember("device", .string), LineMember("coalesced", .whole).optional, LineMember("time_us", .whole),
            LineMember(
                "contacts",
                .array(
                    of: .table([
                        LineMember("id", .identity), LineMember("slot", .whole), LineMember("x", .anyNumber),
                        LineMember("y", .anyNumber), LineMember("to", .words(["app", "gestured", "both"])).optional,
                        LineMember("kept", .words(kept.filter { $0 != "filter" })).optional,
                        LineMember("region", .string).optional, LineMember("sequence", .identity).optional,
                        LineMember("major_mm", .anyNumber).optional,
                    ]))),
            LineMember(
                "seen_by",
                .array(
                    of: .table([
                        LineMember("region", .string), LineMember("sequence", .identity),
                        LineMember("contacts", .array(of: .identity, least: 1)),
                    ]), least: 1)
            ).optional,
            LineMember("given", .array(of: .identity, least: 1)).optional,
            LineMember(
                "ignored",
                .array(
                    of: .table([
                        LineMember("slot", .whole), LineMember("x", .anyNumber), LineMember("y", .anyNumber),
                        LineMember("filter", .words(filters)), LineMember("to", .words(["app", "nobody"])).optional,
                        LineMember("kept", .words(kept)).optional,
                    ]), least: 1)
            ).optional,
            wallTime,
        ])

    private static let frame = event(
        "frame",
        [
            LineMember("device", .string), LineMember("time_us", .whole),
            LineMember(
                "events",
                .array(of: .tuple([.whole, .whole, .integer(Int(Int32.min)...Int(Int32.max))]))),
            LineMember("resync", .yes).optional, LineMember("suspended", .yes).optional,
            LineMember("removed", .yes).optional, wallTime,
        ])

    private static let idle = [
        event(
            "idle",
            [
                LineMember("name", .string), LineMember("change", .words(["idle", "active"])),
                LineMember("reason", .words(["touch", "activity", "scene", "reload"])).optional,
                LineMember("idle_ms", .whole),
            ] + time,
            conditions: only("reason", with: "change", "active")),
        event(
            "wake", [LineMember("device", .string), LineMember("reason", .words(["display", "scene"]))] + time),
    ]

    /// The condition that a member is there if and only if another one has a value.
    static func only(_ key: String, with other: String, _ word: String) -> JSONTree {
        [
            "if": ["properties": .object([.init(key: other, value: .word(word))])],
            "then": ["required": [.text(key)]],
            "else": ["properties": .object([.init(key: key, value: false)])],
        ]
    }

    private static let changes = [
        event(
            "device",
            [
                LineMember("change", .words(["added", "removed", "given_back", "grabbed"])),
                LineMember("device", .string),
                LineMember("node", .string), LineMember("name", .string), wallTime,
            ]),
        event(
            "config",
            [
                LineMember("change", .words(["applied", "rejected"])), LineMember("generation", .whole),
                LineMember("diagnostics", .array(of: .reference("diagnostic"))), wallTime,
            ]),
        event(
            "config",
            [
                LineMember("change", .words(["scene", "profile", "regions", "output"])),
                LineMember("generation", .whole),
            ] + scene + [wallTime],
            named: "runtimeConfig"),
    ]

    private static let endings = [
        event("overflow", [LineMember("dropped", .whole), LineMember("since_ms", .whole)]),
        LineForm(name: "bye", members: [LineMember("event", .word("bye")), LineMember("reason", .string)]),
    ]

    // MARK: Gestures

    /// The lines of each kind of gesture.
    static let gestures = GestureKind.allCases.map { kind in
        let words = kind.lineWords
        let phase = [LineMember("phase", .words(phases)), LineMember("reason", .reference("reason")).optional]
        let members = kind.members.map { member in
            var form = LineMember(member.key, member.form.schema)
            form.isOptional = member.isOptional
            return form
        }
        let coalesced = kind.isContinuous ? [LineMember("coalesced", .whole).optional] : []
        return event(
            "gesture",
            gesture(words.count == 1 ? .word(words[0]) : .words(words), phase: kind.isContinuous ? phase : []) + members
                + coalesced + time,
            conditions: kind.isContinuous ? only("reason", with: "phase", "cancel") : [:], named: words[0])
    }
}

extension MemberForm {
    /// The values that the member can have.
    fileprivate var schema: JSONTree {
        switch self {
        case .pixels, .fraction, .degrees, .degreesPerSecond: .anyNumber
        case .millimeters, .millimetersPerSecond, .ratio: ["type": "number", "minimum": 0]
        case .angle: .numbers(-180...180)
        case .score: .numbers(0...1)
        case .count: ["type": "integer", "minimum": 1]
        case .steps: .integer
        case .milliseconds: .whole
        case .flag: .boolean
        case .direction: .words(SwipeDirection.allCases.map(\.word))
        case .point: .reference("point")
        }
    }
}
