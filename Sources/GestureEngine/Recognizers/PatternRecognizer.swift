// SPDX-License-Identifier: MIT

/// The numbers of a pattern, in millimetres, degrees and times.
package struct PatternSettings: Hashable, Sendable {
    /// One gesture of the sequence.
    package struct Step: Hashable, Sendable {
        /// The name of a gesture, or its word.
        package var gesture: String
        /// The id of its region.
        package var region: String

        package init(gesture: String, region: String) {
            self.gesture = gesture
            self.region = region
        }
    }

    /// In their order; none: it never comes.
    package var steps: [Step] = []
    /// From one step to the next, at most. Default 2 s: somebody who knows the sequence by heart.
    package var maxGap = Interval.milliseconds(2000)
    /// From the first step to the last, at most. Default 10 s.
    package var timeout = Interval.milliseconds(10_000)
    /// Wrong sequences until the lockout. Default 5.
    package var attempts = 5
    /// How long nothing is looked for then. Default 60 s; 0: never locked out.
    package var lockout = Interval.milliseconds(60_000)

    package init() {}
}

extension PatternSettings: RecognizerSettings {
    /// It looks at other gestures, not at contacts.
    var fingers: Int { 0 }

    func makeRecognizer(_ contacts: RegionContacts, in region: Region, isAwaited: Bool) -> Recognizer? { nil }
}

/// A secret or service sequence: gestures of several regions, one after the other.
///
///     idle ──first step──▶ under way ──last step──▶ idle (recognized)
///      ▲                     │ │ └──wrong step──▶ idle, one failed attempt more
///      └──max_gap, timeout───┘ └──too many attempts──▶ locked out ──lockout──▶ idle
struct PatternRecognizer: Hashable, Sendable {
    enum Answer: Hashable, Sendable {
        case none
        case recognize(GestureEvent.Detail)
        case fail(GestureFailure)
    }

    /// Index of the region that the pattern belongs to.
    var region: Int
    let gesture: GestureIndex
    private let settings: PatternSettings
    /// Steps that have been done.
    private var done = 0
    private var first = Timestamp(microseconds: 0)
    private var latest = Timestamp(microseconds: 0)
    /// Wrong sequences since the last right one.
    private var failures = 0
    private var lockedUntil: Timestamp?

    init(_ settings: PatternSettings, region: Int, gesture: GestureIndex) {
        self.settings = settings
        self.region = region
        self.gesture = gesture
    }

    /// Nothing is under way and nothing pending. (Wrong sequences are remembered until a right one
    /// or a lockout: it is what they are counted for.)
    var isIdle: Bool { done == 0 && lockedUntil == nil }

    /// When a step is overdue, or a lockout over.
    var deadline: Timestamp? {
        if let lockedUntil { return lockedUntil }
        return done > 0 ? expiry : nil
    }

    mutating func fire(at time: Timestamp) -> Answer {
        if let until = lockedUntil {
            if until <= time { lockedUntil = nil }
            return .none
        }
        guard done > 0, expiry <= time else { return .none }
        done = 0
        let isGap = latest + settings.maxGap <= time
        return .fail(
            isGap
                ? GestureFailure(
                    .lateStep, value: (time - latest).inMilliseconds, limit: settings.maxGap.inMilliseconds)
                : GestureFailure(
                    .timeout, value: (time - first).inMilliseconds, limit: settings.timeout.inMilliseconds))
    }

    /// Whether a gesture is the next step.
    ///
    /// - Parameters:
    ///   - gesture: what was recognized.
    ///   - region: id of the region it was recognized in.
    func isNext(_ gesture: Gesture, in region: String) -> Bool {
        lockedUntil == nil && !settings.steps.isEmpty && matches(settings.steps[done], gesture, region)
    }

    /// The next step was done.
    mutating func step(at time: Timestamp) -> Answer {
        if done == 0 { first = time }
        done += 1
        latest = time
        guard done == settings.steps.count else { return .none }
        done = 0
        failures = 0
        return .recognize(.pattern(steps: settings.steps.count, duration: time - first))
    }

    /// Steps that were done count no more; nobody has done anything wrong.
    mutating func interrupt(_ reason: CancelReason) -> Answer {
        guard done > 0 else { return .none }
        done = 0
        return .fail(GestureFailure(.cancelled(reason)))
    }

    /// A gesture that is not the next step was done, and nothing that is.
    mutating func miss(_ gesture: Gesture, in region: String, at time: Timestamp) -> Answer {
        // A wrong first step is everyday life; a wrong later one is a wrong sequence.
        guard lockedUntil == nil, done > 0, isSpokenOf(gesture) else { return .none }
        let failure = GestureFailure(.wrongStep, value: Double(done), limit: Double(settings.steps.count))
        done = 0
        failures += 1
        if failures >= settings.attempts, settings.lockout > .zero {
            failures = 0
            lockedUntil = time + settings.lockout
            let lockout = settings.lockout.inMilliseconds
            return .fail(GestureFailure(.lockedOut, value: lockout, limit: lockout))
        }
        // It may be the first step of another try.
        if isNext(gesture, in: region) { _ = step(at: time) }
        return .fail(failure)
    }

    private var expiry: Timestamp { min(latest + settings.maxGap, first + settings.timeout) }

    /// Gestures that no step names (a press beside the tap) are neither right nor wrong.
    private func isSpokenOf(_ gesture: Gesture) -> Bool {
        settings.steps.contains { $0.gesture == gesture.name || $0.gesture == gesture.word }
    }

    private func matches(_ step: PatternSettings.Step, _ gesture: Gesture, _ region: String) -> Bool {
        step.region == region && (step.gesture == gesture.name || step.gesture == gesture.word)
    }
}
