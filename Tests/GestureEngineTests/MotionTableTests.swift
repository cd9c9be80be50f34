// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// Tests values just within and just beyond each limit of drag and swipe.
@Suite("Limits of drag and swipe")
struct MotionTableTests {
    // MARK: Drag

    @Test(
        "axis and start",
        arguments: [
            (DragSettings.Axis.any, "53,54", false), (.any, "53.01,54", true), (.any, "50,44.99", true),
            (.any, "50,45", false),
            (.horizontal, "55,50", false), (.horizontal, "55.01,50", true), (.horizontal, "44.99,50", true),
            (.horizontal, "56,56", true), (.horizontal, "56,56.01", false), (.horizontal, "50,60", false),
            (.vertical, "50,55", false), (.vertical, "50,55.01", true), (.vertical, "50,44.99", true),
            (.vertical, "56,56", true), (.vertical, "56.01,56", false), (.vertical, "60,50", false),
        ] as [(DragSettings.Axis, String, Bool)])
    func begins(axis: DragSettings.Axis, place: String, begins: Bool) {
        let gesture = drag {
            $0.axis = axis
            $0.start = 5
        }
        let lines = simulate([region([gesture])], "down a 50,50; +10ms; move a \(place)")
        #expect((lines == "10 drag begin 0.0,0.0") == begins, "\(lines)")
        #expect(lines.isEmpty != begins)
    }

    @Test("a first movement along the wrong axis fails the drag, unless it is small")
    func wrongAxis() {
        let regions = [region([drag { $0.axis = .horizontal }])]
        #expect(simulate(regions, "down a 50,50; +10ms; move a 50,53.01; +10ms; move a 90,53") == "")
        #expect(simulate(regions, "down a 50,50; +10ms; move a 50,53; +10ms; move a 90,53") == "20 drag begin 0.0,0.0")
    }

    @Test(
        "translation",
        arguments: [
            // The start distance (3 mm of the 5 mm moved) is subtracted along the path; with `from = "down"` it is not.
            (DragSettings.Origin.start, "move a 53,54; +10ms; up a", "1.2,1.6"),
            (.down, "move a 53,54; +10ms; up a", "3.0,4.0"),
            (.start, "move a 40,50; +10ms; move a 60,50; +10ms; up a", "13.0,0.0"),
            (.start, "move a 60,50; +10ms; move a 50,50; +10ms; up a", "-3.0,0.0"),
            (.down, "move a 60,50; +10ms; move a 50,50; +10ms; up a", "0.0,0.0"),
        ] as [(DragSettings.Origin, String, String)])
    func translation(from: DragSettings.Origin, script: String, end: String) {
        let lines = simulate([region([drag { $0.from = from }])], "down a 50,50; +10ms; \(script)", updates: false)
        #expect(lines.hasPrefix("10 drag begin 0.0,0.0\n"))
        #expect(lines.hasSuffix("drag end \(end)"), "\(lines)")
    }

