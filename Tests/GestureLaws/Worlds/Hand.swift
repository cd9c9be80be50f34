// SPDX-License-Identifier: MIT
import Glibc
import GestureEngine

/// One to five fingers that move together: what most gestures are made of.
struct Hand {
    struct Finger {
        /// `nil` before it has landed.
        var id: ContactID?
        var offset: Vector
        /// Frames until it lands, and those that it stays.
        var delay: Int
        var life: Int
        var position = Point.zero
    }

    var fingers: [Finger]
    private var center: Point
    /// Millimetres a millisecond.
    private var velocity: Vector
    /// By how much the span grows, and the angle, in a millisecond.
    private var growth: Double
    private var turning: Double
    private var spread = 1.0
    private var angle = 0.0
    private let jitter: Double

    /// - Parameter count: its fingers.
    init(at center: Point, fingers count: Int, _ dice: inout Dice) {
        self.center = center
        velocity = .zero
        growth = 0
        turning = 0
        var life = 0
        jitter = dice.pick([0, 0, 0.1, 0.5, 2])
        switch dice.below(14) {
        case 0, 1, 2, 10, 11, 12: life = 1 + dice.below(5)
        case 3: life = 5 + dice.below(60)
        case 4, 5:
            life = 3 + dice.below(12)
            velocity = Self.direction(&dice) * dice.number(0.05, 1.5)
        case 6, 7:
            life = 8 + dice.below(50)
            velocity = Self.direction(&dice) * dice.number(0.01, 0.3)
        default:
            life = 8 + dice.below(50)
            if dice.chance(70) { growth = dice.number(-0.01, 0.01) }
            if dice.chance(70) { turning = dice.number(-0.006, 0.006) }
            if dice.chance(40) { velocity = Self.direction(&dice) * dice.number(0.01, 0.3) }
        }
        let isTogether = dice.chance(70)
        fingers = []
        for i in 0..<count {
            let reach = i == 0 && dice.chance(50) ? 0 : dice.number(3, 30)
            fingers.append(
                Finger(
                    offset: Self.direction(&dice) * reach, delay: isTogether ? 0 : dice.below(12),
                    life: isTogether ? life : life + dice.below(10)))
        }
    }

    mutating func move(milliseconds: Double, _ dice: inout Dice) {
        // A long time with the finger in flight is a finger that lay still: no flights to the moon.
        let time = min(milliseconds, 30)
        center = center + velocity * time
        spread = min(3, max(0.2, spread + growth * time))
        angle += turning * time
        if dice.chance(3) { velocity = Self.direction(&dice) * velocity.length }
        if dice.chance(3) { velocity = .zero }
    }

    /// Where a finger is now, on the glass.
    func position(_ finger: Finger, _ dice: inout Dice) -> Point {
        let sine = sin(angle)
        let cosine = cos(angle)
        let x = center.x + spread * (finger.offset.dx * cosine - finger.offset.dy * sine)
        let y = center.y + spread * (finger.offset.dx * sine + finger.offset.dy * cosine)
        return Self.onGlass(Point(x: x + dice.number(-jitter, jitter), y: y + dice.number(-jitter, jitter)), dice)
    }

    static func onGlass(_ point: Point, _ dice: Dice) -> Point {
        guard dice.isCoarse else { return Point(x: bent(point.x, 199.75), y: bent(point.y, 99.75)) }
        let x = (point.x * 4).rounded() / 4
        let y = (point.y * 4).rounded() / 4
        return Point(x: min(max(x, 0), 199.75), y: min(max(y, 0), 99.75))
    }

    /// Near the edge, but not on it: two contacts there would be on one line, which a mirror shows
    /// another way round.
    private static func bent(_ value: Double, _ high: Double) -> Double {
        if value < 0.25 { return 0.25 + (0.25 - value) / (50 - value) }
        return value > high ? high - (value - high) / (50 + value - high) : value
    }

    /// Often along an axis: what sliders and lists are waiting for.
    private static func direction(_ dice: inout Dice) -> Vector {
        switch dice.below(8) {
        case 0: return Vector(dx: 1, dy: dice.number(-0.2, 0.2))
        case 1: return Vector(dx: -1, dy: dice.number(-0.2, 0.2))
        case 2: return Vector(dx: dice.number(-0.2, 0.2), dy: 1)
        case 3: return Vector(dx: dice.number(-0.2, 0.2), dy: -1)
        default:
            let angle = dice.number(0, 6.283)
            return Vector(dx: cos(angle), dy: sin(angle))
        }
    }
}
