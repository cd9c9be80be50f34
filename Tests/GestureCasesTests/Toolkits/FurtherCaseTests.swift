// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// More cases like those of other toolkits, in the same notation: what the other tests of those suites check.
@Suite("Further cases in the style of other toolkits")
struct FurtherCaseTests {
    /// A case as text: `20 1 move 25,25` is finger 1 at 20 ms.
    struct Neighbour: Sendable, CustomTestStringConvertible {
        var id: String
        var touches: String
        var expected: [GestureCase.Expectation]
        var never: [String]
        var params: [String: JSONScalar]

        init(
            _ id: String, _ touches: String, _ expected: [GestureCase.Expectation], never: [String] = [],
            _ params: [String: Double] = [:]
        ) {
            self.id = id
            self.touches = touches
            self.expected = expected
            self.never = never
            let flutter: [String: Double] = [
                "slop_px": 18, "long_press_ms": 500, "double_tap_ms": 300, "double_tap_min_ms": 40,
                "double_tap_slop_px": 100, "swipe_min_px": 60, "swipe_min_px_s": 500,
            ]
            self.params = flutter.merging(params) { $1 }.mapValues { .number($0) }
        }

        var testDescription: String { id }

        var asCase: GestureCase {
            let rows = touches.split { $0 == ";" || $0 == "\n" }.compactMap { row -> CaseTouch? in
                let words = row.split(separator: " ")
                guard words.count >= 3, let time = Double(words[0]), let finger = Int(words[1]),
                    let phase = CaseTouch.Phase(rawValue: String(words[2]))
                else { return nil }
                let place = words.count > 3 ? words[3].split(separator: ",").compactMap { Double($0) } : []
                return CaseTouch(time, finger, phase, place.first, place.last)
            }
            return GestureCase(
                id: id, params: params, events: rows, expected: expected, never: never, sure: .certain)
        }
    }

    private static func once(
        _ gesture: String, _ count: Int? = 1, at milliseconds: Double? = nil, direction: String? = nil,
        scale: Double? = nil, angle: Double? = nil
    ) -> GestureCase.Expectation {
        GestureCase.Expectation(
            gesture: gesture, count: count, milliseconds: milliseconds, millisecondsTolerance: 0, direction: direction,
            tolerance: angle == nil ? 0.02 : 0.5, scale: scale, angle: angle)
    }

    /// Fingers 1 and 2 on a line through 500, 500, in 10 ms steps of a function: the angle and the radius at 0…1.
    private static func turning(
        from start: Double = 0, by degrees: Double, radius: (Double) -> Double = { _ in 150 }, steps: Int = 20
    ) -> String {
        var rows: [String] = []
        for step in 0...steps {
            let part = Double(step) / Double(steps)
            let angle = (start + degrees * part) * .pi / 180
            let (x, y) = (cos(angle) * radius(part), sin(angle) * radius(part))
            let phase = step == 0 ? "down" : "move"
            rows.append("\(step * 10) 1 \(phase) \(500 + x),\(500 + y)")
            rows.append("\(step * 10) 2 \(phase) \(500 - x),\(500 - y)")
        }
        return rows.joined(separator: "\n") + "\n\(steps * 10 + 10) 1 up\n\(steps * 10 + 15) 2 up"
    }

    /// Fingers that move together.
    private static func together(_ fingers: Int, by x: Double, _ y: Double, steps: Int = 10) -> String {
        (0...steps).flatMap { step in
            (1...fingers).map { finger in
                let part = Double(step) / Double(steps)
                let phase = step == 0 ? "down" : "move"
                return "\(step * 10) \(finger) \(phase) \(500 + 120 * Double(finger) + x * part),\(500 + y * part)"
            }
        }.joined(separator: "\n") + "\n" + (1...fingers).map { "\(steps * 10 + $0) \($0) up" }.joined(separator: "\n")
    }

