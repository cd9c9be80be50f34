// SPDX-License-Identifier: MIT
import Foundation
import GestureEngine

/// A finger on a synthetic panel, from its landing to its lift. Times are in milliseconds, positions in millimetres.
struct SyntheticFinger {
    var landing: Double
    var lift: Double
    /// The time before the lift in which the panel does not report the finger.
    var silence: Double
    /// Returns the position after a part of the path, from 0 to 1.
    var path: (Double) -> Point

    func position(at time: Double) -> Point {
        path(min(1, max(0, (time - landing) / max(1, lift - silence - landing))))
    }
}

/// The fingers of a gesture, and the gestures that must and must not be recognized.
struct SyntheticTouch {
    var fingers: [SyntheticFinger]
    /// The gesture that must be recognized, in the words of the manifest of the real recordings.
    var must: String?
    var never: [String]
}

/// A gesture that a synthetic hand can make.
package enum SyntheticGesture: String, CaseIterable, Sendable {
    case tap, doubleTap, slowDoubleTap, twoFingerTap, hold, longHold, drag, swipe, scroll, pinch, rotate

    func touch(of hand: inout SyntheticHand, at time: Double) -> SyntheticTouch {
        switch self {
        case .tap: hand.tap(at: time)
        case .doubleTap: hand.doubleTap(at: time)
        case .slowDoubleTap: hand.doubleTap(at: time, gap: 550...900)
        case .twoFingerTap: hand.twoFingerTap(at: time)
        case .hold: hand.hold(at: time)
        case .longHold: hand.hold(at: time, 2300...3000)
        case .drag: hand.drag(at: time)
        case .swipe: hand.swipe(at: time)
        case .scroll: hand.scroll(at: time)
        case .pinch: hand.pinch(at: time)
        case .rotate: hand.rotate(at: time)
        }
    }
}

/// Generates touches with the statistics of real hands. The figures come from 135 recordings of real panels. The
/// figures for taps, two-finger taps and scrolls come from recordings that were labelled by their authors.
struct SyntheticHand {
    private var random: SeededRandom
    private let width: Double
    private let height: Double

    init(_ seed: UInt64, width: Double, height: Double) {
        random = SeededRandom(seed)
        self.width = width
        self.height = height
    }

    /// A random position near the middle of the panel.
    private mutating func place() -> Point {
        Point(x: width * random.number(0.4, 0.6), y: height * random.number(0.4, 0.6))
    }

    /// Taps last 18 to 183 ms (10th to 90th percentile).
    private mutating func tapDuration() -> Double { exp(random.number(log(18), log(183))) }

    /// The silence before the lift of a moving finger has a median of 25 ms and a 90th percentile of 124 ms.
    private mutating func silence() -> Double {
        random.chance(50) ? random.number(5, 25) : random.number(25, 124)
    }

    private func finger(
        _ landing: Double, _ duration: Double, silence: Double, _ path: @escaping (Double) -> Point
    ) -> SyntheticFinger {
        SyntheticFinger(landing: landing, lift: landing + duration, silence: silence, path: path)
    }

    // MARK: Taps

    mutating func tap(at time: Double) -> SyntheticTouch {
        let (place, duration) = (place(), tapDuration())
        return SyntheticTouch(
            fingers: [finger(time, duration, silence: duration) { _ in place }], must: "tap",
            never: ["double_tap", "two_finger_tap", "long_press", "repeat", "swipe", "drag", "pinch", "rotate"])
    }

    /// Fast taps on one of the panels last 82 to 110 ms, and are 125 to 153 ms and up to 6 mm apart.
    mutating func doubleTap(at time: Double, gap: ClosedRange<Double> = 125...153) -> SyntheticTouch {
        let place = place()
        let (first, second) = (random.number(82, 110), random.number(82, 110))
        let again = time + first + random.number(in: gap)
        let other = place + Vector(dx: random.number(-4, 4), dy: random.number(-4, 4))
        return SyntheticTouch(
            fingers: [
                finger(time, first, silence: first) { _ in place },
                finger(again, second, silence: second) { _ in other },
            ], must: "double_tap",
            never: ["two_finger_tap", "long_press", "repeat", "swipe", "drag", "pinch", "rotate"])
    }

    /// The two fingers land up to 76 ms apart, lift up to 68 ms apart, and have a distance of 20 to 40 mm.
    mutating func twoFingerTap(at time: Double) -> SyntheticTouch {
        let (a, b) = Self.pair(place(), angle: random.number(-30, 30), distance: random.number(20, 40))
        let landing = time + random.number(0, 76)
        let lift = landing + random.number(40, 100)
        let other = lift + random.number(0, 68)
        let lifts = random.chance(50) ? (lift, other) : (other, lift)
        return SyntheticTouch(
            fingers: [
                finger(time, lifts.0 - time, silence: lifts.0 - time) { _ in a },
                finger(landing, lifts.1 - landing, silence: lifts.1 - landing) { _ in b },
            ], must: "two_finger_tap",
            never: ["tap", "double_tap", "long_press", "repeat", "swipe", "drag", "pinch", "rotate"])
    }

