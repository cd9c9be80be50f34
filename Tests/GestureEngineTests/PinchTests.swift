// SPDX-License-Identifier: MIT
import GestureEngine
import GestureLaws
import GestureTestSupport
import Testing

@Suite("Pinch")
struct PinchTests {
    @Test(
        "begins, moves, ends",
        arguments: [
            // The pinch begins when the span has changed by 4 mm; the scale is the ratio of the spans.
            (
                "down a 80,50 & down b 100,50; +9ms; move a 78,50 & move b 101.9,50; +1ms; move b 102,50; +9ms; up a & up b",
                "10 pinch begin x1.2\n19 pinch end x1.2"
            ),
            ("down a 80,50 & down b 100,50; +9ms; move a 78,50 & move b 101.9,50; +1ms; up a & up b", ""),
            (
                "down a 80,50 & down b 100,50; +9ms; move a 82,50 & move b 98,50; +9ms; move a 85,50 & move b 95,50; up b; up a",
                "9 pinch begin x0.8\n18 pinch update x0.5\n18 pinch end x0.5"
            ),
            ("down a 80,50 & down b 100,50; +9ms; move a 82,50 & move b 98.1,50; +9ms; up b; up a", ""),
            // The smaller of the two spans is 8 mm, the minimum, or slightly less.
            (
                "down a 80,50 & down b 88,50; +9ms; move a 78,50 & move b 90,50; up a & up b",
                "9 pinch begin x1.5\n9 pinch end x1.5"
            ),
            ("down a 80,50 & down b 87.9,50; +9ms; move a 70,50 & move b 98,50; up a & up b", ""),
            (
                "down a 80,50 & down b 100,50; +9ms; move a 86,50 & move b 94,50; up a & up b",
                "9 pinch begin x0.4\n9 pinch end x0.4"
            ),
            ("down a 80,50 & down b 100,50; +9ms; move a 86.1,50 & move b 94,50; up a & up b", ""),
            // After the pinch has begun, the fingers may come arbitrarily close to each other.
            (
                "down a 80,50 & down b 100,50; +9ms; move a 84,50 & move b 96,50; +9ms; move a 89,50 & move b 91,50; up a & up b",
                "9 pinch begin x0.6\n18 pinch update x0.1\n18 pinch end x0.1"
            ),
            // The span, which changes by 4 mm, must change by at least as much as the centroid moves: here 4 mm, then
            // 4.1 mm.
            (
                "down a 80,50 & down b 100,50; +9ms; move a 82,50 & move b 106,50; up a & up b",
                "9 pinch begin x1.2\n9 pinch end x1.2"
            ),
            ("down a 80,50 & down b 100,50; +9ms; move a 82.1,50 & move b 106.1,50; up a & up b", ""),
            // A finger that has not moved for a long time is treated like any other.
            (
                "down a 80,50; +9000ms; down b 100,50; +9ms; move b 110,50; +9ms; up a; up b",
                "9009 pinch begin x1.5\n9018 pinch end x1.5"
            ),
            // The span is measured from the landing of the second finger, however far the first has moved.
            (
                "down a 20,50; +9ms; move a 80,50; +9ms; down b 100,50; +9ms; move b 110,50; +9ms; up a; up b",
                "27 pinch begin x1.5\n36 pinch end x1.5"
            ),
            // A single finger cannot pinch.
            ("down a 80,50; +9ms; move a 120,50; up a", ""),
            // One of the two contacts is cancelled.
            (
                "down a 80,50 & down b 100,50; +9ms; move b 110,50; +9ms; cancel a palm; +9ms; move b 150,50; up b",
                "9 pinch begin x1.5\n18 pinch cancel palm x1.5"
            ),
        ])
    func phases(script: String, transcript: String) {
        #expect(simulate([region([pinch()])], script) == transcript)
    }

    @Test("start sets the required change")
    func start() {
        let regions = [region([pinch { $0.start = 10 }])]
        #expect(simulate(regions, "down a 80,50 & down b 100,50; +9ms; move b 109.9,50; up a & up b") == "")
        #expect(
            simulate(regions, "down a 80,50 & down b 100,50; +9ms; move b 110,50; up a & up b")
                == "9 pinch begin x1.5\n9 pinch end x1.5")
    }

    @Test("a third finger and a lift do not change the scale by themselves")
    func rebase() {
        #expect(
            simulate(
                [region([pinch()])],
                """
                down a 80,50 & down b 100,50; +10ms; move a 70,50 & move b 110,50
                +10ms; down c 90,90; +10ms; move c 90,90.001; +10ms; up a; +10ms; move b 110,50.001
                +40ms; move b 130,10; +10ms; up c; +10ms; move b 150,10; up b
                """)
                    == """
                    10 pinch begin x2.0
                    30 pinch update x2.0
                    50 pinch update x2.0
                    90 pinch update x4.0
                    100 pinch end x4.0
                    """)
    }

    @Test("a third finger can make a pinch, too, and the lift of the last two ends it")
    func threeFingers() {
        #expect(
            simulate(
                [region([pinch()])],
                """
                down a 80,50 & down b 100,50 & down c 90,70; +10ms; move a 70,45 & move b 110,45 & move c 90,90
                +10ms; up a; +10ms; up b; +10ms; up c
                """
            ).split(separator: "\n").map { $0.prefix { $0 != "x" } } == ["10 pinch begin ", "30 pinch end "])
    }

    @Test("another pinch, measured from the landing, when a finger returns")
    func again() {
        #expect(
            simulate(
                [region([pinch()])],
                """
                down a 80,50 & down b 100,50; +10ms; move b 110,50; +10ms; up b
                +10ms; down c 100,50; +10ms; move c 120,50; up c; up a
                """) == "10 pinch begin x1.5\n20 pinch end x1.5\n40 pinch begin x2.0\n40 pinch end x2.0")
    }

    @Test("positions that are read after lost events are a movement")
    func resynchronized() {
        #expect(
            simulate([region([pinch()])], "down a 80,50 & down b 100,50; +10ms; jump b 110,50; up a & up b")
                == "10 pinch begin x1.5\n10 pinch end x1.5")
    }
}

