// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// The gestures after a palm are as they would be without it (`docs/gestures.md`, "What every gesture has").
@Suite("Traces of palms")
struct PalmTraceTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let gestures: [GestureSettings]
        /// Contact `p` turns out to be a palm.
        let script: String

        init(_ name: String, _ gestures: [GestureSettings], _ script: String) {
            (self.name, self.gestures, self.script) = (name, gestures, script)
        }

        var testDescription: String { name }

        var alone: String {
            let steps = script.split(separator: ";").filter { !$0.contains(" p ") }
            return steps.joined(separator: ";")
        }
    }

    private static let cases = [
        Case("drag, palm first", [drag()], "down p 100,90; +20ms; down a 10,50; \(line); cancel p palm; \(rest)"),
        Case("drag, palm second", [drag()], "down a 10,50; +20ms; down p 100,90; \(line); cancel p palm; \(rest)"),
        Case(
            "drag that moves before and after the palm lands", [drag { $0.start = 10 }],
            "down a 10,50; +20ms; move a 15,50; +10ms; down p 100,90; \(line); cancel p palm; \(rest)"),
        Case(
            "drag of two fingers", [drag(fingers: 2)],
            "down a 10,50; down b 30,50; +20ms; down p 100,90; +20ms; move a 20,50 & move b 40,50; +20ms; "
                + "move a 30,50 & move b 50,50; +10ms; cancel p palm; +10ms; move a 32,50 & move b 52,50; +20ms; up a & up b"
        ),
        Case(
            "drag along an axis that goes on", [drag { $0.axis = .horizontal }],
            "down a 10,50; +20ms; down p 100,90; \(line); cancel p palm; +20ms; move a 40,50; +20ms; up a"),
        Case(
            "drag of a finger that another one joined and left before",
            [drag()],
            "down a 10,50; +20ms; down b 40,50; +20ms; up b; +20ms; down p 100,90; \(line); cancel p palm; \(rest)"),
        Case(
            "rotation", [rotate()],
            "down a 90,50; down b 110,50; +20ms; down p 20,90; +20ms; move b 109,55; +20ms; move b 107,58; +20ms; "
                + "cancel p palm; +20ms; move b 106,59; +20ms; up a; up b"),
        Case(
            "rotation, palm first", [rotate()],
            "down p 20,90; +20ms; down a 90,50; down b 110,50; +20ms; move b 109,55; +20ms; move b 107,58; +20ms; "
                + "cancel p palm; +20ms; move b 106,59; +20ms; up a; up b"),
        Case(
            "pinch", [pinch()],
            "down a 90,50; down b 110,50; +20ms; down p 20,90; +20ms; move b 111,50; +20ms; move b 112,50; +20ms; "
                + "cancel p palm; +20ms; move b 141,50; +20ms; up a; up b"),
        Case(
            "dial, both move", [dial()],
            "down p 20,90; +20ms; down a 120,50; +20ms; move a 114,64; +10ms; move p 26,90; +10ms; move a 101,70; +10ms; "
                + "cancel p palm; +20ms; move a 99,70; +20ms; up a"),
        Case(
            "stroke, both move", [stroke([(0, 0), (1, 2), (2, 0)])],
            "down p 150,90; +20ms; down a 60,30; +50ms; move a 65,40; +10ms; move p 156,90; +10ms; move a 70,50; +20ms; "
                + "cancel p palm; +30ms; move a 80,30; up a"),
        Case(
            "chain, both move", [chain([.right, .down])],
            "down p 150,90; +20ms; down a 20,20; +40ms; move a 40,20; +10ms; move p 156,90; +10ms; move a 60,20; "
                + "cancel p palm; +60ms; move a 60,60; up a"),
        Case(
            "repeat, palm first", [repeating { $0.delay = .milliseconds(300) }],
            "down p 150,90; +100ms; down a 60,30; +150ms; move a 61,30; cancel p palm; +400ms; up a"),
        Case(
            "repeat, palm second", [repeating { $0.delay = .milliseconds(300) }],
            "down a 60,30; +100ms; down p 150,90; +150ms; cancel p palm; +300ms; up a"),
        Case(
            "swipe", [swipe { $0.minVelocity = 0 }],
            "down p 150,90; +20ms; down a 20,50; +20ms; move a 30,50; +200ms; cancel p palm; +20ms; up a"),
        Case("tap", [tap()], "down a 60,30; +20ms; down p 150,90; +60ms; cancel p palm; +20ms; up a"),
        Case("long press", [longPress()], "down p 60,30; +50ms; down a 150,90; +60ms; cancel p palm; +600ms; up a"),
    ]

    private static let line = "+20ms; move a 20,50; +20ms; move a 30,50; +10ms"
    private static let rest = "+10ms; move a 32,50; +20ms; up a"

    /// The lines of what ends or is recognized. A swipe's speed is no part of them.
    private static func results(_ gestures: [GestureSettings], _ script: String) -> [Substring] {
        simulate([region(gestures)], script, updates: false).split(separator: "\n").filter { !$0.contains(" begin") }
    }

    @Test("there are none in what ends or is recognized after them", arguments: cases)
    func none(row: Case) {
        let alone = Self.results(row.gestures, row.alone)
        #expect(!alone.isEmpty)
        #expect(Self.results(row.gestures, row.script) == alone)
    }

    @Test("a drag that a palm has kept back begins when it goes")
    func keptBack() {
        let transcript = simulate(
            [region([drag()])], "down a 10,50; +20ms; down p 100,90; \(Self.line); cancel p palm; \(Self.rest)",
            updates: false)
        #expect(transcript == "70 drag begin 0.0,0.0\n100 drag end 19.0,0.0")
    }
}
