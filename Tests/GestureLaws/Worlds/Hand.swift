// SPDX-License-Identifier: MIT
import Glibc
import GestureEngine

/// One to five fingers that move together, as in most gestures.
struct Hand {
    struct Finger {
        /// The contact; `nil` before it has landed.
        var id: ContactID?
        var offset: Vector
        /// The number of frames until the finger lands; `life` is the number of frames that it then stays down.
        var delay: Int
        var life: Int
        var position = Point.zero
    }

    var fingers: [Finger]
    private var center: Point
    /// Millimetres per millisecond.
    private var velocity: Vector
    /// The change of the spread per millisecond; `turning` is the change of the angle.
    private var growth: Double
    private var turning: Double
    private var spread = 1.0
    private var angle = 0.0
    private let jitter: Double
    /// Whether the fingers often turn by a quarter or a half, as in a chain.
    private var turns = false

    /// - Parameter count: the number of fingers.
    init(at center: Point, fingers count: Int, _ random: inout RunRandom) {
        self.center = center
        velocity = .zero
        growth = 0
        turning = 0
        var life = 0
        jitter = random.pick([0, 0, 0.1, 0.5, 2])
        switch random.below(16) {
        case 0, 1, 2, 10, 11, 12: life = 1 + random.below(5)
        case 3: life = 5 + random.below(60)
        case 4, 5:
            life = 3 + random.below(12)
            velocity = Self.direction(&random) * random.number(0.05, 1.5)
        case 6, 7:
            life = 8 + random.below(50)
            velocity = Self.direction(&random) * random.number(0.01, 0.3)
        case 14, 15:
            life = 12 + random.below(60)
            turns = true
            velocity = Vector(dx: random.pick([-1, 1]), dy: random.number(-0.2, 0.2)) * random.number(0.1, 0.8)
        default:
            life = 8 + random.below(50)
            if random.chance(70) { growth = random.number(-0.01, 0.01) }
            if random.chance(70) { turning = random.number(-0.006, 0.006) }
            if random.chance(40) { velocity = Self.direction(&random) * random.number(0.01, 0.3) }
        }
        let isTogether = random.chance(70)
        fingers = []
        for i in 0..<count {
            let reach = i == 0 && random.chance(50) ? 0 : random.number(3, 30)
            fingers.append(
                Finger(
                    offset: Self.direction(&random) * reach, delay: isTogether ? 0 : random.below(12),
                    life: isTogether ? life : life + random.below(10)))
        }
    }

    mutating func move(milliseconds: Double, _ random: inout RunRandom) {
        // A long time between frames does not move the fingers farther, so that they stay on the glass.
        let time = min(milliseconds, 30)
        center = center + velocity * time
        spread = min(3, max(0.2, spread + growth * time))
        angle += turning * time
        if turns, random.chance(15) {
            velocity = random.chance(33) ? velocity * -1 : Vector(dx: -velocity.dy, dy: velocity.dx)
        }
        if random.chance(3) { velocity = Self.direction(&random) * velocity.length }
        if random.chance(3) { velocity = .zero }
    }

    /// The current position of a finger, limited to the glass.
    func position(_ finger: Finger, _ random: inout RunRandom) -> Point {
        let sine = sin(angle)
        let cosine = cos(angle)
        let x = center.x + spread * (finger.offset.dx * cosine - finger.offset.dy * sine)
        let y = center.y + spread * (finger.offset.dx * sine + finger.offset.dy * cosine)
        return Self.onGlass(Point(x: x + random.number(-jitter, jitter), y: y + random.number(-jitter, jitter)), random)
    }

    static func onGlass(_ point: Point, _ random: RunRandom) -> Point {
        guard random.isCoarse else { return Point(x: bent(point.x, 199.75), y: bent(point.y, 99.75)) }
        let x = (point.x * 4).rounded() / 4
        let y = (point.y * 4).rounded() / 4
        return Point(x: min(max(x, 0), 199.75), y: min(max(y, 0), 99.75))
    }

    /// Moves a coordinate at or beyond the edge slightly inwards. Two contacts exactly on the edge would lie on one
    /// line, and a mirrored run might decide such a tie differently.
    private static func bent(_ value: Double, _ high: Double) -> Double {
        if value < 0.25 { return 0.25 + (0.25 - value) / (50 - value) }
        return value > high ? high - (value - high) / (50 + value - high) : value
    }

    /// A random direction, often nearly along an axis, as sliders and lists require.
    static func direction(_ random: inout RunRandom) -> Vector {
        switch random.below(8) {
        case 0: return Vector(dx: 1, dy: random.number(-0.2, 0.2))
        case 1: return Vector(dx: -1, dy: random.number(-0.2, 0.2))
        case 2: return Vector(dx: random.number(-0.2, 0.2), dy: 1)
        case 3: return Vector(dx: random.number(-0.2, 0.2), dy: -1)
        default:
            let angle = random.number(0, 6.283)
            return Vector(dx: cos(angle), dy: sin(angle))
        }
    }
}
