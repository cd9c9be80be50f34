// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

@Suite("Order of the lines of one frame")
struct OrderTests {
    private let everything = region([
        press, tap { $0.slop = 90 },
        longPress {
            $0.delay = .milliseconds(20)
            $0.slop = 90
        }, swipe(), rotate(), pinch(), drag { $0.start = 1 }, drag(fingers: 2),
    ])

    @Test("of a landing: first the events of deadlines, then press begin")
    func landing() {
        let regions = [region([drag { $0.start = 0 }, longPress(fingers: 2) { $0.delay = .milliseconds(10) }, press])]
        #expect(
            simulate(regions, "down a 10,10; +10ms; up a") == "0 press begin\n0 drag begin 0.0,0.0\n"
                + "10 drag end 0.0,0.0\n10 press end inside held 10")
    }

    @Test("of a lift: drag, pinch and rotate end, swipe, taps, long press end, press end")
    func lift() {
        let script = "down a 50,50; +5ms; move a 60,50; +5ms; move a 70,50; +5ms; up a"
        #expect(
            simulate([everything], script, updates: false)
                == """
                0 press begin
                5 drag begin 0.0,0.0
                15 drag end 19.0,0.0
                15 swipe right 20.0 mm
                15 tap after 15
                15 press end inside held 15
                """)
        // The finger stays down until the long press begins, so there is no tap.
        #expect(
            simulate([everything], script.replacing("+5ms; up", with: "+10ms; up"), updates: false)
                == """
                0 press begin
                5 drag begin 0.0,0.0
                20 long_press begin
                20 drag end 19.0,0.0
                20 swipe right 20.0 mm
                20 long_press end held 20
                20 press end inside held 20
                """)
    }

    @Test("of several fingers: pinch before rotate, in the order of the kinds and not of the configuration")
    func kinds() {
        #expect(
            simulate(
                [region([rotate(), pinch()])],
                "down a 90,50 & down b 110,50; +9ms; move a 84,44 & move b 116,56; +9ms; up a & up b")
                == "9 pinch begin x1.709\n9 rotate begin 20.6°\n18 pinch end x1.709\n18 rotate end 20.6°")
    }

    @Test("of one kind, in the order of the configuration")
    func configuration() {
        let regions = [
            region(rules: ["b", "a", "c"].map { Gesture(tap { $0.slop = 4 }, name: $0) })
        ]
        #expect(simulate(regions, "down a 10,10; +9ms; up a") == "9 b after 9\n9 a after 9\n9 c after 9")
    }

    @Test("cancels come before the recognized gesture, ends after it")
    func cancels() {
        #expect(
            simulate(
                [region([press, drag { $0.start = 1 }, tap(fingers: 2)])],
                "down a 50,50; move a 52,50; down b 90,50; +9ms; up a; up b")
                    == """
                    0 press begin
                    0 drag begin 0.0,0.0
                    9 drag cancel multiTouch 1.0,0.0
                    9 press cancel multiTouch inside held 9
                    9 2-finger tap after 9
                    """)
        #expect(
            simulate([everything], "down a 50,50; +5ms; move a 60,50; +15ms; cancel a palm", updates: false)
                == """
                0 press begin
                5 drag begin 0.0,0.0
                20 long_press begin
                20 drag cancel palm 9.0,0.0
                20 long_press cancel palm held 20
                20 press cancel palm inside held 20
                """)
    }

    @Test("deadlines in order of time, equal ones in order of the configuration")
    func deadlines() {
        let regions = [
            region(
                "late", (100, 0, 50, 50),
                [longPress { $0.delay = .milliseconds(300) }, repeating { $0.delay = .milliseconds(200) }]),
            region(
                "early", (0, 0, 50, 50),
                [repeating { $0.delay = .milliseconds(300) }, longPress { $0.delay = .milliseconds(300) }]),
        ]
        #expect(
            simulate(regions, "down a 10,10 & down b 110,10; +300ms; up a & up b")
                == """
                200 late.repeat 1 held 200
                300 late.long_press begin
                300 late.repeat 2 held 300
                300 early.repeat 1 held 300
                300 early.long_press begin
                300 early.long_press end held 300
                300 late.long_press end held 300
                """)
    }

    @Test("contacts by id; for each contact the owner, its ancestors from the inside out, then regions that pass")
    func regions() {
        let regions = [
            region("glass", pass: true, [press]), region("page", [press]),
            region("list", (0, 0, 100, 100), parent: 1, [tap()]),
            region("item", (0, 0, 50, 50), parent: 2, [tap(count: 2), longPress()]),
        ]
        #expect(
            simulate(regions, "down a 10,10 & down b 150,10; +9ms; up b; +9ms; up a")
                == """
                0 page.press begin
                0 glass.press begin
                18 list.tap after 18
                18 page.press end inside held 18
                18 glass.press end inside held 18
                """)
    }

    @Test("all positions of a frame are updated before any gesture is evaluated")
    func simultaneous() {
        // If only one contact were updated before the evaluation, the span would change by 10 mm, which is a pinch.
        #expect(
            simulate(
                [region([pinch(), drag(fingers: 2)])],
                "down a 50,50 & down b 80,50; +9ms; move a 60,50 & move b 90,50; +9ms; up a & up b")
                == "9 2-finger drag begin 0.0,0.0\n18 2-finger drag end 7.0,0.0")
    }
}
