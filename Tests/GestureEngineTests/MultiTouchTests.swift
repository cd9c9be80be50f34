// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

@Suite("Gestures of several fingers cancel those of one")
struct MultiTouchTests {
    @Test(
        "a gesture of more fingers takes the sequence from those of one",
        arguments: [
            (tap(fingers: 2), "+50ms; up a & up b", 50),
            (swipe(fingers: 2), "+40ms; move a 40,10 & move b 70,10; +10ms; up a & up b", 50),
            (drag(fingers: 2), "+50ms; move a 14,10 & move b 44,10; up a & up b", 50),
            (pinch(), "+50ms; move b 46,10; up a & up b", 50),
            (rotate(), "+50ms; move a 10,5 & move b 40,15; up a & up b", 50),
        ])
    func multiTouch(gesture: GestureSettings, script: String, time: Int) {
        let lines = simulate(
            [region(rules: [Gesture(press), Gesture(repeating()), Gesture(gesture, name: "two")])],
            "down a 10,10 & down b 40,10; \(script)")
        #expect(
            lines.hasPrefix("0 press begin\n\(time) press cancel multiTouch inside held \(time)\n\(time) two"),
            "\(lines)")
        #expect(!lines.contains("press end"))
    }

    @Test("a long press of several fingers cancels nothing")
    func longPressTakesNothing() {
        #expect(
            simulate([region([press, longPress(fingers: 2)])], "down a 10,10 & down b 40,10; +600ms; up a & up b")
                == """
                0 press begin
                500 2-finger long_press begin
                600 2-finger long_press end held 600
                600 press end inside held 600
                """)
    }

    @Test("the press of the next sequence is not affected")
    func nextPress() {
        #expect(
            simulate(
                [region([press, tap(fingers: 2)])],
                "down a 10,10 & down b 40,10; +50ms; up a & up b; +50ms; down c 10,10; +10ms; up c")
                    == """
                    0 press begin
                    50 press cancel multiTouch inside held 50
                    50 2-finger tap after 50
                    100 press begin
                    110 press end inside held 10
                    """)
    }
}
