// SPDX-License-Identifier: MIT
import GestureEngine

extension DecisionDelays {
    /// Returns the delay of a gesture without its `after` and `unless`.
    mutating func ownDelay(_ gesture: Gesture) -> DecisionDelay {
        let wait = wait(of: gesture.settings)
        return switch gesture.settings.decision {
        case .landing(let time): DecisionDelay(interval: max(time, wait), moment: .landing)
        case .movement: DecisionDelay(moment: .movement)
        case .lift: DecisionDelay(interval: wait, moment: .lift)
        case .lastStep: delay(of: gesture.settings.lastStep)
        }
    }

    /// Returns how long a tap waits for another tap. It waits only if there is a tap with a higher count and the same
    /// number of fingers.
    private func wait(of settings: GestureSettings) -> Interval {
        guard case .tap(let tap) = settings else { return .zero }
        let hasLonger = gestures.contains { gesture in
            if case .tap(let other) = gesture.settings {
                other.fingers == tap.fingers && other.count > tap.count
            } else {
                false
            }
        }
        return tap.wait && hasLonger ? tap.gap : .zero
    }

    /// Returns the failure time of a gesture without its `after` and `unless`.
    func ownFailureTime(_ gesture: Gesture) -> FailureTime {
        // If the preceding taps are missing, it fails at the landing.
        if gesture.settings.taps > 0 { return FailureTime(landing: .zero, lift: gap) }
        var lift = wait(of: gesture.settings)
        if case .tap(let tap) = gesture.settings, tap.count > 1 { lift = tap.gap }
        return switch gesture.settings.latestFailure {
        case .after(let time): FailureTime(landing: time, lift: lift)
        case .lift: FailureTime(lift: lift)
        case .never: FailureTime(isNever: true)
        }
    }
}

extension GestureSettings {
    /// The last step of a pattern; `nil` for other kinds.
    fileprivate var lastStep: PatternSettings.Step? {
        if case .pattern(let pattern) = self { pattern.steps.last } else { nil }
    }
}
