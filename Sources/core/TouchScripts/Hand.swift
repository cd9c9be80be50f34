// SPDX-License-Identifier: MIT
import CMath
package import GestureEngine

/// A kind of hand that makes the touches of a script.
package enum Hand: String, CaseIterable, Sendable {
    case steady, trembling, child, glove
}

/// The figures of a hand. Lengths are in millimetres, times in milliseconds. `docs/accessibility.md` says where the figures of
/// a trembling hand come from; the others are assumptions.
struct HandTraits {
    /// The distance between the two ends of the tremor, and its frequency in hertz.
    var tremor = 0.0...0.3
    var frequency = 8.0...12
    /// The time from the landing of a tap to its lift.
    var tap = 60.0...140
    /// The time from the lift of a tap to the next one of the same series.
    var gap = 100.0...160
    /// The greatest distance along each axis from the place that is meant.
    var aim = 0.5
    /// The time of a movement, divided by that of a steady hand.
    var slowness = 1.0...1
    /// The parts, in percent, of the taps after which the finger strikes again, and of the touches that the panel loses for a
    /// moment.
    var (strikes, losses) = (0, 0)

    init(_ hand: Hand) {
        switch hand {
        case .steady: break
        case .trembling:
            (tremor, frequency, tap, gap) = (2...6, 4...12, 400...1500, 250...500)
            (aim, slowness, strikes) = (1.5, 1...3, 30)
        case .child: (tremor, tap, aim, slowness) = (0...1, 40...300, 4, 0.6...1.5)
        case .glove: (tremor, tap, aim, slowness, losses) = (0...0.5, 90...250, 3, 1...1.5, 30)
        }
    }
}

/// A finger on the glass, from its landing to its lift. Times are in milliseconds from the beginning of the touch.
struct ScriptFinger {
    var landing: Double
    var lift: Double
    /// The position by the time since the landing.
    var path: (Double) -> Point
}

/// A hand that makes touches.
struct ScriptHand {
    private static let strikeGap = 80.0...300
    private static let strikeTime = 40.0...200
    private static let lossTime = 8.0...24

    private let traits: HandTraits
    /// Each hand has one frequency.
    private let frequency: Double
    private var random: SeededRandom

    init(_ hand: Hand, seed: UInt64) {
        traits = HandTraits(hand)
        random = SeededRandom(seed)
        frequency = random.number(in: traits.frequency)
    }

    /// The duration of a movement that takes a steady hand this time.
    mutating func time(_ milliseconds: Double) -> Double { milliseconds * random.number(in: traits.slowness) }

    mutating func tapTime() -> Double { random.number(in: traits.tap) }

    mutating func gap() -> Double { random.number(in: traits.gap) }

    mutating func landing() -> Double { random.number(0, 15) }

    /// The movement from the place that is meant to the one that the hand touches.
    mutating func miss() -> Vector {
        Vector(dx: random.number(-traits.aim, traits.aim), dy: random.number(-traits.aim, traits.aim))
    }

    /// The fingers with the tremor of the hand, and with what the panel loses of them.
    mutating func shaken(_ fingers: [ScriptFinger]) -> [ScriptFinger] {
        let tremor = tremor()
        return fingers.flatMap { finger in
            var whole = finger
            whole.path = { finger.path($0) + tremor($0) }
            return parts(of: whole)
        }
    }

    /// The taps that a finger makes without meaning to.
    mutating func strikes(after finger: ScriptFinger) -> [ScriptFinger] {
        guard random.chance(traits.strikes) else { return [] }
        let landing = finger.lift + random.number(in: Self.strikeGap)
        let (place, miss) = (finger.path(finger.lift - finger.landing), miss())
        return [
            ScriptFinger(landing: landing, lift: landing + random.number(in: Self.strikeTime)) { _ in place + miss }
        ]
    }

    private mutating func parts(of finger: ScriptFinger) -> [ScriptFinger] {
        guard random.chance(traits.losses) else { return [finger] }
        let duration = finger.lift - finger.landing
        let (lost, time) = (duration * random.number(0.3, 0.7), random.number(in: Self.lossTime))
        guard lost + time < duration else { return [finger] }
        let rest = ScriptFinger(landing: finger.landing + lost + time, lift: finger.lift) {
            finger.path(lost + time + $0)
        }
        return [ScriptFinger(landing: finger.landing, lift: finger.landing + lost, path: finger.path), rest]
    }

    /// The distance from where the finger would be, by the time: an ellipse, half as high as wide at most.
    private mutating func tremor() -> (Double) -> Vector {
        let angle = random.number(0, 2 * .pi)
        let long = Vector.along(angle) * (random.number(in: traits.tremor) / 2)
        let short = Vector(dx: -long.dy, dy: long.dx) * random.number(0, 0.5)
        let (frequency, phase) = (frequency, random.number(0, 2 * .pi))
        return { milliseconds in
            let way = Vector.along(phase + 2 * .pi * frequency * milliseconds / 1000)
            return long * way.dy + short * way.dx
        }
    }
}

extension Vector {
    /// The vector of length 1 with this angle in radians, clockwise from the right.
    package static func along(_ angle: Double) -> Vector { Vector(dx: math_cos(angle), dy: math_cos(angle - .pi / 2)) }
}
