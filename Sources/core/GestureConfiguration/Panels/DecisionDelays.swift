// SPDX-License-Identifier: MIT
package import GestureEngine

/// The delay that a user notices: the longest time until a gesture is recognized, and the moment from which it is
/// measured.
///
/// For a gesture of several touches, the delay is measured from the last landing or the last lift.
package struct DecisionDelay: Hashable, Sendable, CustomStringConvertible {
    /// The moment from which the delay is measured.
    package enum Moment: Hashable, Sendable {
        case landing
        /// The contact has moved far enough. With an interval, that time must also have passed since the landing.
        case movement
        /// The lift of the gesture's last contact.
        case lift
        /// The recognition of the last of the gestures with these names, which are listed in `after`.
        case recognition(of: [String])
        /// The gesture may never be recognized: a gesture listed in `unless` may be recognized immediately, or remain
        /// possible until the lift, which is too late.
        case never
    }

    package var interval = Interval.zero
    package var moment: Moment

    /// `at the landing`, `500 ms after the landing`, `up to 300 ms after the lift`
    package var description: String {
        let milliseconds = interval.wholeMilliseconds
        switch moment {
        case .landing: return interval == .zero ? "at the landing" : "\(milliseconds) ms after the landing"
        case .movement:
            let bound = interval == .zero ? "" : ", or up to \(milliseconds) ms after the landing"
            return "at the movement" + bound
        case .lift: return interval == .zero ? "at the lift" : "up to \(milliseconds) ms after the lift"
        case .recognition(let names):
            let event = names.joined(separator: " and ") + (names.count == 1 ? " is recognized" : " are recognized")
            return interval == .zero ? "when \(event)" : "\(milliseconds) ms after \(event)"
        case .never: return "perhaps never"
        }
    }
}

extension [Region] {
    /// Returns the delay of each gesture of one of these regions.
    package func decisionDelays(of region: RegionIndex) -> [DecisionDelay] {
        var delays = DecisionDelays(
            self[region], in: self, place: { name in regionIndices.first { self[$0].id == name } })
        return self[region].gestures.indices.map { delays.delay($0) }
    }
}

/// Computes the latest time at which each gesture of one region is recognized, and at which it has failed.
///
/// The worst case over all touches cannot be found by running the engine, so it is derived from the settings.
/// `DelayLawTests` checks that the engine recognizes gestures no later than computed here.
struct DecisionDelays {
    /// The latest time at which a gesture that is not recognized has failed.
    struct FailureTime {
        /// The time since the landing, even if the contacts stay down; `nil` if the gesture does not fail before they
        /// lift.
        var landing: Interval?
        /// The time since the last lift.
        var lift = Interval.zero
        /// Whether the gesture never fails.
        var isNever = false
    }

    let gestures: [Gesture]
    /// The longest time from a tap to the landing of a gesture that follows it.
    let gap: Interval
    private let regions: [Region]
    /// Returns the index of the region with a name.
    private let place: (String) -> RegionIndex?
    /// The maximum depth to which the steps of patterns are followed into other patterns.
    static let depth = 4
    private let depth: Int
    /// The known failure times, keyed by the index of the gesture.
    private var failureTimes: [Int: FailureTime] = [:]
    private var known: [Int: DecisionDelay] = [:]

    init(_ region: Region, in regions: [Region], depth: Int = Self.depth, place: @escaping (String) -> RegionIndex?) {
        gestures = region.gestures
        gap = region.taps.gap
        self.regions = regions
        self.place = place
        self.depth = depth
    }

    // MARK: When a gesture is recognized

    mutating func delay(_ index: Int) -> DecisionDelay {
        if let delay = known[index] { return delay }
        let gesture = gestures[index]
        // The entry is set before the recursion, so that the recursion ends even if gestures wait for each other. The
        // reader rejects such gestures.
        known[index] = DecisionDelay(moment: .never)
        let own = afterOthers(gesture, ownDelay(gesture))
        let delay = gesture.unless.isEmpty ? own : unlessOthers(gesture, own)
        known[index] = delay
        return delay
    }

