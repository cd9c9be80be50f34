// SPDX-License-Identifier: MIT
package import GestureEngine

/// The values that a member of a line can have.
package enum MemberForm: Hashable, Sendable, CaseIterable {
    /// A position or a distance in output pixels, or a speed in output pixels per second. One decimal.
    case pixels
    /// A position relative to the region's bounding box: from 0 to 1 inside of it. Four decimals.
    case fraction
    /// A distance. One decimal.
    case millimeters
    /// A speed. One decimal.
    case millimetersPerSecond
    /// The direction of a movement in degrees, from -180 to 180. One decimal.
    case angle
    /// A turn, over any number of turns. One decimal.
    case degrees
    /// The speed of a turn. One decimal.
    case degreesPerSecond
    /// A ratio of two lengths. Four decimals.
    case ratio
    /// A similarity from 0 to 1. Four decimals.
    case score
    /// A whole number of at least 1.
    case count
    /// Any whole number.
    case steps
    /// A time, rounded down.
    case milliseconds
    case flag
    /// The word of a `SwipeDirection`.
    case direction
    /// An object with `x` and `y` in output pixels.
    case point

    /// Whether a number has four decimals instead of one.
    package var hasFourDecimals: Bool {
        switch self {
        case .fraction, .ratio, .score: true
        default: false
        }
    }
}

/// Receives the members of a line in their order.
package protocol MemberSink: ~Copyable {
    mutating func number(_ key: StaticString, _ number: Double, _ form: MemberForm)
    mutating func whole(_ key: StaticString, _ number: Int64, _ form: MemberForm)
    mutating func flag(_ key: StaticString, _ flag: Bool)
    mutating func word(_ key: StaticString, _ direction: SwipeDirection)
    mutating func point(_ key: StaticString, _ point: Point, in place: LinePlace)
    /// Calls `write` for members that are not in every line.
    /// - Parameters:
    ///   - value: the value that `write` receives; `nil` if the line lacks the members.
    ///   - sample: any value. A sink that collects members calls `write` with it instead.
    mutating func optional<Value>(_ value: Value?, like sample: Value, _ write: (inout Self, Value) -> Void)
}

extension MemberSink where Self: ~Copyable {
    @inline(__always)
    fileprivate mutating func time(_ key: StaticString, _ time: Interval) {
        whole(key, time.wholeMilliseconds, .milliseconds)
    }

    @inline(__always)
    fileprivate mutating func held(_ time: Interval?) {
        optional(time, like: .zero) { $0.time("held_ms", $1) }
    }

    @inline(__always)
    fileprivate mutating func position(_ position: Point, in place: LinePlace) {
        number("x", place.x(position.x), .pixels)
        number("y", place.y(position.y), .pixels)
        number("u", place.width > 0 ? (position.x - place.origin.x) / place.width : 0, .fraction)
        number("v", place.height > 0 ? (position.y - place.origin.y) / place.height : 0, .fraction)
    }
}

/// Converts positions on the glass to those in lines about a region.
package struct LinePlace: Sendable {
    fileprivate let scale: PixelScale
    /// The region's bounding box in millimetres.
    fileprivate let origin: Point
    fileprivate let width: Double
    fileprivate let height: Double

    package init(_ scale: PixelScale, box: Rectangle) {
        self.scale = scale
        origin = Point(x: box.minX, y: box.minY)
        (width, height) = (box.width, box.height)
    }

    /// Converts a horizontal length to pixels.
    func x(_ millimeters: Double) -> Double { scale.x(millimeters) }

    /// Converts a vertical length to pixels.
    func y(_ millimeters: Double) -> Double { scale.y(millimeters) }
}

extension GestureEvent {
    /// Hands the members from `fingers` to the last one before `coalesced` to a sink. Lines are written with this
    /// function, and the table of their members is made with it, from one sample of each kind.
    @inline(__always)
    package func members(in place: LinePlace, to line: inout some MemberSink & ~Copyable) {
        line.whole("fingers", Int64(fingers), .count)
        membersBeforePosition(in: place, to: &line)
        line.position(position, in: place)
        membersAfterPosition(to: &line)
    }

