// SPDX-License-Identifier: MIT
import ContactTracking
import Foundation
import GestureEngine
import GestureTestSupport

@testable import gesturectl

/// A panel on a display of 344 x 194 mm, whose touches are known.
struct SyntheticPanel: Sendable {
    static let size = OutputSettings.Size(width: 344, height: 194)
    private static let axis = AxisRange(minimum: 0, maximum: 4095)
    private static let device = DeviceDescription(axes: [53: axis, 54: axis])
    private static let mapping = AxisShares.mapping(device)

    /// The mapping from the display to normalised axes.
    var toAxes: AffineMatrix
    /// The distortion of the display before that, in shares of the display.
    var distortion: @Sendable (Point) -> Point = { $0 }

    /// A panel with a random rotation, shear, scale and offset, and perhaps with swapped or inverted axes.
    ///
    /// The calibration scales by 0.5 to 2. Panels on which a finger at a target would be beyond the end of an axis are left
    /// out: they clamp the position, which no calibration can restore.
    init(_ random: inout SeededRandom) {
        repeat {
            let (angle, shear) = (random.number(-0.3, 0.3), random.number(-0.2, 0.2))
            let signs = (random.chance(50) ? 1.0 : -1, random.chance(50) ? 1.0 : -1)
            let (x, y) = (signs.0 / random.number(0.5, 2), signs.1 / random.number(0.5, 2))
            let (sine, cosine) = (sin(angle), cos(angle))
            let rows = [(x * cosine, x * (shear * cosine - sine)), (y * sine, y * (shear * sine + cosine))]
            let (u, v) = random.chance(50) ? (rows[0], rows[1]) : (rows[1], rows[0])
            // The centre of the display is near the centre of the axes.
            let offset = (0.5 + random.number(-0.2, 0.2), 0.5 + random.number(-0.2, 0.2))
            toAxes = AffineMatrix(
                u.0, u.1, offset.0 - (u.0 + u.1) / 2, v.0, v.1, offset.1 - (v.0 + v.1) / 2)
        } while !CalibrationTarget.layout(9).allSatisfy { isWithinAxes($0.position) }
    }

    init(toAxes: AffineMatrix = .identity, distortion: @escaping @Sendable (Point) -> Point = { $0 }) {
        (self.toAxes, self.distortion) = (toAxes, distortion)
    }

    /// A distortion that moves the corners inward by 16 % of their distance from the centre.
    static func barrel(_ point: Point) -> Point {
        let (x, y) = (point.x - 0.5, point.y - 0.5)
        let factor = 1 - 0.5 * (x * x + y * y)
        return Point(x: 0.5 + x * factor, y: 0.5 + y * factor)
    }

    private func isWithinAxes(_ point: Point) -> Bool {
        let (u, v) = toAxes.applied(point.x, point.y)
        return (0.01...0.99).contains(u) && (0.01...0.99).contains(v)
    }

    /// The units that the panel reports for a finger that is off a point by these millimetres.
    func report(_ point: Point, offBy offset: Vector = Vector(dx: 0, dy: 0)) -> (x: Int32, y: Int32) {
        let finger = distortion(
            Point(x: point.x + offset.dx / Self.size.width, y: point.y + offset.dy / Self.size.height))
        let (u, v) = toAxes.applied(finger.x, finger.y)
        return (Int32((u * 4096).rounded()), Int32((v * 4096).rounded()))
    }

    /// The largest error of a mapping on the whole display, in millimetres. It is in a corner, because both are affine.
    func largestError(_ mapping: AffineMatrix) -> Double {
        [(0, 0), (1, 0), (0, 1), (1, 1)].map { (x: Double, y: Double) in
            let (u, v) = toAxes.applied(x, y)
            return mapping.error(of: .init(touch: Point(x: u, y: v), target: Point(x: x, y: y)), Self.size)
        }.max() ?? .infinity
    }

    /// Touches a target for 300 ms with a report every 10 ms.
    /// - Parameters:
    ///   - aim: the standard deviation of the finger's distance from the target along each axis, in millimetres.
    ///   - noise: that of each report.
    func touch(
        _ target: CalibrationTarget, aim: Double = 0, noise: Double, _ random: inout SeededRandom
    ) -> RestingTouch.Outcome? {
        let center = random.vector(aim)
        var touch = RestingTouch { a, b in
            Vector(dx: (a.x - b.x) * Self.size.width, dy: (a.y - b.y) * Self.size.height).length
        }
        var outcome: RestingTouch.Outcome?
        for step in 0...30 {
            let (x, y) = report(target.position, offBy: center + random.vector(noise))
            let change = ContactChange(
                id: ContactID(1), kind: step == 0 ? .landed : step == 30 ? .lifted : .moved,
                position: Self.mapping.point(x: x, y: y))
            outcome = touch.take(TouchFrame(time: Timestamp(microseconds: Int64(step) * 10_000), changes: [change]))
        }
        return outcome
    }
}

extension SeededRandom {
    /// A vector whose components have a normal distribution with this standard deviation.
    mutating func vector(_ deviation: Double) -> Vector {
        let radius = deviation * (-2 * log(1 - unit())).squareRoot()
        let angle = number(0, 2 * .pi)
        return Vector(dx: radius * cos(angle), dy: radius * sin(angle))
    }
}
