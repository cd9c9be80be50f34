// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine

/// Takes the position of the contact that rests on a target.
///
/// The position is the median over the time that the contact was down, because a finger rolls when it lands and when it
/// lifts. Contacts that land while another one is down are ignored.
struct RestingTouch {
    enum Outcome: Hashable {
        /// The position, normalised over the axes of the panel.
        case position(Point)
        /// The touch cannot be used. The text says why, and what to do.
        case refused(String)
    }

    /// The least duration. A panel reports several positions in this time, and a contact that bounces is shorter.
    private static let leastDuration = Interval.milliseconds(200)
    /// The largest distance in millimetres from the median.
    private static let largestMovement = 5.0

    private var contact: ContactID?
    private var reports: [(time: Timestamp, position: Point)] = []
    /// The distance in millimetres between two normalised positions.
    private let distance: (Point, Point) -> Double

    init(distance: @escaping (Point, Point) -> Double) { self.distance = distance }

    /// Forgets the current contact.
    private mutating func reset() {
        contact = nil
        reports = []
    }

    /// - Returns: the outcome of the touch that ends with this frame.
    mutating func take(_ frame: TouchFrame) -> Outcome? {
        var outcome: Outcome?
        for change in frame.changes {
            switch change.kind {
            case .landed where contact == nil:
                contact = change.id
                reports = [(frame.time, AxisShares.position(change.position))]
            case _ where change.id != contact: break
            case .landed: break
            case .moved, .resynchronized: reports.append((frame.time, AxisShares.position(change.position)))
            case .lifted:
                outcome = result(at: frame.time)
                reset()
            case .cancelled: reset()
            }
        }
        return outcome
    }

    private func result(at end: Timestamp) -> Outcome {
        guard let landed = reports.first?.time, end - landed >= Self.leastDuration else {
            return .refused("that was too short; hold the finger on the target for a moment")
        }
        let durations = zip(reports, reports.dropFirst().map(\.time) + [end]).map { ($1 - $0.time).microseconds }
        func median(_ value: (Point) -> Double) -> Double {
            let sorted = zip(reports.map { value($0.position) }, durations).sorted { $0.0 < $1.0 }
            var rest = durations.reduce(0, +)
            for (value, duration) in sorted {
                rest -= 2 * duration
                if rest <= 0 { return value }
            }
            return sorted.last?.0 ?? 0
        }
        let position = Point(x: median(\.x), y: median(\.y))
        let movement = reports.map { distance($0.position, position) }.max() ?? 0
        guard movement <= Self.largestMovement else {
            return .refused("the finger moved by \(shortest(movement)) mm; hold it still")
        }
        return .position(position)
    }
}

/// Normalises the axes of a panel: 0 to 1 over the number of values, as `AxisMapping` does, without a calibration.
enum AxisShares {
    /// The side in millimetres of the square onto which the axes are mapped. They take up the third in the middle, so that
    /// values outside the range of an axis are not clamped.
    private static let side = 30.0
    private static let pixels = 65536.0

    static func mapping(_ device: DeviceDescription) -> AxisMapping {
        let third = 1.0 / 3
        return AxisMapping(
            device,
            output: OutputSettings(
                sizePixels: .init(width: pixels, height: pixels), sizeMillimeters: .init(width: side, height: side),
                calibration: .matrix(AffineMatrix(third, 0, third, 0, third, third))))
    }

    /// The shares of a position on that square.
    static func position(_ point: Point) -> Point { Point(x: point.x / side * 3 - 1, y: point.y / side * 3 - 1) }
}
