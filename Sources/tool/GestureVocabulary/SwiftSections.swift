// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GesturePipeline

extension GeneratedFile {
    /// The words of `GestureClient`, and the properties of a gesture, which the page explains.
    static let swiftClient = GeneratedFile.depending(
        "Sources/client/GestureClient/Events/Gesture.swift",
        sections: { project in
            let table = try MemberTable(of: project)
            let properties = SwiftProperty.all(Member.own)
            let declarations = try properties.flatMap { $0.declaration(try table.meaning($0)) }
            return [
                MarkedSection("properties", declarations),
                MarkedSection("members", properties.map { "            \($0.name) = line\($0.reader)" }),
                MarkedSection("kinds", kinds),
                MarkedSection("reasons", CancelReason.allCases.map { constant($0.word) }),
            ]
        })

    /// The row of a gesture in the table of attributes. Those that every event has keep their places.
    static let clientsPage = GeneratedFile(
        "docs/clients.md",
        sections: [
            MarkedSection("attributes") { committed in
                committed.map { line in
                    guard line.hasPrefix("| `Gesture` |") else { return line }
                    let cells = line.split(separator: "|").map { $0.split(separator: "`").filter { !$0.contains(" ") } }
                    guard cells.count == 3 else { return line }
                    let properties = SwiftProperty.all(Member.own).map(\.name)
                    return "| `Gesture` | \(list(cells[1], Member.own.map(\.key))) | `Gesture`: "
                        + "\(list(Array(cells[2].dropFirst()), properties)) |"
                }
            }
        ])

    /// The names that are committed, and those that are missing.
    private static func list(_ committed: [Substring], _ names: [String]) -> String {
        (committed.map { String($0) } + names.filter { !committed.contains(Substring($0)) })
            .map { "`\($0)`" }.joined(separator: ", ")
    }

    /// The message of `gestured-mqtt` about a gesture.
    static let mqttMessage = GeneratedFile(
        "Sources/bridges/GestureMQTT/Messages/GestureMessage.swift",
        sections: [
            MarkedSection("members", members: Member.own.filter { !$0.isPlace }, messageMembers),
            MarkedSection("places", members: Member.own.filter(\.isPlace), messageMembers),
        ])

    private static var kinds: [String] {
        let continuous = GestureKind.allCases.filter(\.isContinuous).flatMap(\.lineWords).map { ".\($0.camelCase)" }
        return GestureType.words.map(constant) + [""]
            + continuous.listed("        private static let continuous: Set<Self> = [", end: "]")
    }

    private static func constant(_ word: String) -> String {
        let name = word == "repeat" ? "`repeat`" : word.camelCase
        return "        public static let \(name) = Self(rawValue: \"\(word)\")"
    }

    @Sendable
    private static func messageMembers(_ members: [Member]) -> [String] {
        SwiftProperty.all(members).map { "        if let value = gesture.\($0.name) { \($0.writer) }" }
    }
}

/// A property of `GestureClient.Gesture`.
struct SwiftProperty {
    let name: String
    /// The member of the line, or both coordinates.
    let members: [Member]

    /// The names that cannot be derived from the keys.
    private static let names = [
        "inside": "isInside", "n": "repetition", "velocity_mm_s": "speed", "velocity_deg_s": "turnRate",
        "dx": "translation", "vx": "velocity",
    ]
    /// The second coordinate of a property that has two members, by the first one.
    private static let pairs = ["dx": "dy", "vx": "vy"]

    static func all(_ members: [Member]) -> [SwiftProperty] {
        members.filter { !pairs.values.contains($0.key) }.map { member in
            SwiftProperty(
                name: names[member.key] ?? member.key.camelCase,
                members: [member] + members.filter { $0.key == pairs[member.key] })
        }
    }

    private var keys: String { members.map { "\"\($0.key)\"" }.joined(separator: ", ") }

    /// The declaration with its comment.
    /// - Parameter meaning: sentences, of which the first one is the comment.
    func declaration(_ meaning: String) -> [String] {
        let end = meaning.firstRange(of: ". ")?.lowerBound ?? meaning.endIndex
        let sentence = meaning[..<end] + (end == meaning.endIndex ? "" : ".")
        let subject = kinds.map { $0.replacing("_", with: " ") }.joined(separator: ", ")
        let text = "\(subject.capitalizedFirst): \(sentence.prefix(1).lowercased())\(sentence.dropFirst())"
        var lines = ["        ///"]
        for word in text.split(separator: " ") {
            if lines[lines.count - 1].count + 1 + word.count > 120 { lines.append("        ///") }
            lines[lines.count - 1] += " " + word
        }
        return lines + ["        public var \(name): \(members.count > 1 ? "Point" : members[0].type.swiftName)?"]
    }

    /// The expression that follows the line.
    var reader: String {
        if members.count > 1 { return ".point(\(keys))" }
        return switch members[0].type {
        case .number: "[\(keys)]?.number"
        case .whole: ".wholeIfThere(\(keys))"
        case .flag: "[\(keys)]?.bool"
        case .text: "[\(keys)]?.string"
        case .point: "[\(keys)]?.point(\"x\", \"y\")"
        }
    }

    /// The call that writes the members.
    var writer: String {
        let decimals = members[0].form.hasFourDecimals ? "tenThousandths" : "tenths"
        if members.count > 1 { return "json.members(\(keys), \(decimals): value)" }
        return switch members[0].type {
        case .number: "json.member(\(keys), \(decimals): value)"
        case .whole, .flag, .text: "json.member(\(keys), value)"
        case .point: "json.object(\(keys)) { $0.members(\"x\", \"y\", tenths: value) }"
        }
    }
}

extension MemberType {
    fileprivate var swiftName: String {
        switch self {
        case .number: "Double"
        case .whole: "Int"
        case .flag: "Bool"
        case .text: "String"
        case .point: "Point"
        }
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

    /// The name of a word or a key in Swift: `long_press` is `longPress`, `held_ms` is `heldMilliseconds`, and
    /// `distance_mm` is `distance`.
    fileprivate var camelCase: String {
        let words = split(separator: "_").filter { $0 != "mm" }.map { $0 == "ms" ? "milliseconds" : $0 }
        return words.prefix(1).joined() + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
