// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// Each failure code comes with the measured value and its limit.
@Suite("Failures")
struct FailureTests {
    /// Returns only the lines of failures, without their times.
    private func failures(_ regions: [Region], _ script: String) -> [String] {
        simulate(regions, script, updates: false, failures: true).split(separator: "\n")
            .filter { $0.contains(" failed: ") }.map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
    }

    @Test(
        "of one gesture alone",
        arguments: [
            // Failures of taps.
            (tap(), "down a 10,10; +9ms; move a 14.1,10; up a", ["tap failed: moved 4.1 / 3.0"]),
            (
                tap { ($0.slop, $0.staysInside) = (500, true) }, "down a 10,10; +9ms; move a -4,10; up a",
                ["tap failed: leftRegion"]
            ),
            (
                longPress { ($0.slop, $0.staysInside) = (500, true) }, "down a 10,10; +9ms; move a -4,10; up a",
                ["long_press failed: leftRegion"]
            ),
            (tap(), "down a 10,10; +500ms; up a", ["tap failed: tooLong 500.0 / 500.0"]),
            (tap(), "down a 10,10; +9ms; down b 40,10; up a & up b", ["tap failed: tooManyContacts 2.0 / 1.0"]),
            (tap(), "down a 10,10; +9ms; cancel a palm", ["tap failed: palm"]),
            (tap(fingers: 2), "down a 10,10; +9ms; up a", ["2-finger tap failed: tooFewContacts 1.0 / 2.0"]),
            (
                tap(fingers: 2), "down a 10,10; +101ms; down b 40,10; up a & up b",
                ["2-finger tap failed: landedApart 101.0 / 100.0"]
            ),
            (
                tap(fingers: 2) { $0.maxLiftSpread = .milliseconds(100) },
                "down a 10,10 & down b 40,10; +9ms; up a; +101ms; up b",
                ["2-finger tap failed: liftedApart 101.0 / 100.0"]
            ),
            (tap(count: 2), "down a 10,10; +9ms; up a", ["double_tap failed: noFurtherTap 400.0 / 400.0"]),
            (
                tap(count: 2), "down a 10,10; +9ms; up a; +50ms; down b 28.2,10; +9ms; up b",
                ["double_tap failed: tooFarApart 18.2 / 16.0", "double_tap failed: noFurtherTap 400.0 / 400.0"]
            ),
            (
                tap(count: 2),
                "down a 10,10; +9ms; up a; +20ms; down b 10,10; +9ms; up b; +50ms; down c 10,10; +9ms; up c",
                ["double_tap failed: bounce 20.0 / 40.0"]
            ),
            // Failures of long presses and repeats.
            (longPress(), "down a 10,10; +499ms; up a", ["long_press failed: liftedEarly 499.0 / 500.0"]),
            (longPress(), "down a 10,10; +9ms; move a 16,10; up a", ["long_press failed: moved 6.0 / 5.0"]),
            (longPress(), "down a 10,10; +9ms; down b 40,10; up a & up b", ["long_press failed: multiTouch"]),
            (
                longPress(fingers: 2), "down a 10,10; +9ms; up a",
                ["2-finger long_press failed: tooFewContacts 1.0 / 2.0"]
            ),
            (repeating(), "down a 10,10; +499ms; up a", ["repeat failed: liftedEarly 499.0 / 500.0"]),
            (repeating(), "down a 10,10; +9ms; cancel a syncLost", ["repeat failed: syncLost"]),
            (
                repeating { $0.maxDuration = .milliseconds(400) }, "down a 10,10; +399ms; up a",
                ["repeat failed: liftedEarly 399.0 / 500.0"]
            ),
            (
                repeating { $0.maxDuration = .milliseconds(400) }, "down a 10,10; +400ms; up a",
                ["repeat failed: tooLong 500.0 / 400.0"]
            ),
            // Failures of drags.
            (drag(), "down a 10,10; +9ms; move a 12.5,10; up a", ["drag failed: tooShort 2.5 / 3.0"]),
            (
                drag { $0.axis = .horizontal }, "down a 10,10; +9ms; move a 11,14.5; up a",
                ["drag failed: wrongAxis 4.5 / 3.0"]
            ),
            (
                drag(fingers: 2), "down a 10,10; +9ms; move a 40,10; up a",
                ["2-finger drag failed: tooFewContacts 1.0 / 2.0"]
            ),
            (
                drag(fingers: 2), "down a 10,10 & down b 40,10; +9ms; move b 50,10; up a; up b",
                ["2-finger drag failed: dominated 5.0 / 10.0"]
            ),
            // The number of contacts was wrong during the movement.
            (
                drag(), "down a 10,10; +9ms; down b 40,10; +9ms; move a 30,10 & move b 60,10; +9ms; up a; +9ms; up b",
                ["drag failed: tooManyContacts 2.0 / 1.0"]
            ),
            (
                drag(), "down a 10,10; +9ms; down b 40,10; +9ms; move b 60,10; +9ms; up a & up b",
                ["drag failed: tooManyContacts 2.0 / 1.0"]
            ),
            (
                drag(fingers: 2),
                "down a 10,10; +9ms; down b 40,10; +9ms; down c 70,10; +9ms; move a 30,10 & move b 60,10 & move c 90,10"
                    + "; +9ms; up a; +9ms; up b; +9ms; up c",
                ["2-finger drag failed: tooManyContacts 3.0 / 2.0"]
            ),
            (
                drag(fingers: 2), "down a 10,10; +9ms; move a 30,10; +9ms; down b 40,10; +9ms; up a & up b",
                ["2-finger drag failed: tooFewContacts 1.0 / 2.0"]
            ),
            // Movement in the preceding sequence is ignored.
            (
                drag(), "down a 10,10; +9ms; move a 20,10; +9ms; up a; +9ms; down b 10,10; +9ms; up b",
                ["drag failed: tooShort 0.0 / 3.0"]
            ),
            // The second contact is not reported as one too many, because it did not move.
            (
                drag(), "down a 10,10; +9ms; move a 12,10; +9ms; down b 40,10; +9ms; up b; +9ms; up a",
                ["drag failed: tooShort 2.0 / 3.0"]
            ),
            // Failures of swipes.
            (swipe(), "down a 10,10; +9ms; move a 19,10; up a", ["swipe failed: tooShort 9.0 / 10.0"]),
            (swipe(), "down a 10,10; +600ms; move a 40,10; +12ms; up a", ["swipe failed: tooSlow 612.0 / 500.0"]),
            (swipe(), "down a 10,10; +20ms; move a 40,10; +151ms; up a", ["swipe failed: stopped 151.0 / 150.0"]),
            // A finger that trembles before it lifts, and one that moves on slowly.
            (
                swipe(),
                "down a 10,10; +20ms; move a 40,10; +60ms; move a 40.3,10; +60ms; move a 40,10; +60ms; move a 40.3,10; "
                    + "+10ms; up a",
                ["swipe failed: stopped 190.0 / 150.0"]
            ),
            (
                swipe(),
                "down a 10,10; +20ms; move a 40,10; +60ms; move a 41.5,10; +60ms; move a 43,10; +60ms; move a 44.5,10; "
                    + "+10ms; up a",
                ["swipe failed: lowVelocity 25.0 / 80.0"]
            ),
            (
                swipe { $0.minVelocity = 600 }, "down a 10,10; +20ms; move a 20,10; +9ms; up a",
                ["swipe failed: lowVelocity 500.0 / 600.0"]
            ),
            (
                swipe { $0.directions = [.left, .right] }, "down a 10,10; +20ms; move a 10,40; +9ms; up a",
                ["swipe failed: wrongDirection 90.0 / 45.0"]
            ),
            (
                swipe { $0.directions = [.upLeft] }, "down a 10,10; +20ms; move a 40,10; +9ms; up a",
                ["swipe failed: wrongDirection 135.0 / 22.5"]
            ),
            (
                swipe { $0.maxDeviation = 10 }, "down a 10,10; +20ms; move a 40,20; +9ms; up a",
                ["swipe failed: deviated 18.4 / 10.0"]
            ),
            (
                swipe(fingers: 2), "down a 10,10; +20ms; move a 40,10; up a",
                ["2-finger swipe failed: tooFewContacts 1.0 / 2.0"]
            ),
            (swipe(), "down a 10,10; +20ms; down b 40,10; up a; up b", ["swipe failed: tooManyContacts 2.0 / 1.0"]),
            (
                swipe(fingers: 2), "down a 10,10; +120ms; down b 40,10; up a; up b",
                ["2-finger swipe failed: landedApart 120.0 / 100.0"]
            ),
            (
                swipe(fingers: 2), "down a 10,10 & down b 40,10; +20ms; move b 70,10; up a; up b",
                ["2-finger swipe failed: dominated 15.0 / 30.0"]
            ),
            // Failures of pinches and rotations.
            (pinch(), "down a 10,10; +9ms; up a", ["pinch failed: tooFewContacts 1.0 / 2.0"]),
            (
                pinch(), "down a 10,10 & down b 40,10; +9ms; move b 43,10; up a; up b",
                ["pinch failed: tooShort 3.0 / 4.0"]
            ),
            (
                pinch(), "down a 10,10 & down b 16,10; +9ms; move b 43,10; up a; up b",
                ["pinch failed: smallSpan 6.0 / 8.0"]
            ),
            (
                pinch(), "down a 10,10 & down b 40,10; +9ms; move a 20,10 & move b 54,10; up a; up b",
                ["pinch failed: dominated 4.0 / 12.0"]
            ),
            (rotate(), "down a 10,10; +9ms; up a", ["rotate failed: tooFewContacts 1.0 / 2.0"]),
            (
                rotate(), "down a 10,10 & down b 40,10; +9ms; move b 40,12; up a; up b",
                ["rotate failed: smallTurn 3.8 / 8.0"]
            ),
            (
                rotate(), "down a 10,10 & down b 17,10; +9ms; move b 10,20; up a; up b",
                ["rotate failed: smallSpan 7.0 / 8.0"]
            ),
            (
                rotate(), "down a 10,10 & down b 20,10; +9ms; move b 10,17; up a; up b",
                ["rotate failed: smallSpan 7.0 / 8.0"]
            ),
            (
                rotate(), "down a 10,10 & down b 20,10; +9ms; move a 20,10 & move b 30,13; up a; up b",
                ["rotate failed: dominated 1.5 / 10.1"]
            ),
        ] as [(GestureSettings, String, [String])])
    func alone(gesture: GestureSettings, script: String, expected: [String]) {
        #expect(failures([region([gesture])], script) == expected)
    }

