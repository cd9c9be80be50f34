// SPDX-License-Identifier: MIT
import GestureProtocol

extension ProtocolLines {
    /// The requests. The daemon reads each of their keys (`RequestReader.keys`).
    static let requests: [LineForm] = [
        subscribe, request(.status), request(.clients), request(.devices), request(.regions, [region.optional]),
        request(.state), request(.ping), at, request(.describe, [device]), request(.reload),
        request(.cancel, [region]), request(.activity), setRegion, setScene,
        request(.setProfile, [LineMember("profile", .name), lease]), setOutput,
        request(
            .defineRegions,
            [
                lease,
                LineMember("regions", .array(of: .reference("regionDefinition"), most: ProtocolLimits.definitions)),
                wait,
            ]),
        request(
            .putRegion,
            [
                lease, LineMember("region", .reference("regionDefinition")), LineMember("below", .name).optional, wait,
            ]),
        request(.removeRegion, [lease, region, wait]), request(.counts), request(.touchMap, [device]),
    ]

    private static let region = LineMember("region", .name)
    private static let device = LineMember("device", .name).optional
    private static let lease = LineMember("lease", .boolean).optional
    private static let wait = LineMember("wait", .boolean).optional

    private static func request(_ name: CommandName, _ members: [LineMember] = []) -> LineForm {
        LineForm(
            name: name.rawValue + "Request",
            members: [
                LineMember("cmd", .word(name.rawValue)), LineMember("id", .reference("identifier")).optional,
            ] + members)
    }

    private static let subscribe: LineForm = {
        func list(_ key: String, _ element: JSONTree) -> LineMember {
            LineMember(key, .array(of: element, most: ProtocolLimits.listEntries)).optional
        }
        let glob: JSONTree = ["type": "string", "maxLength": .int(ProtocolLimits.identifierBytes)]
        return request(
            .subscribe,
            [list("events", events)] + ["regions", "devices", "gestures", "names"].map { list($0, glob) } + [
                list("phases", .words(phases)), LineMember("max_rate_hz", .numbers(0.1...1000)).optional,
                LineMember("max_age_ms", .integer(0...3_600_000)).optional, LineMember("wall_clock", .boolean).optional,
            ])
    }()

    private static let at: LineForm = {
        // The reader accepts no number that the daemon could not convert to a position.
        let position = JSONTree.numbers(-1e9...1e9)
        return request(.at, [LineMember("x", position), LineMember("y", position), device])
    }()

    private static let setRegion = request(
        .setRegion,
        [
            LineMember("region", .oneOf([.name, .array(of: .name, least: 1, most: ProtocolLimits.listEntries)])),
            LineMember("enabled", .boolean),
        ])

    private static let setScene: LineForm = {
        let times = Int(ProtocolLimits.sceneTime.lowerBound)...Int(ProtocolLimits.sceneTime.upperBound)
        return request(
            .setScene, [LineMember("scene", .name), LineMember("for_ms", .integer(times)).optional])
    }()

    private static let setOutput: LineForm = {
        let sides = Int(ProtocolLimits.outputPixels.lowerBound)...Int(ProtocolLimits.outputPixels.upperBound)
        let rotations =
            ProtocolLimits.rotationDegrees.map { JSONTree.number($0) }
            + ProtocolLimits.rotationWords.map { .text($0) }
        return request(
            .setOutput,
            [
                device, LineMember("rotation", ["enum": .list(rotations)]).optional,
                LineMember("size", .array(of: .integer(sides), least: 2, most: 2)).optional,
            ])
    }()

    /// A region of a client. The daemon reads it with the reader of the configuration, which describes its values.
    static let regionDefinition: LineForm = {
        let any = [
            "parent", "device", "z", "margin", "pass", "private", "capture", "contacts", "rest_after", "touches",
        ]
        let gesture = JSONTree.oneOf([.string, ["type": "object", "required": ["type"]]])
        return LineForm(
            name: "regionDefinition",
            members: [
                LineMember("id", .name), LineMember("shape", .oneOf([.word("full"), ["type": "object"]])),
                LineMember("gestures", .array(of: gesture, most: 64)).optional,
            ] + any.map { LineMember($0, true).optional } + [LineMember("defaults", ["type": "object"]).optional])
    }()
}
