// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

@Suite("Gestures after taps")
struct TapsBeforeTests {
    private func zoom(_ taps: Int = 1) -> Gesture {
        Gesture(drag { $0.taps = taps }, name: "zoom")
    }

    @Test("the next contact lands within the gap, not at its end")
    func gap() {
        let regions = [region(rules: [zoom()])]
        #expect(
            simulate(
                regions, "down a 50,50; +50ms; up a; +399.999ms; down b 50,50; +10ms; move b 60,50; +10ms; up b")
                == "459.999 zoom begin 0.0,0.0\n469.999 zoom end 7.0,0.0")
        #expect(
            simulate(regions, "down a 50,50; +50ms; up a; +400ms; down b 50,50; +10ms; move b 60,50; +10ms; up b")
                .isEmpty)
    }

    @Test("the next contact lands within the distance")
    func distance() {
        let regions = [region(rules: [zoom()])]
        #expect(
            simulate(regions, "down a 50,50; +50ms; up a; +100ms; down b 66,50; +10ms; move b 76,50; +10ms; up b")
                == "160 zoom begin 0.0,0.0\n170 zoom end 7.0,0.0")
        #expect(
            simulate(regions, "down a 50,50; +50ms; up a; +100ms; down b 66.1,50; +10ms; move b 76,50; +10ms; up b")
                .isEmpty)
    }

    @Test("a landing that is a bounce does not follow a tap")
    func bounce() {
        let regions = [region(rules: [zoom()])]
        let script = "down a 50,50; +50ms; up a; +39ms; down b 50,50; +10ms; move b 60,50; +10ms; up b"
        #expect(simulate(regions, script).isEmpty)
        #expect(simulate(regions, script.replacing("+39ms", with: "+40ms")).contains("zoom begin"))
    }

    @Test("exactly the configured number of taps")
    func count() {
        let regions = [region(rules: [Gesture(press), zoom(1), Gesture(drag { $0.taps = 2 }, name: "lines")])]
        func taps(_ number: Int) -> String {
            let tap = "down a 50,50; +50ms; up a; +100ms; "
            let script = String(repeating: tap, count: number) + "down b 50,50; +10ms; move b 60,50; +10ms; up b"
            return simulate(regions, script.replacing("a;", with: "a;")).split(separator: "\n")
                .filter { !$0.contains("press") }.map { $0.split(separator: " ")[1] }.joined(separator: " ")
        }
        #expect(taps(0).isEmpty)
        #expect(taps(1) == "zoom zoom")
        #expect(taps(2) == "lines lines")
        // The third tap ends the streak, because no gesture here requires more than two.
        #expect(taps(3).isEmpty)
    }

    @Test("a double tap ends the streak, so a following drag is not part of it")
    func doubleTap() {
        let regions = [region(rules: [Gesture(tap(count: 2)), zoom()])]
        #expect(
            simulate(
                regions,
                """
                down a 50,50; +50ms; up a; +100ms; down b 50,50; +50ms; up b; +100ms; down c 50,50; +10ms
                move c 60,50; +10ms; up c
                """) == "200 double_tap after 50")
    }

    @Test("a tap that waits is dropped when a drag, press or long press begins that includes it")
    func waits() {
        for (name, other) in [
            ("drag", drag { $0.taps = 1 }), ("long_press", longPress { $0.taps = 1 }),
            (
                "press",
                GestureSettings.press(
                    {
                        var own = PressSettings(); own.taps = 1; return own
                    }())
            ),
        ] {
            let gestures = [
                Gesture(tap(wait: true), unless: [name]), Gesture(tap(count: 2)), Gesture(other),
            ]
            let lines = simulate(
                [region(rules: gestures)],
                "down a 50,50; +50ms; up a; +100ms; down b 50,50; +700ms; move b 60,50; +10ms; up b"
            ).split(separator: "\n").map { $0.split(separator: " ").dropFirst().prefix(2).joined(separator: " ") }
            #expect(lines == ["\(name) begin", "\(name) end"], "\(name)")
        }
    }

    @Test("two quick taps are both recognized if nothing follows them")
    func twoTaps() {
        #expect(
            simulate(
                [region(rules: [Gesture(tap(), unless: ["zoom"]), zoom()])],
                "down a 50,50; +50ms; up a; +100ms; down b 50,50; +50ms; up b") == "200 tap after 50\n200 tap after 50")
    }

    @Test(
        "a tap that waits comes when the next touch lands elsewhere, whatever becomes of that touch",
        arguments: ["drag", "press"], ["+3000ms; up b", "+450ms; cancel b palm", "+50ms; up b"])
    func elsewhere(word: String, rest: String) {
        var word1 = PressSettings()
        word1.taps = 1
        let other = word == "drag" ? drag { $0.taps = 1 } : .press(word1)
        let regions = [region(rules: [Gesture(tap(wait: true), unless: [word]), Gesture(other)])]
        let lines = simulate(regions, "down a 50,50; +50ms; up a; +100ms; down b 150,50; \(rest)")
        #expect(lines.split(separator: "\n").first == "150 tap after 50")
        // A contact near the first tap may still become part of the gesture, so the tap waits.
        let near = simulate(regions, "down a 50,50; +50ms; up a; +100ms; down b 50,50; \(rest)")
        #expect(!near.hasPrefix("150 tap"))
    }

    @Test("a gesture that waits includes its own taps, even if others have landed since")
    func startOfStreak() {
        let gestures = [
            Gesture(tap(), unless: ["twice"]), Gesture(tap(count: 2), name: "twice", unless: ["thrice"]),
            Gesture(tap(count: 3), name: "thrice"),
        ]
        #expect(
            simulate(
                [region(rules: gestures)],
                """
                down a 50,50; +50ms; up a; +100ms; down b 50,50; +50ms; up b
                +100ms; down c 150,50; +50ms; up c
                """) == "300 twice after 50\n750 tap after 50")
    }

    @Test("an exclusive tap ends the streak")
    func exclusive() {
        #expect(
            simulate(
                [region(rules: [Gesture(tap(), exclusive: true), zoom()])],
                "down a 50,50; +50ms; up a; +100ms; down b 50,50; +10ms; move b 60,50; +10ms; up b")
                == "50 tap after 50")
    }

    @Test("a tap on a child is also one of the list, unless another region has claimed it")
    func nested() {
        let button = (x: 40.0, y: 40.0, width: 40.0, height: 20.0)
        let tapped = "down a 50,50; +50ms; up a; +100ms; down b 50,50; +10ms; move b 60,50; +10ms; up b"
        var list = region("list", [])
        list.gestures = [zoom()]
        #expect(
            simulate([list, region("button", button, parent: 0, [press])], tapped).contains("list.zoom begin"))
        let slider = [list, region("slider", button, parent: 0, [drag { $0.start = 0 }])]
        #expect(!simulate(slider, tapped).contains("zoom"))
    }

    @Test("a drag of two fingers may come after a tap of one")
    func twoFingers() {
        #expect(
            simulate(
                [region(rules: [Gesture(drag(fingers: 2) { $0.taps = 1 })])],
                """
                down a 50,50; +50ms; up a; +100ms; down b 50,50; +10ms; down c 80,50; +10ms
                move b 60,50 & move c 90,50; +10ms; up b & up c
                """) == "170 2-finger drag begin 0.0,0.0\n180 2-finger drag end 7.0,0.0")
    }

    @Test("a cancelled tap is ignored, and so is one before a suspend")
    func cancelled() {
        let regions = [region(rules: [zoom()])]
        #expect(
            simulate(
                regions, "down a 50,50; +50ms; cancel a palm; +100ms; down b 50,50; +10ms; move b 60,50; +10ms; up b"
            ).isEmpty)
    }

    @Test("a tap that was cancelled after its lift leaves no trace")
    func cancelledLater() {
        var engine = GestureEngine(
            [region(rules: [zoom()])], bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
        var events: [GestureEvent] = []
        for (time, kind) in [(0, ContactChange.Kind.landed), (50_000, .lifted)] as [(Int64, ContactChange.Kind)] {
            let change = ContactChange(id: ContactID(1), kind: kind, position: Point(x: 50, y: 50))
            engine.process(TouchFrame(time: Timestamp(microseconds: time), changes: [change]), into: &events)
        }
        engine.cancel(.client, where: { _ in true }, at: Timestamp(microseconds: 60_000), into: &events)
        let isIdle = engine.isIdle
        #expect(isIdle)
    }

    @Test("a press after taps does not shadow the plain press")
    func shadow() {
        var list = region("list", [])
        var word = PressSettings()
        word.taps = 1
        list.gestures = [Gesture(press), Gesture(.press(word), name: "word")]
        #expect(
            simulate(
                [list, region("button", (40, 40, 40, 20), parent: 0, [press])],
                "down a 50,50; +50ms; up a; +100ms; down b 50,50; +50ms; up b")
                    == """
                    0 button.press begin
                    50 button.press end inside held 50
                    150 button.press begin
                    150 list.word begin
                    200 button.press end inside held 50
                    200 list.word end inside held 50
                    """)
    }
}
