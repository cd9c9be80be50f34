// SPDX-License-Identifier: MIT
import GestureEngine

/// The events that a term of a case matches.
///
///     tap                     a tap
///     drag                    the `begin` of a drag
///     drag update, drag end   these events of a drag
///     swipe                   a swipe of any number of fingers
///     swipe or drag end       either
///     motion                  the `begin` or an `update` of a drag, a pinch or a rotation
///     gesture                 any gesture but a press
struct EventPattern {
    private var alternatives: [[String]]

    private static let names: Set<String> = [
        "press", "tap", "double_tap", "two_finger_tap", "long_press", "drag", "swipe", "two_finger_swipe", "pinch",
        "rotate", "motion", "gesture",
    ]
    private static let phases: Set<String> = ["begin", "update", "end"]

    /// Returns `nil` for an unknown word, so that a misspelt `no tapp` does not pass.
    init?(_ text: String) {
        alternatives = text.split(separator: " ").map(String.init).split(separator: "or").map(Array.init)
        let areKnown = alternatives.allSatisfy { words in
            Self.names.contains(words[0]) && words.dropFirst().allSatisfy(Self.phases.contains)
        }
        guard areKnown, !alternatives.isEmpty else { return nil }
    }

    func matches(_ event: GestureEvent, named name: String) -> Bool {
        !event.isFailure && alternatives.contains { Self.matches(event, name, $0) }
    }

    private static func matches(_ event: GestureEvent, _ name: String, _ words: [String]) -> Bool {
        switch words[0] {
        case "motion":
            return ["drag", "pinch", "rotate"].contains(name) && (event.phase == .begin || event.phase == .update)
        case "gesture": return event.isRecognition && name != "press"
        case let word:
            guard name == word || name.hasSuffix("_" + word) && word == "swipe" else { return false }
            return words.count > 1 ? event.phase.map { "\($0)" } == words[1] : event.isRecognition
        }
    }
}

/// A number in a term, such as `1.35±0.02`, `500±60ms` or `1000±20%`. A unit after it is ignored.
struct Measure {
    var value: Double
    var tolerance: Double?

    init?(_ word: String) {
        let parts = word.split(separator: "±").map { part in
            Double(part.prefix { $0.isNumber || $0 == "." || $0 == "-" })
        }
        guard let value = parts.first ?? nil, parts.allSatisfy({ $0 != nil }) else { return nil }
        self.value = value
        tolerance = parts.dropFirst().first ?? nil
    }
}
