// SPDX-License-Identifier: MIT
import Foundation
package import GestureEngine

/// A finger that draws a chain of segments as people do: slanted, with round corners, with hooks at both ends, and with
/// tremor.
package struct SyntheticChain {
    /// Reports per second of real panels.
    private static let rates = [64.0, 73, 80, 100, 120, 133, 242]

    private var random: SeededRandom
    /// The greatest angle between a segment and its direction, in degrees.
    package var slant = 20.0
    /// The length of a segment in millimetres.
    package var lengths = 20.0...50
    /// The largest radius of a corner in millimetres.
    package var radius = 8.0
    /// The largest width of the loop with which a finger turns back, in millimetres.
    package var loop = 7.0

    package init(_ seed: UInt64) { random = SeededRandom(seed) }

    /// Returns the reports of a finger, with times in milliseconds since the landing.
    package mutating func draw(_ path: [SwipeDirection]) -> [(time: Double, position: Point)] {
        let line = Self.rounded(corners(path), by: random.number(0, radius) / 0.7)
        let speed = exp(random.number(log(60), log(600)))
        let duration = 1000 * Double(line.count - 1) / speed
        let isFastAtEnd = random.chance(50)
        let interval = 1000 / random.pick(Self.rates)
        var reports: [(time: Double, position: Point)] = []
        var time = 0.0
        while time < duration + interval {
            let part = min(1, time / duration)
            let way = isFastAtEnd ? part * (1.35 - 0.35 * part) : part * part * (3 - 2 * part)
            let place = way * Double(line.count - 1)
            let (before, after) = (line[Int(place)], line[min(Int(place) + 1, line.count - 1)])
            let tremor = Vector(dx: random.number(-0.35, 0.35), dy: random.number(-0.35, 0.35))
            reports.append((time, before + (after - before) * (place - place.rounded(.down)) + tremor))
            time += interval * random.number(0.96, 1.04)
        }
        return reports
    }

    /// The corners of the path, from the landing to the lift.
    private mutating func corners(_ path: [SwipeDirection]) -> [Point] {
        var corners = [Point(x: 100, y: 50)]
        func extend(_ degrees: Double, _ length: Double) {
            let angle = degrees * .pi / 180
            corners.append((corners.last ?? .zero) + Vector(dx: cos(angle), dy: -sin(angle)) * length)
        }
        if random.chance(50) { extend(random.number(0, 360), random.number(0, 3)) }
        for (index, direction) in path.enumerated() {
            let before = index > 0 ? Self.degrees(path[index - 1]) : .nan
            if (Self.degrees(direction) - before).magnitude == 180 {
                extend(before + (random.chance(50) ? 90 : -90), random.number(0, loop))
            }
            let angle = Self.degrees(direction) + random.number(-slant, slant)
            extend(angle, random.number(lengths.lowerBound, lengths.upperBound))
        }
        if random.chance(50) { extend(random.number(0, 360), random.number(0, 3)) }
        return corners
    }

    /// Counter-clockwise from the right with y up.
    private static func degrees(_ direction: SwipeDirection) -> Double {
        switch direction {
        case .right: 0
        case .upRight: 45
        case .up: 90
        case .upLeft: 135
        case .left: 180
        case .downLeft: 225
        case .down: 270
        case .downRight: 315
        }
    }

    /// Returns points of the line at a distance of 1 mm, each the mean of the points up to `reach` millimetres from it.
    private static func rounded(_ corners: [Point], by reach: Double) -> [Point] {
        var line = [corners[0]]
        for (from, to) in zip(corners, corners.dropFirst()) {
            let steps = max(1, Int((to - from).length.rounded()))
            for step in 1...steps { line.append(from + (to - from) * (Double(step) / Double(steps))) }
        }
        return line.indices.map { index in
            let reach = min(Int(reach.rounded()), index, line.count - 1 - index)
            let sum = line[(index - reach)...(index + reach)].reduce(Vector.zero) { $0 + ($1 - .zero) }
            return .zero + sum * (1 / Double(2 * reach + 1))
        }
    }
}
