// SPDX-License-Identifier: MIT
import GestureEngine

extension PressSettings: CheckedSettings {
    func sharingProblem(endsWithLift: Bool) -> String? { endsWithLift ? liftProblem : nil }

    /// Reports a press that has an action, or whose region has no gesture that ends with a lift instead. Beside a tap, a
    /// press is usually what highlights a button.
    func checkTiming(
        of gesture: Gesture, _ rule: GestureRule, in index: RegionIndex, _ check: inout AccessibilityCheck
    ) {
        let region = check.regions[index]
        let hasOther = region.gestures.contains { $0.settings.kind != .press && $0.hasTarget }
        guard gesture.action != nil || !hasOther else { return }
        check.report(
            .actsAtLanding, index, of: rule,
            "\(region.name).\(gesture.name) begins at the landing, where it cannot be taken back",
            cure: "use a button, or let the application wait for an end with inside = true")
    }
}

extension CheckedSettings {
    /// The problem of a touch that ends with a lift for the application.
    var liftProblem: String { "ends its touch with a lift, which the application treats as a click" }
}
