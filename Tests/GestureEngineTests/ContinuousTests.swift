// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

@Suite("Pinch, rotate and drag: directions, min_span, step, lock")
struct ContinuousTests {
    @Test(
        "directions restrict how a gesture may begin",
        arguments: [
            (pinch { $0.directions = [.out] }, "down a 80,50 & down b 110,50; +10ms; move b 100,50; up a & up b", ""),
            (
                pinch { $0.directions = [.in] }, "down a 80,50 & down b 110,50; +10ms; move b 100,50; up a & up b",
                "10 pinch begin x0.667\n10 pinch end x0.667"
            ),
            // The change of the span is measured from the point where the fingers turned back.
            (
                pinch { $0.directions = [.out] },
                """
                down a 80,50 & down b 110,50; +10ms; move b 100,50; +10ms; move b 103.9,50; +10ms; move b 104,50
                +10ms; move b 92,50; +10ms; up a & up b
                """,
                "30 pinch begin x0.8\n40 pinch update x0.4\n50 pinch end x0.4"
            ),
            (
                rotate { $0.directions = [.counterclockwise] },
                "down a 90,50 & down b 110,50; +10ms; move b 90,70; up a & up b", ""
            ),
            (
                rotate { $0.directions = [.clockwise] },
                "down a 90,50 & down b 110,50; +10ms; move b 90,70; +10ms; move b 110,50; +10ms; up a & up b",
                "10 rotate begin 90.0°\n20 rotate update 0.0°\n30 rotate end 0.0°"
            ),
        ])
    func directions(gesture: GestureSettings, script: String, transcript: String) {
        #expect(simulate([region([gesture])], script) == transcript)
    }

    @Test(
        "reasons for failures",
        arguments: [
            (
                pinch { $0.directions = [.out] }, "down a 80,50 & down b 110,50; +10ms; move b 100,50; up a & up b",
                "10 pinch failed: wrongDirection 10.0 / 4.0"
            ),
            (
                rotate { $0.directions = [.counterclockwise] },
                "down a 90,50 & down b 110,50; +10ms; move b 90,70; up a & up b",
                "10 rotate failed: wrongDirection 90.0 / 8.0"
            ),
            (
                pinch { $0.minSpan = 25 }, "down a 80,50 & down b 100,50; +10ms; move b 104.9,50; up a & up b",
                "10 pinch failed: smallSpan 24.9 / 25.0"
            ),
        ])
    func failures(gesture: GestureSettings, script: String, line: String) {
        #expect(simulate([region([gesture])], script, failures: true) == line)
    }

    @Test("min_span: a pinch begins at it, ends below it, and begins again when the span has grown by start")
    func minSpan() {
        #expect(
            simulate(
                [region([pinch { $0.minSpan = 25 }])],
                """
                down a 80,50 & down b 100,50; +10ms; move b 105,50; +10ms; move b 104.9,50; +10ms; move b 108.8,50
                +10ms; move b 109,50; +10ms; up a & up b
                """) == """
                    10 pinch begin x1.25
                    20 pinch end x1.245
                    40 pinch begin x1.45
                    50 pinch end x1.45
                    """)
    }

    @Test("step: an update when the span or the angle has changed by this amount, and the last value at the end")
    func step() {
        #expect(
            simulate(
                [region([pinch { $0.step = 5 }])],
                """
                down a 80,50 & down b 100,50; +10ms; move b 104,50; +10ms; move b 108.9,50; +10ms; move b 109,50
                +10ms; move b 113,50; +10ms; up a & up b
                """) == """
                    10 pinch begin x1.2
                    30 pinch update x1.45
                    50 pinch end x1.65
                    """)
        #expect(
            simulate(
                [region([rotate { $0.step = 45 }])],
                """
                down a 90,50 & down b 110,50; +10ms; move b 90,70; +10ms; move b 76,64.1; +10ms; move b 75.9,64
                +10ms; move b 70,50; +10ms; up a & up b
                """) == """
                    10 rotate begin 90.0°
                    30 rotate update 135.2°
                    50 rotate end 180.0°
                    """)
    }

    @Test("lock and step of a drag")
    func drags() {
        let locked = region([drag { ($0.axis, $0.isLocked) = (.vertical, true) }])
        #expect(
            simulate([locked], "down a 50,20; +10ms; move a 52,30; +10ms; move a 70,40; +10ms; up a")
                == "10 drag begin 0.0,0.0\n20 drag update 0.0,17.1\n30 drag end 0.0,17.1")
        let stepped = region([drag { $0.step = 5 }])
        #expect(
            simulate(
                [stepped], "down a 50,20; +10ms; move a 60,20; +10ms; move a 64.9,20; +10ms; move a 65,20; +10ms; up a")
                == "10 drag begin 0.0,0.0\n30 drag update 12.0,0.0\n40 drag end 12.0,0.0")
    }
}
