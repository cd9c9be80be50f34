// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

@Suite("Tap")
struct TapTests {
    @Test(
        "one finger, once",
        arguments: [
            ("down a 10,10; +84ms; up a", "84 tap after 84"),
            ("down a 10,10; +499ms; up a", "499 tap after 499"),
            ("down a 10,10; +499.999ms; up a", "499.999 tap after 499.999"),
            // A tap must be shorter than 500 ms.
            ("down a 10,10; +500ms; up a", ""),
            ("down a 10,10; +20ms; move a 13,10; +20ms; up a", "40 tap after 40"),
            ("down a 10,10; +20ms; move a 13.1,10; +20ms; up a", ""),
            ("down a 10,10; +20ms; move a 12.1,12.1; +20ms; up a", "40 tap after 40"),
            ("down a 10,10; +20ms; move a 12.2,12.2; +20ms; up a", ""),
            // The slop limits the largest distance from the landing, not only the last one.
            ("down a 10,10; +20ms; move a 14,10; +20ms; move a 10,10; +20ms; up a", ""),
            ("down a 10,10; +20ms; cancel a palm", ""),
            // A second contact lands, so this is not a one-finger tap.
            ("down a 10,10; +20ms; down b 40,10; +20ms; up a; +20ms; up b", ""),
        ])
    func once(script: String, transcript: String) {
        #expect(simulate([region([tap()])], script) == transcript)
    }

    @Test(
        "a streak",
        arguments: [
            (
                "down a 10,10; +50ms; up a; +100ms; down b 10,10; +50ms; up b",
                "50 tap after 50\n200 double_tap after 50"
            ),
            (
                "down a 10,10; +50ms; up a; +399ms; down b 10,10; +50ms; up b",
                "50 tap after 50\n499 double_tap after 50"
            ),
            ("down a 10,10; +50ms; up a; +400ms; down b 10,10; +50ms; up b", "50 tap after 50\n500 tap after 50"),
            // The taps are 16 mm apart, and then slightly more.
            (
                "down a 10,10; +50ms; up a; +100ms; down b 26,10; +50ms; up b",
                "50 tap after 50\n200 double_tap after 50"
            ),
            ("down a 10,10; +50ms; up a; +100ms; down b 26.1,10; +50ms; up b", "50 tap after 50\n200 tap after 50"),
            // A bounce of the panel is not a tap and leaves the streak unchanged.
            (
                "down a 10,10; +50ms; up a; +39ms; down b 10,10; +10ms; up b; +100ms; down c 10,10; +50ms; up c",
                "50 tap after 50\n249 double_tap after 50"
            ),
            (
                "down a 10,10; +50ms; up a; +40ms; down b 10,10; +10ms; up b",
                "50 tap after 50\n100 double_tap after 10"
            ),
            // After the highest count the streak starts over.
            (
                """
                down a 10,10; +50ms; up a; +100ms; down b 10,10; +50ms; up b
                +100ms; down c 10,10; +50ms; up c; +100ms; down d 10,10; +50ms; up d
                """,
                "50 tap after 50\n200 double_tap after 50\n350 tap after 50\n500 double_tap after 50"
            ),
        ])
    func streak(script: String, transcript: String) {
        #expect(simulate([region([tap(), tap(count: 2)])], script) == transcript)
    }

    @Test(
        "with wait",
        arguments: [
            ("down a 10,10; +50ms; up a", "450 tap after 50"),
            ("down a 10,10; +50ms; up a; +100ms; down b 10,10; +50ms; up b", "200 double_tap after 50"),
            // The next contact is not a tap: it is held too long, lands too far away, moves too far, or is cancelled.
            ("down a 10,10; +50ms; up a; +100ms; down b 10,10; +600ms; up b", "650 tap after 50"),
            ("down a 10,10; +50ms; up a; +100ms; down b 50,10; +50ms; up b", "150 tap after 50\n600 tap after 50"),
            ("down a 10,10; +50ms; up a; +100ms; down b 10,10; +10ms; move b 14,10; +10ms; up b", "160 tap after 50"),
            ("down a 10,10; +50ms; up a; +100ms; down b 10,10; +10ms; cancel b palm", ""),
        ])
    func wait(script: String, transcript: String) {
        #expect(simulate([region([tap(wait: true), tap(count: 2)])], script) == transcript)
    }

    @Test(
        "two fingers",
        arguments: [
            ("down a 10,10; +99ms; down b 40,10; +50ms; up a; +10ms; up b", "159 2-finger tap after 159"),
            ("down a 10,10; +100ms; down b 40,10; +50ms; up a; +10ms; up b", "160 2-finger tap after 160"),
            ("down a 10,10; +101ms; down b 40,10; +50ms; up a; +10ms; up b", ""),
            ("down a 10,10 & down b 40,10; +499ms; up a & up b", "499 2-finger tap after 499"),
            ("down a 10,10 & down b 40,10; +300ms; up a; +200ms; up b", ""),
            ("down a 10,10 & down b 40,10; +50ms; down c 70,10; +50ms; up a & up b & up c", ""),
            ("down a 10,10 & down b 40,10; +50ms; move b 43.1,10; +50ms; up a & up b", ""),
            ("down a 10,10; +50ms; up a", ""),
        ])
    func twoFingers(script: String, transcript: String) {
        #expect(simulate([region([tap(fingers: 2)])], script) == transcript)
    }

    @Test("a long press that begins fails every tap and ends the streak")
    func longPressFailsTaps() {
        let regions = [region([tap { $0.maxTime = .milliseconds(2000) }, tap(count: 2), longPress()])]
        #expect(
            simulate(regions, "down a 10,10; +50ms; up a; +100ms; down b 10,10; +700ms; up b")
                == "50 tap after 50\n650 long_press begin\n850 long_press end held 700")
    }
}
