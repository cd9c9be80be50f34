// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// The rules `after`, `unless` and `exclusive`.
@Suite("Rules between the gestures of a region")
struct RuleTests {
    // MARK: unless

    /// Returns a region with a gesture that waits and the gesture that it waits for.
    private func pair(_ waiting: GestureSettings, unless other: GestureSettings) -> [Region] {
        [region(rules: [Gesture(waiting, name: "waiting", unless: ["other"]), Gesture(other, name: "other")])]
    }

    @Test(
        "a tap that requires another gesture to fail",
        arguments: [
            // The tap waits until the gap of the double tap has passed, and is dropped if the double tap is recognized.
            (tap(count: 2), "down a 10,10; +50ms; up a", "450 waiting after 50"),
            (tap(count: 2), "down a 10,10; +50ms; up a; +100ms; down b 10,10; +50ms; up b", "200 other after 50"),
            (
                tap(count: 2), "down a 10,10; +50ms; up a; +400ms; down b 10,10; +50ms; up b",
                "450 waiting after 50\n900 waiting after 50"
            ),
            // The lift decides whether there was a long press.
            (longPress(), "down a 10,10; +50ms; up a", "50 waiting after 50"),
            (longPress(), "down a 10,10; +500ms; up a", "500 other begin\n500 other end held 500"),
            // The lift decides whether there was a swipe or a drag.
            (swipe(), "down a 10,10; +50ms; up a", "50 waiting after 50"),
            (drag(), "down a 10,10; +50ms; move a 13,10; up a", "50 waiting after 50"),
            (drag(), "down a 10,10; +50ms; move a 13.1,10; up a", "50 other begin 0.0,0.0\n50 other end 0.1,0.0"),
            // A two-finger tap fails when the only finger lifts.
            (tap(fingers: 2), "down a 10,10; +50ms; up a", "50 waiting after 50"),
            // A pinch or a rotation also fails when the only finger lifts.
            (pinch(), "down a 10,10; +50ms; up a", "50 waiting after 50"),
            (rotate(), "down a 10,10; +50ms; up a", "50 waiting after 50"),
            // A cancelled contact never causes a tap.
            (longPress(), "down a 10,10; +50ms; cancel a palm", ""),
            (tap(count: 2), "down a 10,10; +50ms; up a; +100ms; down b 10,10; +10ms; cancel b palm", ""),
        ])
    func waitingTap(other: GestureSettings, script: String, transcript: String) {
        #expect(simulate(pair(tap(), unless: other), script) == transcript)
    }

