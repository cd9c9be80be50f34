// SPDX-License-Identifier: MIT
package import GestureEngine

/// How long it takes at worst until a gesture is told of, and from when on: what a user feels.
package struct DecisionDelay: Hashable, Sendable, CustomStringConvertible {
    package enum Moment: String, Hashable, Sendable {
        case landing
        /// The limit of movement was passed.
        case movement
        /// Of the last contact that it takes.
        case lift
    }

    package var interval: Interval
    package var moment: Moment

    package init(_ interval: Interval = .zero, after moment: Moment) {
        self.interval = interval
        self.moment = moment
    }

    /// `at the landing`, `500 ms after the landing`, `up to 300 ms after the lift`
    package var description: String {
        if interval == .zero { return "at the \(moment.rawValue)" }
        let bound = moment == .lift ? "up to " : ""
        return "\(bound)\(interval.wholeMilliseconds) ms after the \(moment.rawValue)"
    }
}

extension Region {
    /// One for each of its gestures.
    package var decisionDelays: [DecisionDelay] {
        gestures.map { gesture in
            switch gesture.settings {
            case .press: DecisionDelay(after: .landing)
            case .tap(let tap): decisionDelay(of: tap)
            case .longPress(let longPress): DecisionDelay(longPress.delay, after: .landing)
            case .repeat(let settings): DecisionDelay(settings.delay, after: .landing)
            case .drag(let drag): DecisionDelay(after: drag.start > 0 ? .movement : .landing)
            case .swipe(let swipe): DecisionDelay(after: swipe.when == .threshold ? .movement : .lift)
            case .pinch, .rotate: DecisionDelay(after: .movement)
            case .pattern: DecisionDelay(after: .lift)
            }
        }
    }

    /// A tap waits only for a longer streak of as many fingers.
    private func decisionDelay(of tap: TapSettings) -> DecisionDelay {
        let isOutranked = gestures.contains { gesture in
            if case .tap(let other) = gesture.settings {
                other.fingers == tap.fingers && other.count > tap.count
            } else {
                false
            }
        }
        return DecisionDelay(tap.wait && isOutranked ? tap.gap : .zero, after: .lift)
    }
}
