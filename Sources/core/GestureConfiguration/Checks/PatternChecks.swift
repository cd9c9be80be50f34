// SPDX-License-Identifier: MIT
import GestureEngine

extension PatternSettings: CheckedSettings {
    func sharingProblem(endsWithLift: Bool) -> String? { "does not keep its touches from the application" }

    /// Reports the limits of a pattern, which are in no profile.
    func checkTiming(
        of gesture: Gesture, _ rule: GestureRule, in index: RegionIndex, _ check: inout AccessibilityCheck
    ) {
        let standard = PatternSettings()
        let gap = AccessibilityCheck.tenfold(standard.maxGap)
        let whole = AccessibilityCheck.tenfold(standard.timeout)
        let isSlow = steps.count < 2 || (maxGap >= gap && timeout >= whole)
        guard !isSlow, gesture.action.map({ check.hasTap(for: $0, inScenesOf: index) }) != true else { return }
        check.report(
            .patternTiming, index, of: rule,
            "\(check.regions[index].name).\(gesture.name) leaves \(maxGap.text) between steps and "
                + "\(timeout.text) in all, which no profile can lengthen",
            cure: "set max_gap to \(gap.text) and timeout to \(whole.text), or give a tap the same action")
    }
}
