// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureProtocol

/// The rule by which a gesture loses the touches that are meant for it. The raw value is its name in the output.
enum ConflictRule: String, CaseIterable {
    case covered, overlap, claimed, exclusive, unless, shadowed, handover, filter, both, gap, unreachable, lost
    case multiTouch = "multi_touch"
    case longPress = "long_press"

    /// The rule in words; `nil` for a loss that has a reason of its own.
    var text: String? {
        switch self {
        case .covered, .overlap: "the topmost region at the landing owns the touch"
        case .claimed:
            "of nested regions, the movement that is recognized first takes the touch; in the same frame the innermost"
        case .exclusive: "an exclusive gesture ends the others of its region"
        case .multiTouch: "a gesture of several fingers takes the touch from those of one finger"
        case .unless: "it comes only after all gestures in its unless have failed"
        case .shadowed: "the region nearest to the finger that has the same gesture gets it"
        case .longPress: "a tap fails when a long press of its region begins"
        case .handover: "with capture = \"follow\", a touch goes to the region that the finger moves into"
        case .both: "the gestures of one region are tracked side by side"
        case .filter, .gap, .unreachable, .lost: nil
        }
    }
}

/// A gesture that always loses the touches that are meant for it.
struct Conflict {
    let rule: ConflictRule
    /// The name of the panel.
    let panel: String
    /// The scene; `nil` for the one that has all regions.
    let scene: String?
    let loser: GesturePlace
    /// Whether the gesture wins touches of another manner.
    let isPart: Bool
    /// The gesture that gets the touch, or the region if it has no gesture for it; `nil` if nobody does.
    let winner: (region: String, gesture: String?)?
    let message: String
    /// The reason in words.
    let reason: String
    /// A change of the configuration that helps; `nil` if no time was left to find that out.
    var cure: String?
    var touch: SketchedTouch
    let location: SourceLocation
    /// Other gestures that lose in the same way.
    var alike: [String] = []

    /// Whether both are the same conflict of different gestures of a region, or of the same gesture of different regions,
    /// as in the rows of a list.
    func isLike(_ other: Self) -> Bool {
        let isOwn = winner.map { $0.region == loser.region }
        let isSameRegion = isOwn == true || winner?.region == other.winner?.region
        return rule == other.rule && isPart == other.isPart && winner?.gesture == other.winner?.gesture && isSameRegion
            && isOwn == other.winner.map { $0.region == other.loser.region }
            && (loser.gesture == other.loser.gesture || (loser.region == other.loser.region && winner != nil))
    }

    /// Returns what happens in the format of compilers.
    /// - Parameter columns: returns the number of terminal columns that a character takes.
    func headline(columns: (Unicode.Scalar) -> Int) -> String {
        location.text("warning: \(message) [\(rule.rawValue)]", columns: columns)
    }

    /// The lines below the headline: the reason, and the cure.
    var details: String {
        var lines = ["why: \(reason)"]
        if let cure { lines.append("key: \(cure)") }
        if !alike.isEmpty { lines.append("also: \(Self.list(alike))") }
        return lines.map { "  \($0)\n" }.joined()
    }

    /// Returns the command that shows the touch.
    /// - Parameter options: the options with which it reads the same configuration.
    func command(options: String) -> String { "  gesturectl try \(options)'\(touch.notation)'\n" }

    private static func list(_ names: [String]) -> String {
        names.prefix(5).map(\.safe).joined(separator: ", ")
            + (names.count > 5 ? " and \(names.count - 5) more" : "")
    }

    func write(into json: inout JSONWriter) {
        json.member("code", rule.rawValue)
        json.member("device", panel)
        if let scene { json.member("scene", scene) }
        json.member("region", loser.region)
        json.member("gesture", loser.gesture)
        if let winner {
            json.object("winner") { json in
                json.member("region", winner.region)
                if let gesture = winner.gesture { json.member("gesture", gesture) }
            }
        }
        json.member("file", location.file)
        json.member("line", location.line)
        json.member("column", location.column)
        json.member("message", message)
        json.member("reason", reason)
        if let cure { json.member("cure", cure) }
        if !alike.isEmpty { json.member("also", alike) }
        json.member("touch", touch.notation)
    }
}