    @Test("a tap that waits for a tap with `wait` is still possible")
    func waitsForAWaitingTap() {
        let regions = [
            region(rules: [
                Gesture(tap { $0.wait = true }, name: "patient"), Gesture(tap(count: 2), name: "double"),
                Gesture(tap(), name: "waiting", unless: ["patient"]),
            ])
        ]
        #expect(simulate(regions, "down a 10,10; +50ms; up a") == "450 patient after 50")
        #expect(
            simulate(regions, "down a 10,10; +50ms; up a; +100ms; down b 10,10; +50ms; up b")
                == "200 double after 50\n200 waiting after 50")
    }

    @Test(
        "a drag that requires another gesture to fail",
        arguments: [
            // The drag is kept back until the time limit of the swipe, and then begins at the finger's position.
            (
                swipe(), "down a 10,10; +400ms; move a 30,10; +200ms; move a 40,10; +10ms; up a",
                "500.001 other failed: tooSlow 501.0 / 500.0\n500.001 waiting begin 0.0,0.0\n"
                    + "600 waiting update 10.0,0.0\n610 waiting end 10.0,0.0"
            ),
            (
                swipe(), "down a 10,10; +20ms; move a 30,10; +10ms; up a",
                "30 other right 20.0 mm\n30 waiting failed: unless"
            ),
            // A long press that fails because of the movement does not block the drag.
            (
                longPress(), "down a 10,10; +50ms; move a 16,10; +10ms; up a",
                "50 waiting begin 0.0,0.0\n50 other failed: moved 6.0 / 5.0\n60 waiting end 0.0,0.0"
            ),
            // A long press that has begun blocks the drag.
            (
                longPress(), "down a 10,10; +500ms; move a 30,10; +10ms; up a",
                "500 other begin\n500 waiting failed: unless\n510 other end held 510"
            ),
            // A tap at the lift blocks the drag.
            (tap(), "down a 10,10; +50ms; up a", "50 other after 50\n50 waiting failed: unless"),
        ])
    func waitingDrag(other: GestureSettings, script: String, transcript: String) {
        let lines = simulate(pair(drag(), unless: other), script, failures: true)
        #expect(lines.split(separator: "\n").sorted() == transcript.split(separator: "\n").sorted())
    }

    @Test(
        "a press that requires a drag to fail comes with the lift",
        arguments: [
            ("down a 10,10; +200ms; up a", "200 waiting begin\n200 waiting end inside held 200"),
            ("down a 10,10; +20ms; move a 20,10; +10ms; up a", "20 other begin 0.0,0.0\n30 other end 0.0,0.0"),
            ("down a 10,10; +20ms; cancel a palm", ""),
        ])
    func waitingPress(script: String, transcript: String) {
        let regions = pair(press, unless: drag { $0.start = 9.998 })
        let lines = simulate(regions, script)
        #expect(lines == transcript)
    }

    @Test("a drag that an exclusive gesture cancelled while it had no contact may begin with the next one")
    func cancelledWithoutContacts() {
        let again = repeating {
            $0.delay = .milliseconds(100)
            $0.maxDuration = .milliseconds(100)
        }
        let regions = [
            region("list", rules: [Gesture(again, exclusive: true), Gesture(drag(), name: "scroll")]),
            region("slider", (50, 50, 100, 20), parent: 0, [drag { $0.axis = .horizontal }]),
        ]
        let lines = simulate(
            regions,
            "down a 60,60; +20ms; move a 70,60; +130ms; down b 60,10; +20ms; move b 60,30; +20ms; up b; +20ms; up a")
        #expect(
            lines == """
                20 slider.drag begin 0.0,0.0
                100 list.repeat 1 held 100
                170 list.scroll begin 0.0,0.0
                190 list.scroll end 0.0,17.0
                210 slider.drag end 7.0,0.0
                """)
    }

    @Test(
        "a long press that requires a longer one to fail begins when the longer one has failed",
        arguments: [
            ("down a 10,10; +700ms; up a", "700 waiting begin\n700 waiting end held 700"),
            ("down a 10,10; +1000ms; up a", "1000 other begin\n1000 other end held 1000"),
            ("down a 10,10; +700ms; move a 20,10; +10ms; up a", "700 waiting begin\n710 waiting end held 710"),
            ("down a 10,10; +700ms; cancel a palm", ""),
            // The waiting long press has not been reported yet, so it fails when another contact lands.
            ("down a 10,10; +700ms; down b 40,10; +9ms; up b; up a", ""),
        ])
    func waitingLongPress(script: String, transcript: String) {
        let regions = pair(longPress(), unless: longPress { $0.delay = .milliseconds(1000) })
        #expect(simulate(regions, script) == transcript)
    }

    @Test("repetitions that are kept back are not numbered")
    func waitingRepeat() {
        let regions = pair(
            repeating { $0.interval = .milliseconds(400) }, unless: longPress { $0.delay = .milliseconds(1000) })
        #expect(
            simulate(regions, "down a 10,10; +600ms; move a 20,10; +1000ms; up a")
                == "900 waiting 1 held 900\n1300 waiting 2 held 1300")
        #expect(
            simulate(regions, "down a 10,10; +1600ms; up a") == "1000 other begin\n1600 other end held 1600")
    }

    @Test("a swipe, a pinch, a rotation that require another to fail")
    func waitingMotions() {
        #expect(
            simulate(pair(swipe(), unless: longPress()), "down a 10,10; +20ms; move a 30,10; +10ms; up a")
                == "30 waiting right 20.0 mm")
        // Two fingers only move apart, or only turn. The other gesture is undecided until the lift, so the gesture that
        // waits for it is not recognized.
        let turning = pair(pinch(), unless: rotate())
        #expect(
            simulate(
                turning, "down a 90,50 & down b 110,50; +9ms; move a 80,50 & move b 120,50; +9ms; up b; up a") == "")
        #expect(
            simulate(
                pair(rotate(), unless: pinch { $0.start = 60 }),
                "down a 90,50 & down b 110,50; +9ms; move b 90,70; up b; up a")
                == "")
    }

    @Test("a gesture that requires two others to fail, one after the other")
    func chain() {
        let regions = [
            region(rules: [
                Gesture(tap(), name: "single", unless: ["double", "triple"]),
                Gesture(tap(count: 2), name: "double", unless: ["triple"]), Gesture(tap(count: 3), name: "triple"),
            ])
        ]
        let taps = ["a", "b", "c"].map { "down \($0) 10,10; +50ms; up \($0)" }
        func play(_ count: Int) -> String { simulate(regions, taps.prefix(count).joined(separator: "; +50ms; ")) }
        #expect(play(1) == "450 single after 50")
        #expect(play(2) == "550 double after 50")
        #expect(play(3) == "250 triple after 50")
    }

    // MARK: after

    @Test("gestures after others ignore all earlier movements")
    func after() {
        let regions = [
            region(rules: [
                Gesture(longPress(), name: "hold"), Gesture(swipe(), name: "fling", after: ["hold"]),
                Gesture(press, name: "late", after: ["hold"]), Gesture(repeating(), name: "again", after: ["hold"]),
            ])
        ]
        // These gestures behave as if the finger had landed when the long press began.
        #expect(
            simulate(regions, "down a 10,10; +499ms; up a") == "")
        #expect(
            simulate(regions, "down a 10,10; +1000ms; up a")
                == """
                500 hold begin
                500 late begin
                1000 again 1 held 500
                1000 hold end held 1000
                1000 late end inside held 500
                """)
        #expect(
            simulate(regions, "down a 10,10; +500ms; +470ms; move a 20,10; +10ms; move a 40,10; +10ms; up a")
                == """
                500 hold begin
                500 late begin
                990 fling right 30.0 mm
                990 hold end held 990
                990 late end inside held 490
                """)
    }

    @Test("a long press after a press: the contact that wakes it up stays in place")
    func longPressAfterPress() {
        let regions = [region(rules: [Gesture(press), Gesture(longPress(), after: ["press"])])]
        #expect(
            simulate(regions, "down a 10,10; +600ms; up a")
                == """
                0 press begin
                500 long_press begin
                600 long_press end held 600
                600 press end inside held 600
                """)
    }

    @Test("a gesture after another one is not cancelled with an earlier contact")
    func dormantAndCancelled() {
        let regions = [region(rules: [Gesture(longPress(fingers: 1)), Gesture(drag(), after: ["long_press"])])]
        #expect(
            simulate(
                regions, "down a 10,10; +500ms; down b 60,10; +10ms; cancel b palm; move a 20,10; up a", updates: false
            )
            .contains("510 drag begin"))
    }

    @Test("a gesture after several others requires all of them")
    func afterAll() {
        let regions = [
            region(rules: [
                Gesture(longPress(), name: "hold"), Gesture(drag(), name: "move"),
                Gesture(pinch(), name: "zoom", after: ["hold", "move"]),
            ])
        ]
        let zoom = "down b 60,10; +10ms; move b 80,10; +10ms; up b; up a"
        #expect(!simulate(regions, "down a 10,10; +600ms; \(zoom)").contains("zoom"))
        #expect(!simulate(regions, "down a 10,10; +100ms; move a 20,10; +600ms; \(zoom)").contains("zoom"))
        #expect(simulate(regions, "down a 10,10; +600ms; move a 20,10; \(zoom)").contains("610 zoom begin x1.5"))
    }

    @Test(
        "a long press after a drag: the contact stays where the drag stopped",
        arguments: [
            ("+500ms; up a", "620 long_press begin"), ("+499.999ms; up a", ""),
            ("+100ms; move a 35,10; +400ms; up a", "620 long_press begin"),
            ("+100ms; move a 35.1,10; +400ms; up a", ""),
        ])
    func longPressAfterDrag(script: String, begin: String) {
        let regions = [region(rules: [Gesture(drag()), Gesture(longPress(), after: ["drag"])])]
        let lines = simulate(regions, "down a 10,10; +120ms; move a 30,10; \(script)", updates: false)
        #expect(lines.contains("long_press begin") == !begin.isEmpty, "\(lines)")
        #expect(lines.contains(begin))
    }

    @Test("in the next sequence, the gesture must be recognized again")
    func afterIsForASequence() {
        let regions = [region(rules: [Gesture(longPress(), name: "hold"), Gesture(drag(), after: ["hold"])])]
        #expect(
            simulate(regions, "down a 10,10; +500ms; up a; +100ms; down b 10,10; +10ms; move b 30,10; +10ms; up b")
                == "500 hold begin\n500 hold end held 500")
    }

    // MARK: exclusive

    @Test("an exclusive gesture ends all others, before its own first line")
    func exclusive() {
        func regions(_ exclusive: GestureSettings) -> [Region] {
            [
                region(rules: [
                    Gesture(press), Gesture(tap(), name: "touch"), Gesture(repeating { $0.delay = .milliseconds(100) }),
                    Gesture(drag { $0.start = 1 }), Gesture(exclusive, name: "mine", exclusive: true),
                ])
            ]
        }
        #expect(
            simulate(regions(longPress()), "down a 10,10; +50ms; move a 12,10; +560ms; move a 30,10; +10ms; up a")
                == """
                0 press begin
                50 drag begin 0.0,0.0
                100 repeat 1 held 100
                200 repeat 2 held 200
                300 repeat 3 held 300
                400 repeat 4 held 400
                500 repeat 5 held 500
                500 drag cancel claimed 1.0,0.0
                500 press cancel claimed inside held 500
                500 mine begin
                620 mine end held 620
                """)
        #expect(
            simulate(regions(swipe()), "down a 10,10; +40ms; move a 40,10; +20ms; up a")
                == """
                0 press begin
                40 drag begin 0.0,0.0
                60 drag cancel claimed 29.0,0.0
                60 press cancel claimed inside held 60
                60 mine right 30.0 mm
                """)
        #expect(
            simulate(regions(tap()), "down a 10,10; +50ms; up a")
                == "0 press begin\n50 press cancel claimed inside held 50\n50 mine after 50")
    }

    @Test("an exclusive tap leaves no streak behind")
    func exclusiveTap() {
        let regions = [region(rules: [Gesture(tap(), exclusive: true), Gesture(tap(count: 2))])]
        #expect(
            simulate(regions, "down a 10,10; +50ms; up a; +50ms; down b 10,10; +50ms; up b")
                == "50 tap after 50\n150 tap after 50")
    }

    @Test("a second finger's tap after the long press of the first")
    func tapAfterLongPress() {
        let regions = [region(rules: [Gesture(longPress(), name: "hold"), Gesture(tap(), after: ["hold"])])]
        let tapping = "down b 40,10; +50ms; up b; +10ms; up a"
        #expect(
            simulate(regions, "down a 10,10; +500ms; \(tapping)")
                .hasPrefix("500 hold begin\n550 tap after 50\n"))
        #expect(!simulate(regions, "down a 10,10; +499ms; \(tapping)").contains("tap"))
    }
}
