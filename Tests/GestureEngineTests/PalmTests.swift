// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// A contact that turns out to be a palm, or that rests, is treated as if it had never landed.
@Suite("Palms beside fingers")
struct PalmTests {
    @Test(
        "a tap waits for its own lift",
        arguments: [
            ("down a 10,10; +30ms; down b 60,40; +50ms; cancel b palm; +20ms; up a", "100 tap after 100"),
            // The palm landed first.
            ("down b 60,40; +30ms; down a 10,10; +50ms; cancel b palm; +20ms; up a", "100 tap after 70"),
            // The palm is detected after the finger has lifted, or not at all.
            ("down a 10,10; +30ms; down b 60,40; +50ms; up a; +20ms; cancel b palm", ""),
            ("down a 10,10; +30ms; down b 60,40; +50ms; up b; +20ms; up a", ""),
            // Two more contacts land. Both turn out to be palms, or only one of them does.
            (
                "down a 10,10; +30ms; down b 60,40 & down c 70,40; +50ms; cancel b palm & cancel c palm; +20ms; up a",
                "100 tap after 100"
            ),
            ("down a 10,10; +30ms; down b 60,40 & down c 70,40; +50ms; cancel b palm; +20ms; up a", ""),
            // The movement of the palm does not matter, but the movement of the finger does.
            (
                "down a 10,10; +30ms; down b 60,40; +50ms; move b 50,40; +9ms; cancel b palm; +11ms; up a",
                "100 tap after 100"
            ),
            ("down a 10,10; +30ms; down b 60,40; +50ms; move a 20,10; +9ms; cancel b palm; +11ms; up a", ""),
            // The duration is measured from the landing of the finger.
            ("down b 60,40; +300ms; down a 10,10; +50ms; cancel b palm; +449ms; up a", "799 tap after 499"),
            ("down b 60,40; +300ms; down a 10,10; +50ms; cancel b palm; +450ms; up a", ""),
            ("down b 60,40; +499ms; down a 10,10; +1ms; cancel b palm; +50ms; up a", ""),
            // A contact that is cancelled because events were lost is not a palm.
            ("down a 10,10; +30ms; down b 60,40; +50ms; cancel b syncLost; +20ms; up a", ""),
        ])
    func tapping(script: String, transcript: String) {
        #expect(simulate([region([tap()])], script) == transcript)
    }

    /// The outer tap fails when the palm lands on the inner region, because other gestures may wait for its failure.
    @Test(
        "a tap that has failed because of a palm on a nearer region is not recognized any more",
        arguments: ["palm", "rest"], ["up b", "+20ms; up b"])
    func failedBefore(reason: String, lift: String) {
        let regions = [region("outer", [tap()]), region("inner", (50, 20, 100, 60), parent: 0, [tap()])]
        let script =
            "down a 90,50 & down b 10,50; +10ms; cancel a \(reason); \(lift); +500ms; down c 10,50; +10ms; up c"
        let lines = simulate(regions, script, failures: true).split(separator: "\n").filter { $0.contains("outer") }
        #expect(lines.first == "0 outer.tap failed: shadowed")
        #expect(lines.count == 2)
        #expect(lines.last?.hasSuffix("outer.tap after 10") == true)
    }

    @Test(
        "a tap of two fingers waits for its own lifts",
        arguments: [
            ("down a 10,10 & down b 40,10; +9ms; down p 90,90; +9ms; cancel p palm; +9ms; up a & up b", true),
            ("down p 90,90; +9ms; down a 10,10 & down b 40,10; +9ms; cancel p palm; +9ms; up a & up b", true),
            // The palm seemed to be one of the two fingers.
            ("down a 10,10 & down p 90,90; +9ms; cancel p palm; +9ms; down b 40,10; +9ms; up a & up b", true),
            ("down a 10,10 & down p 90,90; +9ms; cancel p palm; +9ms; up a", false),
            ("down a 10,10 & down b 40,10; +9ms; up a; +9ms; down p 90,90; +9ms; cancel p palm; +9ms; up b", true),
            ("down a 10,10 & down b 40,10; +9ms; down p 90,90; +9ms; up a & up b; +9ms; cancel p palm", false),
        ])
    func twoFingers(script: String, comes: Bool) {
        #expect(simulate([region([tap(fingers: 2)])], script).contains("2-finger tap") == comes)
    }

