// SPDX-License-Identifier: MIT
import GestureEngine

extension LongPressSettings: CheckedSettings {
    func problems(of gesture: PlacedGesture, _ delays: inout DecisionDelays) -> [GestureProblem] {
        staysInside ? GestureProblem(neverOutside: gesture, slop: slop).map { [$0] } ?? [] : []
    }

    func sharingProblem(endsWithLift: Bool) -> String? { endsWithLift ? liftProblem : nil }

    func checkTiming(
        of gesture: Gesture, _ rule: GestureRule, in index: RegionIndex, _ check: inout AccessibilityCheck
    ) {
        check.reportFixed("delay", delay, AccessibilityCheck.slow, rule, in: index)
    }
}

extension GestureProblem {
    /// A key `inside` of a gesture whose finger fails it before it leaves the region; `nil` if the finger may leave.
    init?(neverOutside gesture: PlacedGesture, slop: Double) {
        guard gesture.region.leaveDistance.exceeds(slop) else { return nil }
        let (slop, leave) = (tenths(slop), tenths(gesture.region.leaveDistance))
        self.init(
            "\(gesture.name): inside has no effect: a finger exceeds slop (\(slop) mm) before it leaves the region "
                + "at \(leave) mm (leave)")
    }
}
