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
    /// The number of wrong steps that cause a lockout. Default 5. Setting it makes the pattern a secret.
    package var attempts = 5 {
        didSet { isSecret = true }
    }
    /// The duration of a lockout. Default 60 s; 0 disables lockouts.
    package var lockout = Interval.milliseconds(60_000)
    /// Whether gestures of regions that clients have defined are steps, too. Default no: clients choose the names.
    package var takesLeased = false
    /// Whether the pattern is a secret, so that it counts wrong first steps and is not made with two fingers at once.
    /// A pattern that is none may be made while other regions are in use.
    package var isSecret = false

    /// The maximum number of steps, which is more than people can remember.
    package static let mostSteps = 32
    /// Wrong steps are remembered for the duration of a lockout, and at least for this time. A hand that waits until
    /// they are forgotten makes fewer of them than one that is locked out.
    package static let shortestMemory = Interval.milliseconds(60_000)

    package init() {}
}

extension PatternSettings {
    /// `[defaults]` accepts none of them, because there is no useful default for steps.
    package static let keys: [Setting] = [
        .steps("steps", \Self.steps).required.limits(.wrongStep),
        .time("max_gap", \Self.maxGap, atLeast: .shortest).limits(.lateStep).identity,
        .time("timeout", \Self.timeout, atLeast: .shortest).limits(.timeout).identity,
        .count("attempts", \Self.attempts, in: 1...1000).identity,
        .time("lockout", \Self.lockout).limits(.lockedOut).identity,
        .flag("leased", \Self.takesLeased).identity,
    ]
}

extension PatternSettings: RecognizerSettings {
    /// A pattern observes gestures instead of contacts.
    var fingers: Int { 0 }
    var decision: Decision { .lastStep }
    /// Gestures do not wait for a pattern to fail, because this may take minutes.
    var latestFailure: LatestFailure { .after(.zero) }
    var demand: Demand { .gestures }

    func makeRecognizer(_ contacts: RegionContacts, in region: Region, isAwaited: Bool) -> Recognizer? { nil }
}

/// Recognizes a secret or service pattern: gestures of several regions, one after the other.
///
///     idle ──first step──▶ under way ──last step──▶ idle (recognized)
///      ▲ │                  │ │ └──wrong step──▶ idle, one more wrong step
///      │ └─wrong step────┐  │ └────too many wrong steps──▶ locked out ──lockout──▶ idle
///      │   of a secret   ▼  │                                  ▲
///      │   one more, or too many ──────────────────────────────┘
///      └──max_gap, timeout──┘
struct PatternRecognizer: Hashable, Sendable {
    enum Answer: Hashable, Sendable {
        case none
        case recognize(GestureEvent.Detail)
        case fail(GestureFailure)
    }

    var region: RegionIndex
    let gesture: GestureIndex
    private let settings: PatternSettings
    /// The number of completed steps.
    private var done = 0
    /// The time of the first completed step.
    private(set) var first = Timestamp(microseconds: 0)
    private var latest = Timestamp(microseconds: 0)
    /// The wrong steps so far. They are kept while the pattern is idle.
    private(set) var wrong = WrongSteps()
    /// The times of the last wrong steps, as many as a pattern may have steps.
    private var times: [Timestamp] = []
    /// The contacts in the regions of the steps. Only a secret follows them.
    var crowd = PatternCrowd([])

    init(_ settings: PatternSettings, region: RegionIndex, gesture: GestureIndex) {
        self.settings = settings
        self.region = region
        self.gesture = gesture
    }

    /// Whether gestures of a region may be steps: it is on the same side of private regions as the pattern's `own` region,
    /// and no client may have given it the name of any step.
    func observes(_ region: Region, from own: Region) -> Bool {
        region.isPrivate == own.isPrivate && (!region.isLeased || own.isLeased || settings.takesLeased)
    }

    var isSecret: Bool { settings.isSecret }

    /// Whether neither an attempt nor a lockout is in progress. Wrong steps are ignored, because they are kept while the
    /// pattern is idle.
    var isIdle: Bool { done == 0 && lockedUntil == nil }

    private var lockedUntil: Timestamp? { wrong.lockoutEnd(settings) }

