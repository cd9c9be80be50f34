// SPDX-License-Identifier: MIT
import GestureEngine

extension SwipeSettings: CheckedSettings {
    var contradiction: String? {
        if minVelocity > Self.fastest {
            return "can never be recognized: no finger is as fast as its min_velocity; set at most "
                + "\(plain(Self.fastest)) mm/s"
        }
        return minDistance > Self.fastest * maxTime.seconds
            ? "can never be recognized: no finger moves min_distance within its max_time" : nil
    }

    func problems(of gesture: PlacedGesture, _ delays: inout DecisionDelays) -> [GestureProblem] {
        gesture.problems(ofMovement: minDistance, "min_distance", room: directions.map(gesture.region.room).max())
    }

    func checkTiming(
        of gesture: Gesture, _ rule: GestureRule, in index: RegionIndex, _ check: inout AccessibilityCheck
    ) {
        let standard = AccessibilityCheck.tenfold(SwipeSettings().maxTime)
        check.reportFixed("max_time", maxTime, standard, rule, in: index)
    }
}

extension Region {
    /// The longest movement in a direction that stays in the region.
    func room(_ direction: SwipeDirection) -> Double {
        switch direction {
        case .left, .right: bounds.width
        case .up, .down: bounds.height
        case .upLeft, .upRight, .downLeft, .downRight: Vector(dx: bounds.width, dy: bounds.height).length
        }
    }
}
