// SPDX-License-Identifier: MIT
import ContactTracking
import GesturePipeline
import GestureProtocol
import TouchSharing

extension ProtocolLines {
    /// The replies, in the order of the schema.
    static let replies: [LineForm] = [
        reply(.subscribe, [LineMember("unmatched", .array(of: .string, least: 1)).optional]), reply(.ping),
        reply(.state, state), status, clients, devices, regions, at, describe,
        reply(
            .reload, [LineMember("config_generation", .whole), LineMember("warnings", .whole), diagnostics]),
        reply(.cancel), reply(.activity), reply(.setRegion, [LineMember("enabled", .boolean)]), reply(.setScene),
        reply(.setProfile),
        reply(.setOutput),
        reply(.defineRegions, [LineMember("regions", .whole), LineMember("waiting", .whole).optional, diagnostics]),
        reply(.putRegion, [LineMember("waiting", .boolean), diagnostics]),
        reply(.removeRegion, [LineMember("waiting", .boolean)]),
        counts, touchMap, error,
    ]

    private static func head(_ key: String, _ name: JSONTree) -> [LineMember] {
        [LineMember(key, name), LineMember("id", .reference("identifier")).optional]
    }

    private static func reply(_ name: CommandName, _ members: [LineMember] = []) -> LineForm {
        LineForm(
            name: name.rawValue + "Reply",
            members: head("reply", .word(name.rawValue)) + [LineMember("ok", .yes)] + members)
    }

    private static func wholes(_ keys: String...) -> [LineMember] { keys.map { LineMember($0, .whole) } }

    private static let keptCounts = LineMember("kept", .counts(by: kept)).optional

    // Swift 6.2 needs minutes for the same members as a sum of arrays.
    private static let statusMembers: [[LineMember]] = [
        [LineMember("version", .string), LineMember("instance", .string)],
        wholes("pid", "uptime_ms"),
        [
            LineMember(
                "config",
                .table([
                    LineMember("files", .array(of: .string)), LineMember("generation", .whole),
                    LineMember("state", .words(["ok", "none", "rejected", "last_good"])), LineMember("errors", .whole),
                    LineMember("warnings", .whole),
                ])),
            LineMember(
                "devices", .table(wholes("ready", "refused", "ignored", "failed", "grabbed_by_others", "shared"))),
        ],
        scene,
        [
            LineMember("idle", .array(of: .string)).optional, LineMember("idle_ms", .whole),
            LineMember("sessions", .whole), LineMember("wakes", .whole),
            LineMember("scenes", .array(of: .string, least: 1, isSet: true)),
            LineMember("profiles", .array(of: .string, least: 1, isSet: true)),
        ],
        wholes("regions", "active", "clients", "frames", "events", "dropped", "resyncs"),
        [
            LineMember(
                "touches", .table(wholes("forwarded", "captured", "held", "cancelled") + [keptCounts])
            ).optional,
            LineMember("longest_turn_us", .whole),
        ],
    ]

    private static let status = reply(.status, statusMembers.flatMap { $0 })

    private static let clients = reply(
        .clients,
        [
            LineMember(
                "clients",
                .array(
                    of: .table([
                        LineMember("uid", .whole).optional, LineMember("pid", .whole).optional,
                        LineMember("events", .array(of: events)), LineMember("regions", .array(of: .string)).optional,
                        LineMember("queued_bytes", .whole).optional, LineMember("dropped", .whole).optional,
                        LineMember("self", .boolean),
                    ])))
        ])

    private static let devices = reply(
        .devices,
        [
            LineMember(
                "devices",
                .array(
                    of: .table([
                        LineMember("device", .string), LineMember("node", .string), LineMember("name", .string),
                        LineMember("state", .words(["ready", "refused", "ignored", "failed"])),
                        LineMember("reason", .string).optional, LineMember("output", output).optional,
                        LineMember("share", .words(PanelShare.allCases.map(\.rawValue))).optional,
                        LineMember("dark_ms", .whole).optional,
                        LineMember("grab", .words(["waiting", "held", "given_back", "other"])).optional,
                        LineMember("twin", twin).optional, LineMember("contacts", .whole),
                    ])))
        ])