    @Test("a press never fails, and a recognized gesture does not fail")
    func successes() {
        for script in ["down a 10,10; +50ms; up a", "down a 10,10; +9000ms; move a 90,90; up a"] {
            #expect(failures([region([press])], script) == [])
        }
        #expect(failures([region([tap()])], "down a 10,10; +50ms; up a") == [])
        #expect(failures([region([longPress()])], "down a 10,10; +500ms; up a") == [])
        #expect(failures([region([drag()])], "down a 10,10; move a 20,10; cancel a palm") == [])
        #expect(failures([region([pinch()])], "down a 10,10 & down b 40,10; +9ms; move b 60,10; up a; up b") == [])
    }

    @Test("by rules: a long press, after, unless, exclusive, several fingers")
    func rules() {
        #expect(
            failures([region([tap { $0.maxTime = .milliseconds(900) }, longPress()])], "down a 10,10; +600ms; up a")
                == ["tap failed: longPress"])
        #expect(
            failures(
                [region(rules: [Gesture(longPress()), Gesture(drag(), after: ["long_press"])])],
                "down a 10,10; +9ms; move a 40,10; up a")
                == ["long_press failed: moved 30.0 / 5.0", "drag failed: notAfter"])
        #expect(
            failures(
                [region(rules: [Gesture(tap { $0.slop = 90 }, unless: ["drag"]), Gesture(drag())])],
                "down a 10,10; +9ms; move a 40,10; up a") == ["tap failed: unless"])
        #expect(
            failures(
                [region(rules: [Gesture(tap { $0.slop = 90 }), Gesture(drag(), exclusive: true)])],
                "down a 10,10; +9ms; move a 40,10; up a") == ["tap failed: claimed"])
        #expect(
            failures(
                [region([longPress { $0.slop = 90 }, drag(), pinch()])],
                "down a 10,10 & down b 40,10; +9ms; move b 60,10; up a; up b")
                == ["drag failed: multiTouch", "long_press failed: multiTouch"])
    }

    @Test(
        "a gesture that wakes up at the last lift fails", arguments: [swipe(), drag(), longPress(), repeating(), tap()])
    func wokenByTheLift(gesture: GestureSettings) {
        let regions = [
            region(rules: [Gesture(tap(), name: "first"), Gesture(gesture, name: "then", after: ["first"])])
        ]
        let lines = failures(regions, "down a 10,10; +50ms; up a")
        #expect(lines.count == 1 && lines.allSatisfy { $0.hasPrefix("then failed: ") }, "\(lines)")
    }

    @Test("a tap without a landing fails at the last lift")
    func nothingLanded() {
        let regions = [region(rules: [Gesture(longPress()), Gesture(tap(), after: ["long_press"])])]
        #expect(failures(regions, "down a 10,10; +600ms; up a") == ["tap failed: tooFewContacts 0.0 / 1.0"])
    }

    @Test("a sequence that begins with a bounce has no tap")
    func bounced() {
        let lines = simulate(
            [region([tap(), tap(fingers: 2)])],
            "down a 10,10; +9ms; up a; +20ms; down b 10,10; +9ms; down c 60,10; +1ms; up b; +9ms; up c", failures: true)
        #expect(
            lines == """
                9 2-finger tap failed: tooFewContacts 1.0 / 2.0
                9 tap after 9
                29 tap failed: bounce 20.0 / 40.0
                29 2-finger tap failed: bounce 20.0 / 40.0
                """)
    }

    @Test("by other regions: claimed, shadowed")
    func regions() {
        func nested(_ outer: [GestureSettings], _ inner: [GestureSettings]) -> [Region] {
            [region("outer", outer), region("inner", (50, 20, 100, 60), parent: 0, inner)]
        }
        #expect(
            failures(
                nested([drag()], [longPress { $0.slop = 90 }, tap { $0.slop = 90 }]),
                "down a 90,50; +9ms; move a 99,50; up a")
                == ["inner.tap failed: claimed", "inner.long_press failed: claimed"])
        #expect(
            failures(
                nested([drag { $0.axis = .vertical }], [drag { $0.axis = .horizontal }]),
                "down a 90,50; +9ms; move a 99,50; up a") == ["outer.drag failed: claimed"])
        #expect(
            failures(nested([tap()], [tap()]), "down a 90,50; +9ms; up a") == ["outer.tap failed: shadowed"])
        #expect(
            failures(nested([press], [press]), "down a 90,50; +9ms; up a") == ["outer.press failed: shadowed"])
    }

    @Test("once per gesture and sequence, and reporting failures changes no other event")
    func once() {
        let regions = [
            region("list", [press, tap(), swipe(), drag { $0.axis = .vertical }, pinch(), longPress()]),
            region(
                "item", (50, 20, 100, 60), parent: 0, [press, tap(), tap(count: 2), drag { $0.axis = .horizontal }]),
        ]
        for script in [
            "down a 90,50; +9ms; up a", "down a 90,50; +9ms; move a 99,50; up a",
            "down a 90,50; +9ms; move a 90,59; up a",
            "down a 90,50 & down b 10,10; +9ms; move a 120,50; +9ms; up b; +600ms; up a",
            "down a 90,50; +9ms; down b 100,50; +9ms; cancel b palm; +9ms; move a 90,90; up a",
        ] {
            let failed = failures(regions, script).map { $0.split(separator: " ")[0] }
            #expect(Set(failed).count == failed.count, "\(script): \(failed)")
            #expect(!failed.isEmpty)
            let asked = simulate(regions, script, failures: true).split(separator: "\n").filter {
                !$0.contains(" failed: ")
            }
            #expect(asked.joined(separator: "\n") == simulate(regions, script))
        }
    }
}
