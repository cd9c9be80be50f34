// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport

@testable import gesturectl

/// Attempts at gestures whose measured values are known.
enum Attempts {
    static let bounds = Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100)

    /// A contact that lands at (`x`, 50). Every 10 ms it moves to the next distance in `path` to the right of the
    /// landing, in millimetres. Then it lifts.
    /// - Parameters:
    ///   - lift: the time of the lift, in milliseconds after the landing.
    static func track(
        _ id: Int64 = 1, at start: Int64 = 0, x: Double = 20, path: [Double] = [], slope: Double = 0, lift: Int64
    ) -> ContactTrack {
        func change(_ kind: ContactChange.Kind, _ distance: Double) -> ContactChange {
            ContactChange(
                id: ContactID(id), kind: kind, position: Point(x: x + distance, y: 50 + slope * distance))
        }
        func time(_ milliseconds: Int64) -> Timestamp { Timestamp(microseconds: (start + milliseconds) * 1000) }
        var track = ContactTrack(change(.landed, 0), at: time(0))
        for (step, distance) in path.enumerated() {
            track.add(change(.moved, distance), at: time(Int64(step + 1) * 10))
        }
        track.add(change(.lifted, path.last ?? 0), at: time(lift))
        return track
    }

    /// A tap with this duration and movement.
    static func tap(_ duration: Int64, strays: Double = 0) -> [ContactTrack] {
        [track(path: strays == 0 ? [] : [strays], lift: duration)]
    }

    /// A swipe to the right at a constant speed, moving down by `slope` per millimetre.
    static func swipe(_ distance: Double, in duration: Int64, silence: Int64 = 0, slope: Double = 0) -> [ContactTrack] {
        let steps = max(1, (duration - silence) / 10)
        let path = (1...steps).map { distance * Double($0) / Double(steps) / (1 + slope * slope).squareRoot() }
        return [track(path: path, slope: slope, lift: duration)]
    }
}
