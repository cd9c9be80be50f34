// SPDX-License-Identifier: MIT
import GestureEngine
import GestureLaws
import GestureTestSupport
import Testing

@Suite("Press, long press and repeat")
struct HoldTests {
    @Test(
        "press",
        arguments: [
            ("down a 60,20; +84ms; up a", "0 press begin\n84 press end inside held 84"),
            // The contact leaves when it is 4 mm outside, and returns when it is inside the drawn shape.
            ("down a 60,20; +10ms; move a 83.9,20; +10ms; up a", "0 press begin\n20 press end inside held 20"),
            (
                "down a 60,20; +10ms; move a 84,20; +10ms; up a",
                "0 press begin\n10 press update outside\n20 press end outside held 20"
            ),
            (
                "down a 60,20; +10ms; move a 84,20; +10ms; move a 80,20; +10ms; move a 79.9,20; +10ms; up a",
                "0 press begin\n10 press update outside\n30 press update inside\n40 press end inside held 40"
            ),
            ("down a 60,20; +10ms; cancel a syncLost", "0 press begin\n10 press cancel syncLost inside held 10"),
            // The press lasts until the last contact of the sequence lifts.
            (
                "down a 60,20; +10ms; down b 70,20; +10ms; up a; +10ms; up b",
                "0 press begin\n30 press end inside held 30"
            ),
            (
                "down a 60,20; +10ms; down b 70,20; +10ms; cancel a palm; +10ms; up b",
                "0 press begin\n30 press end inside held 30"
            ),
            // One contact inside is enough; when it lifts, the press is outside with the remaining contact.
            (
                "down a 60,20; +10ms; move a 100,20; +10ms; down b 60,20; +10ms; up b; +10ms; up a",
                """
                0 press begin
                10 press update outside
                20 press update inside
                30 press update outside
                40 press end outside held 40
                """
            ),
            (
                "down a 60,20; +10ms; down b 70,20; +10ms; move a 100,20; +10ms; up b; +10ms; up a",
                "0 press begin\n30 press update outside\n40 press end outside held 40"
            ),
            // The contact lands on the right edge, which is outside the region.
            ("down a 80,20; +84ms; up a", ""),
        ])
    func press(script: String, transcript: String) {
        #expect(simulate([region("r", (50, 10, 30, 20), [GestureTestSupport.press])], script) == transcript)
    }

    @Test(
        "press with one finger: another contact cancels it for the sequence",
        arguments: [
            ("down a 10,10; +9ms; up a", "0 press begin\n9 press end inside held 9"),
            (
                "down a 10,10; +9ms; down b 40,10; +9ms; up a; +9ms; down c 10,10; +9ms; up b & up c",
                "0 press begin\n9 press cancel multiTouch inside held 9"
            ),
            (
                "down a 10,10 & down b 40,10; +9ms; up a & up b; +90ms; down c 10,10; +9ms; up c",
                """
                0 press begin
                0 press cancel multiTouch inside held 0
                99 press begin
                108 press end inside held 9
                """
            ),
            // One finger after the other.
            (
                "down a 10,10; +9ms; up a & down b 40,10; +9ms; up b",
                """
                0 press begin
                9 press end inside held 9
                9 press begin
                18 press end inside held 9
                """
            ),
        ])
    func single(script: String, transcript: String) {
        var settings = PressSettings()
        settings.isSingle = true
        #expect(simulate([region([.press(settings)])], script) == transcript)
    }

