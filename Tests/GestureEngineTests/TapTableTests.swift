// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// Tests values just within and just beyond each limit of a tap.
@Suite("Limits of tap")
struct TapTableTests {
    /// Returns a script of taps of 10 ms at the same position, with pauses of 50 ms.
    private func taps(_ count: Int) -> String {
        (1...count).map { "down a\($0) 50,50; +10ms; up a\($0)" }.joined(separator: "; +50ms; ")
    }

    private static let inside = tap { ($0.slop, $0.staysInside) = (20, true) }

    @Test("inside: one of two fingers outside fails it; each region checks a finger of an ancestor's sequence itself")
    func leaving() {
        let settings = tap(fingers: 2) { ($0.slop, $0.staysInside) = (20, true) }
        let row = region("row", (0, 0, 150, 60), [settings])
        var ok = region("ok", (0, 0, 60, 60), [settings])
        ok.parent = 0
        let script = "down a 10,10 & down b 59,10; +9ms; move b 64,10; +9ms; up a & up b"
        #expect(simulate([region("ok", (0, 0, 60, 60), [settings])], script).isEmpty)
        #expect(simulate([row], script) == "18 2-finger tap after 18")
        #expect(simulate([row, ok], script).isEmpty)
    }

    @Test("inside: taps before a gesture follow the region's taps")
    func leavingBefore() {
        var region = region("r", (0, 0, 60, 60), [drag { $0.taps = 1 }])
        (region.taps.slop, region.taps.staysInside) = (20, true)
        func script(_ x: Int) -> String {
            "down a 59,10; move a \(x),10; +9ms; move a 59,10; up a; +90ms; down b 59,10; +9ms; move b 30,10; up b"
        }
        #expect(simulate([region], script(63)).contains("drag begin"))
        #expect(simulate([region], script(64)).isEmpty)
    }

    @Test(
        "lifts: all within max_lift_spread of the first one",
        arguments: [
            (2, "+9ms; up a; +100ms; up b", "109 tapped after 109"), (2, "+9ms; up a; +100.001ms; up b", ""),
            (2, "+9ms; up a & up b", "9 tapped after 9"),
            // The time is measured from the first lift, not from the preceding one.
            (3, "+9ms; up a; +50ms; up b; +50ms; up c", "109 tapped after 109"),
            (3, "+9ms; up a; +50ms; up b; +51ms; up c", ""),
            // The lifts of the next tap are measured separately.
            (
                2, "+9ms; up a; +101ms; up b; +500ms; down a 10,10 & down b 40,10; +9ms; up a; +90ms; up b",
                "709 tapped after 99"
            ),
        ])
    func liftSpread(fingers: Int, script: String, transcript: String) {
        let settings = tap(fingers: fingers) { $0.maxLiftSpread = .milliseconds(100) }
        let landing = fingers == 2 ? "down a 10,10 & down b 40,10" : "down a 10,10 & down b 40,10 & down c 70,10"
        let regions = [region(rules: [Gesture(settings, name: "tapped")])]
        #expect(simulate(regions, "\(landing); \(script)") == transcript)
    }

    @Test("a bounce after the lift of a contact that another region has claimed is a bounce, too")
    func bounceAfterClaim() {
        let list = region("list", (0, 0, 200, 100), [tap()])
        var slider = region("slider", (50, 40, 100, 40), [drag()])
        slider.parent = 0
        func script(_ pause: Int) -> String {
            "down a 60,60; +20ms; move a 70,60; +20ms; up a; +\(pause)ms; down b 70,60; +40ms; up b"
        }
        #expect(!simulate([list, slider], script(39)).contains("tap"))
        #expect(simulate([list, slider], script(40)).contains("120 list.tap after 40"))
    }