    @Test("start 0 begins at the landing; with an axis, at the first movement")
    func fromLanding() {
        #expect(
            simulate([region([drag { $0.start = 0 }])], "down a 50,50; +10ms; up a")
                == "0 drag begin 0.0,0.0\n10 drag end 0.0,0.0")
        let horizontal = [
            region([
                drag {
                    $0.start = 0
                    $0.axis = .horizontal
                }
            ])
        ]
        #expect(simulate(horizontal, "down a 50,50; +10ms; move a 50.1,50; +10ms; up a").hasPrefix("10 drag begin"))
        #expect(simulate(horizontal, "down a 50,50; +10ms; move a 50,50.1; +10ms; move a 90,50; up a") == "")
    }

    @Test(
        "several fingers",
        arguments: [
            // The centroid must move far enough, with exactly this number of fingers when the drag begins.
            (2, "down a 50,50 & down b 80,50; +10ms; move a 56,50; up a; up b", false),
            (2, "down a 50,50 & down b 80,50; +10ms; move a 54,50 & move b 84,50; up a; up b", true),
            (
                2,
                "down a 50,50 & down b 80,50 & down c 65,80; +10ms; move a 60,50 & move b 90,50 & move c 75,80; up a & up b & up c",
                false
            ),
            (
                3,
                "down a 50,50 & down b 80,50 & down c 65,80; +10ms; move a 60,50 & move b 90,50 & move c 75,80; up a & up b & up c",
                true
            ),
            (1, "down a 50,50 & down b 80,50; +10ms; move a 60,50 & move b 90,50; up a & up b", false),
            // The distance is measured again from each landing, however far the other fingers have moved.
            (
                2,
                "down a 50,50; +10ms; move a 70,50; +10ms; down b 80,50; +10ms; move a 72,50 & move b 82,50; up a & up b",
                false
            ),
            (
                2,
                "down a 50,50; +10ms; move a 70,50; +10ms; down b 80,50; +10ms; move a 74,50 & move b 84,50; up a & up b",
                true
            ),
            // The movement must be longer than the change of the span and than the arc: 4 mm each.
            (2, "down a 50,50 & down b 80,50; +10ms; move a 52,50 & move b 86,50; up a & up b", false),
            (2, "down a 50,50 & down b 80,50; +10ms; move a 52.1,50 & move b 86,50; up a & up b", true),
        ] as [(Int, String, Bool)])
    func fingers(fingers: Int, script: String, begins: Bool) {
        let lines = simulate([region(rules: [Gesture(drag(fingers: fingers), name: "pan")])], script)
        #expect(lines.contains("pan begin") == begins, "\(lines)")
        #expect(lines.contains("pan end") == begins)
    }

    @Test("fingers that join, leave or become palms cause no jump")
    func rebase() {
        #expect(
            simulate(
                [region([drag()])],
                """
                down a 50,50; +10ms; move a 60,50; +10ms; down b 100,90; +10ms; move b 101,90
                +10ms; down c 10,10; +10ms; up a; +10ms; move b 103,90; +10ms; cancel c palm; +10ms; move b 104,90; up b
                """)
                    == """
                    10 drag begin 0.0,0.0
                    30 drag update 7.5,0.0
                    60 drag update 8.5,0.0
                    80 drag update 9.5,0.0
                    80 drag end 9.5,0.0
                    """)
    }

    // MARK: Swipe

    /// A stroke of two steps of 20 ms each, and a lift 10 ms later.
    private func stroke(_ dx: Double, _ dy: Double, step: Double = 20, lift: Double = 10) -> String {
        """
        down a 100,50; +\(step)ms; move a \(100 + dx / 2),\(50 + dy / 2)
        +\(step)ms; move a \(100 + dx),\(50 + dy); +\(lift)ms; up a
        """
    }

    @Test(
        "four directions cover the circle; a tie is horizontal",
        arguments: [
            (20.0, 0.0, "right"), (-20, 0, "left"), (0, -20, "up"), (0, 20, "down"), (20, 20, "right"),
            (20, -20, "right"),
            (-20, 20, "left"), (-20, -20, "left"), (20, 20.01, "down"), (-20, -20.01, "up"),
        ] as [(Double, Double, String)])
    func quarters(dx: Double, dy: Double, direction: String) {
        #expect(simulate([region([swipe()])], stroke(dx, dy)).hasPrefix("50 swipe \(direction) "))
    }

    @Test(
        "eight directions cover the circle if one of them is a diagonal",
        arguments: [
            (20.0, 0.0, "right"), (20, 20, "downRight"), (0, 20, "down"), (-20, 20, "downLeft"), (-20, 0, "left"),
            (-20, -20, "upLeft"), (0, -20, "up"), (20, -20, "upRight"),
            // A sector ends 22.5° from its middle, and tan 22.5° is 8.284 / 20.
            (20, 8.284, "right"), (20, 8.286, "downRight"), (8.284, 20, "down"), (8.286, 20, "downRight"),
            (-20, -8.284, "left"), (-20, -8.286, "upLeft"), (-8.284, -20, "up"), (-8.286, -20, "upLeft"),
        ] as [(Double, Double, String)])
    func eighths(dx: Double, dy: Double, direction: String) {
        let gesture = swipe { $0.directions = SwipeDirection.allCases }
        #expect(simulate([region([gesture])], stroke(dx, dy)).hasPrefix("50 swipe \(direction) "))
    }

    @Test("a single diagonal makes all sectors 45° wide")
    func oneDiagonal() {
        let regions = [region([swipe { $0.directions = [.right, .downRight] }])]
        #expect(simulate(regions, stroke(20, 10)).hasPrefix("50 swipe downRight "))
        #expect(simulate(regions, stroke(20, -8.2)).hasPrefix("50 swipe right "))
        #expect(simulate(regions, stroke(20, -8.3)) == "")
    }

    @Test(
        "a stroke has one direction, whichever gesture of its kind has the diagonal",
        arguments: [
            (20.0, 20.0, "downRight"), (8, 20, "down"), (20, 8.2, ""), (0, -20, ""),
        ] as [(Double, Double, String)])
    func oneDirection(dx: Double, dy: Double, direction: String) {
        for (straight, diagonal) in [
            (swipe { $0.directions = [.down] }, swipe { $0.directions = [.downRight] }),
            (chain([.down]), chain([.downRight])),
        ] {
            let gestures = [
                Gesture(straight, name: "down"), Gesture(tap(fingers: 1), name: "tap"),
                Gesture(diagonal, name: "downRight"),
            ]
            for gestures in [gestures, gestures.reversed()] {
                let lines = simulate([region(rules: gestures)], stroke(dx, dy))
                #expect(lines.split(separator: "\n").count == (direction.isEmpty ? 0 : 1), "\(lines)")
                #expect(direction.isEmpty || lines.hasPrefix("50 \(direction) "), "\(lines)")
            }
        }
        // A diagonal of another kind changes nothing.
        let mixed = [region([swipe { $0.directions = [.right] }, chain([.downRight])])]
        #expect(simulate(mixed, stroke(20, 10)).contains("50 swipe right "))
    }

    @Test(
        "max_deviation",
        arguments: [
            (0.0, 0.0, true), (0, 0.1, false), (30, 11.54, true), (30, 11.55, false), (45, 20, true), (44.9, 20, false),
        ]
            as [(Double, Double, Bool)])
    func deviation(degrees: Double, dy: Double, isSwipe: Bool) {
        let gesture = swipe { $0.maxDeviation = degrees }
        #expect(simulate([region([gesture])], stroke(20, dy)).isEmpty != isSwipe)
        // A stroke in the opposite direction has the same result.
        #expect(simulate([region([gesture])], stroke(-20, -dy)).isEmpty != isSwipe)
    }

    @Test(
        "limits",
        arguments: [
            (swipe { $0.minDistance = 20 }, 20.0, 10.0, true), (swipe { $0.minDistance = 20.01 }, 20, 10, false),
            // A stroke of 20 mm in 40 ms has a velocity of 500 mm/s.
            (swipe { $0.minVelocity = 499.9 }, 20, 0, true), (swipe { $0.minVelocity = 500.1 }, 20, 0, false),
            (swipe { $0.maxTime = .milliseconds(50) }, 20, 10, true),
            (swipe { $0.maxTime = .milliseconds(50) }, 20, 10.001, false),
            (swipe { $0.rest = .milliseconds(30) }, 20, 30, true),
            (swipe { $0.rest = .milliseconds(30) }, 20, 30.001, false),
            // After a pause of more than 40 ms within the stroke, the mean speed is used: 20 mm in 82 ms.
            (swipe { $0.minVelocity = 243.9 }, 41, 10, true), (swipe { $0.minVelocity = 244 }, 41, 10, false),
        ] as [(GestureSettings, Double, Double, Bool)])
    func limits(gesture: GestureSettings, step: Double, lift: Double, isSwipe: Bool) {
        let lines = simulate([region([gesture])], stroke(20, 0, step: step, lift: lift))
        #expect(lines.isEmpty != isSwipe, "\(lines)")
    }

    @Test("the velocity is at most 1300 mm/s")
    func clamped() throws {
        let script = "down a 50,50; +10ms; move a 100,50; +10ms; move a 150,50; up a"
        #expect(!simulate([region([swipe { $0.minVelocity = 1300 }])], script).isEmpty)
        #expect(simulate([region([swipe { $0.minVelocity = 1300.1 }])], script).isEmpty)
    }

    @Test(
        "several fingers",
        arguments: [
            (2, "down a 50,30; +100ms; down b 50,60; +20ms; move a 70,30 & move b 70,60; up a; up b", true),
            (2, "down a 50,30; +100.001ms; down b 50,60; +20ms; move a 70,30 & move b 70,60; up a; up b", false),
            (
                3,
                "down a 50,30 & down b 50,60 & down c 50,80; +20ms; move a 70,30 & move b 70,60 & move c 70,80; up a; up b; up c",
                true
            ),
            // The swipe is decided at the first lift, and the second finger has not moved by then.
            (2, "down a 50,30 & down b 50,60; +20ms; move a 65,30; up a; +20ms; move b 90,60; up b", false),
            // The number of fingers must be exact, from the first landing to the last lift.
            (
                2,
                "down a 50,30 & down b 50,60 & down c 50,80; +20ms; move a 70,30 & move b 70,60 & move c 70,80; up a; up b; up c",
                false
            ),
            (2, "down a 50,30; +20ms; move a 70,30; up a", false),
            (1, "down a 50,30; +20ms; move a 70,30; down b 50,60; +20ms; move a 90,30; up a; up b", false),
            // A pinch or a rotation whose centroid moves is not a swipe.
            (2, "down a 50,30 & down b 80,30; +20ms; move a 50,30 & move b 110,30; up a; up b", false),
            (2, "down a 50,30 & down b 80,30; +20ms; move a 60,30 & move b 110,30; up a; up b", false),
            (2, "down a 50,30 & down b 80,30; +20ms; move a 60.1,30 & move b 110,30; up a; up b", true),
            // One contact becomes a palm.
            (2, "down a 50,30 & down b 50,60; +20ms; move a 70,30 & move b 70,60; cancel a palm; up b", false),
        ] as [(Int, String, Bool)])
    func swipeFingers(fingers: Int, script: String, isSwipe: Bool) {
        let lines = simulate([region([swipe(fingers: fingers)])], script)
        #expect(lines.isEmpty != isSwipe, "\(lines)")
    }

    @Test("group limits the time between the landings")
    func group() {
        let regions = [region([swipe(fingers: 2) { $0.group = .milliseconds(10) }])]
        let rest = "down b 50,60; +20ms; move a 70,30 & move b 70,60; up a; up b"
        #expect(simulate(regions, "down a 50,30; +10ms; \(rest)") == "30 2-finger swipe right 20.0 mm")
        #expect(simulate(regions, "down a 50,30; +10.001ms; \(rest)") == "")
    }

    @Test(
        "when = threshold: at the first movement that fulfils all limits",
        arguments: [
            ("+10ms; move a 59.9,50; +10ms; move a 60,50; +10ms; up a", "20 swipe right 10.0 mm"),
            // The movement is too late, or starts in the wrong direction. The swipe is not recognized at the lift
            // either.
            ("+510ms; move a 70,50; +10ms; up a", ""), ("+10ms; move a 50,70; +10ms; up a", ""),
            // The swipe is recognized before the lift, so a later cancel has no effect. It is recognized only once.
            ("+10ms; move a 70,50; +10ms; cancel a palm", "10 swipe right 20.0 mm"),
            ("+10ms; move a 70,50; +10ms; move a 30,50; +10ms; up a", "10 swipe right 20.0 mm"),
            // A finger that does not move does not cause a swipe when it lifts.
            ("+10ms; up a", ""),
        ])
    func threshold(script: String, transcript: String) {
        let gesture = swipe {
            $0.when = .threshold
            $0.directions = [.left, .right]
        }
        #expect(simulate([region([gesture])], "down a 50,50; \(script)") == transcript)
    }
}
