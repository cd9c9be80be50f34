// SPDX-License-Identifier: MIT
import GestureClient
import GestureProtocol
import Testing

@testable import gesturectl

/// The lines that a replay has printed, for comparison with the manifest.
struct ReplayedLines {
    struct Line {
        var event: JSONValue
        /// The time from the recording's first event to the line.
        var milliseconds: Double
    }

    var lines: [Line]

    init(_ output: String, from start: Int64) throws {
        lines = try output.split(separator: "\n").map { text in
            let event = try #require(JSONValue(parsing: Array(text.utf8)))
            return Line(event: event, milliseconds: Double((event["time_us"]?.integer ?? 0) - start) / 1000)
        }
    }

    func part(_ range: ClosedRange<Double>?) -> ReplayedLines {
        guard let range else { return self }
        var part = self
        part.lines = lines.filter { range.contains($0.milliseconds) }
        return part
    }

    /// The number of recognized gestures of a kind: `begin` lines of continuous gestures, and all lines of
    /// discrete ones.
    func count(_ kind: String, direction: String? = nil) -> Int {
        lines.count { line in
            let phase = line.event["phase"]?.string
            return line.event["gesture"]?.string == kind && (phase == nil || phase == "begin")
                && (direction == nil || line.event["direction"]?.string == direction)
        }
    }

    /// Whether an expectation such as `drag x1 (or swipe right)` holds; `nil` if it concerns contacts.
    func holds(_ words: String) -> Bool? {
        let condition = words.split(separator: " where ").first.map(String.init) ?? words
        let alternatives = condition.replacing(" (or ", with: " or ").replacing(")", with: "").split(separator: " or ")
        let outcomes = alternatives.map { holds(one: $0.split(separator: " ").map(String.init)) }
        return outcomes.contains(nil) ? nil : outcomes.contains(true)
    }

    /// Whether a term such as `tap`, `tap x3` or `swipe right` holds. Text after the number is ignored.
    private func holds(one words: [String]) -> Bool? {
        guard let kind = words.first, Self.kinds.contains(kind) else { return nil }
        if words.count > 1, words[1].hasPrefix("x"), let number = Int(words[1].dropFirst()) {
            return count(kind) == number
        }
        return count(kind, direction: words.count > 1 ? words[1] : nil) > 0
    }

    static let kinds = [
        "press", "tap", "double_tap", "two_finger_tap", "long_press", "repeat", "drag", "swipe", "pinch", "rotate",
    ]

    /// The number of contacts in `touches` lines until `end`.
    func contacts(until end: Double) -> ManifestEntry.Contacts {
        var ids: Set<Int64> = []
        var contacts = ManifestEntry.Contacts(all: 0, atOnce: 0, spans: 0, downAtEnd: 0)
        for line in lines where line.milliseconds <= end {
            let down = line.event.list("contacts").compactMap { $0["id"]?.integer }
            if contacts.downAtEnd == 0, !down.isEmpty { contacts.spans += 1 }
            contacts.downAtEnd = Int64(down.count)
            contacts.atOnce = max(contacts.atOnce, contacts.downAtEnd)
            ids.formUnion(down)
        }
        contacts.all = Int64(ids.count)
        return contacts
    }

    /// For each time span with contacts, the maximum number of simultaneous ones.
    var heights: [Int] {
        var heights: [Int] = []
        var isDown = false
        for line in lines {
            let count = line.event.list("contacts").count
            if !isDown, count > 0 { heights.append(0) }
            isDown = count > 0
            if isDown { heights[heights.count - 1] = max(heights[heights.count - 1], count) }
        }
        return heights
    }
}
