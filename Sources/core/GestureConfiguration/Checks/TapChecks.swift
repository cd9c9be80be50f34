// SPDX-License-Identifier: MIT
import GestureEngine

extension TapSettings: CheckedSettings {
    var contradiction: String? {
        if minTime >= maxTime { return "can never be recognized: min_time is not shorter than max_time" }
        guard count > 1, minGap >= gap, bounceDistance > 0 else { return nil }
        // With a `distance` greater than `bounce_distance`, a second tap that is not a bounce may still be near enough.
        return bounceDistance >= distance
            ? "can never be recognized: min_gap is not shorter than gap"
            : "can hardly be recognized: min_gap is not shorter than gap, so another tap in the same place is a bounce"
    }

    func problems(of gesture: PlacedGesture, _ delays: inout DecisionDelays) -> [GestureProblem] {
        var problems: [GestureProblem] = []
        let (name, delay) = (gesture.name, delays.delay(gesture.index))
        if wait, delay.interval > .zero {
            problems.append(GestureProblem(.waits, "\(name) is decided \(delay)"))
        } else if wait {
            problems.append(
                GestureProblem("\(name) has wait, but there is no tap with a higher count to wait for"))
        }
        if fingers == 1, maxLiftSpread != nil {
            problems.append(GestureProblem("\(name): max_lift_spread has no effect for a single finger"))
        }
        return problems + gesture.problems(ofInside: staysInside, slop: slop)
    }

    func sharingProblem(endsWithLift: Bool) -> String? {
        if count > 1 { return "does not keep its first tap from the application" }
        return endsWithLift ? liftProblem : nil
    }

    func checkTiming(
        of gesture: Gesture, _ rule: GestureRule, in index: RegionIndex, _ check: inout AccessibilityCheck
    ) {
        let standard = TapSettings()
        if when == .landing {
            check.report(
                .actsAtLanding, index, of: rule,
                "\(check.regions[index].name).\(gesture.name) is recognized at the landing, so it cannot be taken back",
                cure: "remove when")
        }
        if count > 1 { check.reportFixed("gap", gap, AccessibilityCheck.tenfold(standard.gap), rule, in: index) }
        check.reportFixed("max_time", maxTime, AccessibilityCheck.tenfold(standard.maxTime), rule, in: index)
    }
}
