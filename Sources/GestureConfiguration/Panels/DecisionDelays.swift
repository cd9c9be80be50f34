// SPDX-License-Identifier: MIT
import GestureEngine

/// Works out when the gestures of one region are decided at worst, and when they have failed at the latest.
struct DecisionDelays {
    /// When it is certain at the latest that a gesture fails.
    private struct Limits {
        /// After the landing, however long the contacts stay; `nil`: not before they lift.
        var landing: Interval?
        /// After the last lift.
        var lift = Interval.zero
        /// It does not fail.
        var isCertain = false
    }

    private let gestures: [Gesture]
    private let regions: [Region]
    /// Patterns of patterns are followed so far.
    private let depth: Int
    private var limits: [Limits?]
    private var known: [DecisionDelay?]

    init(_ gestures: [Gesture], in regions: [Region], depth: Int = 4) {
        self.gestures = gestures
        self.regions = regions
        self.depth = depth
        limits = gestures.map { _ in nil }
        known = gestures.map { _ in nil }
    }

    var delays: [DecisionDelay] {
        var work = self
        return gestures.indices.map { work.delay($0) }
    }

    // MARK: When it is decided

    private mutating func delay(_ index: Int) -> DecisionDelay {
        if let delay = known[index] { return delay }
        let gesture = gestures[index]
        // What waits for itself is refused when it is read.
        known[index] = DecisionDelay(after: .never)
        let own = following(gesture, self.own(gesture))
        let delay = gesture.unless.isEmpty ? own : yielding(gesture, own)
        known[index] = delay
        return delay
    }

    /// With nothing in its way.
    private func own(_ gesture: Gesture) -> DecisionDelay {
        switch gesture.settings {
        case .press: DecisionDelay(after: .landing)
        case .tap(let tap): DecisionDelay(wait(of: tap), after: .lift)
        case .longPress(let longPress): DecisionDelay(longPress.delay, after: .landing)
        case .repeat(let settings): DecisionDelay(settings.delay, after: .landing)
        case .drag(let drag): DecisionDelay(after: drag.start > 0 ? .movement : .landing)
        case .swipe(let swipe): DecisionDelay(after: swipe.when == .threshold ? .movement : .lift)
        case .pinch, .rotate: DecisionDelay(after: .movement)
        case .pattern(let pattern): delay(of: pattern.steps.last)
        }
    }

    /// A tap waits only for a longer streak of as many fingers.
    private func wait(of tap: TapSettings) -> Interval {
        let isOutranked = gestures.contains { gesture in
            if case .tap(let other) = gesture.settings {
                other.fingers == tap.fingers && other.count > tap.count
            } else {
                false
            }
        }
        return tap.wait && isOutranked ? tap.gap : .zero
    }

    /// A pattern is decided when its last step is.
    private func delay(of step: PatternSettings.Step?) -> DecisionDelay {
        guard let step, depth > 0, let region = regions.first(where: { $0.id == step.region }) else {
            return DecisionDelay(after: .lift)
        }
        let matches = region.gestures.indices.filter {
            region.gestures[$0].name == step.gesture || region.gestures[$0].word == step.gesture
        }
        guard let match = matches.first else { return DecisionDelay(after: .never) }
        var delays = DecisionDelays(region.gestures, in: regions, depth: depth - 1)
        return delays.delay(match)
    }

    /// With `after`: its contacts land when the last of these is recognized.
    private mutating func following(_ gesture: Gesture, _ own: DecisionDelay) -> DecisionDelay {
        guard own.moment == .landing, !gesture.after.isEmpty else { return own }
        var latest = Interval.zero
        for (index, other) in gestures.enumerated() where gesture.after.contains(other.name) {
            let delay = delay(index)
            if delay.moment == .never { return delay }
            guard delay.moment == .landing else {
                return DecisionDelay(own.interval, after: .recognition(of: other.name))
            }
            latest = max(latest, delay.interval)
        }
        let sum = latest.microseconds + own.interval.microseconds
        return DecisionDelay(Interval(microseconds: sum), after: .landing)
    }

    /// With `unless`: once all of these have failed.
    private mutating func yielding(_ gesture: Gesture, _ own: DecisionDelay) -> DecisionDelay {
        let limits = limits(of: gesture.unless)
        if limits.isCertain { return DecisionDelay(after: .never) }
        switch own.moment {
        case .lift: return DecisionDelay(max(own.interval, limits.lift), after: .lift)
        case .landing:
            if let landing = limits.landing {
                return DecisionDelay(held(gesture, own.interval, until: landing), after: .landing)
            }
            return atLift(gesture, limits)
        case .movement:
            guard let landing = limits.landing else { return DecisionDelay(after: .never) }
            return DecisionDelay(max(own.interval, landing), after: .movement)
        case .recognition(let name):
            if let landing = limits.landing {
                return DecisionDelay(held(gesture, own.interval, until: landing), after: .recognition(of: name))
            }
            return atLift(gesture, limits)
        case .never: return own
        }
    }

    /// What goes on comes with the lift if all that it gives way to fails then; later it is over.
    private func atLift(_ gesture: Gesture, _ limits: Limits) -> DecisionDelay {
        guard limits.lift == .zero else { return DecisionDelay(after: .never) }
        switch gesture.settings {
        case .press, .longPress: return DecisionDelay(after: .lift)
        case .tap, .repeat, .drag, .swipe, .pinch, .rotate, .pattern: return DecisionDelay(after: .never)
        }
    }

    /// What is kept back comes when it may; repetitions are left out until then.
    private func held(_ gesture: Gesture, _ own: Interval, until end: Interval) -> Interval {
        guard case .repeat(let settings) = gesture.settings, end >= own else { return max(own, end) }
        return Interval(microseconds: end.microseconds + settings.interval.microseconds)
    }

    // MARK: When it has failed

    /// The latest of all with one of these names.
    private mutating func limits(of names: [String]) -> Limits {
        var result = Limits(landing: .zero)
        for (index, other) in gestures.enumerated() where names.contains(other.name) {
            let limits = limits(of: index)
            result.isCertain = result.isCertain || limits.isCertain
            result.lift = max(result.lift, limits.lift)
            if let landing = result.landing, let other = limits.landing {
                result.landing = max(landing, other)
            } else {
                result.landing = nil
            }
        }
        return result
    }

    private mutating func limits(of index: Int) -> Limits {
        if let limits = limits[index] { return limits }
        limits[index] = Limits()
        let gesture = gestures[index]
        var result = ownLimits(gesture)
        if !gesture.unless.isEmpty {
            let others = limits(of: gesture.unless)
            result = Limits(
                landing: result.landing.flatMap { own in others.landing.map { max(own, $0) } },
                lift: max(result.lift, others.lift))
        }
        // It may come as long as the sequence goes on.
        if !gesture.after.isEmpty { result = Limits(lift: result.lift) }
        limits[index] = result
        return result
    }

    private func ownLimits(_ gesture: Gesture) -> Limits {
        switch gesture.settings {
        case .press: Limits(isCertain: true)
        case .tap(let tap): Limits(landing: tap.maxTime, lift: tap.count > 1 ? tap.gap : wait(of: tap))
        // One that lacks fingers fails at the lift.
        case .longPress(let longPress): longPress.fingers > 1 ? Limits() : Limits(landing: longPress.delay)
        case .repeat(let settings): Limits(landing: settings.delay)
        case .swipe(let swipe): Limits(landing: swipe.maxTime)
        case .drag, .pinch, .rotate: Limits()
        // Nothing gives way to a pattern: it may take minutes.
        case .pattern: Limits(landing: .zero)
        }
    }
}