    @Test("press with one finger: a contact that another region has claimed is another contact")
    func singleBesideAClaim() {
        var settings = PressSettings()
        settings.isSingle = true
        let list = region("list", (0, 0, 200, 100), [.press(settings)])
        let slider = region("slider", (0, 0, 100, 100), parent: 0, [drag()])
        let script = "down a 10,10; +9ms; move a 20,10; +9ms; down b 150,10; +9ms; up b; +9ms; up a"
        #expect(
            simulate([list, slider], script).split(separator: "\n").filter { $0.contains("press") }
                == ["0 list.press begin", "18 list.press cancel multiTouch inside held 18"])
    }

    @Test("press reports progress if it is configured")
    func progress() {
        let timed = GestureSettings.press(PressSettings(progress: .milliseconds(100)))
        #expect(
            simulate([region([timed])], "down a 10,10; +250ms; up a")
                == """
                0 press begin
                100 press update inside held 100
                200 press update inside held 200
                250 press end inside held 250
                """)
    }

    @Test(
        "long press",
        arguments: [
            ("down a 10,10; +499ms; up a", ""),
            ("down a 10,10; +500ms; up a", "500 long_press begin\n500 long_press end held 500"),
            ("down a 10,10; +100ms; move a 15,10; +600ms; up a", "500 long_press begin\n700 long_press end held 700"),
            ("down a 10,10; +100ms; move a 15.1,10; +600ms; up a", ""),
            // Movements and contacts after the beginning have no effect.
            (
                "down a 10,10; +600ms; move a 80,10; +10ms; down b 30,30; +10ms; up a; +10ms; up b",
                "500 long_press begin\n620 long_press end held 620"
            ),
            ("down a 10,10; +100ms; down b 30,30; +600ms; up a; up b", ""),
            (
                "down a 10,10; +600ms; cancel a deviceRemoved",
                "500 long_press begin\n600 long_press cancel deviceRemoved held 600"
            ),
        ])
    func longPress(script: String, transcript: String) {
        #expect(simulate([region([GestureTestSupport.longPress()])], script) == transcript)
    }

    @Test("long presses of different delays are stages")
    func stages() {
        let regions = [
            region([
                GestureTestSupport.longPress(), GestureTestSupport.longPress { $0.delay = .milliseconds(1500) },
            ])
        ]
        #expect(
            simulate(regions, "down a 10,10; +2000ms; up a")
                == """
                500 long_press begin
                1500 long_press begin
                2000 long_press end held 2000
                2000 long_press end held 2000
                """)
    }

    @Test("the delay for two fingers is measured from the landing of the second")
    func twoFingerLongPress() {
        let regions = [region([GestureTestSupport.longPress(fingers: 2)])]
        #expect(
            simulate(regions, "down a 10,10; +200ms; down b 40,10; +600ms; up a; up b")
                == "700 2-finger long_press begin\n800 2-finger long_press end held 600")
        #expect(simulate(regions, "down a 10,10; +200ms; down b 40,10; +499ms; up a; up b") == "")
    }

    @Test(
        "repeat",
        arguments: [
            ("down a 60,20; +499ms; up a", ""),
            ("down a 60,20; +700ms; up a", "500 repeat 1 held 500\n600 repeat 2 held 600\n700 repeat 3 held 700"),
            // The slop does not apply; leaving pauses the repetition, which continues one interval after the return.
            (
                "down a 60,20; +550ms; move a 90,20; +400ms; move a 60,20; +150ms; up a",
                "500 repeat 1 held 500\n1050 repeat 2 held 1050"
            ),
            // If the finger leaves and returns before the first repetition, there is no pause.
            ("down a 60,20; +100ms; move a 90,20; +100ms; move a 60,20; +300ms; up a", "500 repeat 1 held 500"),
            ("down a 60,20; +550ms; cancel a palm", "500 repeat 1 held 500"),
        ])
    func repeats(script: String, transcript: String) {
        #expect(simulate([region("r", (50, 10, 30, 20), [repeating()])], script) == transcript)
    }

    @Test("repeat accelerates down to its minimum, and ends")
    func accelerate() {
        let settings = repeating {
            $0.accelerate = 0.5
            $0.minInterval = .milliseconds(30)
            $0.maxDuration = .milliseconds(760)
        }
        // The intervals are 100 ms, 50 ms, and then always 30 ms; the repetition at 770 ms would be too late.
        #expect(
            simulate([region([settings])], "down a 10,10; +5000ms; up a")
                == """
                500 repeat 1 held 500
                600 repeat 2 held 600
                650 repeat 3 held 650
                680 repeat 4 held 680
                710 repeat 5 held 710
                740 repeat 6 held 740
                """)
    }

    @Test("a parent's long press does not accept another finger")
    func furtherFinger() {
        let hold = Gesture(name: "hold", word: "long_press", settings: .longPress(LongPressSettings()))
        let pinch = Gesture(name: "pinch", word: "pinch", settings: .pinch(PinchSettings()))
        let world = LawWorld([
            Region("r0", .whole, [hold]), Region("r1", .whole, parent: 0, [pinch]),
            Region("r6", .rectangle(Rectangle(minX: 195, minY: 39, maxX: 308, maxY: 67)), parent: 0, []),
        ])
        let script = "down a 173,46 & down b 163,89; move b 182,70 & down c 197,56; +65200ms"
        #expect(lawViolation([world], script) == nil)
    }
}
