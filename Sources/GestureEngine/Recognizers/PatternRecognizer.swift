// SPDX-License-Identifier: MIT

/// The settings of a pattern.
package struct PatternSettings: Hashable, Sendable {
    /// One gesture of the pattern.
    package struct Step: Hashable, Sendable {
        /// The name of the gesture, or the word of its kind.
        package var gesture: String
        /// The name of its region.
        package var region: String

        package init(gesture: String, region: String) {
            self.gesture = gesture
            self.region = region
        }
    }

    /// The steps in order. Without steps the pattern is never recognized.
    package var steps: [Step] = []
    /// The longest time between two steps. Default 2 s, enough for a user who knows the pattern by heart.
    package var maxGap = Interval.milliseconds(2000)
    /// The longest time from the first step to the last. Default 10 s.
    package var timeout = Interval.milliseconds(10_000)
    /// The number of wrong attempts that cause a lockout. Default 5.
    package var attempts = 5
    /// The duration of a lockout. Default 60 s; 0 disables lockouts.
    package var lockout = Interval.milliseconds(60_000)
    /// Whether gestures of regions that clients have defined are steps, too. Default no: clients choose the names.
    package var takesLeased = false

    package init() {}
}

extension PatternSettings: RecognizerSettings {
    /// A pattern observes gestures instead of contacts.
    var fingers: Int { 0 }

    func makeRecognizer(_ contacts: RegionContacts, in region: Region, isAwaited: Bool) -> Recognizer? { nil }
}

/// Recognizes a secret or service pattern: gestures of several regions, one after the other.
///
///     idle ──first step──▶ under way ──last step──▶ idle (recognized)
///      ▲                     │ │ └──wrong step──▶ idle, one more failed attempt
///      └──max_gap, timeout───┘ └──too many attempts──▶ locked out ──lockout──▶ idle
struct PatternRecognizer: Hashable, Sendable {
    enum Answer: Hashable, Sendable {
        case none
        case recognize(GestureEvent.Detail)
        case fail(GestureFailure)
    }

    /// The index of the region that the pattern belongs to.
    var region: RegionIndex
    let gesture: GestureIndex
    private let settings: PatternSettings
    /// The number of completed steps.
    private var done = 0
    private var first = Timestamp(microseconds: 0)
    private var latest = Timestamp(microseconds: 0)
    /// The number of wrong attempts since the last success or lockout.
    private var failures = 0
    private var lockedUntil: Timestamp?

    init(_ settings: PatternSettings, region: RegionIndex, gesture: GestureIndex) {
        self.settings = settings
        self.region = region
        self.gesture = gesture
    }

    /// Whether gestures of regions that clients have defined are steps.
    var takesLeased: Bool { settings.takesLeased }

    /// Whether neither an attempt nor a lockout is in progress. `failures` is ignored, because it is kept while the
    /// pattern is idle.
    var isIdle: Bool { done == 0 && lockedUntil == nil }

    /// The time at which the next step is overdue or the lockout ends.
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
    ///   - gesture: the gesture that was recognized.
    ///   - region: the name of its region.
    func isNext(_ gesture: Gesture, in region: String) -> Bool {
        lockedUntil == nil && !settings.steps.isEmpty && matches(settings.steps[done], gesture, region)
    }

    /// Completes the next step.
    mutating func step(at time: Timestamp) -> Answer {
        if done == 0 { first = time }
        done += 1
        latest = time
        guard done == settings.steps.count else { return .none }
        done = 0
        failures = 0
        return .recognize(.pattern(steps: settings.steps.count, duration: time - first))
    }

    /// Drops the completed steps without counting a wrong attempt.
    mutating func interrupt(_ reason: CancelReason) -> Answer {
        guard done > 0 else { return .none }
        done = 0
        return .fail(GestureFailure(.cancelled(reason)))
    }

    /// Handles a frame in which no gesture was the next step.
    mutating func miss(_ gesture: Gesture, in region: String, at time: Timestamp) -> Answer {
        // A wrong first step is common and is ignored. A wrong later step is a wrong attempt.
        guard lockedUntil == nil, done > 0, isNamed(gesture) else { return .none }
        let failure = GestureFailure(.wrongStep, value: Double(done), limit: Double(settings.steps.count))
        done = 0
        failures += 1
        if failures >= settings.attempts, settings.lockout > .zero {
            failures = 0
            lockedUntil = time + settings.lockout
            let lockout = settings.lockout.inMilliseconds
            return .fail(GestureFailure(.lockedOut, value: lockout, limit: lockout))
        }
        // The gesture may be the first step of another attempt.
        if isNext(gesture, in: region) { _ = step(at: time) }
        return .fail(failure)
    }

    private var expiry: Timestamp { min(latest + settings.maxGap, first + settings.timeout) }

    /// Whether any step names the gesture. Gestures that no step names, such as the press that accompanies a tap, are
    /// neither right nor wrong.
    private func isNamed(_ gesture: Gesture) -> Bool {
        settings.steps.contains { $0.gesture == gesture.name || $0.gesture == gesture.word }
    }

    private func matches(_ step: PatternSettings.Step, _ gesture: Gesture, _ region: String) -> Bool {
        step.region == region && (step.gesture == gesture.name || step.gesture == gesture.word)
    }
}
