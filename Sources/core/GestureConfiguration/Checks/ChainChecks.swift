// SPDX-License-Identifier: MIT
import GestureEngine

extension ChainSettings: CheckedSettings {
    var contradiction: String? {
        if Double(path.count) * minSegment > SwipeSettings.fastest * maxTime.seconds {
            return "can never be recognized: no finger draws its path within its max_time"
        }
        return minSegment == 0
            ? "can hardly be recognized: with a min_segment of 0, every tremble is a segment" : nil
    }

    func problems(of gesture: PlacedGesture, _ delays: inout DecisionDelays) -> [GestureProblem] {
        gesture.problems(ofMovement: minSegment, "min_segment", room: path.map(gesture.region.room).min())
    }

    func checkTiming(
        of gesture: Gesture, _ rule: GestureRule, in index: RegionIndex, _ check: inout AccessibilityCheck
    ) {
        let standard = AccessibilityCheck.tenfold(ChainSettings().maxTime)
        check.reportFixed("max_time", maxTime, standard, rule, in: index)
    }
}