    @Test(
        "a single jump of the panel is forgiven, whether it comes back or the contact lifts",
        arguments: [
            ("move a 60,10; +9ms; move a 11,10; +9ms; up a", true),
            ("move a 60,10; +9ms; up a", false),
            ("move a 11,10; +9ms; move a 60,10; +9ms; up a", true),
            ("move a 60,10; +9ms; move a 61,10; +9ms; up a", false),
            ("move a 60,10; +9ms; move a 60,10; +9ms; up a", false),
            // The contact jumps twice.
            ("move a 60,10; +9ms; move a 110,10; +9ms; move a 10,10; +9ms; up a", false),
            ("move a 60,10; +9ms; move a 10,10; +9ms; move a 60,10; +9ms; move a 10,10; +9ms; up a", true),
            // A movement of at most 1300 mm/s is not a jump, and neither is a position that was read after lost events.
            ("move a 21.6,10; +9ms; move a 10,10; +9ms; up a", false),
            ("move a 21.8,10; +9ms; move a 10,10; +9ms; up a", true),
            ("jump a 60,10; +9ms; move a 10,10; +9ms; up a", false),
        ])
    func jumps(script: String, isTap: Bool) {
        for settings in [tap(), tap { ($0.slop, $0.staysInside) = (5, true) }] {
            let regions = [region("r", (0, 0, 30, 60), [settings])]
            #expect(simulate(regions, "down a 10,10; +9ms; \(script)").contains("tap") == isTap)
        }
    }

