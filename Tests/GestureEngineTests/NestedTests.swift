// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// Claims, cancels and joining contacts between a region and its ancestors.
@Suite("Nested regions")
struct NestedTests {
    private func nested(_ outer: [GestureSettings], _ inner: [GestureSettings]) -> [Region] {
        [region("outer", outer), region("inner", (50, 20, 100, 60), parent: 0, inner)]
    }

    /// Two fingers that move apart in the inner region.
    private static let pinching =
        "down a 90,50 & down b 110,50; +10ms; move a 80,50 & move b 120,50; +10ms; up a & up b"
    private static let turning =
        "down a 90,50 & down b 110,50; +10ms; move a 100,40 & move b 100,60; +10ms; up a & up b"
    private static let panning =
        "down a 90,50 & down b 110,50; +10ms; move a 100,50 & move b 120,50; +10ms; up a & up b"
    private static let stroke = "down a 90,50; +10ms; move a 110,50; +10ms; up a"

    @Test(
        "of two gestures of the same kind, the inner one wins",
        arguments: [
            (drag(), stroke), (drag(fingers: 2), panning), (swipe(), stroke), (swipe(fingers: 2), panning),
            (pinch(), pinching),
            (rotate(), turning),
        ])
    func inner(gesture: GestureSettings, script: String) {
        let lines = simulate(nested([gesture], [gesture]), script)
        #expect(lines.contains("inner."), "\(lines)")
        #expect(!lines.contains("outer."), "\(lines)")
    }

    @Test(
        "of several kinds, the first recognized one wins, and the press below is cancelled",
        arguments: [
            (drag(), stroke), (drag(fingers: 2), panning), (swipe(), stroke), (swipe(fingers: 2), panning),
            (pinch(), pinching),
            (rotate(), turning),
        ])
    func outer(gesture: GestureSettings, script: String) {
        let lines = simulate(nested([gesture], [press, longPress(), repeating(), tap { $0.slop = 90 }]), script)
            .split(separator: "\n")
        #expect(lines.filter { $0.contains("inner.press begin") }.count == 1)
        #expect(lines.filter { $0.contains("inner.press cancel claimed") }.count == 1, "\(lines)")
        #expect(!lines.contains { $0.contains("inner.tap") })
        // The press is cancelled before the first line of the region that claims the contact.
        let cancel = lines.firstIndex { $0.contains("cancel") } ?? .max
        let claim = lines.firstIndex { $0.contains("outer.") } ?? .max
        #expect(cancel < claim, "\(lines)")
    }

