// SPDX-License-Identifier: MIT
import GestureEngine

/// One contact that was alone on the panel, from its landing to its lift.
struct ContactTrack: Hashable {
    /// One for each report of the contact, as the engine takes them.
    private(set) var frames: [TouchFrame]
    let landed: Timestamp
    /// Where it landed.
    let origin: Point
    /// The last report: the lift, once there was one.
    private(set) var lifted: Timestamp
    /// The last report before the lift.
    private(set) var lastReport: Timestamp

    init(_ landing: ContactChange, at time: Timestamp) {
        frames = [TouchFrame(time: time, changes: [landing])]
        landed = time
        origin = landing.position
        lifted = time
        lastReport = time
    }

    mutating func add(_ change: ContactChange, at time: Timestamp) {
        frames.append(TouchFrame(time: time, changes: [change]))
        if change.kind != .lifted { lastReport = time }
        lifted = time
    }

    /// Milliseconds.
    var duration: Double { (lifted - landed).milliseconds }

    /// Milliseconds between the last report and the lift.
    var silence: Double { (lifted - lastReport).milliseconds }

    /// The largest distance from where it landed, in millimetres: slop is held against it.
    /// - Parameter end: what comes then or later does not count.
    func excursion(before end: Timestamp = .never) -> Double {
        var largest = 0.0
        for frame in frames where frame.time < end {
            for change in frame.changes { largest = max(largest, (change.position - origin).length) }
        }
        return largest
    }
}

extension Interval {
    /// With fractions.
    var milliseconds: Double { Double(microseconds) / 1000 }

    /// - Parameter milliseconds: rounded to microseconds; clamped to 0…2^52.
    init(milliseconds: Double) {
        self.init(microseconds: Int64(min(max((milliseconds * 1000).rounded(), 0), 4.5e15)))
    }
}
