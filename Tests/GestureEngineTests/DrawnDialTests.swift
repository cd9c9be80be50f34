// SPDX-License-Identifier: MIT
import Foundation
import GestureEngine
import GestureTestSupport
import Testing

/// A dial around the centre of the circle that the finger draws.
@Suite("Drawn dial")
struct DrawnDialTests {
    /// A path of a finger that trembles, on a panel that reports every 10 ms.
    private struct Path {
        var radius: Double
        /// The change of the radius, and the movement of the centre, with each turn.
        var growth = 0.0
        var drift = Vector.zero
        /// The length of the shorter axis, as a part of the longer one.
        var ratio = 1.0
        var turns = 10.4
        /// Turns per second, clockwise.
        var speed = 1.0

        /// The positions, with the angle of each in degrees.
        func points(_ seed: UInt64) -> [(point: Point, angle: Double)] {
            var random = SeededRandom(seed)
            let (first, tilt) = (random.number(0, 2 * .pi), random.number(0, 2 * .pi))
            return (0...Int(turns / abs(speed) * 100)).map { frame in
                let turn = speed * Double(frame) / 100
                let angle = first + turn * 2 * .pi
                let radius = radius + growth * abs(turn)
                let (x, y) = (radius * cos(angle), radius * ratio * sin(angle))
                func tremble() -> Double { (0..<3).reduce(0) { sum, _ in sum + random.number(-0.2, 0.2) } }
                let center = Point(x: 100, y: 50) + drift * abs(turn)
                let point =
                    center
                    + Vector(
                        dx: x * cos(tilt) - y * sin(tilt) + tremble(), dy: x * sin(tilt) + y * cos(tilt) + tremble())
                return (point, turn * 360)
            }
        }
    }

    /// Plays a path, and returns the angle at which the dial began and the error of its rotation at the end.
    private func play(_ points: [(point: Point, angle: Double)], _ settings: GestureSettings) -> (Double, Double)? {
        let panel = Rectangle(minX: -100, minY: -100, maxX: 300, maxY: 200)
        var region = region("r", (-100, -100, 400, 300), [settings])
        region.clip = panel
        var engine = GestureEngine([region], bounds: panel)
        var events: [GestureEvent] = []
        var begun: Double?
        var rotation = 0.0
        for (frame, (point, angle)) in points.enumerated() {
            let kind: ContactChange.Kind = frame == 0 ? .landed : .moved
            engine.process(
                TouchFrame(
                    time: Timestamp(microseconds: Int64(frame) * 10_000),
                    changes: [ContactChange(id: ContactID(1), kind: kind, position: point)]), into: &events)
            for event in events {
                if case .dial(let value, _, _) = event.detail { rotation = value }
                if event.phase == .begin { begun = angle }
            }
            events.removeAll()
        }
        return begun.map { ($0, rotation - ((points.last?.angle ?? 0) - $0)) }
    }

    private let drawn = dial { $0.center = .drawn }

    @Test(
        "follows ten turns of a finger",
        arguments: [
            (Path(radius: 8), 10.0), (Path(radius: 8, speed: -2), 10), (Path(radius: 12), 8),
            (Path(radius: 20, speed: -1), 6), (Path(radius: 40), 4),
            (Path(radius: 60, speed: 0.5), 4), (Path(radius: 20, ratio: 0.8), 20),
            (Path(radius: 40, ratio: 0.6, speed: -0.5), 45),
            (Path(radius: 20, drift: Vector(dx: 2, dy: 0)), 15), (Path(radius: 40, drift: Vector(dx: 4, dy: 2)), 15),
            (Path(radius: 8, growth: 5, speed: 0.5), 20), (Path(radius: 58, growth: -5, speed: 0.5), 20),
        ] as [(Path, Double)])
    private func follows(path: Path, allowed: Double) {
        for seed in 1...20 as ClosedRange<UInt64> {
            guard let (begun, error) = play(path.points(seed), drawn) else {
                Issue.record("seed \(seed) is not recognized")
                continue
            }
            #expect(abs(begun) < (path.ratio < 1 ? 340 : 230), "seed \(seed)")
            #expect(abs(error) < allowed, "seed \(seed)")
        }
    }

    /// A path with straight lines between corners.
    private func polyline(_ corners: [(Double, Double)], speed: Double) -> [(point: Point, angle: Double)] {
        var random = SeededRandom(1)
        var points: [(point: Point, angle: Double)] = []
        for (from, to) in zip(corners, corners.dropFirst()) {
            let way = Vector(dx: to.0 - from.0, dy: to.1 - from.1)
            let frames = max(1, Int(way.length / speed * 100))
            for frame in 0..<frames {
                let point = Point(x: 50 + from.0, y: 20 + from.1) + way * (Double(frame) / Double(frames))
                points.append((point + Vector(dx: random.number(-0.2, 0.2), dy: random.number(-0.2, 0.2)), 0))
            }
        }
        return points
    }

    @Test(
        "is no dial with a drag, a V, a Z, a W, or a list that is pushed to and fro",
        arguments: [
            [(0, 0), (100, 20)], [(0, 0), (30, 0), (30, 30)], [(0, 0), (30, 0), (4, 15)],
            [(0, 0), (30, 0), (0, 30), (30, 30)],
            [(0, 0), (8, 30), (16, 0), (24, 30), (32, 0)], [(0, 0), (0, 40), (2, 0), (1, 40), (4, 0)],
        ] as [[(Double, Double)]])
    func straight(corners: [(Double, Double)]) {
        for speed in [60.0, 120, 250, 500] { #expect(play(polyline(corners, speed: speed), drawn) == nil) }
    }

    @Test("directions, min_radius and start hold for a drawn circle, too")
    func limits() {
        let clockwise = Path(radius: 12).points(1)
        #expect(play(clockwise, dial { ($0.center, $0.directions) = (.drawn, [.counterclockwise]) }) == nil)
        #expect(play(clockwise, dial { ($0.center, $0.minRadius) = (.drawn, 14) }) == nil)
        let late = play(clockwise, dial { ($0.center, $0.start) = (.drawn, 170) })
        #expect((late?.0 ?? 0) > 160)
    }

    @Test(
        "failures",
        arguments: [
            ([(0, 0), (100, 20)], "smallTurn "),
            // Twice around an octagon with a radius of 3 mm.
            (
                [
                    (3, 0), (2, 2), (0, 3), (-2, 2), (-3, 0), (-2, -2), (0, -3), (2, -2), (3, 0), (2, 2), (0, 3),
                    (-2, 2),
                    (-3, 0), (-2, -2), (0, -3), (2, -2), (3, 0),
                ], "smallSpan 3."
            ),
            // Two corners, each of which is round, with a straight line between them.
            (
                [(0, 60), (0, 8), (1, 4), (4, 1), (8, 0), (92, 0), (96, 1), (99, 4), (100, 8), (100, 60)], "notRound "
            ),
        ] as [([(Double, Double)], String)])
    func failure(corners: [(Double, Double)], code: String) {
        let points = polyline(corners, speed: 60).map { "a \($0.point.x),\($0.point.y)" }
        let script = "down \(points[0])" + points.dropFirst().map { "; +10ms; move \($0)" }.joined() + "; up a"
        let lines = simulate([region([drawn])], script, failures: true)
        #expect(lines.contains("dial failed: \(code)"), "\(lines)")
    }
}
