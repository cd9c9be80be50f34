// SPDX-License-Identifier: MIT
import GestureEngine

extension DialSettings: CheckedSettings {
    func problems(of gesture: PlacedGesture, _ delays: inout DecisionDelays) -> [GestureProblem] {
        var problems: [GestureProblem] = []
        let bounds = gesture.region.bounds
        let reach = Vector(dx: bounds.width, dy: bounds.height).length / 2
        if center == .region, minRadius.exceeds(reach) {
            let (needed, available) = (tenths(minRadius), tenths(reach))
            problems.append(
                GestureProblem(
                    .tooLong,
                    "\(gesture.name) turns at \(needed) mm from the centre of its region (min_radius), but its region "
                        + "ends at \(available) mm"))
        }
        if center == .drawn, start < Self.leastDrawn, start != DialSettings().start {
            problems.append(
                GestureProblem(
                    "\(gesture.name): start has no effect, because a drawn circle needs a turn of "
                        + "\(plain(Self.leastDrawn))°"))
        }
        return problems
    }
}
