// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

/// A toolkit's test as a list of steps: touches, waits and assertions.
struct StepCase: Decodable, Sendable, CustomTestStringConvertible {
    struct Step: Decodable, Sendable {
        var op: String
        var t: Double?
        var id: Int?
        var phase: CaseTouch.Phase?
        var x: Double?
        var y: Double?
        /// The variable of an assertion.
        var what: String?
        var value: JSONScalar?
        /// The progress of a gesture, which hyprgrass asserts among other values.
        var progress: JSONScalar?

        var touch: CaseTouch? {
            guard let id, let phase else { return nil }
            return CaseTouch(t ?? 0, id, phase, x, y)
        }
    }

    var name: String
    var source: String
    var steps: [Step]
    /// Only in hyprgrass.
    var gesture: String?
    var edgeMargin: Double?
    var monitorOffset: [Double]?
    var isKnownToFail: Bool?

    private enum CodingKeys: String, CodingKey {
        case name, source, steps, gesture
        case edgeMargin = "edge_margin"
        case monitorOffset = "monitor_offset"
        case isKnownToFail = "known_to_fail"
    }

    /// `tap_test.dart:100`
    var id: String { source.split(separator: "/").last.map(String.init) ?? source }
    /// `tap_test.dart`
    var file: String { id.split(separator: ":").first.map(String.init) ?? id }

    var testDescription: String { "\(id) \(name.prefix(60))" }

    static let flutter = SharedData.cases("flutter-gestures.json", of: StepCase.self).map(\.repaired)
    static let hyprgrass = SharedData.cases("hyprgrass.json", of: StepCase.self)

    /// Adds what the tests keep in variables and the steps lack: the first down of a finger (at 10, 10 or where it
    /// lifts), and which finger a second down belongs to.
    private var repaired: StepCase {
        var repaired = self
        var down: Set<Int> = []
        var known: Set<Int> = []
        for (index, step) in steps.enumerated() {
            guard let id = step.id, let phase = step.phase else { continue }
            if phase == .down, down.contains(id) {
                let later = steps[index...].first { $0.phase == .up && !known.contains($0.id ?? id) }
                repaired.steps[index].id = later?.id ?? id + 100
            }
            let finger = repaired.steps[index].id ?? id
            known.insert(finger)
            if phase == .down { down.insert(finger) }
            if phase == .up || phase == .cancel { down.remove(finger) }
        }
        if let first = steps.firstIndex(where: { $0.touch != nil }), steps[first].phase != .down {
            var step = steps[first]
            let isUp = step.phase == .up
            step.phase = .down
            step.t = 0
            step.x = isUp ? step.x : 10
            step.y = isUp ? step.y : 10
            repaired.steps.insert(step, at: 0)
        }
        return repaired
    }
}
