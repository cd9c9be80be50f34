// SPDX-License-Identifier: MIT
import GestureEngine

extension LongPressSettings: CheckedSettings {
    func problems(of gesture: PlacedGesture, _ delays: inout DecisionDelays) -> [GestureProblem] {
        gesture.problems(ofInside: staysInside, slop: slop)
    }

    func sharingProblem(endsWithLift: Bool) -> String? { endsWithLift ? liftProblem : nil }

    func checkTiming(
        of gesture: Gesture, _ rule: GestureRule, in index: RegionIndex, _ check: inout AccessibilityCheck
    ) {
        check.reportFixed("delay", delay, AccessibilityCheck.slow, rule, in: index)
    }
}
