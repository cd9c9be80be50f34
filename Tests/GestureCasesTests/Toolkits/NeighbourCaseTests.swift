// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

/// Cases for properties that other tests in the toolkits' suites check.
@Suite("Cases like those of other toolkits")
struct NeighbourCaseTests {
    /// - Parameter expected: terms of `CaseOutcome`, separated by commas.
    private static func neighbour(_ id: String, _ touches: String, _ expected: String) -> GestureCase {
        let swiping: [String: [Double]] = ["swipe_distance": [60], "swipe_speed": [500]]
        return GestureCase(
            id: id, settings: GestureCase.flutter.merging(swiping) { $1 }, touches: touches,
            expected: CaseTable.list(expected), sure: .certain)
    }

    /// Moves fingers 1 and 2 around 500,500 in steps of 10 ms. `radius` returns their distance from that point for each
    /// part of the movement from 0 to 1.
    private static func turning(
        from start: Double = 0, by degrees: Double, radius: (Double) -> Double = { _ in 150 }, steps: Int = 20
    ) -> String {
        let frames = (0...steps).map { step in
            let part = Double(step) / Double(steps)
            let angle = (start + degrees * part) * .pi / 180
            let (x, y) = (cos(angle) * radius(part), sin(angle) * radius(part))
            let word = step == 0 ? "down" : "move"
            return "\(word) 1 \(500 + x),\(500 + y) & \(word) 2 \(500 - x),\(500 - y); +10ms"
        }
        return frames.joined(separator: "; ") + "; up 1; +5ms; up 2"
    }

    /// Moves several fingers in parallel.
    private static func together(_ fingers: Int, by x: Double, _ y: Double, steps: Int = 10) -> String {
        let frames = (0...steps).map { step in
            let part = Double(step) / Double(steps)
            let word = step == 0 ? "down" : "move"
            return (1...fingers).map { "\(word) \($0) \(500 + 120 * Double($0) + x * part),\(500 + y * part)" }
                .joined(separator: " & ")
        }
        return frames.joined(separator: "; +10ms; ") + (1...fingers).map { "; +1ms; up \($0)" }.joined()
    }

    static let written: [GestureCase] = CaseTable.rows("further.txt", columns: 3).map { neighbour($0[0], $0[1], $0[2]) }

    static let motions: [GestureCase] = [
        neighbour("up", together(1, by: 0, -200), "swipe up x1, no tap"),
        neighbour("left", together(1, by: -200, 30), "swipe left x1, no tap"),
        neighbour(
            "two fingers swipe", together(2, by: 200, 0),
            "swipe right x1, no pinch, no rotate, no two_finger_tap, no drag"),
        neighbour(
            "two fingers in a line swipe", together(2, by: 0, 200),
            "swipe down x1, no pinch, no rotate, no two_finger_tap"),
        neighbour(
            "three fingers drag", together(3, by: 0, 300),
            "no pinch, no rotate, no two_finger_tap, no tap, no swipe"),
        neighbour(
            "four fingers rest", together(4, by: 0, 0), "no tap, no two_finger_tap, no pinch, no rotate"),
    ]

    static let spans: [GestureCase] = [
        neighbour(
            "twice as wide", turning(by: 0, radius: { 100 + 100 * $0 }),
            "pinch x1 scale 2±0.02, pinch end x1, no rotate, no swipe, no two_finger_tap, no drag"),
        neighbour(
            "half as wide", turning(by: 0, radius: { 300 - 150 * $0 }),
            "pinch x1 scale 0.5±0.02, no rotate, no swipe"),
        neighbour("a quarter turn", turning(by: 90), "rotate x1 angle 90±0.5°, no pinch, no swipe"),
        neighbour("back a quarter turn", turning(by: -90), "rotate x1 angle -90±0.5°, no pinch, no swipe"),
        neighbour("over half a turn", turning(from: 170, by: 40), "rotate x1 angle 40±0.5°, no pinch"),
        neighbour("a turn and a half", turning(by: 540, steps: 40), "rotate x1 angle 540±0.5°, no pinch"),
        neighbour(
            "wider and a turn", turning(by: 60, radius: { 150 + 150 * $0 }),
            "pinch x1 scale 2±0.02, rotate x1 angle 60±0.5°, no swipe, no drag"),
        neighbour("hardly wider", turning(by: 0, radius: { 150 + 5 * $0 }), "no pinch, no rotate, no tap"),
        neighbour("hardly turned", turning(by: 5), "no pinch, no rotate, no tap"),
    ]

    @Test func countOfCases() {
        #expect(Self.written.count == 25)
    }

    @Test(arguments: written + motions + spans)
    func events(neighbour: GestureCase) {
        #expect(neighbour.mistakes(framing: .together, scale: CasePlayer.millimetersPerPixel) == [])
    }
}