    @Test(
        "a swipe claims the contact with the lift that makes the gestures in its unless fail",
        arguments: [
            chain([.right, .down]), GestureTestSupport.stroke([(0, 0), (1, 2), (2, 0)]),
            swipe { $0.directions = [.up] },
        ])
    func swipeUnless(other: GestureSettings) {
        let page = region(
            "page", (0, 0, 200, 100), rules: [Gesture(swipe(), unless: ["other"]), Gesture(other, name: "other")])
        let button = region("button", (50, 20, 100, 60), parent: 0, [press, tap { $0.slop = 90 }])
        let lines = simulate([page, button], Self.stroke).split(separator: "\n")
        #expect(
            lines == [
                "0 button.press begin", "20 button.press cancel claimed inside held 20", "20 page.swipe right 20.0 mm",
            ])
    }

    @Test("contacts that the inner region claims do not move the outer one; the outer press continues")
    func innerClaims() {
        #expect(
            simulate(
                nested(
                    [
                        press, tap { $0.slop = 90 }, longPress { $0.slop = 90 },
                        repeating { $0.delay = .milliseconds(30) }, swipe(), drag(),
                    ], [drag()]),
                "down a 90,50; +10ms; move a 110,50; +30ms; up a", updates: false)
                    == """
                    0 outer.press begin
                    10 inner.drag begin 0.0,0.0
                    30 outer.repeat 1 held 30
                    40 inner.drag end 17.0,0.0
                    40 outer.press end inside held 40
                    """)
    }

    @Test("the outer region has the contacts that land beside the inner one")
    func besides() {
        #expect(
            simulate(
                nested([drag()], [drag()]),
                "down a 90,50; +10ms; move a 110,50; +10ms; down b 10,50; +10ms; move b 20,50; +10ms; up b; up a")
                    == """
                    10 inner.drag begin 0.0,0.0
                    30 outer.drag begin 0.0,0.0
                    40 outer.drag end 7.0,0.0
                    40 inner.drag end 17.0,0.0
                    """)
    }

    @Test("a contact that lands where a drag, pinch or rotation is in progress joins it, and presses nothing")
    func joins() {
        // The outer region drags, and another finger lands on the button.
        #expect(
            simulate(
                nested([drag()], [press, tap()]),
                """
                down a 10,50; +10ms; move a 20,50; +10ms; down b 100,50; +10ms; move a 22,50 & move b 102,50
                +10ms; up b; +10ms; up a
                """)
                == "10 outer.drag begin 0.0,0.0\n30 outer.drag update 9.0,0.0\n50 outer.drag end 9.0,0.0")
        // The inner region drags: another finger in it does not reach the outer region.
        #expect(
            simulate(
                nested([drag { $0.axis = .vertical }, press], [drag { $0.axis = .horizontal }]),
                """
                down a 90,50; +10ms; move a 100,50; +10ms; down b 110,50; +10ms; move b 110,70; +10ms; up b; +10ms; up a
                """)
                    == """
                    0 outer.press begin
                    10 inner.drag begin 0.0,0.0
                    30 inner.drag update 7.0,10.0
                    50 inner.drag end 7.0,10.0
                    50 outer.press end inside held 50
                    """)
        // A third finger lands on the button and joins the pinch.
        #expect(
            simulate(
                nested([pinch()], [press]),
                "down a 10,10 & down b 30,10; +10ms; move b 50,10; +10ms; down c 100,50; +10ms; up c; +10ms; up a; up b"
            )
                == "10 outer.pinch begin x2.0\n40 outer.pinch end x2.0")
        // Afterwards the button works again.
        #expect(
            simulate(
                nested([drag()], [press]),
                "down a 10,50; +10ms; move a 20,50; +10ms; up a; +10ms; down b 100,50; +10ms; up b")
                    == """
                    10 outer.drag begin 0.0,0.0
                    20 outer.drag end 7.0,0.0
                    30 inner.press begin
                    40 inner.press end inside held 10
                    """)
    }

    @Test("with an axis, movements along the other axis belong to the outer region")
    func axis() {
        let regions = nested([drag { $0.axis = .vertical }], [drag { $0.axis = .horizontal }])
        #expect(simulate(regions, "down a 90,50; +10ms; move a 94,50; up a").contains("inner.drag begin"))
        #expect(simulate(regions, "down a 90,50; +10ms; move a 90,54; up a").contains("outer.drag begin"))
        // The rule also holds with the axes swapped, for a list that scrolls sideways in a page that scrolls down.
        let others = nested([drag { $0.axis = .horizontal }], [drag { $0.axis = .vertical }])
        #expect(simulate(others, "down a 90,50; +10ms; move a 94,50; up a").contains("outer.drag begin"))
        #expect(simulate(others, "down a 90,50; +10ms; move a 90,54; up a").contains("inner.drag begin"))
    }

    @Test("the drag that starts earlier wins, whether inner or outer")
    func earlier() {
        #expect(
            simulate(
                nested([drag()], [drag { $0.start = 6 }]),
                "down a 90,50; +10ms; move a 95,50; +10ms; move a 120,50; up a", updates: false)
                == "10 outer.drag begin 0.0,0.0\n20 outer.drag end 27.0,0.0")
        // In the same frame the inner region wins.
        #expect(
            simulate(
                nested([drag()], [drag { $0.start = 6 }]), "down a 90,50; +10ms; move a 120,50; up a", updates: false)
                == "10 inner.drag begin 0.0,0.0\n10 inner.drag end 24.0,0.0")
    }

    @Test("in the same frame the innermost region wins, even if a contact of the outer one comes first")
    func innermostOfSeveralContacts() {
        let lines = simulate(
            nested([drag(fingers: 2)], [drag()]),
            "down a 10,50 & down b 90,50; +10ms; move a 20,50 & move b 100,50; up a; up b")
        #expect(lines == "10 inner.drag begin 0.0,0.0\n10 inner.drag end 7.0,0.0")
    }

    @Test(
        "press, tap, long press and repeat of an ancestor come only if no nearer region has the same gesture",
        arguments: [
            (press, press, false), (press, tap(), true), (tap(), tap(), false), (tap(), tap(count: 2), true),
            (tap(), tap(fingers: 2), true), (tap(count: 2), tap(count: 2), false), (tap(count: 2), tap(), true),
            (longPress(), longPress { $0.delay = .milliseconds(9000) }, false),
            (longPress(), longPress(fingers: 2), true),
            (longPress(), press, true), (repeating(), repeating { $0.delay = .milliseconds(9000) }, false),
            (repeating(), press, true),
        ] as [(GestureSettings, GestureSettings, Bool)])
    func shadowed(outer: GestureSettings, inner: GestureSettings, comes: Bool) {
        let script = """
            down a 90,50; +50ms; up a; +50ms; down b 90,50; +50ms; up b; +1000ms; down c 90,50; +1000ms; up c
            """
        #expect(simulate(nested([outer], [inner]), script).contains("outer.") == comes)
        // At a point outside the inner region, the outer gesture is always recognized.
        #expect(simulate(nested([outer], [inner]), script.replacing("90,50", with: "10,10")).contains("outer."))
    }

    @Test("over three generations, the nearest region wins")
    func generations() {
        let regions = [
            region("a", [press, tap()]), region("b", (20, 20, 100, 60), parent: 0, [press]),
            region("c", (40, 40, 40, 20), parent: 1, [longPress()]),
        ]
        #expect(
            simulate(regions, "down x 50,50; +50ms; up x")
                == "0 b.press begin\n50 b.press end inside held 50\n50 a.tap after 50")
    }

    @Test("gestures of several fingers count the contacts of all regions below")
    func descendants() {
        let regions = [
            region("list", [tap(fingers: 2), pinch(), longPress(fingers: 2), drag(fingers: 2)]),
            region("left", (0, 0, 50, 100), parent: 0, [tap()]), region("right", (50, 0, 50, 100), parent: 0, [tap()]),
        ]
        let down = "down a 40,50 & down b 60,50"
        #expect(
            simulate(regions, "\(down); +50ms; up a; up b")
                == "50 left.tap after 50\n50 right.tap after 50\n50 list.2-finger tap after 50")
        #expect(
            simulate(regions, "\(down); +10ms; move a 30,50 & move b 70,50; up a & up b").contains(
                "list.pinch begin x2.0"))
        #expect(simulate(regions, "\(down); +500ms; up a & up b").contains("500 list.2-finger long_press begin"))
        #expect(
            simulate(regions, "\(down); +10ms; move a 50,50 & move b 70,50; up a & up b").contains(
                "10 list.2-finger drag begin"))
    }

    // MARK: [arbitration]

    /// The exemption covers only the pair: the outer drag still cancels the inner press.
    @Test("simultaneous: neither of a pair cancels the other")
    func simultaneous() {
        let regions = nested([drag()], [drag(), press])
        let both = ArbitrationSettings(simultaneous: ["outer.drag & inner.drag"])
        let script = "down a 90,50; +10ms; move a 100,50; +10ms; move a 110,50; +10ms; up a"
        #expect(
            simulate(regions, script, arbitration: both, updates: false)
                == """
                0 inner.press begin
                10 inner.drag begin 0.0,0.0
                10 inner.press cancel claimed inside held 10
                10 outer.drag begin 0.0,0.0
                30 inner.drag end 17.0,0.0
                30 outer.drag end 17.0,0.0
                """)
        // The order of the names does not matter.
        let reversed = ArbitrationSettings(simultaneous: ["inner.drag & outer.drag"])
        #expect(
            simulate(regions, script, arbitration: reversed) == simulate(regions, script, arbitration: both))
        #expect(!simulate(regions, script).contains("outer.drag"))
    }

    @Test("simultaneous, within a region: the one-finger drag continues during the pinch")
    func simultaneousWithin() {
        let regions = [region("map", [press, drag(), pinch()])]
        let script =
            "down a 90,50; +10ms; move a 100,50; +10ms; down b 120,50; +10ms; move b 140,50; +10ms; up a & up b"
        #expect(
            simulate(
                regions, script, arbitration: ArbitrationSettings(simultaneous: ["map.drag & map.pinch"]),
                updates: false)
                    == """
                    0 press begin
                    10 drag begin 0.0,0.0
                    30 press cancel multiTouch inside held 30
                    30 pinch begin x2.0
                    40 pinch end x2.0
                    40 drag end 17.0,0.0
                    """)
        #expect(simulate(regions, script).contains("30 drag cancel multiTouch"))
    }

    @Test("pairs with unknown names have no effect")
    func unknownPair() {
        let settings = ArbitrationSettings(simultaneous: ["outer.drag & nowhere.drag", "outer.none & inner.drag"])
        #expect(
            simulate(nested([drag()], [drag()]), Self.stroke, arbitration: settings)
                == simulate(nested([drag()], [drag()]), Self.stroke))
    }

    @Test("priority orders kinds that are recognized in the same frame")
    func priority() {
        // In one region, the priority changes only the order of the lines.
        let both = "down a 90,50 & down b 110,50; +10ms; move a 84,44 & move b 116,56; +10ms; up a & up b"
        let regions = [region([pinch(), rotate()])]
        #expect(simulate(regions, both).hasPrefix("10 pinch begin"))
        #expect(
            simulate(regions, both, arbitration: ArbitrationSettings(priority: [.rotate])).hasPrefix("10 rotate begin"))
        // In nested regions, the kind with priority wins instead of the innermost region.
        let list = nested([pinch()], [drag()])
        #expect(
            simulate(nested([swipe { $0.when = .threshold }], [drag()]), Self.stroke).contains("inner.drag begin"))
        #expect(
            simulate(
                nested([swipe { $0.when = .threshold }], [drag()]), Self.stroke,
                arbitration: ArbitrationSettings(priority: [.swipe])) == "10 outer.swipe right 20.0 mm")
        #expect(simulate(list, Self.pinching).contains("outer.pinch begin"))
    }
}