    private static let output = JSONTree.table([
        LineMember("width", .whole), LineMember("height", .whole), LineMember("width_mm", .anyNumber),
        LineMember("height_mm", .anyNumber), LineMember("rotation", ["enum": [0, 90, 180, 270]]),
        LineMember("flipped", .yes).optional,
        LineMember(
            "corners",
            .array(of: .table(["x", "y", "x_mm", "y_mm"].map { LineMember($0, .anyNumber) }), least: 4, most: 4)),
    ])

    private static let twin = JSONTree.table(
        [LineMember("node", .string).optional]
            + wholes("forwarded", "captured", "held", "cancelled").map(\.optional) + [keptCounts])

    private static let regions = reply(
        .regions,
        [
            LineMember(
                "regions",
                .array(
                    of: .table([
                        LineMember("region", .string), LineMember("device", .string), LineMember("parent", .textOrNull),
                        LineMember("z", .integer), LineMember("shape", .reference("shape")),
                        LineMember("margin", .anyNumber), LineMember("pass", .boolean), LineMember("enabled", .boolean),
                        LineMember("private", .boolean), LineMember("contacts", .words(["each", "near"])).optional,
                        LineMember("leased", .yes).optional,
                        LineMember(
                            "gestures",
                            .array(
                                of: .table([
                                    LineMember("gesture", .string), LineMember("name", .string),
                                    LineMember("action", .string).optional,
                                ]))),
                    ])))
        ])

    private static let at = reply(
        .at,
        [
            LineMember("device", .string), LineMember("x", .anyNumber), LineMember("y", .anyNumber),
            LineMember("owner", .textOrNull), LineMember("chain", .array(of: .string)),
            LineMember("pass", .array(of: .string)),
            LineMember("margin", .yes).optional,
        ])

    private static let describe = reply(
        .describe,
        [
            LineMember("device", .string), LineMember("idle", .boolean), LineMember("next_contact", .whole),
            LineMember("next_sequence", .whole), LineMember("next_private_contact", .whole).optional,
            LineMember("next_private_sequence", .whole).optional,
            LineMember(
                "description",
                .table([
                    LineMember("name", .string), LineMember("phys", .string),
                    LineMember("id", .tuple(Array(repeating: .whole, count: 4))),
                    LineMember("properties", .array(of: .whole)), LineMember("keys", .array(of: .whole)),
                    LineMember("axes", .array(of: .tuple([.whole] + Array(repeating: .integer, count: 6)))),
                    LineMember("slots", .array(of: .tuple([.integer, .integer]))),
                    LineMember("udev", ["type": "object", "additionalProperties": .string]),
                ])),
            LineMember("definitions", .array(of: .reference("regionDefinition"), least: 1)).optional,
        ])

    private static let counts = reply(
        .counts,
        [
            LineMember(
                "devices",
                .array(
                    of: .table(
                        [
                            LineMember("device", .string), LineMember("contacts", .whole),
                            LineMember("ignored", .counts(by: filters)).optional, keptCounts,
                        ] + wholes("storms", "flickers", "bridged", "exchanges").map(\.optional)))),
            LineMember(
                "regions",
                .array(
                    of: .table([
                        LineMember("region", .string), LineMember("gestures", .counts()),
                        LineMember("failed", .counts()),
                    ]))),
        ])

    private static let touchMap = reply(
        .touchMap,
        [LineMember("device", .string), LineMember("cell_mm", .anyNumber)] + wholes("columns", "rows") + [
            LineMember("counts", .array(of: .whole, least: 1))
        ])

    private static let error = LineForm(
        name: "errorReply",
        members: head("reply", ["enum": .list(CommandName.allCases.map { .text($0.rawValue) } + [.null])]) + [
            LineMember("ok", ["const": false]),
            LineMember(
                "error",
                .table([
                    LineMember("code", .words(ErrorCode.allCases.map(\.rawValue))), LineMember("message", .string),
                    LineMember("suggestion", .string).optional,
                    LineMember("diagnostics", .array(of: .reference("diagnostic"))).optional,
                ])),
        ])
}
