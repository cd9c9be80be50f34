// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// Gestures that begin more than once in a sequence.
@Suite("Gestures that begin again")
struct RestartTests {
    private let zoom = "down a 80,50 & down b 100,50; +10ms; move b 110,50; +10ms; up b; +10ms; down c 100,50; +10ms"

    @Test("a rotation begins again when a finger comes back")
    func rotates() {
        #expect(
            simulate(
                [region([rotate()])],
                """
                down a 90,50 & down b 110,50; +10ms; move b 90,70; +10ms; up b; +10ms; down c 110,50; +10ms; move c 90,30
                +10ms; up a & up c
                """) == """
                    10 rotate begin 90.0°
                    20 rotate end 90.0°
                    40 rotate begin -90.0°
                    50 rotate end -90.0°
                    """)
    }

    @Test("a pinch begins again after the lift of either finger, any number of times")
    func anyFinger() {
        #expect(
            simulate(
                [region([pinch()])],
                """
                down a 80,50 & down b 100,50; +10ms; move b 110,50; +10ms; up a; +10ms; down c 90,50; +10ms; move c 80,50
                +10ms; up b; +10ms; down d 100,50; +10ms; move d 120,50; +10ms; up c & up d
                """) == """
                    10 pinch begin x1.5
                    20 pinch end x1.5
                    40 pinch begin x1.5
                    50 pinch end x1.5
                    70 pinch begin x2.0
                    80 pinch end x2.0
                    """)
    }

    @Test("a second attempt that fails reports no failure, because the gesture was recognized")
    func reasons() {
        #expect(
            simulate([region([pinch()])], zoom + "; up a & up c", failures: true)
                == "10 pinch begin x1.5\n20 pinch end x1.5")
    }

    @Test("no gesture begins again after a cancel or after a gesture that excludes it")
    func never() {
        #expect(
            simulate(
                [region([pinch()])],
                """
                down a 80,50 & down b 100,50; +10ms; move b 110,50; +10ms; cancel b palm; +10ms; down c 100,50
                +10ms; move c 120,50; up a & up c
                """) == "10 pinch begin x1.5\n20 pinch cancel palm x1.5")
        let rules = region(rules: [Gesture(pinch(), unless: ["swipe"]), Gesture(swipe { $0.when = .threshold })])
        // The swipe requires one finger, and this contact is the second, so the swipe fails and the pinch may begin.
        #expect(
            simulate([rules], zoom + "; move c 120,50; +600ms; move c 130,50; up a & up c").contains("pinch begin"))
        let exclusive = region(rules: [
            Gesture(pinch()), Gesture(drag(fingers: 2) { $0.start = 10 }, name: "pan", exclusive: true),
        ])
        #expect(
            simulate(
                [exclusive],
                zoom + "; move a 40,50 & move c 60,50; +2000ms; move a 20,50 & move c 80,50; up a & up c",
                updates: false)
                    == """
                    10 pinch begin x1.5
                    20 pinch end x1.5
                    40 pan begin 0.0,0.0
                    2040 pan end -30.0,0.0
                    """)
    }

    @Test("a gesture after a pinch comes only once")
    func after() {
        let rules = region(rules: [Gesture(pinch()), Gesture(rotate(), after: ["pinch"])])
        #expect(
            simulate(
                [rules],
                zoom + "; move c 120,50; +400ms; move c 120,50.1; +400ms; move c 80,90; +10ms; up a & up c",
                updates: false)
                    == """
                    10 pinch begin x1.5
                    20 pinch end x1.5
                    40 pinch begin x2.0
                    840 rotate begin 90.0°
                    850 pinch end x2.0
                    850 rotate end 90.0°
                    """)
    }

    @Test("a list beside a slider that is held: each finger is a separate attempt")
    func beside() {
        let regions = [
            region("list", [press, tap(), longPress(), drag { $0.axis = .vertical }, pinch()]),
            region("slider", (50, 50, 100, 20), parent: 0, [drag { $0.axis = .horizontal }]),
        ]
        let scroll = { (id: String) in
            "+600ms; down \(id) 60,10; +20ms; move \(id) 60,20; +20ms; move \(id) 60,30; +20ms; up \(id)"
        }
        let lines = simulate(
            regions,
            """
            down a 60,60; +20ms; move a 90,60; \(scroll("b")); \(scroll("c")); \(scroll("d"))
            +600ms; down e 60,10; +520ms; up e; +600ms; down f 60,10; +520ms; up f; +600ms; down g 60,10; +60ms; up g
            +600ms; down h 60,10 & down i 80,10; +20ms; move i 90,10; +20ms; up h & up i; +20ms; up a
            """, updates: false)
        let begins = lines.split(separator: "\n").filter { !$0.contains(" end") }.map {
            $0.split(separator: " ").dropFirst().prefix(2).joined(separator: " ")
        }
        #expect(
            begins == [
                "list.press begin", "slider.drag begin", "list.drag begin", "list.drag begin", "list.drag begin",
                "list.long_press begin", "list.long_press begin", "list.tap after", "list.press cancel",
                "list.pinch begin",
            ])
    }

    @Test("a scroll beside a slider that was cancelled by another finger's claim may begin again")
    func claimed() {
        let regions = [
            region("list", [drag { $0.axis = .vertical }]),
            region("slider", (50, 50, 100, 20), parent: 0, [drag { $0.axis = .horizontal }]),
        ]
        #expect(
            simulate(
                regions,
                """
                down a 60,60; +20ms; move a 90,60; +20ms; down b 60,10; +20ms; move b 60,20; +20ms; cancel b palm
                +20ms; down c 60,10; +20ms; move c 60,20; +20ms; up c; +20ms; up a
                """, updates: false) == """
                    20 slider.drag begin 0.0,0.0
                    60 list.drag begin 0.0,0.0
                    80 list.drag cancel palm 0.0,7.0
                    120 list.drag begin 0.0,0.0
                    140 list.drag end 0.0,7.0
                    160 slider.drag end 27.0,0.0
                    """)
    }
}
