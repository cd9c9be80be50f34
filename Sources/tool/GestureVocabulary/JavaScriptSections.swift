// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine

extension GeneratedFile {
    /// The kinds whose touches a page must not scroll with: those that move, and patterns, whose steps may.
    static let webModule = GeneratedFile("clients/web/gestured.js", sections: [MarkedSection("moving", [moving])])

    private static var moving: String {
        let rows = KindRow.all.filter { $0.motion.isMovement || $0.motion == .otherGestures }
        return "const MOVING = /\(rows.map(\.word).joined(separator: "|"))/;"
    }

    /// The types of `gestured.js`.
    static let webTypes = GeneratedFile(
        "clients/web/gestured.d.ts",
        sections: [
            MarkedSection("members", Member.own.map { "  \($0.key)?: \($0.type.scriptName);" }),
            MarkedSection("kinds", GestureType.names.map { "    \"gesture:\($0)\": CustomEvent<ElementGesture>;" }),
        ])

    /// The type of a gesture, and the checks of its values.
    static let javaScript = GeneratedFile(
        "clients/javascript/gestured.mjs",
        sections: [MarkedSection("type", gestureType), MarkedSection("checks", checks)])

    /// The comment that declares the type. It is one section, because TypeScript would read marks in it as text.
    private static var gestureType: [String] {
        let head = """
            /**
             * @typedef {object} Gesture
             * @property {"gesture"} event
             * @property {string} gesture
             * @property {string} name
             * @property {string} [action] The identifier in the configuration that says what the gesture does. It is \
            missing in an added cancel if the gesture is known only from a `state`.
             * @property {string} region
             * @property {true} [leased] Whether a client has defined the region, which can have any name. Only regions \
            of the files stand for what they are named.
             * @property {number} sequence
             * @property {Phase} [phase] The phase. It is missing for a discrete gesture.
             * @property {string} [reason] The reason for a "cancel". It comes from the daemon, or it is "disconnected" \
            or "lost" if the cancel was `added`.
             * @property {true} [added] Whether this client has added the cancel.
             * @property {number} [seq]
             * @property {string} [device] This key and all following keys are missing in an added cancel if the \
            gesture is known only from a `state`.
            """
        let members = (Member.common + Member.own).map { " * @property {\($0.type.scriptName)} [\($0.key)]" }
        let times = ["coalesced", "time_us", "wall_ms"].map { " * @property {number} [\($0)]" }
        return head.split(separator: "\n").map { String($0) } + members + times + [" */"]
    }

    private static var checks: [String] {
        let types: [(MemberType, String)] = [
            (.flag, "isFlag"), (.text, "isText"), (.point, "POINT"), (.number, "isNumber"), (.whole, "isNumber"),
        ]
        return types.flatMap { type, check in
            let keys = Member.own.filter { $0.type == type }.map { "\"\($0.key)\"" }
            return keys.isEmpty ? [] : keys.listed("    ...each(\(check), ", end: "),")
        }
    }
}

extension MemberType {
    fileprivate var scriptName: String {
        switch self {
        case .number, .whole: "number"
        case .flag: "boolean"
        case .text: "string"
        case .point: "Point"
        }
    }
}