    @Test("min_time: a shorter contact fails, and ends the streak")
    func minTime() {
        let regions = [
            region([tap { $0.minTime = .milliseconds(20) }, tap(count: 2) { $0.minTime = .milliseconds(20) }])
        ]
        func tapping(_ times: Int...) -> String {
            simulate(
                regions, "failures on; " + times.map { "down a 10,10; +\($0)ms; up a" }.joined(separator: "; +90ms; "))
        }
        #expect(tapping(20).hasPrefix("20 tap after 20"))
        #expect(
            tapping(19).split(separator: "\n").prefix(2)
                == ["19 tap failed: tooQuick 19.0 / 20.0", "19 double_tap failed: tooQuick 19.0 / 20.0"])
        #expect(tapping(20, 20).contains("double_tap after"))
        #expect(!tapping(20, 9, 20).contains("double_tap after"))
    }

    @Test(
        "when: a double tap at its second landing",
        arguments: [
            ("+100ms; down b 10,10; +700ms; up b", "150 double_tap after 0"),
            ("+100ms; down b 10,10; +50ms; move b 40,10; up b", "150 double_tap after 0"),
            ("+100ms; down b 27,10; +50ms; up b", "200 tap after 50"),
            ("+20ms; down b 10,10; +50ms; up b", ""),
            // The third touch is the first of another streak.
            (
                "+100ms; down b 10,10; +50ms; up b; +100ms; down c 10,10; +50ms; up c",
                "150 double_tap after 0\n350 tap after 50"
            ),
        ])
    func decidedAtLanding(script: String, transcript: String) {
        let regions = [region([tap(), tap(count: 2) { $0.when = .landing }])]
        let lines = simulate(regions, "down a 10,10; +50ms; up a; \(script)")
        #expect(lines == "50 tap after 50" + (transcript.isEmpty ? "" : "\n\(transcript)"))
    }

    @Test("when: a double tap of two fingers takes the sequence at the landing")
    func twoFingersAtLanding() {
        let regions = [region([press, tap(fingers: 2, count: 2) { $0.when = .landing }])]
        let pair = "down a 10,10; +9ms; down b 40,10; "
        #expect(
            simulate(regions, "\(pair)+50ms; up a & up b; +90ms; \(pair)+50ms; up a & up b").split(separator: "\n")
                .suffix(2)
                == ["158 press cancel multiTouch inside held 9", "158 2-finger double_tap after 9"])
    }

    @Test(
        "limits of one tap",
        arguments: [
            (tap { $0.slop = 1 }, "down a 10,10; move a 11,10; +9ms; up a", "9 tap after 9"),
            (tap { $0.slop = 1 }, "down a 10,10; move a 11.002,10; +9ms; up a", ""),
            (tap { $0.slop = 0 }, "down a 10,10; +9ms; up a", "9 tap after 9"),
            (tap { $0.slop = 0 }, "down a 10,10; move a 10.002,10; +9ms; up a", ""),
            (tap { $0.maxTime = .milliseconds(100) }, "down a 10,10; +99.999ms; up a", "99.999 tap after 99.999"),
            (tap { $0.maxTime = .milliseconds(100) }, "down a 10,10; +100ms; up a", ""),
            // Without `inside`, only the slop limits the movement, not the region's border.
            (tap(), "down a 59.9,10; move a 61,10; +9ms; up a", "9 tap after 9"),
            // With `inside`, a position 4 mm outside fails the tap, even for a moment, and even in the frame of the
            // lift.
            (TapTableTests.inside, "down a 59,10; move a 63.99,10; +9ms; up a", "9 tap after 9"),
            (TapTableTests.inside, "down a 59,10; move a 64,10; +9ms; up a", ""),
            (TapTableTests.inside, "down a 59,10; +9ms; move a 64,10; +9ms; move a 55,10; +9ms; up a", ""),
            (TapTableTests.inside, "down a 59,10; +9ms; move a 64,10 & up a", ""),
            (tap { $0.slop = 20 }, "down a 59,10; move a 64,10; +9ms; up a", "9 tap after 9"),
        ])
    func limits(settings: GestureSettings, script: String, transcript: String) {
        #expect(simulate([region("r", (0, 0, 60, 60), [settings])], script) == transcript)
    }

    @Test(
        "several fingers",
        arguments: [
            // All fingers must land within `group` of the first landing, not of the preceding one.
            (
                3, "down a 10,10; +50ms; down b 40,10; +50ms; down c 70,10; +10ms; up a & up b & up c",
                "110 tapped after 110"
            ),
            (3, "down a 10,10; +50ms; down b 40,10; +50.001ms; down c 70,10; +10ms; up a & up b & up c", ""),
            // All fingers must lift within `max_time` of the first landing.
            (2, "down a 10,10; +90ms; down b 40,10; +409.999ms; up a & up b", "499.999 tapped after 499.999"),
            (2, "down a 10,10; +90ms; down b 40,10; +410ms; up a & up b", ""),
            (2, "down a 10,10 & down b 40,10; +10ms; up a; +489.999ms; up b", "499.999 tapped after 499.999"),
            (2, "down a 10,10 & down b 40,10; +10ms; up a; +490ms; up b", ""),
            // Each finger must stay within its slop.
            (2, "down a 10,10 & down b 40,10; move a 13,10 & move b 37,10; +9ms; up a & up b", "9 tapped after 9"),
            (2, "down a 10,10 & down b 40,10; move b 36.9,10; +9ms; up a & up b", ""),
            // The finger that lifts first stays within its slop, but the other one does not.
            (2, "down a 10,10 & down b 40,10; +9ms; up a; move b 45,10; +9ms; up b", ""),
            // One finger too many fails the tap, even if it lands after another one has lifted.
            (2, "down a 10,10 & down b 40,10 & down c 70,10; +9ms; up a & up b & up c", ""),
            (2, "down a 10,10; +9ms; down b 40,10; +9ms; up a; +45ms; down c 10,10; +9ms; up b; up c", ""),
            // Two fingers that touch one after the other are not a tap of two fingers.
            (2, "down a 10,10; +9ms; up a; +50ms; down b 40,10; +9ms; up b", ""),
            (
                5,
                "down a 10,10 & down b 30,10 & down c 50,10 & down d 70,10 & down e 90,10; +9ms; up a & up b & up c & up d & up e",
                "9 tapped after 9"
            ),
            // The fingers may lift one after the other; only `max_time` limits the time between the lifts.
            (2, "down a 10,10 & down b 40,10; +9ms; up a; +450ms; up b", "459 tapped after 459"),
            // One finger is cancelled.
            (2, "down a 10,10 & down b 40,10; +9ms; cancel a palm; +9ms; up b", ""),
        ] as [(Int, String, String)])
    func fingers(fingers: Int, script: String, transcript: String) {
        #expect(
            simulate([region(rules: [Gesture(tap(fingers: fingers), name: "tapped")])], script) == transcript)
    }

    @Test("group limits the time between the landings")
    func group() {
        let regions = [region([tap(fingers: 2) { $0.group = .milliseconds(30) }])]
        #expect(
            simulate(regions, "down a 10,10; +30ms; down b 40,10; +9ms; up a & up b") == "39 2-finger tap after 39")
        #expect(simulate(regions, "down a 10,10; +30.001ms; down b 40,10; +9ms; up a & up b") == "")
    }

    @Test(
        "counts, without waiting",
        arguments: [
            (1, "10 tap after 10"), (2, "10 tap after 10\n70 double_tap after 10"),
            (3, "10 tap after 10\n70 double_tap after 10\n130 tap3 after 10"),
            // After the highest count, the streak starts over.
            (4, "10 tap after 10\n70 double_tap after 10\n130 tap3 after 10\n190 tap after 10"),
        ])
    func eager(count: Int, transcript: String) {
        #expect(simulate([region([tap(), tap(count: 2), tap(count: 3)])], taps(count)) == transcript)
    }

    @Test(
        "counts, waiting",
        arguments: [
            (1, "410 tap after 10"), (2, "470 double_tap after 10"), (3, "130 tap3 after 10"),
            (4, "130 tap3 after 10\n590 tap after 10"),
        ])
    func waiting(count: Int, transcript: String) {
        #expect(
            simulate([region([tap(wait: true), tap(count: 2, wait: true), tap(count: 3, wait: true)])], taps(count))
                == transcript)
    }

    @Test(
        "a count that is not configured does not cause a tap",
        arguments: [
            (1, ""), (2, ""), (3, "130 tap3 after 10"), (4, "130 tap3 after 10"),
            (6, "130 tap3 after 10\n310 tap3 after 10"),
        ])
    func gaps(count: Int, transcript: String) {
        #expect(simulate([region([tap(count: 3)])], taps(count)) == transcript)
    }

    @Test("without a longer gesture, waiting adds no delay")
    func waitAlone() {
        #expect(simulate([region([tap(wait: true)])], taps(1)) == "10 tap after 10")
        // The longer gesture must have the same number of fingers.
        #expect(simulate([region([tap(wait: true), tap(fingers: 2, count: 2)])], taps(1)) == "10 tap after 10")
    }

    @Test("two fingers, twice")
    func twoFingersTwice() {
        let regions = [region([tap(fingers: 2, wait: true), tap(fingers: 2, count: 2)])]
        let once = "down a 10,10 & down b 40,10; +10ms; up a & up b"
        #expect(simulate(regions, once) == "410 2-finger tap after 10")
        #expect(simulate(regions, "\(once); +50ms; \(once)") == "70 2-finger double_tap after 10")
        #expect(
            simulate(regions, "\(once); +50ms; down a 26.1,10 & down b 56.1,10; +10ms; up a & up b")
                == "60 2-finger tap after 10\n470 2-finger tap after 10")
    }

    @Test(
        "gap, distance and min_gap, on both sides",
        arguments: [
            // The next tap must land within the gap; its lift may be later.
            ("+199.999ms; down b 50,50; +90ms; up b", "double"), ("+200ms; down b 50,50; +90ms; up b", "none"),
            ("+50ms; down b 55,50; +9ms; up b", "double"), ("+50ms; down b 55.01,50; +9ms; up b", "none"),
            ("+50ms; down b 53,46; +9ms; up b", "double"), ("+50ms; down b 53.01,46; +9ms; up b", "none"),
            // The distance is measured to the position of the landing, not to that of the lift.
            ("+50ms; down b 54.9,50; move b 57,50; +9ms; up b", "double"),
            ("+20ms; down b 50,50; +9ms; up b", "double"), ("+19.999ms; down b 50,50; +9ms; up b", "none"),
            ("+0ms; down b 50,50; +9ms; up b", "none"),
        ])
    func streak(script: String, result: String) {
        let settings = tap(count: 2) {
            $0.gap = .milliseconds(200)
            $0.distance = 5
            $0.minGap = .milliseconds(20)
        }
        let lines = simulate([region([settings])], "down a 50,50; +10ms; up a; \(script)")
        #expect(lines.contains("double_tap") == (result == "double"), "\(lines)")
        #expect(!lines.contains("cannot read"))
    }

    @Test("the distance is measured from the first tap, not from the last")
    func distance() {
        let regions = [region([tap(count: 3)])]
        func taps(_ places: [Double]) -> String {
            places.map { "down a \($0),50; +10ms; up a" }.joined(separator: "; +50ms; ")
        }
        #expect(simulate(regions, taps([50, 60, 40])) == "130 tap3 after 10")
        #expect(simulate(regions, taps([50, 58, 67])) == "")
        // A tap that is too far away begins a new streak.
        #expect(simulate(regions, taps([50, 70, 75, 72])) == "190 tap3 after 10")
    }

    @Test(
        "a bounce",
        arguments: [
            // A bounce is not a tap and does not change the streak, however long it lasts and however far it moves.
            (
                "+39.999ms; down b 50,50; +10ms; up b; +60ms; down c 50,50; +10ms; up c",
                "10 tap after 10\n129.999 double_tap after 10"
            ),
            (
                "+30ms; down b 50,50; move b 90,50; +100ms; up b; +60ms; down c 50,50; +10ms; up c",
                "10 tap after 10\n210 double_tap after 10"
            ),
            // A bounce is ignored, even if it lands too far from the first tap to be the second.
            (
                "+30ms; down b 65,50; +10ms; up b; +60ms; down c 50,50; +10ms; up c",
                "10 tap after 10\n120 double_tap after 10"
            ),
            // A landing that is too far from the lift for a bounce is a tap of another finger.
            (
                "+30ms; down b 66.01,50; +10ms; up b; +60ms; down c 50,50; +10ms; up c",
                "10 tap after 10\n50 tap after 10\n120 tap after 10"
            ),
            // A landing near any recent lift is a bounce, not only one near the last lift.
            (
                "+10ms; down b 80,50; +10ms; up b; +10ms; down c 50,50; +10ms; up c; +50ms; down d 80,50; +10ms; up d",
                "10 tap after 10\n30 tap after 10\n110 double_tap after 10"
            ),
            // While the bounce is down, it counts as a finger: a tap beside it fails, and the streak ends.
            (
                "+30ms; down b 50,50; +50ms; down c 80,50; +10ms; up c; +10ms; up b; +50ms; down d 50,50; +10ms; up d",
                "10 tap after 10\n170 tap after 10"
            ),
            // A bounce may follow a bounce: the time is measured from the last lift.
            (
                "+30ms; down b 50,50; +10ms; up b; +39ms; down c 50,50; +10ms; up c; +50ms; down d 50,50; +10ms; up d",
                "10 tap after 10\n159 double_tap after 10"
            ),
            // The gap is measured from the lift of the tap, not from that of the bounce.
            (
                "+30ms; down b 50,50; +200ms; up b; +170ms; down c 50,50; +10ms; up c",
                "10 tap after 10\n420 tap after 10"
            ),
        ])
    func bounce(script: String, transcript: String) {
        #expect(
            simulate([region([tap(), tap(count: 2)])], "down a 50,50; +10ms; up a; \(script)") == transcript)
    }

    @Test("one finger of two bounces")
    func bounceOfOne() {
        #expect(
            simulate(
                [region([tap(fingers: 2)])],
                "down a 10,10 & down b 40,10; +20ms; up a; +10ms; down c 10,10; +20ms; up c; up b")
                == "50 2-finger tap after 50")
    }

    @Test(
        "a bounce that stays down counts as a finger",
        arguments: [
            // The bounce and two more fingers are three fingers, too many for the tap.
            ("down b 10,10; +100ms; down c 40,10 & down d 70,10; +20ms; up c & up d; up b", ""),
            // The bounce and one more finger do not make a two-finger tap.
            ("down b 10,10; +100ms; down c 40,10; +20ms; up c; up b", ""),
            // The second finger bounces while the first is down, and another one lands beside them.
            (
                """
                +50ms; down b 10,10 & down c 40,10; +20ms; up b; +10ms; down d 10,10; down e 70,10
                +20ms; up c; up d; up e
                """, ""
            ),
        ])
    func bounceThatStays(script: String, transcript: String) {
        let regions = [region([tap(fingers: 2)])]
        #expect(simulate(regions, "down a 10,10; +20ms; up a; +17ms; " + script) == transcript)
    }

    @Test(
        "all fingers are down at the same time",
        arguments: [
            ("down a 10,10; +10ms; down b 40,10; +20ms; up b; +45ms; down c 70,10; +25ms; up c; +20ms; up a", 2),
            ("down a 10,10; +9ms; up a & down b 40,10; +9ms; up b & down c 70,10; +9ms; up c", 1),
            ("down a 10,10 & down b 40,10; +9ms; up a & down c 70,10; +9ms; up b & up c", 2),
        ])
    func atOneTime(script: String, atOnce: Int) {
        let regions = [region([tap(fingers: 3)])]
        let lines = simulate(regions, script, failures: true)
        #expect(lines.contains("3-finger tap failed: tooFewContacts \(atOnce).0 / 3.0"), "\(lines)")
        #expect(!lines.contains(" after "), "\(lines)")
    }

    @Test(
        "contacts that end a streak",
        arguments: [
            // A second contact lands while the first is down, so this is not a one-finger tap.
            ("+50ms; down b 50,50; +5ms; down c 80,50; +5ms; up b & up c; +50ms; down d 50,50; +10ms; up d", false),
            // The next contact stays down too long for a tap, or moves too far.
            ("+50ms; down b 50,50; +500ms; up b; +50ms; down d 50,50; +10ms; up d", false),
            ("+50ms; down b 50,50; move b 60,50; +5ms; up b; +50ms; down d 50,50; +10ms; up d", false),
            // The next contact becomes a palm.
            ("+50ms; down b 50,50; +5ms; cancel b palm; +50ms; down d 50,50; +10ms; up d", false),
            // Without another contact, the streak continues.
            ("+50ms; down d 50,50; +10ms; up d", true),
        ])
    func ends(script: String, isDouble: Bool) {
        let lines = simulate([region([tap(count: 2)])], "down a 50,50; +10ms; up a; \(script)")
        #expect(lines.contains("double_tap") == isDouble, "\(lines)")
    }

    @Test("a long press ends the streak once it begins")
    func longPressEnds() {
        func regions(_ delay: Int64) -> [Region] {
            [
                region([
                    tap(count: 2) { $0.maxTime = .milliseconds(300) }, longPress { $0.delay = .milliseconds(delay) },
                ])
            ]
        }
        let script = "down a 50,50; +10ms; up a; +50ms; down b 50,50; +200ms; up b"
        #expect(simulate(regions(200), script) == "260 long_press begin\n260 long_press end held 200")
        #expect(simulate(regions(201), script) == "260 double_tap after 200")
    }
}
