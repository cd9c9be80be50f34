// SPDX-License-Identifier: MIT
import GestureClient

/// The wheel of a drag that has ended, while it runs on with a speed that decreases.
struct WheelCoast {
    /// The time in microseconds between two turns: that of a frame of most displays.
    static let interval: Int64 = 16_000
    /// The longest time in microseconds. With the least friction, the speed is then 2 % of that at the lift.
    static let longest: Int64 = 4_000_000
    /// The speed in pixels per second at which the wheel stops, or does not run on: half a pixel for each turn.
    static let slowest = 30.0
    /// The speed in pixels per second that no finger exceeds.
    private static let fastest = 50_000.0

    let device: String
    /// The time of the next turn, in microseconds on the monotonic clock.
    private(set) var next: Int64
    private let end: Int64
    private var motion: WheelMotion
    private var place: GestureClient.Point
    private var velocity: GestureClient.Point
    /// The part of the speed that is left after each interval.
    private let rest: Double

    /// - Returns: `nil` if the drag was too slow, or its wheel does not run on.
    init?(_ motion: WheelMotion, after gesture: GestureClient.Gesture, at time: Int64) {
        guard let friction = motion.wheel.friction, let device = gesture.device, let place = gesture.translation,
            let velocity = gesture.velocity
        else { return nil }
        func speed(_ value: Double, _ turns: Bool) -> Double {
            turns && value.isFinite ? min(max(value, -Self.fastest), Self.fastest) : 0
        }
        (self.device, self.motion, self.place) = (device, motion, place)
        self.velocity = GestureClient.Point(
            x: speed(velocity.x, motion.wheel.x), y: speed(velocity.y, motion.wheel.y))
        (next, end) = (time + Self.interval, time + Self.longest)
        // In the end, the wheel has run on by the speed at the lift divided by the friction.
        rest = 1 / (1 + Double(friction) * Self.seconds)
        guard !isOver else { return nil }
    }

    private static var seconds: Double { Double(interval) / 1e6 }

    /// Whether the wheel has stopped.
    var isOver: Bool { next > end || max(velocity.x.magnitude, velocity.y.magnitude) < Self.slowest }

    /// Turns the wheel to where it is at a time.
    /// - Returns: `nil` if the wheel does not turn.
    mutating func turn(at time: Int64) -> WheelTurn? {
        while next <= time, !isOver {
            velocity = GestureClient.Point(x: velocity.x * rest, y: velocity.y * rest)
            place = GestureClient.Point(x: place.x + velocity.x * Self.seconds, y: place.y + velocity.y * Self.seconds)
            next += Self.interval
        }
        return motion.turn(to: place)
    }
}
