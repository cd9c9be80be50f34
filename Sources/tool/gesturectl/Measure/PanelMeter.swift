// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GesturePipeline
import Recordings

/// Builds attempts from a panel's events, which are converted to frames as in the daemon.
struct PanelMeter: ~Copyable {
    private var frames: RecordingFrames
    private(set) var collector: TrackCollector
    /// The longest gap between two taps of a pair.
    private static let longestGap = Interval.milliseconds(1000)
    private let minGap: Interval
    private let bridge: Interval?
    private let limits: AttemptLimits
    private let isPaired: Bool
    /// The first tap of a pair.
    private var first: ContactTrack?

    /// - Parameters:
    ///   - recording: the recording whose initial slots are used; its entries are not replayed.
    ///   - limits: the limits outside which a touch is not an attempt.
    ///   - isPaired: whether two taps in quick succession make one attempt.
    init(_ setup: MeasureSetup, from recording: Recording, limits: AttemptLimits, isPaired: Bool) {
        let panel = setup.panel
        frames = RecordingFrames(
            of: recording, protocol: panel.touchProtocol, mapping: panel.mapping, filter: panel.filter)
        minGap = setup.inUse.tap.minGap
        bridge = panel.filter.bridge
        collector = TrackCollector(tap: setup.inUse.tap, bounds: panel.size.bounds)
        self.limits = limits
        self.isPaired = isPaired
    }

    /// The advice for a panel that loses contacts; `nil` if it is good enough.
    var advice: FlickerAdvice? {
        let counts = frames.counts
        return FlickerAdvice(flickers: Int(clamping: counts.flickers), contacts: Int(clamping: counts.landed))
    }

    /// The touches that were not attempts so far.
    var leftOut: TrackCollector.LeftOut {
        var leftOut = collector.leftOut
        if first != nil { leftOut.alone += 1 }
        return leftOut
    }

    /// A readable list of the touches that were left out; `nil` if there were none.
    var leftOutText: String? {
        let leftOut = leftOut
        let minGap = minGap.milliseconds
        let reasons = [
            (leftOut.severalContacts, "with several contacts"),
            (leftOut.cancelled, "cancelled (palm, lost events)"),
            (leftOut.bounces, "that bounced (landed within \(shortest(minGap)) ms of a lift)"),
            (leftOut.alone, "without a second tap"),
            (leftOut.near, "that moved less than \(shortest(limits.distance.lowerBound)) mm"),
            (leftOut.far, "that moved more than \(shortest(limits.distance.upperBound)) mm"),
            (leftOut.short, "shorter than \(shortest(limits.duration.lowerBound)) ms"),
            (leftOut.long, "longer than \(shortest(limits.duration.upperBound)) ms"),
        ].filter { $0.0 > 0 }
        return reasons.isEmpty ? nil : "left out: " + reasons.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }

    /// - Returns: the attempt that ends with this entry.
    mutating func take(_ entry: Recording.Entry) -> [ContactTrack]? { collect(frames.take(entry)) }

    /// Ends the recording.
    /// - Returns: the attempt whose lift was still delayed by `bridge`; `nil` if there is none.
    mutating func finish() -> [ContactTrack]? {
        guard let bridge else { return nil }
        return collect(frames.advance(by: bridge))
    }

    /// The frame of a deadline and the panel's next frame never both end an attempt.
    private mutating func collect(_ frames: [TouchFrame]) -> [ContactTrack]? {
        var attempt: [ContactTrack]?
        for frame in frames { attempt = collect(frame) ?? attempt }
        return attempt
    }

    private mutating func collect(_ frame: TouchFrame) -> [ContactTrack]? {
        guard let track = collector.take(frame), limits.admits(track, &collector.leftOut) else { return nil }
        guard isPaired else { return [track] }
        guard let first, track.landed - first.lifted <= Self.longestGap else {
            if self.first != nil { collector.leftOut.alone += 1 }
            self.first = track
            return nil
        }
        self.first = nil
        return [first, track]
    }
}

extension PanelFeed {
    /// Collects attempts, and prints each of them and the touches that are left out.
    /// - Parameters:
    ///   - count: the number of attempts after which it ends.
    ///   - recording: a recording without entries, which is used as a buffer.
    ///   - what: what the attempts are for, in words.
    ///   - summary: describes an attempt.
    /// - Returns: the attempts until it was interrupted or the frames ended, which is printed.
    func attempts(
        _ count: Int, of what: String, _ recording: inout Recording, _ meter: inout PanelMeter,
        _ summary: ([ContactTrack]) -> String
    ) throws -> [[ContactTrack]] {
        var attempts: [[ContactTrack]] = []
        let end = try forEachFrame { frame in
            recording.entries.removeAll(keepingCapacity: true)
            guard recording.append(frame: frame) else { return true }
            let leftOut = meter.collector.leftOut
            defer {
                if meter.collector.leftOut != leftOut, let text = meter.leftOutText {
                    StandardError.write("  \(text)\n")
                }
            }
            for entry in recording.entries {
                guard let attempt = meter.take(entry) else { continue }
                attempts.append(attempt)
                StandardError.write("  \(attempts.count)/\(count)  \(summary(attempt))\n")
            }
            return attempts.count < count
        }
        switch end {
        case .daemonGone: StandardError.tell("the daemon has gone; the \(what) ends here")
        case .framesLost: StandardError.tell("frames were lost; the \(what) ends before them")
        case .removed: StandardError.tell("the panel has gone; the \(what) ends here")
        case nil: break
        }
        return attempts
    }
}