    @inline(__always)
    private func membersBeforePosition(in place: LinePlace, to line: inout some MemberSink & ~Copyable) {
        switch detail {
        case .press, .longPress, .failed: break
        case .tap(let count, _): line.whole("count", Int64(count), .count)
        case .repeat(let n, let held):
            line.whole("n", Int64(n), .count)
            line.time("held_ms", held)
        case .drag(let translation, let velocity, let start, let predicted, let factor):
            line.number("dx", place.x(translation.dx), .pixels)
            line.number("dy", place.y(translation.dy), .pixels)
            line.number("vx", place.x(velocity.dx), .pixels)
            line.number("vy", place.y(velocity.dy), .pixels)
            line.point("start", start, in: place)
            line.optional(predicted, like: start) { $0.point("predicted", $1, in: place) }
            line.optional(factor, like: 1) { $0.number("scale", $1, .ratio) }
        case .swipe(let swipe): swipe.members(in: place, to: &line)
        case .pinch(let factor): line.number("scale", factor, .ratio)
        case .rotate(let rotation): line.number("rotation", rotation, .degrees)
        case .dial(let rotation, let steps, let velocity):
            line.number("rotation", rotation, .degrees)
            line.optional(steps, like: 0) { $0.whole("steps", Int64($1), .steps) }
            line.number("velocity_deg_s", velocity, .degreesPerSecond)
        case .chain(let duration, let start):
            line.time("duration_ms", duration)
            line.point("start", start, in: place)
        case .stroke(let score, let duration, let start):
            line.number("score", score, .score)
            line.time("duration_ms", duration)
            line.point("start", start, in: place)
        case .pattern(let steps, _): line.whole("steps", Int64(steps), .count)
        }
    }

    @inline(__always)
    private func membersAfterPosition(to line: inout some MemberSink & ~Copyable) {
        switch detail {
        case .press(let inside, let held):
            line.flag("inside", inside)
            line.held(held)
        case .longPress(let held): line.held(held)
        case .tap(_, let duration), .pattern(_, let duration): line.time("duration_ms", duration)
        case .repeat, .drag, .swipe, .pinch, .rotate, .dial, .chain, .stroke, .failed: break
        }
    }
}

extension SwipeDetail {
    @inline(__always)
    fileprivate func members(in place: LinePlace, to line: inout some MemberSink & ~Copyable) {
        line.word("direction", direction)
        line.number("angle", angle, .angle)
        line.number("distance_mm", distance, .millimeters)
        line.number("velocity_mm_s", speed, .millimetersPerSecond)
        line.time("duration_ms", duration)
        line.point("start", start, in: place)
    }
}

extension GestureEvent.Detail {
    /// The values of a gesture of this kind, for the table of its members.
    package static func sample(of kind: GestureKind) -> Self {
        let origin = Point(x: 0, y: 0)
        return switch kind {
        case .press: .press(inside: true, held: nil)
        case .tap: .tap(count: 1, duration: .zero)
        case .longPress: .longPress(held: nil)
        case .repeat: .repeat(n: 1, held: .zero)
        case .drag: .drag(translation: .zero, velocity: .zero, start: origin, predicted: nil, scale: nil)
        case .swipe:
            .swipe(SwipeDetail(direction: .left, angle: 0, distance: 0, speed: 0, duration: .zero, start: origin))
        case .pinch: .pinch(scale: 1)
        case .rotate: .rotate(rotation: 0)
        case .dial: .dial(rotation: 0, steps: nil, velocity: 0)
        case .chain: .chain(duration: .zero, start: origin)
        case .stroke: .stroke(score: 1, duration: .zero, start: origin)
        case .pattern: .pattern(steps: 1, duration: .zero)
        }
    }
}
