// SPDX-License-Identifier: MIT
import GestureEngine

extension StrokeSettings: CheckedSettings {
    /// Finds a stroke that an earlier one of its region always equals or outscores.
    func problems(of gesture: PlacedGesture, _ delays: inout DecisionDelays) -> [GestureProblem] {
        let other = gesture.earlier.first { earlier in
            guard case .stroke(let other) = earlier.settings, earlier.after.isEmpty else { return false }
            return other.minScore <= minScore && other.minLength <= minLength && other.rotation >= rotation
                && (other.closed || !closed)
                && templates.allSatisfy { template in
                    other.templates.contains { $0.score(of: template, rotation: 0, closed: other.closed) > 0.999 }
                }
        }
        guard let other else { return [] }
        return [
            GestureProblem(
                "\(gesture.name) can never be recognized: \"\(other.name)\" of the same region comes first and has the "
                    + "same shape")
        ]
    }
}