/// The limits within which a touch is an attempt of a gesture. A touch outside them was meant as another gesture.
///
/// The limits are several times the built-in ones, so that people who are slow or have unsteady hands are measured.
struct AttemptLimits: Hashable {
    /// The distance that the contact may move, in millimetres.
    var distance: ClosedRange<Double>
    /// The time after the landing in which movement is compared with `distance`; `nil`: the whole contact.
    var distanceTime: Interval?
    /// The time from landing to lift, in milliseconds.
    var duration: ClosedRange<Double>

    /// - Parameter leftOut: the counts. If the touch is outside the limits, one of them is incremented.
    func admits(_ track: ContactTrack, _ leftOut: inout TrackCollector.LeftOut) -> Bool {
        let distance = track.excursion(before: distanceTime.map { track.landed + $0 } ?? .never)
        if track.duration < duration.lowerBound {
            leftOut.short += 1
        } else if distance < self.distance.lowerBound {
            leftOut.near += 1
        } else if distance > self.distance.upperBound {
            leftOut.far += 1
        } else if track.duration > duration.upperBound {
            leftOut.long += 1
        } else {
            return true
        }
        return false
    }
}

/// A contact that was the only one on the panel, from its landing to its lift.
struct ContactTrack: Hashable {
    /// One frame for each report of the contact, as passed to the engine; not empty. The last one is the lift.
    private(set) var frames: [TouchFrame]
    let landed: Timestamp
    /// The point where it landed.
    let origin: Point

    init(_ landing: ContactChange, at time: Timestamp) {
        frames = [TouchFrame(time: time, changes: [landing])]
        (landed, origin) = (time, landing.position)
    }

    mutating func add(_ change: ContactChange, at time: Timestamp) {
        frames.append(TouchFrame(time: time, changes: [change]))
    }

    var lifted: Timestamp { frames.last?.time ?? landed }

    /// The time from landing to lift, in milliseconds.
    var duration: Double { (lifted - landed).milliseconds }

    /// The time between the last report and the lift, in milliseconds.
    var silence: Double { (lifted - (frames.dropLast().last?.time ?? landed)).milliseconds }

    /// Returns the largest distance from the landing point in millimetres, for comparison with slop.
    /// - Parameter end: movement at this time or later is ignored.
    func excursion(before end: Timestamp = .never) -> Double {
        var largest = 0.0
        for frame in frames where frame.time < end {
            for change in frame.changes { largest = max(largest, (change.position - origin).length) }
        }
        return largest
    }
}

extension Interval {
    /// The interval in milliseconds, with fractions. A new value is rounded to microseconds, and clamped to 0…4.5e15 of
    /// them.
    var milliseconds: Double {
        get { Double(microseconds) / 1000 }
        set { self = Interval(microseconds: Int64(min(max((newValue * 1000).rounded(), 0), 4.5e15))) }
    }
}

/// Divides the frames of a panel into attempts with one contact each, and counts the touches that it leaves out.
///
/// An attempt is a touch that the engine recognizes as a tap, without limits on its duration and movement.
struct TrackCollector: ~Copyable {
    /// Counts of touches that were left out.
    struct LeftOut: Hashable {
        /// Another contact was down in the meantime.
        var severalContacts = 0
        /// The contact was removed without a lift: a palm, lost events, an unplugged panel.
        var cancelled = 0
        /// The panel lost the contact for a moment: the landing came too soon after a lift.
        var bounces = 0
        /// No second tap followed the first one of a pair.
        var alone = 0
        /// The touch was outside the `AttemptLimits`, and meant as another gesture.
        var near = 0
        var far = 0
        var short = 0
        var long = 0
    }

    var leftOut = LeftOut()
    private var engine: GestureEngine
    private var events: [GestureEvent] = []
    /// The most recent contact.
    private var track: ContactTrack?
    /// Whether another contact was down at the same time.
    private var hasSeveral = false

    /// - Parameters:
    ///   - tap: the settings whose `min_gap` and `bounce_distance` distinguish a bounce from a landing.
    ///   - bounds: the panel in millimetres.
    init(tap: TapSettings, bounds: Rectangle) {
        var tap = tap
        (tap.fingers, tap.count, tap.wait, tap.staysInside) = (1, 1, false, false)
        (tap.slop, tap.maxTime) = (.infinity, .unlimited)
        engine = GestureEngine([Region(alone: .tap(tap), bounds)], bounds: bounds)
        engine.reportsFailures = true
    }

    /// - Returns: the attempt that ends with this frame; at most one does, because a frame contains at most one change
    ///   of each contact.
    mutating func take(_ frame: TouchFrame) -> ContactTrack? {
        var complete: ContactTrack?
        for change in frame.changes {
            switch change.kind {
            case .landed: track = ContactTrack(change, at: frame.time)
            case .moved, .resynchronized, .lifted: track?.add(change, at: frame.time)
            case .cancelled:
                leftOut.cancelled += 1
                hasSeveral = false
            }
            // Changes are processed one at a time, so that the engine's events belong to this contact.
            engine.process(TouchFrame(time: frame.time, changes: [change]), into: &events)
            for event in events {
                switch event.detail {
                case .tap: complete = track
                case .failed(let failure) where failure.code == .bounce: leftOut.bounces += 1
                case .failed(let failure) where failure.code == .tooManyContacts: hasSeveral = true
                default: break
                }
            }
            events.removeAll(keepingCapacity: true)
            // Counted when all contacts have lifted. A touch that was cancelled is counted only as cancelled.
            guard hasSeveral, engine.isIdle else { continue }
            leftOut.severalContacts += 1
            hasSeveral = false
        }
        return complete
    }
}
