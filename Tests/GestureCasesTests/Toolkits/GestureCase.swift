// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// A case from a toolkit's tests: touches, the events that must be recognized, and the events that must not.
struct GestureCase: Sendable, CustomTestStringConvertible {
    enum Sureness: String { case certain, likely, depends }

    var id: String
    /// The settings by name, in pixels, milliseconds, pixels per second or degrees.
    var settings: [String: [Double]]
    /// The touches in the notation of `CaseScript`, without expectations.
    var touches: String
    /// The expected terms; see `CaseOutcome.mistake`.
    var expected: [String]
    var sure: Sureness

    var testDescription: String { id }

    static let all: [GestureCase] = CaseTable.rows("toolkits.txt", columns: 6).compactMap { row in
        guard let sure = Sureness(rawValue: row[2]) else { return nil }
        return GestureCase(
            id: row[0], settings: settings(row[3]), touches: row[4], expected: CaseTable.list(row[5]), sure: sure)
    }

    /// Flutter's settings, which many cases use.
    static let flutter: [String: [Double]] = [
        "slop": [18], "long_press": [500], "double_tap_gap": [300], "double_tap_min_gap": [40],
        "double_tap_distance": [100],
    ]

    /// Reads settings such as `slop 18px, region 0 0 20 1080`.
    private static func settings(_ text: String) -> [String: [Double]] {
        var settings: [String: [Double]] = [:]
        for part in CaseTable.list(text) where part != "defaults" {
            let words = part.split(separator: " ").map(String.init)
            if words[0] == "flutter" {
                settings.merge(flutter) { $1 }
            } else {
                settings[words[0]] = words.dropFirst().compactMap { Measure($0)?.value }
            }
        }
        return settings
    }

    /// Plays the case, and returns descriptions of the differences.
    func mistakes(framing: Framing, scale: Double) -> [String] {
        // Some cases have negative positions.
        let origin = Point(x: -1000, y: -1000)
        var player = CasePlayer([region(scale: scale, origin: origin)], scale: scale, origin: origin)
        for step in CaseScript(touches).touches.steps { player.play(step, framing: framing) }
        player.finish()
        let outcome = CaseOutcome(events: player.events, gestures: player.engine.regions[0].gestures, scale: scale)
        let mistakes = expected.flatMap { term in
            outcome.mistakes(term, times: expected.count { $0 == term })
        }
        return mistakes.isEmpty ? [] : mistakes + ["of \(outcome.summary)"]
    }

    // MARK: Settings

    private func number(_ names: String...) -> Double? { names.lazy.compactMap { settings[$0]?.first }.first }

    /// A region with all gestures, with the settings of the case and defaults for all others.
    private func region(scale: Double, origin: Point) -> Region {
        let everything = Rectangle(minX: 0, minY: 0, maxX: 2000, maxY: 2000)
        var box = everything
        if let edges = settings["region"], edges.count == 4 {
            box = Rectangle(
                minX: (edges[0] - origin.x) * scale, minY: (edges[1] - origin.y) * scale,
                maxX: (edges[2] - origin.x) * scale, maxY: (edges[3] - origin.y) * scale)
        }
        let settings = taps(scale) + motions(scale)
        return Region(
            id: "r", shape: .rectangle(box), bounds: box, clip: everything,
            gestures: settings.map { Gesture(name: $0.0, word: $0.0, settings: $0.1) })
    }

    private func taps(_ scale: Double) -> [(String, GestureSettings)] {
        let slop = number("slop").map { $0 * scale }
        let hold = number("long_press").map { Interval.milliseconds(Int64($0)) } ?? .milliseconds(500)
        let longest = number("tap_max").map { Interval.milliseconds(Int64($0)) } ?? hold
        func tapping(fingers: Int = 1, count: Int = 1) -> GestureSettings {
            tap(fingers: fingers, count: count) { tap in
                if let slop { tap.slop = slop }
                tap.maxTime = longest
                if let gap = number("double_tap_gap") { tap.gap = .milliseconds(Int64(gap)) }
                if let gap = number("double_tap_min_gap") { tap.minGap = .milliseconds(Int64(gap)) }
                if let distance = number("double_tap_distance") { tap.distance = distance * scale }
            }
        }
        let holding = longPress { longPress in
            if let slop { longPress.slop = slop }
            longPress.delay = hold
        }
        return [
            ("press", press), ("tap", tapping()), ("double_tap", tapping(count: 2)),
            ("two_finger_tap", tapping(fingers: 2)), ("long_press", holding),
        ]
    }

    private func motions(_ scale: Double) -> [(String, GestureSettings)] {
        let slop = number("slop").map { $0 * scale }
        func swiping(_ fingers: Int) -> GestureSettings {
            swipe(fingers: fingers) { swipe in
                if let distance = number("swipe_distance", "slop") { swipe.minDistance = distance * scale }
                if let speed = number("swipe_speed") { swipe.minVelocity = speed * scale }
            }
        }
        let dragging = drag { drag in
            if let start = number("drag_start", "slop") { drag.start = start * scale }
        }
        return [
            ("drag", dragging), ("swipe", swiping(1)), ("two_finger_swipe", swiping(2)),
            ("pinch", pinch { if let slop { $0.start = slop } }),
            ("rotate", rotate { if let degrees = number("rotate_start") { $0.start = degrees } }),
        ]
    }
}
