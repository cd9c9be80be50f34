// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// Gestures of one region and of nested regions that compete for the same contacts.
@Suite("Competing gestures")
struct CompetingGesturesTests {
    private func list(_ gestures: [GestureSettings]) -> Region { region("list", gestures) }
    private let vertical = drag { $0.axis = .vertical }

    @Test("a horizontally dragged slider inside a vertically scrolling list")
    func sliderInList() {
        let slider = region(
            "slider", (50, 40, 100, 20), parent: 0, [press, drag { $0.axis = .horizontal }])
        let regions = [list([vertical]), slider]
        // Sideways: the slider drags, even if the finger moves up later.
        #expect(
            simulate(regions, "down a 60,50; +20ms; move a 70,50; +20ms; move a 75,30; +20ms; up a")
                == """
                0 slider.press begin
                20 slider.drag begin 0.0,0.0
                40 slider.drag update 12.0,-20.0
                40 slider.press update outside
                60 slider.drag end 12.0,-20.0
                60 slider.press end outside held 60
                """)
        // Up or down: the list drags, and the slider's press is cancelled.
        #expect(
            simulate(regions, "down a 60,50; +20ms; move a 60,40; +20ms; move a 90,35; +20ms; up a")
                == """
                0 slider.press begin
                20 slider.press cancel claimed inside held 20
                20 list.drag begin 0.0,0.0
                40 list.drag update 30.0,-12.0
                60 list.drag end 30.0,-12.0
                """)
        // Exactly diagonal: both could drag, and the inner region wins.
        #expect(
            simulate(regions, "down a 60,50; +20ms; move a 64,54; +20ms; up a")
                == "0 slider.press begin\n20 slider.drag begin 0.0,0.0\n40 slider.drag end 1.9,1.9\n"
                + "40 slider.press end inside held 40")
        // While one finger holds the slider, another scrolls the list.
        #expect(
            simulate(
                regions,
                """
                down a 60,50; +20ms; move a 70,50; +20ms; down b 60,10; +20ms; move b 60,20
                +20ms; move a 80,50 & move b 60,30; +20ms; up b; +20ms; up a
                """)
                    == """
                    0 slider.press begin
                    20 slider.drag begin 0.0,0.0
                    60 list.drag begin 0.0,0.0
                    80 slider.drag update 17.0,0.0
                    80 list.drag update 0.0,17.0
                    100 list.drag end 0.0,17.0
                    120 slider.drag end 17.0,0.0
                    120 slider.press end inside held 120
                    """)
    }

    @Test("long press inside a scrolling list")
    func longPressInList() {
        let regions = [list([vertical]), region("item", (50, 40, 100, 20), parent: 0, [press, tap(), longPress()])]
        // The finger stays in place until the long press begins.
        #expect(
            simulate(regions, "down a 60,50; +600ms; up a")
                == """
                0 item.press begin
                500 item.long_press begin
                600 item.long_press end held 600
                600 item.press end inside held 600
                """)
        // The finger scrolls early, or just before the long press is due.
        for delay in ["20", "499.999"] {
            #expect(
                simulate(regions, "down a 60,50; +\(delay)ms; move a 60,54; +700ms; up a").hasPrefix(
                    """
                    0 item.press begin
                    \(delay) item.press cancel claimed inside held \(delay)
                    \(delay) list.drag begin 0.0,0.0
                    """), "\(delay)")
        }
        // The finger scrolls after the long press has begun: the list claims it.
        #expect(
            simulate(regions, "down a 60,50; +600ms; move a 60,60; +20ms; up a")
                == """
                0 item.press begin
                500 item.long_press begin
                600 item.long_press cancel claimed held 600
                600 item.press cancel claimed inside held 600
                600 list.drag begin 0.0,0.0
                620 list.drag end 0.0,7.0
                """)
        // A finger that moves by less than the `start` distance of the list's drag does not scroll.
        #expect(
            simulate(regions, "down a 60,50; +100ms; move a 60,53; +500ms; up a")
                == """
                0 item.press begin
                500 item.long_press begin
                600 item.long_press end held 600
                600 item.press end inside held 600
                """)
    }

    @Test("tap and drag on one region")
    func tapAndDrag() {
        let regions = [region([tap(), drag()])]
        #expect(simulate(regions, "down a 60,50; +80ms; up a") == "80 tap after 80")
        #expect(simulate(regions, "down a 60,50; +20ms; move a 63,50; +60ms; up a") == "80 tap after 80")
        #expect(
            simulate(regions, "down a 60,50; +20ms; move a 63.002,50; +60ms; up a")
                == "20 drag begin 0.0,0.0\n80 drag end 0.0,0.0")
        #expect(
            simulate(regions, "down a 60,50; +20ms; move a 80,50; +20ms; move a 60,50; +60ms; up a")
                == "20 drag begin 0.0,0.0\n40 drag update -3.0,0.0\n100 drag end -3.0,0.0")
    }

    @Test("two-finger tap over a one-finger tap")
    func twoFingerTap() {
        let regions = [region([press, tap(), tap(fingers: 2)])]
        #expect(
            simulate(regions, "down a 60,50; +80ms; up a")
                == "0 press begin\n80 tap after 80\n80 press end inside held 80")
        // The order of landings and lifts does not matter: it is one two-finger tap.
        for script in [
            "down a 60,50 & down b 90,50; +80ms; up a & up b",
            "down a 60,50; +50ms; down b 90,50; +20ms; up a; +10ms; up b",
            "down a 60,50; +50ms; down b 90,50; +20ms; up b; +10ms; up a",
            "down a 60,50; +70ms; down b 90,50; +1ms; up a; +9ms; up b",
        ] {
            #expect(
                simulate(regions, script)
                    == "0 press begin\n80 press cancel multiTouch inside held 80\n80 2-finger tap after 80", "\(script)"
            )
        }
        // Two fingers that touch one after the other make two one-finger taps.
        #expect(
            simulate(regions, "down a 60,50; +50ms; up a; +50ms; down b 90,50; +50ms; up b")
                == """
                0 press begin
                50 tap after 50
                50 press end inside held 50
                100 press begin
                150 tap after 50
                150 press end inside held 50
                """)
        // Two fingers that land too long after each other do not make a tap.
        #expect(
            simulate(regions, "down a 60,50; +101ms; down b 90,50; +50ms; up a & up b")
                == "0 press begin\n151 press end inside held 151")
    }

    @Test("long press then drag")
    func longPressThenDrag() {
        let free = [region([longPress(), drag()])]
        // Without `after`, the drag begins with or without a long press before it.
        #expect(
            simulate(free, "down a 60,50; +600ms; move a 70,50; +20ms; up a")
                == """
                500 long_press begin
                600 drag begin 0.0,0.0
                620 drag end 7.0,0.0
                620 long_press end held 620
                """)
        #expect(
            simulate(free, "down a 60,50; +100ms; move a 70,50; +20ms; up a")
                == "100 drag begin 0.0,0.0\n120 drag end 7.0,0.0")
        // With `after`, the drag begins only after a long press, as when an item of a list is moved.
        let sequenced = [
            region(rules: [Gesture(longPress(), name: "lift"), Gesture(drag(), after: ["lift"])])
        ]
        #expect(simulate(sequenced, "down a 60,50; +499ms; move a 70,50; +200ms; move a 90,50; +20ms; up a") == "")
        #expect(
            simulate(sequenced, "down a 60,50; +100ms; move a 64,50; +400ms; move a 67,50; +10ms; move a 74,50; up a")
                == """
                500 lift begin
                510 drag begin 0.0,0.0
                510 drag end 7.0,0.0
                510 lift end held 510
                """)
    }

    @Test("pinch and rotate at once")
    func pinchAndRotate() {
        let regions = [region([pinch(), rotate()])]
        // Two fingers 20 mm apart that turn by 45° and end √2 × 40 mm apart.
        #expect(
            simulate(
                regions,
                """
                down a 90,50 & down b 110,50; +20ms; move a 88,48 & move b 112,52
                +20ms; move a 80,30 & move b 120,70; +20ms; up b; +20ms; up a
                """)
                    == """
                    20 pinch begin x1.217
                    20 rotate begin 9.5°
                    40 pinch update x2.828
                    40 rotate update 45.0°
                    60 pinch end x2.828
                    60 rotate end 45.0°
                    """)
        // Each gesture is also recognized on its own.
        #expect(
            simulate(regions, "down a 90,50 & down b 110,50; +20ms; move a 80,50 & move b 120,50; +20ms; up a & up b")
                == "20 pinch begin x2.0\n40 pinch end x2.0")
        #expect(
            simulate(regions, "down a 90,50 & down b 110,50; +20ms; move a 100,40 & move b 100,60; +20ms; up a & up b")
                == "20 rotate begin 90.0°\n40 rotate end 90.0°")
        // The second finger lands later.
        #expect(
            simulate(
                regions,
                """
                down a 90,50 & down b 110,50; +20ms; move a 80,50 & move b 120,50
                +20ms; move a 100,30 & move b 100,70; +20ms; up a & up b
                """)
                    == """
                    20 pinch begin x2.0
                    40 rotate begin 90.0°
                    40 pinch update x2.0
                    60 pinch end x2.0
                    60 rotate end 90.0°
                    """)
    }

    @Test("a map with buttons on it pinched across two buttons")
    func pinchAcrossButtons() {
        let map = region("map", [drag(), pinch(), rotate()])
        let left = region("left", (50, 40, 20, 20), parent: 0, [press, tap(), longPress(), repeating()])
        let right = region("right", (100, 40, 20, 20), parent: 0, [press, tap(), longPress(), repeating()])
        #expect(
            simulate(
                [map, left, right],
                """
                down a 60,50; +300ms; down b 110,50; +20ms; move a 58,50 & move b 112,50
                +20ms; move a 50,50 & move b 120,50; +500ms; up a; +20ms; up b
                """)
                    == """
                    0 left.press begin
                    300 right.press begin
                    320 left.press cancel claimed inside held 320
                    320 right.press cancel claimed inside held 20
                    320 map.pinch begin x1.08
                    340 map.pinch update x1.4
                    840 map.pinch end x1.4
                    """)
        // Two fingers that do not pinch press the two buttons.
        #expect(
            simulate([map, left, right], "down a 60,50; +30ms; down b 110,50; +50ms; up a; +20ms; up b")
                == """
                0 left.press begin
                30 right.press begin
                80 left.tap after 80
                80 left.press end inside held 80
                100 right.tap after 70
                100 right.press end inside held 70
                """)
    }
}