    static let taps: [Neighbour] = [
        Neighbour(
            "slop is a limit that may nearly be reached", "0 1 down 10,10; 20 1 move 27.99,10; 60 1 up", [once("tap")]),
        Neighbour("and not passed", "0 1 down 10,10; 20 1 move 28.1,10; 60 1 up", [], never: ["tap"]),
        Neighbour(
            "of three quick taps one pair",
            "0 1 down 10,10; 30 1 up; 130 1 down 10,10; 160 1 up; 260 1 down 10,10; 290 1 up",
            [once("double_tap", at: 160), once("tap", 2)]),
        Neighbour(
            "a double tap nearly too far", "0 1 down 10,10; 30 1 up; 130 1 down 109.9,10; 160 1 up",
            [once("double_tap")]),
        Neighbour(
            "taps of two hands in turn",
            "0 1 down 10,10; 30 1 up; 130 1 down 210,10; 160 1 up; 260 1 down 10,10; 290 1 up; 390 1 down 210,10; 420 1 up",
            [once("tap", 4)], never: ["double_tap"]),
        Neighbour(
            "a second tap that is held", "0 1 down 10,10; 30 1 up; 130 1 down 10,10; 800 1 up",
            [once("tap"), once("long_press", at: 630)], never: ["double_tap"]),
        Neighbour(
            "a second tap that moves", "0 1 down 10,10; 30 1 up; 130 1 down 10,10; 150 1 move 60,10; 180 1 up",
            [once("tap"), once("drag_begin")], never: ["double_tap"]),
        Neighbour(
            "the last moment for a second tap", "0 1 down 10,10; 30 1 up; 329 1 down 10,10; 360 1 up",
            [once("tap"), once("double_tap")], never: []),
        Neighbour(
            "and past it", "0 1 down 10,10; 30 1 up; 330 1 down 10,10; 360 1 up", [once("tap", 2)],
            never: ["double_tap"]),
        Neighbour("focus is lost", "0 1 down 10,10; 100 1 cancel", [], never: ["tap", "long_press", "drag", "swipe"]),
        Neighbour(
            "focus is lost between two taps",
            "0 1 down 10,10; 30 1 up; 130 1 down 10,10; 150 1 cancel; 250 1 down 10,10; 280 1 up",
            [once("tap", 2)], never: ["double_tap"]),
        Neighbour(
            "two fingers tap", "0 1 down 100,100; 30 2 down 300,100; 90 2 up; 110 1 up", [once("two_finger_tap")],
            never: ["tap", "pinch", "rotation", "long_press"]),
        Neighbour(
            "of two fingers one moves", "0 1 down 100,100; 30 2 down 300,100; 60 2 move 300,130; 90 2 up; 110 1 up", [],
            never: ["two_finger_tap", "tap"]),
        Neighbour(
            "the second finger is late", "0 1 down 100,100; 101 2 down 300,100; 160 2 up; 170 1 up", [],
            never: ["two_finger_tap", "tap"]),
        Neighbour(
            "a long press that scrolls away", "0 1 down 10,10; 300 1 move 70,10; 1000 1 up",
            [once("drag_begin")], never: ["long_press", "tap", "swipe"]),
        Neighbour("nearly held", "0 1 down 10,10; 499 1 up", [once("tap")], never: ["long_press"]),
        Neighbour("held", "0 1 down 10,10; 500 1 up", [once("long_press", at: 500)], never: ["tap"]),
    ]

