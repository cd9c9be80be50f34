// SPDX-License-Identifier: MIT
import Foundation
import GestureEngine
import GestureTestSupport

/// A contact of a hand, or of something else, on the glass. Times are in milliseconds from the landing of the hand that
/// makes the gesture, lengths in millimetres.
struct GlassContact {
    var landing: Double
    var lift: Double
    /// The position at a time.
    var path: (Double) -> Point
    /// The width that the panel reports at a time.
    var width: (Double) -> Double = { _ in 8 }
    /// The time from which the panel reports a palm; `nil` if it never does.
    var palmFrom: Double?
    /// Whether the panel reports it at its full rate also while no other contact is down.
    var isBusy = true

    /// A finger in a series of reports, with straight lines between them. After the last one it stays.
    init(reports: [(time: Double, position: Point)], lift: Double) {
        landing = reports[0].time
        self.lift = lift
        path = { time in
            var (low, high) = (0, reports.count - 1)
            while low < high {
                let middle = (low + high + 1) / 2
                if reports[middle].time <= time { low = middle } else { high = middle - 1 }
            }
            guard low + 1 < reports.count, time > reports[low].time else { return reports[low].position }
            let (before, after) = (reports[low], reports[low + 1])
            let part = (time - before.time) / (after.time - before.time)
            return before.position + (after.position - before.position) * part
        }
    }

    init(_ landing: Double, _ lift: Double, path: @escaping (Double) -> Point) {
        (self.landing, self.lift, self.path) = (landing, lift, path)
    }

    mutating func shift(by way: Vector) {
        path = { [path] in path($0) + way }
    }
}

extension SeededRandom {
    /// A movement to and fro along both axes, by the time in milliseconds.
    /// - Parameters:
    ///   - reach: the greatest distance from the middle along each axis, in millimetres.
    ///   - frequency: in hertz.
    mutating func tremor(_ reach: Double, _ frequency: ClosedRange<Double>) -> (Double) -> Vector {
        let speed = 2 * .pi * number(in: frequency) / 1000
        let (x, y) = (number(0, 2 * .pi), number(0, 2 * .pi))
        return { Vector(dx: sin(speed * $0 + x), dy: sin(1.3 * speed * $0 + y)) * reach }
    }
}