    @Test("a streak goes on, and a tap that waits is neither released nor dropped")
    func streak() {
        let regions = [region([tap(wait: true), tap(count: 2)])]
        let first = "down a 10,10; +50ms; up a; +100ms; "
        let palm = "down p 90,90; +30ms; cancel p palm; +9ms"
        #expect(simulate(regions, "\(first)down b 10,10; +9ms; \(palm); up b") == "198 double_tap after 48")
        #expect(
            simulate(regions, "\(first)down b 10,10; +9ms; down p 90,90; +30ms; up b; +9ms; cancel p palm")
                == "189 tap after 50")
    }

    @Test("the streak that a palm seemed to continue is over in time")
    func lateStreak() {
        let regions = [region([tap(), tap(count: 2)])]
        let first = "down a 10,10; +50ms; up a; +200ms; down p 15,10; "
        #expect(
            simulate(regions, "\(first)+190ms; down b 10,10; +20ms; cancel p palm; +9ms; up b")
                == "50 tap after 50\n469 double_tap after 29")
        #expect(
            simulate(regions, "\(first)+210ms; down b 10,10; +20ms; cancel p palm; +9ms; up b")
                == "50 tap after 50\n489 tap after 29")
    }

    @Test("a palm that lands elsewhere does not end the streak")
    func interruptedStreak() {
        let first = "down a 10,10; +50ms; up a; +100ms; down p 60,40; +10ms; "
        let second = "down b 10,10; +60ms; cancel p palm; +20ms; up b"
        let regions = [region([tap(), tap(count: 2)])]
        #expect(simulate(regions, first + second) == "50 tap after 50\n240 double_tap after 80")
        // The finger lands at another position than the first tap.
        #expect(
            simulate(regions, "\(first)down b 40,10; +60ms; cancel p palm; +20ms; up b")
                == "50 tap after 50\n240 tap after 80")
        // The finger lands after the gap.
        #expect(
            simulate(regions, "\(first)+300ms; \(second)") == "50 tap after 50\n540 tap after 80")
        // The first tap no longer waits when the palm lands, so it is not a part of another gesture.
        #expect(
            simulate([region([tap(wait: true), tap(count: 2)])], first + second)
                == "150 tap after 50\n640 tap after 80")
    }

    @Test("taps before a gesture are recognized, too")
    func tapsBefore() {
        let regions = [region([drag { $0.taps = 1 }])]
        let script = "down a 10,10; +9ms; down p 90,90; +9ms; cancel p palm; +9ms; up a; +90ms; down b 10,10; +9ms; "
        #expect(simulate(regions, script + "move b 20,10; +9ms; up b").contains("drag begin"))
    }

    @Test("the reason of the failure stays the same, and is reported when it is certain")
    func reasons() {
        let regions = [region([tap()])]
        let landing = "failures on; down a 10,10; +30ms; down b 60,40; "
        let reason = "tap failed: tooManyContacts 2.0 / 1.0"
        #expect(simulate(regions, landing + "+50ms; up b; +50ms; up a") == "80 \(reason)")
        #expect(simulate(regions, landing + "+50ms; up a; +50ms; up b") == "80 \(reason)")
        #expect(simulate(regions, landing + "+900ms; up a & up b") == "500 \(reason)")
        #expect(simulate(regions, landing + "+50ms; move a 15,10; +50ms; up a & up b") == "130 \(reason)")
        #expect(
            simulate(regions, landing + "+50ms; move b 70,40; +50ms; move a 15,10; +50ms; up a & up b")
                == "130 \(reason)")
    }

    @Test("a drag that waits for a tap begins when both fingers move")
    func waiting() {
        let regions = [region(rules: [Gesture(tap()), Gesture(drag(fingers: 2), unless: ["tap"])])]
        let script =
            "down a 10,10 & down b 40,10; +20ms; move a 20,10 & move b 50,10; +20ms; move a 30,10 & move b 60,10"
        #expect(simulate(regions, script + "; up a & up b").contains("2-finger drag begin"))
    }

    @Test(
        "the delay of a long press starts at the landing of its own contact",
        arguments: [
            ("down a 10,10; +30ms; down p 60,40; +50ms; cancel p palm; +420ms; up a", "500 long_press begin"),
            ("down p 60,40; +30ms; down a 10,10; +50ms; cancel p palm; +450ms; up a", "530 long_press begin"),
            ("down a 10,10; +30ms; down p 60,40; +469ms; cancel p palm; +90ms; up a", "500 long_press begin"),
            ("down a 10,10; +30ms; down p 60,40; +470ms; cancel p palm; +90ms; up a", nil),
            ("down a 10,10; +30ms; down p 60,40; +50ms; up p; +900ms; up a", nil),
            ("down a 10,10; +30ms; down p 60,40; +50ms; move p 70,40; +9ms; cancel p palm; +900ms; up a", "500"),
            ("down a 10,10; +30ms; down p 60,40; +50ms; move a 20,10; +9ms; cancel p palm; +900ms; up a", nil),
        ])
    func holding(script: String, line: String?) {
        let transcript = simulate([region([longPress()])], script)
        #expect(line.map { transcript.hasPrefix($0) } ?? transcript.isEmpty, "\(transcript)")
    }

    @Test("a swipe is measured only for the finger")
    func swiping() {
        let regions = [region([swipe()])]
        let stroke = "+9ms; move a 35,50; +9ms; move a 50,50; +9ms; up a"
        #expect(
            simulate(regions, "down a 20,50; +9ms; down p 90,90; +9ms; cancel p palm; \(stroke)")
                == "45 swipe right 30.0 mm")
        #expect(
            simulate(regions, "down p 90,90; +9ms; down a 20,50; +9ms; cancel p palm; \(stroke)")
                == "45 swipe right 30.0 mm")
        #expect(simulate(regions, "down a 20,50; +9ms; down p 90,90; +9ms; up p; \(stroke)").isEmpty)
        // The duration is measured from the landing of the finger.
        #expect(
            simulate(regions, "down p 90,90; +400ms; down a 20,50; +99ms; cancel p palm; \(stroke)")
                == "526 swipe right 30.0 mm")
    }
}
