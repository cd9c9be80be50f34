// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// A case from a toolkit's tests: touches, expected events, and events that must not come.
struct GestureCase: Decodable, Sendable, CustomTestStringConvertible {
    struct Expectation: Decodable, Sendable {
        var gesture: String
        var count: Int?
        var milliseconds: Double?
        var millisecondsTolerance: Double?
        var direction: String?
        var fingers: Int?
        var velocity: Double?
        /// Tolerances: absolute for the scale and the angle, relative for the velocity.
        var tolerance: Double?
        var scale: Double?
        var angle: Double?

        private enum CodingKeys: String, CodingKey {
            case gesture, count, direction, fingers, scale
            case milliseconds = "at_ms"
            case millisecondsTolerance = "tol_ms"
            case velocity = "velocity_px_s"
            case tolerance = "tol"
            case angle = "angle_deg"
        }
    }

    enum Sureness: String, Decodable { case certain, likely, depends }

    var id: String
    var params: [String: JSONScalar]
    var events: [CaseTouch]
    var expected: [Expectation]
    var never: [String]
    var sure: Sureness

    var testDescription: String { id }

    static let all = SharedData.cases("gesture-cases.json", of: GestureCase.self)

    /// Plays the case, and returns descriptions of the differences.
    func mistakes(framing: Framing, scale: Double) -> [String] {
        // Some cases touch above or left of 0.
        let origin = Point(x: -1000, y: -1000)
        var player = CasePlayer([region(scale: scale, origin: origin)], scale: scale, origin: origin)
        player.play(events, framing: framing)
        player.finish()
        let outcome = CaseOutcome(events: player.events, gestures: player.engine.regions[0].gestures, scale: scale)
        var mistakes = expected.flatMap { expectation in
            outcome.mistakes(expectation, times: expected.count { $0.gesture == expectation.gesture })
        }
        for word in never where outcome.holds(never: word) { mistakes.append("\(word) came") }
        return mistakes.isEmpty ? [] : mistakes + ["of \(outcome.summary)"]
    }

    // MARK: Parameters

    private func number(_ names: String...) -> Double? { names.lazy.compactMap { params[$0]?.number }.first }

    /// One region with all gestures, with the values of the case or else the defaults.
    private func region(scale: Double, origin: Point) -> Region {
        let everything = Rectangle(minX: 0, minY: 0, maxX: 2000, maxY: 2000)
        var box = everything
        if let corners = params["region"]?.numbers, corners.count == 4 {
            box = Rectangle(
                minX: (corners[0] - origin.x) * scale, minY: (corners[1] - origin.y) * scale,
                maxX: (corners[2] - origin.x) * scale, maxY: (corners[3] - origin.y) * scale)
        }
        let settings = taps(scale) + motions(scale)
        return Region(
            id: "r", shape: .rectangle(box), bounds: box, clip: everything,
            gestures: settings.map { Gesture(name: $0.0, word: $0.0, settings: $0.1) })
    }

    private func taps(_ scale: Double) -> [(String, GestureSettings)] {
        let slop = number("slop_px").map { $0 * scale }
        let hold = number("long_press_ms").map { Interval.milliseconds(Int64($0)) } ?? .milliseconds(500)
        let longest =
            number("tap_max_ms", "two_finger_tap_max_ms").map { Interval.milliseconds(Int64($0)) } ?? hold
        func tapping(fingers: Int = 1, count: Int = 1) -> GestureSettings {
            tap(fingers: fingers, count: count) { tap in
                if let slop { tap.slop = slop }
                tap.maxTime = longest
                if let gap = number("double_tap_ms") { tap.gap = .milliseconds(Int64(gap)) }
                if let gap = number("double_tap_min_ms") { tap.minGap = .milliseconds(Int64(gap)) }
                if let distance = number("double_tap_slop_px") { tap.distance = distance * scale }
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
        let slop = number("slop_px").map { $0 * scale }
        func swiping(_ fingers: Int) -> GestureSettings {
            swipe(fingers: fingers) { swipe in
                if let distance = number("swipe_min_px", "slop_px") { swipe.minDistance = distance * scale }
                if let speed = number("swipe_min_px_s") { swipe.minVelocity = speed * scale }
            }
        }
        let dragging = drag { drag in
            if let start = number("drag_threshold_px", "slop_px") { drag.start = start * scale }
        }
        return [
            ("drag", dragging), ("swipe", swiping(1)), ("two_finger_swipe", swiping(2)),
            ("pinch", pinch { if let slop { $0.start = slop } }),
            ("rotate", rotate { if let degrees = number("rotation_min_deg") { $0.start = degrees } }),
        ]
    }
}
