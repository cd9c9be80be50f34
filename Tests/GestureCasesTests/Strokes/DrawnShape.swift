// SPDX-License-Identifier: MIT
import Foundation
import GestureEngine
import GestureTestSupport

/// A shape that people draw with one line, in a box of 1 by 1, y down.
struct DrawnShape: Sendable {
    var name: String
    var points: [Vector]

    private init(_ name: String, _ points: [(Double, Double)]) {
        self.name = name
        self.points = points.map { Vector(dx: $0.0, dy: $0.1) }
    }

    /// A curve with 17 or more points; `part` goes from 0 to 1.
    private init(_ name: String, _ count: Int = 16, curve: (_ part: Double) -> (Double, Double)) {
        self.init(name, (0...count).map { curve(Double($0) / Double(count)) })
    }

    /// The two circles are told apart by their direction.
    func gesture(minScore: Double? = nil) -> Gesture {
        var settings = StrokeSettings()
        if let minScore { settings.minScore = minScore }
        settings.templates = [StrokeTemplate(points.map { .zero + $0 })]
        settings.closed = !name.hasPrefix("circle")
        return Gesture(name: name, word: "stroke", settings: .stroke(settings))
    }

    static let all: [DrawnShape] = [
        Self("circle") { (0.5 + 0.5 * sin(2 * .pi * $0), 0.5 - 0.5 * cos(2 * .pi * $0)) },
        Self("circle_ccw") { (0.5 - 0.5 * sin(2 * .pi * $0), 0.5 - 0.5 * cos(2 * .pi * $0)) },
        Self("triangle", [(0.5, 0), (1, 0.9), (0, 0.9), (0.5, 0)]),
        Self("square", [(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)]),
        Self("check", [(0, 0.6), (0.35, 1), (1, 0)]),
        Self("V", [(0, 0), (0.5, 1), (1, 0)]),
        Self("caret", [(0, 1), (0.5, 0), (1, 1)]),
        Self("W", [(0, 0), (0.25, 1), (0.5, 0.3), (0.75, 1), (1, 0)]),
        Self("M", [(0, 1), (0.2, 0), (0.5, 0.7), (0.8, 0), (1, 1)]),
        Self("N", [(0, 1), (0, 0), (0.8, 1), (0.8, 0)]),
        Self("Z", [(0, 0), (0.9, 0), (0, 1), (0.9, 1)]),
        Self(
            "S",
            [
                (0.85, 0.12), (0.6, 0), (0.3, 0.03), (0.15, 0.22), (0.35, 0.42), (0.65, 0.55), (0.85, 0.75),
                (0.7, 0.95), (0.4, 1), (0.1, 0.88),
            ]),
        Self("L", [(0, 0), (0, 1), (0.65, 1)]),
        Self("C", [(0.8, 0.12), (0.5, 0), (0.15, 0.2), (0, 0.5), (0.15, 0.8), (0.5, 1), (0.8, 0.88)]),
        Self("U", [(0, 0), (0.02, 0.6), (0.2, 0.92), (0.4, 1), (0.6, 0.92), (0.78, 0.6), (0.8, 0)]),
        Self("spiral", 24) { part in
            let radius = 0.5 * (1 - part * 0.85)
            return (0.5 + radius * sin(4 * .pi * part), 0.5 - radius * cos(4 * .pi * part))
        },
        Self("star", [(0.2, 1), (0.5, 0), (0.8, 1), (0, 0.38), (1, 0.38), (0.2, 1)]),
        Self(
            "question",
            [
                (0, 0.25), (0.1, 0.05), (0.35, 0), (0.55, 0.12), (0.55, 0.32), (0.35, 0.52), (0.28, 0.7), (0.28, 1),
            ]),
        Self("arrow", [(0, 0.5), (1, 0.5), (0.7, 0.2), (1, 0.5), (0.7, 0.8)]),
        Self("pigtail", [(0, 1), (0.5, 0.75), (0.8, 0.4), (0.65, 0.05), (0.4, 0.05), (0.3, 0.4), (0.6, 0.8), (1, 1)]),
    ]
}

/// Draws shapes as imprecisely as people do. Speeds, report rates, the tremble and the silence before the lift are those
/// of the recordings of real panels; the other figures are assumed.
struct DrawingHand {
    private var random: SeededRandom

    init(_ seed: UInt64) { random = SeededRandom(seed) }