    /// Returns the delay of a pattern's last step, which is also the delay of the pattern.
    mutating func delay(of step: PatternSettings.Step?) -> DecisionDelay {
        guard let step, depth > 0, let index = place(step.region) else {
            return DecisionDelay(moment: .lift)
        }
        let region = regions[index]
        let match = region.gestures.firstIndex { $0.name == step.gesture || $0.word == step.gesture }
        guard let match else { return DecisionDelay(moment: .never) }
        var delays = DecisionDelays(region, in: regions, depth: depth - 1, place: place)
        return delays.delay(match)
    }

    /// Applies `after`: the gesture's own time starts when the last of the gestures listed there is recognized.
    private mutating func afterOthers(_ gesture: Gesture, _ own: DecisionDelay) -> DecisionDelay {
        guard own.moment == .landing, !gesture.after.isEmpty else { return own }
        var latest = Interval.zero
        var isAtLanding = true
        for (index, other) in gestures.enumerated() where gesture.after.contains(other.name) {
            let delay = delay(index)
            if delay.moment == .never { return delay }
            if delay.moment != .landing { isAtLanding = false }
            latest = max(latest, delay.interval)
        }
        guard isAtLanding else {
            return DecisionDelay(interval: own.interval, moment: .recognition(of: gesture.after))
        }
        let sum = latest.microseconds + own.interval.microseconds
        return DecisionDelay(interval: Interval(microseconds: sum), moment: .landing)
    }

    /// Applies `unless`: the gesture is not recognized before all gestures listed there have failed.
    private mutating func unlessOthers(_ gesture: Gesture, _ own: DecisionDelay) -> DecisionDelay {
        let failure = failureTime(of: gesture.unless)
        if failure.isNever { return DecisionDelay(moment: .never) }
        switch own.moment {
        case .lift: return DecisionDelay(interval: max(own.interval, failure.lift), moment: .lift)
        case .landing, .recognition:
            guard let landing = failure.landing else {
                // The gestures in `unless` fail only at the lift. A held gesture can still be recognized then; others cannot.
                return DecisionDelay(moment: gesture.settings.kind.isHold && failure.lift == .zero ? .lift : .never)
            }
            return DecisionDelay(interval: deferred(gesture, own.interval, until: landing), moment: own.moment)
        case .movement:
            guard let landing = failure.landing else { return DecisionDelay(moment: .never) }
            return DecisionDelay(interval: max(own.interval, landing), moment: .movement)
        case .never: return own
        }
    }

    /// Returns the later time. A repeat that is deferred is recognized at its next repetition.
    private func deferred(_ gesture: Gesture, _ own: Interval, until end: Interval) -> Interval {
        guard case .repeat(let settings) = gesture.settings, end >= own else { return max(own, end) }
        return Interval(microseconds: end.microseconds + settings.interval.microseconds)
    }

    // MARK: When a gesture has failed

    /// The latest failure time of the gestures with these names.
    private mutating func failureTime(of names: [String]) -> FailureTime {
        var result = FailureTime(landing: .zero)
        for (index, other) in gestures.enumerated() where names.contains(other.name) {
            let time = failureTime(of: index)
            result.isNever = result.isNever || time.isNever
            result.lift = max(result.lift, time.lift)
            if let landing = result.landing, let other = time.landing {
                result.landing = max(landing, other)
            } else {
                result.landing = nil
            }
        }
        return result
    }

    private mutating func failureTime(of index: Int) -> FailureTime {
        if let time = failureTimes[index] { return time }
        failureTimes[index] = FailureTime()
        let gesture = gestures[index]
        var result = ownFailureTime(gesture)
        if !gesture.unless.isEmpty {
            let others = failureTime(of: gesture.unless)
            result = FailureTime(
                landing: result.landing.flatMap { own in others.landing.map { max(own, $0) } },
                lift: max(result.lift, others.lift))
        }
        // The gesture stays possible as long as the sequence goes on.
        if !gesture.after.isEmpty { result = FailureTime(lift: result.lift) }
        failureTimes[index] = result
        return result
    }
}