    mutating func hold(at time: Double, _ duration: ClosedRange<Double> = 700...1300) -> SyntheticTouch {
        let place = place()
        let drift = Vector(dx: random.number(-0.4, 0.4), dy: random.number(-0.4, 0.4))
        return SyntheticTouch(
            fingers: [finger(time, random.number(in: duration), silence: silence()) { place + drift * $0 }],
            must: "long_press", never: ["tap", "double_tap", "two_finger_tap", "swipe", "drag", "pinch", "rotate"])
    }

    // MARK: Motions

    /// A straight path through the middle of the panel, within 15° of a direction.
    private mutating func way(_ direction: Int, _ length: Double) -> (start: Point, way: Vector) {
        let angle = (Double(direction) * 90 + random.number(-15, 15)) * .pi / 180
        let way = Vector(dx: cos(angle), dy: sin(angle)) * min(length, min(width, height) * 0.6)
        return (place() + way * -0.5, way)
    }

    /// A movement that begins and ends slowly.
    private static func smooth(_ part: Double) -> Double { part * part * (3 - 2 * part) }

    /// A movement that slows down but is still fast at its end.
    private static func slowing(_ part: Double) -> Double { part * (1.35 - 0.35 * part) }

    mutating func drag(at time: Double) -> SyntheticTouch {
        let (start, way) = way(random.below(4), random.number(30, 80))
        return SyntheticTouch(
            fingers: [finger(time, random.number(600, 1600), silence: 60) { start + way * Self.smooth($0) }],
            must: "drag", never: ["tap", "double_tap", "two_finger_tap", "swipe", "pinch", "rotate"])
    }

    mutating func swipe(at time: Double) -> SyntheticTouch {
        let direction = random.below(4)
        let (start, way) = way(direction, random.number(30, 80))
        let silence = silence()
        return SyntheticTouch(
            fingers: [
                finger(time, random.number(80, 220) + silence, silence: silence) { start + way * Self.slowing($0) }
            ], must: "swipe " + ["right", "down", "left", "up"][direction],
            never: ["tap", "double_tap", "two_finger_tap", "long_press", "repeat", "pinch", "rotate"])
    }

    /// The positions of two fingers on opposite sides of a point.
    private static func pair(_ middle: Point, angle degrees: Double, distance: Double) -> (Point, Point) {
        let angle = degrees * .pi / 180
        let half = Vector(dx: cos(angle), dy: sin(angle)) * (distance / 2)
        return (middle + half * -1, middle + half)
    }

    /// Returns two fingers that land and lift together, and turn and spread as they move.
    private mutating func two(
        at time: Double, _ duration: Double, along way: Vector, by degrees: Double, to scale: Double
    ) -> [SyntheticFinger] {
        let (middle, angle, silence) = (place(), random.number(-60, 60), silence())
        let distance = random.number(20, 40) / max(1, scale / 1.2)
        let late = random.number(0, 30)
        return [0, 1].map { index in
            let delay = index == 0 ? 0 : late
            return finger(time + delay, duration - delay, silence: silence) { part in
                let done = Self.smooth(part)
                let (a, b) = Self.pair(
                    middle + way * (done - 0.5), angle: angle + degrees * done,
                    distance: distance * (1 + (scale - 1) * done))
                return index == 0 ? a : b
            }
        }
    }

    /// In labelled two-finger scrolls, the scale varies from 0.85 to 1.15 and the angle by up to 15°.
    mutating func scroll(at time: Double) -> SyntheticTouch {
        let (_, way) = way(1 + 2 * random.below(2), random.number(40, 80))
        let fingers = two(
            at: time, random.number(500, 1200), along: way, by: random.number(-15, 15), to: random.number(0.85, 1.15))
        return SyntheticTouch(
            fingers: fingers, must: "drag", never: ["tap", "double_tap", "two_finger_tap", "pinch", "rotate"])
    }

    mutating func pinch(at time: Double) -> SyntheticTouch {
        let scale = random.chance(50) ? random.number(0.4, 0.6) : random.number(1.7, 2.2)
        let fingers = two(at: time, random.number(350, 900), along: .zero, by: random.number(-4, 4), to: scale)
        return SyntheticTouch(
            fingers: fingers, must: "pinch", never: ["tap", "double_tap", "two_finger_tap", "swipe", "rotate"])
    }

    mutating func rotate(at time: Double) -> SyntheticTouch {
        let degrees = random.number(40, 90) * (random.chance(50) ? 1 : -1)
        let fingers = two(at: time, random.number(400, 900), along: .zero, by: degrees, to: random.number(0.97, 1.03))
        return SyntheticTouch(
            fingers: fingers, must: "rotate", never: ["tap", "double_tap", "two_finger_tap", "swipe", "pinch"])
    }
}
