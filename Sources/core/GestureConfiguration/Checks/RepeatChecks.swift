// SPDX-License-Identifier: MIT
import GestureEngine

extension RepeatSettings: CheckedSettings {
    /// The default of `delay`, which leaves a slow hand the time to lift.
    private static let early = RepeatSettings().delay

    var contradiction: String? {
        maxDuration < delay ? "can never be recognized: max_duration is shorter than delay" : nil
    }

    func problems(of gesture: PlacedGesture, _ delays: inout DecisionDelays) -> [GestureProblem] {
        guard interval < minInterval else { return [] }
        return [GestureProblem("\(gesture.name) never reaches its min_interval: interval is shorter")]
    }

    func checkTiming(
        of gesture: Gesture, _ rule: GestureRule, in index: RegionIndex, _ check: inout AccessibilityCheck
    ) {
        let name = "\(check.regions[index].name).\(rule.name)"
        if delay < Self.early {
            check.report(
                .repeatEarly, index, of: rule, "\(name) starts after \(delay.text), before a slow hand has lifted",
                cure: "set delay to \(Self.early.text) or more")
        }
        let times = [("delay", delay), ("interval", interval), ("min_interval", minInterval)]
        let fixed = times.filter { rule.sets($0.0) && $0.1 < AccessibilityCheck.slow }.map { $0.0 }
        guard !fixed.isEmpty else { return }
        check.report(
            .repeatFixed, index, of: rule,
            "\(name) sets its own \(fixed.joined(separator: " and ")), which no profile can slow down",
            cure: "move \(fixed.count == 1 ? "it" : "them") to repeat in defaults of the region")
    }
}
