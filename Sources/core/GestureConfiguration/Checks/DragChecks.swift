// SPDX-License-Identifier: MIT
import GestureEngine

extension DragSettings: CheckedSettings {
    func problems(of gesture: PlacedGesture, _ delays: inout DecisionDelays) -> [GestureProblem] {
        var problems: [GestureProblem] = []
        let name = gesture.name
        if isLocked, axis == .any {
            problems.append(
                GestureProblem(
                    "\(name): lock has no effect without an axis; set axis = \"horizontal\" or \"vertical\""))
        }
        if zoom, isLocked, axis == .horizontal {
            problems.append(
                GestureProblem("\(name) always has the scale 1: lock keeps it from moving up and down"))
        }
        if minFingers > fingers {
            problems.append(
                GestureProblem(
                    "\(name) may begin with fewer fingers than its min_fingers, and then ends with the first lift"))
        }
        return problems
    }
}