    /// The time at which the next step is overdue or the lockout ends.
    var deadline: Timestamp? {
        if let lockedUntil { return lockedUntil }
        return done > 0 ? expiry : nil
    }

    mutating func fire(at time: Timestamp) -> Answer {
        if lockedUntil != nil {
            endLockout(at: time)
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

    /// Forgets the wrong steps if the lockout that they have caused is over.
    mutating func endLockout(at time: Timestamp) {
        if let until = lockedUntil, until <= time { wrong = WrongSteps() }
    }

    // MARK: Steps

    /// Whether a wrong step has a consequence.
    var mindsWrongSteps: Bool { lockedUntil == nil && (done > 0 || isSecret) }

    /// Whether a gesture is the next step.
    ///
    /// - Parameters:
    ///   - gesture: the gesture that was recognized.
    ///   - region: the name of its region.
    func isNext(_ gesture: Gesture, in region: String) -> Bool {
        lockedUntil == nil && !settings.steps.isEmpty && matches(settings.steps[done], gesture, region)
    }

    /// Whether a gesture is the first step. The parameters are those of `isNext`.
    func isFirst(_ gesture: Gesture, in region: String) -> Bool {
        settings.steps.first.map { matches($0, gesture, region) } ?? false
    }

    /// Whether any step names the gesture. Gestures that no step names, such as the press that accompanies a tap, are
    /// neither right nor wrong.
    func isNamed(_ gesture: Gesture) -> Bool {
        settings.steps.contains { $0.gesture == gesture.name || $0.gesture == gesture.word }
    }

    mutating func step(at time: Timestamp) -> Answer {
        if done == 0 { first = time }
        done += 1
        latest = time
        guard done == settings.steps.count else { return .none }
        done = 0
        wrong = WrongSteps()
        return .recognize(.pattern(steps: settings.steps.count, duration: time - first))
    }

    /// Handles a wrong step.
    /// - Parameter begins: whether its gesture is the first step of another attempt.
    mutating func miss(at time: Timestamp, begins: Bool) -> Answer {
        guard mindsWrongSteps else { return .none }
        let completed = done
        done = 0
        wrong.add(at: time, settings)
        if times.count == PatternSettings.mostSteps { times.removeFirst() }
        times.append(time)
        if lockedUntil != nil {
            let lockout = settings.lockout.inMilliseconds
            return .fail(GestureFailure(.lockedOut, value: lockout, limit: lockout))
        }
        if begins { _ = step(at: time) }
        // A wrong first step has made nothing fail, and a panel in use has many.
        return completed == 0
            ? .none : .fail(GestureFailure(.wrongStep, value: Double(completed), limit: Double(settings.steps.count)))
    }

    /// Takes back the wrong steps since a time, and the lockout that they have caused, because they were the steps of
    /// another pattern that was recognized.
    mutating func forgive(since time: Timestamp) {
        let number = times.reduce(0) { $0 + ($1 >= time ? 1 : 0) }
        guard number > 0 else { return }
        times.removeLast(number)
        wrong.remove(number)
    }

    /// Drops the completed steps without counting a wrong step.
    mutating func interrupt(_ reason: CancelReason) -> Answer {
        guard done > 0 else { return .none }
        done = 0
        return .fail(GestureFailure(.cancelled(reason)))
    }

    /// Whether there is anything that `follow` takes over.
    var isFresh: Bool { done == 0 && wrong.count == 0 && !crowd.isKnown }

    /// Takes the place of a pattern with the same name in a region with the same id.
    /// - Parameter goesOn: whether an attempt continues. It does not if the pattern itself has changed.
    mutating func follow(_ former: PatternRecognizer, goesOn: Bool) {
        (wrong, times) = (former.wrong, former.times)
        crowd.follow(former.crowd)
        if goesOn, settings == former.settings { (done, first, latest) = (former.done, former.first, former.latest) }
    }

    /// Adds the wrong steps that a pattern of this name had before.
    mutating func remember(_ steps: WrongSteps) { wrong = steps }

    private var expiry: Timestamp { min(latest + settings.maxGap, first + settings.timeout) }

    private func matches(_ step: PatternSettings.Step, _ gesture: Gesture, _ region: String) -> Bool {
        step.region == region && (step.gesture == gesture.name || step.gesture == gesture.word)
    }
}
