// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureServer
import TouchSharing

/// The forms of all lines of the protocol. `scripts/check-lines` checks that the daemon and the tests agree with them.
enum ProtocolLines {
    static let phases = LinePhase.allCases.filter { $0 != .none }.map(\.word)
    static let events = JSONTree.words(EventName.subscribable.map(\.word))
    static let filters = ContactFilter.allCases.map(\.word)
    /// The keys of `[device.application]` that keep a contact from the application.
    static let kept = ApplicationFilter.Rule.allCases.map(\.rawValue)

    static let scene: [LineMember] = [
        LineMember("scene", .string), LineMember("scene_for_ms", .whole).optional,
        LineMember("profile", .string).optional,
    ]
    static let state: [LineMember] =
        [LineMember("devices", .array(of: .reference("deviceState")))] + scene + [
            LineMember("idle", .array(of: .string, least: 1)).optional,
            LineMember("active", .array(of: .reference("active"))),
        ]
    static let time: [LineMember] = [LineMember("time_us", .whole), wallTime]
    static let wallTime = LineMember("wall_ms", .whole).optional
    static let diagnostics = LineMember("diagnostics", .array(of: .reference("diagnostic"), least: 1)).optional

    /// The objects that several lines contain.
    static let parts: [LineForm] = [
        LineForm(name: "point", members: [LineMember("x", .anyNumber), LineMember("y", .anyNumber)]),
        LineForm(
            name: "diagnostic",
            members: [
                LineMember("severity", .words(["error", "warning"])), LineMember("file", .string),
                LineMember("line", wholeNumber), LineMember("column", wholeNumber), LineMember("code", .string),
                LineMember("message", .string), LineMember("suggestion", .string).optional,
            ]),
        LineForm(
            name: "deviceState", members: [LineMember("device", .string), LineMember("state", .word("ready"))]),
        LineForm(
            name: "active",
            members: [
                LineMember("region", .string), LineMember("leased", .yes).optional,
                LineMember("gesture", .words(GestureKind.allCases.filter(\.isContinuous).flatMap(\.lineWords))),
                LineMember("name", .string), LineMember("device", .string), LineMember("sequence", .identity),
            ]),
    ]

    /// The largest number that every client can represent, and 1.
    private static let end: JSONTree = 9_007_199_254_740_992
    private static let least: JSONTree = -9_007_199_254_740_992
    static let wholeNumber: JSONTree = ["type": "integer", "minimum": 0, "exclusiveMaximum": end]
    static let anyInteger: JSONTree = ["type": "integer", "exclusiveMinimum": least, "exclusiveMaximum": end]

    /// The values that a schema names.
    static let values: [(String, JSONTree)] = [
        ("whole", wholeNumber),
        (
            "number",
            JSONTree.described("Of a sequence or a contact: negative in private regions.").with(anyInteger)
        ),
        (
            "identifier",
            [
                "description": "What a client calls its request.",
                "oneOf": [
                    anyInteger, ["type": "string", "maxLength": .int(ProtocolLimits.identifierBytes)],
                ],
            ]
        ),
        ("kind", .words(GestureType.words)),
        ("reason", .words(CancelReason.allCases.map(\.word))),
        ("shape", shape),
    ]

    private static let shape: JSONTree = {
        let place = JSONTree.tuple([.anyNumber, .anyNumber])
        return .oneOf([
            .table([LineMember("rect", .tuple([.anyNumber, .anyNumber, .anyNumber, .anyNumber]))]),
            .table([
                LineMember("circle", .table([LineMember("center", place), LineMember("radius", .anyNumber)]))
            ]),
            .table([LineMember("polygon", .array(of: place, least: 3))]),
        ])
    }()
}