    /// The positions that a panel reports, with their times in microseconds, from the landing to the lift.
    mutating func draw(_ shape: DrawnShape) -> [(time: Int64, position: Point)] {
        var points = Self.sampled(distorted(shape.points), 200)
        points = Self.rounded(points, by: random.below(10))
        points = placed(points)
        if random.chance(25) { points.insert(points[0] + hook(), at: 0) }
        if random.chance(25) { points.append(points[points.count - 1] + hook()) }
        let length = zip(points, points.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0).length }
        let (duration, rate) = (length / random.number(80, 500), random.number(60, 200))
        let count = max(6, Int(duration * rate))
        let wave = (0..<3).map { _ in (random.number(0, 0.12), random.number(0, 2 * .pi)) }
        let path = Self.sampled(points, 400)
        let silence = min(Int(random.number(0.005, 0.06) * rate / 2), count / 10)
        return (0..<count - silence).map { place in
            var part = Double(place) / Double(count - 1)
            for (number, (height, phase)) in wave.enumerated() {
                let turn = 2 * .pi * Double(number + 1)
                part += height * (sin(turn * part + phase) - sin(phase)) / turn
            }
            let tremble = Vector(dx: normal() * 0.1, dy: normal() * 0.1)
            let position = path[min(max(Int(part * 399), 0), 399)] + tremble
            return (Int64(Double(place) / rate * 1e6), Point(x: position.dx + 100, y: position.dy + 100))
        }
    }

    /// The positions of a shape of 40 mm that is drawn exactly, but with a tremble of 0.2 mm in each report.
    /// - Parameters:
    ///   - speed: in millimetres per second.
    ///   - rate: the number of reports per second.
    mutating func tremble(_ shape: DrawnShape, speed: Double, rate: Double) -> [(time: Int64, position: Point)] {
        let path = Self.sampled(shape.points.map { $0 * 40 }, 400)
        let length = zip(path, path.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0).length }
        let count = Int(length / speed * rate)
        return (0..<count).map { place in
            let position = path[place * 399 / (count - 1)] + Vector(dx: normal(), dy: normal()) * 0.2
            return (Int64(Double(place) / rate * 1e6), Point(x: position.dx + 100, y: position.dy + 100))
        }
    }

    /// A normally distributed number with the deviation 1.
    private mutating func normal() -> Double {
        (-2 * log(1 - random.unit())).squareRoot() * cos(2 * .pi * random.unit())
    }

    private mutating func hook() -> Vector { Vector(dx: normal(), dy: normal()) * 2 }

    /// Moves corners by 5 % of the size, and bends curves by as much.
    private mutating func distorted(_ points: [Vector]) -> [Vector] {
        guard points.count > 8 else { return points.map { $0 + Vector(dx: normal(), dy: normal()) * 0.05 } }
        var result = points
        for number in 0..<4 {
            let way = Vector(dx: normal(), dy: normal()) * (0.05 / Double(number + 1).squareRoot())
            let phase = random.number(0, 2 * .pi)
            for place in points.indices {
                let part = Double(place) / Double(points.count - 1)
                result[place] = result[place] + way * cos(.pi * Double(number) * part + phase)
            }
        }
        return result
    }

    /// Changes the proportions, slants and tilts the shape, and gives it a size of 25 to 80 mm.
    private mutating func placed(_ points: [Vector]) -> [Vector] {
        let (width, slant) = (exp(normal() * 0.18), normal() * 0.08)
        let (tilt, size) = (normal() * 6 * .pi / 180, random.number(25, 80))
        return points.map { point in
            let (x, y) = (point.dx * width + point.dy * slant, point.dy)
            return Vector(dx: x * cos(tilt) - y * sin(tilt), dy: x * sin(tilt) + y * cos(tilt)) * size
        }
    }

    private static func rounded(_ points: [Vector], by reach: Int) -> [Vector] {
        points.indices.map { place in
            let reach = min(reach, place, points.count - 1 - place)
            let near = points[(place - reach)...(place + reach)]
            return near.reduce(.zero) { $0 + $1 } * (1 / Double(near.count))
        }
    }

    /// Points at equal distances along a path.
    private static func sampled(_ points: [Vector], _ count: Int) -> [Vector] {
        let lengths = zip(points, points.dropFirst()).map { ($1 - $0).length }
        let step = lengths.reduce(0, +) / Double(count - 1)
        var (place, done) = (0, 0.0)
        return (0..<count).map { number in
            let length = step * Double(number)
            while place < lengths.count - 1, done + lengths[place] < length {
                done += lengths[place]
                place += 1
            }
            let part = lengths[place] > 0 ? min((length - done) / lengths[place], 1) : 0
            return points[place] + (points[place + 1] - points[place]) * part
        }
    }
}
