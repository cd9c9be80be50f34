// SPDX-License-Identifier: MIT

/// The motion of a finger that drags, from which the panel's report rate and its jitter are measured.
struct DragMotion {
    struct Place {
        /// The position in millimetres.
        var x: Double
        var y: Double
        /// The time in microseconds.
        var time: Int64

        /// The distance in millimetres.
        func distance(to other: Place) -> Double {
            ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
        }
    }

    /// At this speed in millimetres a second, a finger has another position in each report of every panel.
    private static let fast = 100.0
    /// The longest time between two reports of a panel, in microseconds.
    private static let longestReport: Int64 = 250_000
    /// A finger rests after it has stayed within so many millimetres for so many microseconds.
    private static let restDistance = 1.0
    private static let restTime: Int64 = 300_000

    private var last: Place
    /// The place from which the finger has not gone away since.
    private var anchor: Place

    init(at place: Place) { (last, anchor) = (place, place) }

    /// - Returns: what the way from the last place to this one tells.
    mutating func take(_ place: Place) -> QuarterTally.PanelUse {
        let (step, time) = (last.distance(to: place), place.time - last.time)
        guard step.isFinite, step < 1e6, time > 0 else { return .init() }
        var use = QuarterTally.PanelUse()
        if time <= Self.longestReport, step * 1e6 >= Self.fast * Double(time) {
            use.reports = 1
            use.reportTime = Int(time)
        }
        let rest = place.time - max(last.time, anchor.time + Self.restTime)
        if anchor.distance(to: place) > Self.restDistance {
            anchor = place
        } else if rest > 0 {
            use.restTime = Int(rest)
            use.wander = Int((step * 1000).rounded())
        }
        last = place
        return use
    }
}