@Suite("Rotate")
struct RotateTests {
    /// Moves `b` to this angle on a circle of 20 mm around `a`, in degrees clockwise.
    private static func turned(_ degrees: Double) -> String {
        // The positions are listed, so that the test does not have to calculate them.
        let points: [Double: String] = [
            7.99: "109.805847,52.780005", 8.01: "109.804875,52.786919", -8.01: "109.804875,47.213081", 90: "90,70",
            180: "70,50", 270: "90,30", 360: "110,50",
        ]
        return "move b \(points[degrees] ?? "?")"
    }

    @Test(
        "begins, moves, ends",
        arguments: [
            ("\(turned(7.99)); +10ms", ""),
            ("\(turned(8.01)); +10ms", "10 rotate begin 8.0°\n20 rotate end 8.0°"),
            ("\(turned(-8.01)); +10ms", "10 rotate begin -8.0°\n20 rotate end -8.0°"),
            // The angle does not wrap, either at half a turn or at a whole one.
            (
                "\(turned(90)); +10ms; \(turned(180)); +10ms; \(turned(270)); +10ms; \(turned(360)); +10ms; \(turned(90))",
                """
                10 rotate begin 90.0°
                20 rotate update 180.0°
                30 rotate update 270.0°
                40 rotate update 360.0°
                50 rotate update 450.0°
                50 rotate end 450.0°
                """
            ),
            // Counterclockwise turns have negative angles.
            (
                "\(turned(270)); +10ms; \(turned(180)); +10ms; \(turned(90)); +10ms; \(turned(360)); +10ms; \(turned(270))",
                """
                10 rotate begin -90.0°
                20 rotate update -180.0°
                30 rotate update -270.0°
                40 rotate update -360.0°
                50 rotate update -450.0°
                50 rotate end -450.0°
                """
            ),
            ("\(turned(90)); +10ms; cancel b palm", "10 rotate begin 90.0°\n20 rotate cancel palm 90.0°"),
        ])
    func phases(script: String, transcript: String) {
        #expect(
            simulate([region([rotate()])], "down a 90,50 & down b 110,50; +10ms; \(script); up b & up a") == transcript)
    }

    @Test("fingers that are closer than 8 mm have no angle")
    func span() {
        let regions = [region([rotate()])]
        #expect(
            simulate(regions, "down a 90,50 & down b 98,50; +9ms; move b 90,58; up a & up b")
                == "9 rotate begin 90.0°\n9 rotate end 90.0°")
        #expect(simulate(regions, "down a 90,50 & down b 97.9,50; +9ms; move b 90,58; up a & up b") == "")
        let joined = "down a 90,50 & down b 90,50; +9ms; move a 80,50 & move b 100,50"
        #expect(simulate(regions, joined + "; +9ms; move a 90,40 & move b 90,60; up a & up b") == "")
    }

    @Test("start sets the required angle")
    func start() {
        let regions = [region([rotate { $0.start = 90 }])]
        #expect(simulate(regions, "down a 90,50 & down b 110,50; +9ms; move b 90.1,70; up a & up b") == "")
        #expect(
            simulate(regions, "down a 90,50 & down b 110,50; +9ms; move b 90,70; up a & up b")
                == "9 rotate begin 90.0°\n9 rotate end 90.0°")
    }

    @Test("the arc must be at least as long as the movement of the centroid")
    func dominance() {
        let regions = [region([rotate()])]
        // The fingers are 20 mm apart at first and 20.09 mm at the end, turned by at least 5.57°. In the first script,
        // the movement of the centroid is longer than the arc.
        #expect(
            simulate(regions, "down a 90,50 & down b 110,50; +9ms; move a 95,50 & move b 115,53; up a & up b") == "")
        #expect(
            simulate(regions, "down a 90,50 & down b 110,50; +9ms; move a 90,47 & move b 110,53; up a & up b")
                == "9 rotate begin 16.7°\n9 rotate end 16.7°")
    }

    @Test("a third finger, and the lift of one of the first two, do not turn by themselves")
    func rebase() {
        #expect(
            simulate(
                [region([rotate()])],
                """
                down a 90,50 & down b 110,50; +10ms; move b 90,70; +10ms; down c 20,20; +100ms; move c 20,70
                +10ms; up a; +100ms; move c 90,0; +100ms; move b 20,0; +10ms; up b; up c
                """)
                    == """
                    10 rotate begin 90.0°
                    120 rotate update 90.0°
                    230 rotate update 180.0°
                    330 rotate update 270.0°
                    340 rotate end 270.0°
                    """)
    }

    @Test("fingers at the same position do not turn")
    func samePlace() {
        let script =
            "down a 195,72; down b 195,97; move a 193,99 & move b 194,99 & down c 102,96; move a 199,99 & move b 199,99"
        #expect(lawViolation([LawWorld([region([rotate()])])], script, .engine(.mirrored)) == nil)
    }
}