    static let motions: [Neighbour] = [
        Neighbour(
            "there and back is no tap", "0 1 down 10,10; 20 1 move 60,10; 40 1 move 10,10; 60 1 up",
            [once("drag_begin")], never: ["tap", "swipe"]),
        Neighbour(
            "a flick of two reports", "0 1 down 100,100; 12 1 move 200,100; 14 1 up",
            [once("swipe", direction: "right")], never: ["tap"]),
        Neighbour(
            "a swipe that stops", "0 1 down 100,100; 20 1 move 200,100; 40 1 move 300,100; 240 1 up", [],
            never: ["swipe", "tap"]),
        Neighbour(
            "a swipe that returns",
            "0 1 down 100,100; 20 1 move 200,100; 40 1 move 300,100; 60 1 move 180,100; 80 1 move 110,100; 85 1 up", [],
            never: ["swipe", "tap"]),
        Neighbour(
            "too short for a swipe", "0 1 down 100,100; 10 1 move 159,100; 15 1 up", [], never: ["swipe", "tap"]),
        Neighbour("up", together(1, by: 0, -200), [once("swipe", direction: "up")], never: ["tap"]),
        Neighbour("left", together(1, by: -200, 30), [once("swipe", direction: "left")], never: ["tap"]),
        Neighbour(
            "two fingers swipe", together(2, by: 200, 0), [once("swipe", direction: "right")],
            never: ["pinch", "rotation", "two_finger_tap", "drag"]),
        Neighbour(
            "two fingers in a line swipe", together(2, by: 0, 200), [once("swipe", direction: "down")],
            never: ["pinch", "rotation", "two_finger_tap"]),
        Neighbour(
            "three fingers drag", together(3, by: 0, 300), [],
            never: ["pinch", "rotation", "two_finger_tap", "tap", "swipe"]),
        Neighbour(
            "four fingers rest", together(4, by: 0, 0), [], never: ["tap", "two_finger_tap", "pinch", "rotation"]),
    ]

    static let spans: [Neighbour] = [
        Neighbour(
            "twice as wide", turning(by: 0, radius: { 100 + 100 * $0 }),
            [
                once("pinch", scale: 2), once("pinch_end"),
            ], never: ["rotation", "swipe", "two_finger_tap", "drag"]),
        Neighbour(
            "half as wide", turning(by: 0, radius: { 300 - 150 * $0 }), [once("pinch", scale: 0.5)],
            never: ["rotation", "swipe"]),
        Neighbour("a quarter turn", turning(by: 90), [once("rotation", angle: 90)], never: ["pinch", "swipe"]),
        Neighbour("back a quarter turn", turning(by: -90), [once("rotation", angle: -90)], never: ["pinch", "swipe"]),
        Neighbour("over half a turn", turning(from: 170, by: 40), [once("rotation", angle: 40)], never: ["pinch"]),
        Neighbour("a turn and a half", turning(by: 540, steps: 40), [once("rotation", angle: 540)], never: ["pinch"]),
        Neighbour(
            "wider and a turn", turning(by: 60, radius: { 150 + 150 * $0 }),
            [once("pinch", scale: 2), once("rotation", angle: 60)], never: ["swipe", "drag"]),
        Neighbour("hardly wider", turning(by: 0, radius: { 150 + 5 * $0 }), [], never: ["pinch", "rotation", "tap"]),
        Neighbour("hardly turned", turning(by: 5), [], never: ["pinch", "rotation", "tap"]),
        Neighbour(
            "the first finger has rested for two seconds",
            "0 1 down 300,300; 2000 2 down 400,300; 2020 2 move 440,300; 2040 2 move 500,300; 2060 2 up; 2070 1 up",
            [once("pinch", scale: 2)], never: ["swipe", "rotation", "two_finger_tap"]),
        Neighbour(
            "a third finger joins and leaves",
            """
            0 1 down 300,300; 0 2 down 500,300; 20 1 move 250,300; 20 2 move 550,300; 40 1 move 200,300; 40 2 move 600,300
            60 3 down 400,600; 80 3 move 400,601; 100 3 up; 120 1 move 100,300; 120 2 move 700,300; 140 1 up; 150 2 up
            """, [once("pinch", scale: 3), once("pinch_end")], never: ["rotation", "swipe"]),
        Neighbour(
            "a palm takes one of two",
            """
            0 1 down 300,300; 0 2 down 500,300; 20 1 move 250,300; 20 2 move 550,300; 40 1 move 200,300; 40 2 move 600,300
            60 2 cancel; 80 1 up
            """, [once("pinch_begin")], never: ["pinch_end", "swipe", "tap"]),
    ]

    @Test(arguments: taps + motions + spans, Framing.allCases)
    func asInThoseSuites(neighbour: Neighbour, framing: Framing) {
        // Between the reports of two fingers, their centroid is elsewhere.
        guard framing == .together || Self.taps.contains(where: { $0.id == neighbour.id }) else { return }
        #expect(neighbour.asCase.mistakes(framing: framing, scale: CasePlayer.millimetersPerPixel) == [])
    }
}
