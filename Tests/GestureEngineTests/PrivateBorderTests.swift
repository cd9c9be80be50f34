// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// No contact or rule crosses the border of a private region, in either direction.
@Suite("The border of private regions")
struct PrivateBorderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var regions: [Region]
        var hidden: [String]
        var script: String
        var transcript: String
        var arbitration = ArbitrationSettings()

        init(
            _ name: String, _ regions: [Region], hidden: [String], simultaneous: [String] = [], _ script: String,
            _ transcript: String
        ) {
            testDescription = name
            (self.regions, self.hidden, self.script, self.transcript) = (regions, hidden, script, transcript)
            arbitration = ArbitrationSettings(simultaneous: simultaneous)
        }
    }

    private static let box = (x: 50.0, y: 20.0, width: 40.0, height: 20.0)

    private static func list(_ gestures: [GestureSettings], button: [GestureSettings]) -> [Region] {
        [region("list", gestures), region("button", box, parent: 0, button)]
    }

    private static func keys() -> [Region] {
        [region("k1", (0, 0, 20, 20), [press]), region("k2", (20, 0, 20, 20), [press])].map { key in
            var key = key
            key.capture = .follow
            return key
        }
    }

    private static let scrolling = [
        Case(
            "a list is not scrolled by a finger on its button", list([drag { $0.axis = .vertical }], button: [press]),
            hidden: ["button"], "down a 60,30; +20ms; move a 60,60; +20ms; up a",
            """
            0 button.press begin
            20 button.press update outside
            40 button.press end outside held 40
            """),
        Case(
            "a finger on the button does not join the list that scrolls",
            list([drag { $0.axis = .vertical }], button: [press, drag()]), hidden: ["button"],
            "down a 10,30; +20ms; move a 10,50; +20ms; down b 60,30; +20ms; move a 10,60 & move b 60,38; +20ms; up b; up a",
            """
            20 list.drag begin 0.0,0.0
            40 button.press begin
            60 list.drag update 0.0,27.0
            60 button.drag begin 0.0,0.0
            80 button.drag end 0.0,5.0
            80 button.press end inside held 40
            80 list.drag end 0.0,27.0
            """),
        Case(
            "a finger on the button is not the second of the list's pinch", list([pinch()], button: [press]),
            hidden: ["button"],
            "down a 10,30; +20ms; down b 60,30; +20ms; move a 5,30 & move b 80,30; +20ms; up a; up b",
            "20 button.press begin\n60 button.press end inside held 40"),
        Case(
            "a finger on the list is not the second of a private tap",
            [
                region("list", [press]), region("safe", box, [press]), region("watch", pass: true, [tap(fingers: 2)]),
            ], hidden: ["safe", "watch"], "down a 60,30 & down b 10,10; +50ms; up a & up b",
            """
            0 safe.press begin
            0 list.press begin
            50 safe.press end inside held 50
            50 list.press end inside held 50
            """),
    ]

    private static let rows = [
        Case(
            "a tap in the list and one on its button do not make a double tap",
            list([tap(), tap(count: 2)], button: [tap()]), hidden: ["button"],
            "down a 49,30; +50ms; up a; +100ms; down b 51,30; +50ms; up b",
            "50 list.tap after 50\n200 button.tap after 50"
        ),
        Case(
            "a tap in the list is not the second tap for private regions that received the first one",
            [
                region("list", [tap()]), region("watch", pass: true, [tap(count: 2)]),
                region("button", box, parent: 1, [tap()]),
            ], hidden: ["watch", "button"], "down b 51,30; +50ms; up b; +100ms; down a 49,30; +50ms; up a",
            "50 button.tap after 50\n200 list.tap after 50"),
        Case(
            "a tap on the button leaves the double tap around it", list([tap(), tap(count: 2)], button: [tap()]),
            hidden: ["button"],
            "down a 49,30; +50ms; up a; +50ms; down b 51,30; +20ms; up b; +50ms; down c 49,30; +50ms; up c",
            """
            50 list.tap after 50
            120 button.tap after 20
            220 list.double_tap after 50
            """),
    ]

    private static let rules = [
        Case(
            "a long press of the button arms nothing in the list",
            [
                region("list", rules: [Gesture(longPress(), name: "arm"), Gesture(drag(), after: ["arm"])]),
                region("button", box, parent: 0, [press]),
            ], hidden: ["button"], "down a 60,30; +600ms; down b 10,10; +20ms; move b 40,10; +20ms; up b; up a",
            "0 button.press begin\n640 button.press end inside held 640"),
        Case(
            "a finger on the button keeps no tap of the list back",
            [
                region("list", rules: [Gesture(longPress(), name: "hold"), Gesture(tap(), unless: ["hold"])]),
                region("button", box, parent: 0, [press]),
            ], hidden: ["button"], "down a 60,30; +600ms; down b 10,10; +50ms; up b; up a",
            """
            0 button.press begin
            650 list.tap after 50
            650 button.press end inside held 650
            """),
        Case(
            "a pair in simultaneous",
            [region("list", [drag()]), region("slider", box, parent: 0, [drag()])], hidden: ["slider"],
            simultaneous: ["list.drag & slider.drag"], "down a 60,30; +20ms; move a 70,30; +20ms; up a",
            "20 slider.drag begin 0.0,0.0\n40 slider.drag end 7.0,0.0"),
        Case(
            "a pattern with a private step",
            [
                region("tl", (0, 0, 20, 20), [tap()]), region("pin", (40, 0, 20, 20), [tap()]),
                region("service", pass: true, [pattern(["tap tl", "tap pin"])]),
            ], hidden: ["pin"], "down a 10,10; +50ms; up a; +500ms; down b 50,10; +50ms; up b",
            "50 tl.tap after 50\n600 pin.tap after 50"),
        Case(
            "a private pattern with a step that is not private",
            [
                region("tl", (0, 0, 20, 20), [tap()]), region("pin", (40, 0, 20, 20), [tap()]),
                region("code", (40, 20, 20, 20), [pattern(["tap pin", "tap tl"])]),
            ], hidden: ["pin", "code"], "down b 50,10; +50ms; up b; +500ms; down a 10,10; +50ms; up a",
            "50 pin.tap after 50\n600 tl.tap after 50"),
        Case(
            "a key hands no finger over to a private one", keys(), hidden: ["k2"],
            "down a 10,10; +50ms; move a 25,10; +50ms; up a",
            """
            0 k1.press begin
            50 k1.press update outside
            100 k1.press end outside held 100
            """),
        Case(
            "a private key hands none over", keys(), hidden: ["k1"], "down a 10,10; +50ms; move a 25,10; +50ms; up a",
            """
            0 k1.press begin
            50 k1.press update outside
            100 k1.press end outside held 100
            """),
    ]

    private static let passing = [
        Case(
            "one by itself receives no touches", [region("list", [tap()]), region("watch", pass: true, [tap()])],
            hidden: ["watch"], "down a 60,30; +50ms; up a", "50 list.tap after 50"),
        Case(
            "even where there is no other region", [region("watch", pass: true, [tap()])], hidden: ["watch"],
            "down a 60,30; +50ms; up a", ""),
        Case(
            "one by itself receives no touches of another private region",
            [region("pin", box, [tap()]), region("watch", pass: true, [tap()])], hidden: ["pin", "watch"],
            "down a 60,30; +50ms; up a", "50 pin.tap after 50"),
        Case(
            "a region in a private one receives only the touches of that region",
            [
                region("list", [tap()]), region("safe", (0, 0, 100, 100), [press]),
                region("watch", (0, 0, 200, 100), parent: 1, pass: true, [tap()]),
            ], hidden: ["safe", "watch"], "down a 60,30; +50ms; up a; +500ms; down b 150,30; +50ms; up b",
            """
            0 safe.press begin
            50 safe.press end inside held 50
            50 watch.tap after 50
            600 list.tap after 50
            """),
        Case(
            "a region that contains private ones receives their touches",
            [region("watch", pass: true, [tap()]), region("pin", box, parent: 0, [press])], hidden: ["watch", "pin"],
            "down a 60,30; +50ms; up a; +500ms; down b 10,10; +50ms; up b",
            """
            0 pin.press begin
            50 pin.press end inside held 50
            50 watch.tap after 50
            """),
        Case(
            "a region that is not private receives no touches of a private one",
            [region("pin", box, [tap()]), region("screen", pass: true, [tap()])], hidden: ["pin"],
            "down a 60,30; +50ms; up a; +500ms; down b 10,10; +50ms; up b",
            "50 pin.tap after 50\n600 screen.tap after 50"
        ),
    ]

    @Test("contacts are not shared", arguments: scrolling + rows)
    func contactsAcross(_ test: Case) { expect(test) }

    @Test("rules do not apply across it", arguments: rules)
    func rulesAcross(_ test: Case) { expect(test) }

    @Test("private regions that pass", arguments: passing)
    func passingRegions(_ test: Case) { expect(test) }

    @Test("the sequence numbers of one side do not depend on the other", arguments: [false, true])
    func sequences(isPrivate: Bool) {
        var regions = Self.list([tap()], button: [tap()])
        regions[1].isPrivate = true
        func sequences(_ script: String) -> [Int64] {
            var engine = GestureEngine(regions, bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
            var (sequences, events, time) = ([Int64](), [GestureEvent](), Timestamp(microseconds: 0))
            for step in TouchScript(script).steps {
                if case .wait(let interval) = step { time = time + interval }
                guard case .frame(let changes) = step else { continue }
                engine.process(TouchFrame(time: time, changes: changes), into: &events)
            }
            for event in events where regions[event.region].isPrivate == isPrivate {
                sequences.append(event.sequence.rawValue)
            }
            return sequences
        }
        let own = isPrivate ? "60,30" : "10,10"
        let other = isPrivate ? "10,10" : "60,30"
        let alone = sequences("down a \(own); +50ms; up a; +500ms; down b \(own); +50ms; up b")
        #expect(alone == (isPrivate ? [-1, -2] : [1, 2]))
        let among = sequences(
            "down x \(other); down a \(own); +50ms; up a; up x; +500ms; down y \(other); up y; down b \(own); +50ms; up b"
        )
        #expect(among == alone)
    }

    @Test("`touches` of a region does not apply to private regions in it", arguments: [false, true])
    func touches(isPrivate: Bool) {
        var regions = Self.list([press], button: [press])
        regions[0].touches = .capture
        regions[1].isPrivate = isPrivate
        var engine = GestureEngine(regions, bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
        engine.noteClaims(in: ClaimLog())
        let (point, id) = (Point(x: 60, y: 30), ContactID(1))
        var events: [GestureEvent] = []
        let landing = ContactChange(id: id, kind: .landed, position: point)
        engine.process(TouchFrame(time: Timestamp(microseconds: 0), changes: [landing]), into: &events)
        #expect(engine.touches(of: id) == (isPrivate ? .share : .capture))
        #expect(engine.touches(at: point) == (isPrivate ? .share : .capture))
    }

    @Test("a pair in simultaneous is resolved on each side, even if a client defines the region")
    func pairs() {
        let pair = ArbitrationSettings(simultaneous: ["list.drag & slider.drag"])
        // A client that may not see the private slider defines a region of that name.
        var regions = Self.list([drag()], button: []) + [region("slider", (0, 0, 20, 20), [drag()])]
        regions[1].id = RegionID.marked("slider")
        regions[1].gestures = regions[0].gestures
        regions[2].isPrivate = true
        #expect(
            simulate(regions, "down a 60,30; +20ms; move a 70,30; +20ms; up a", arbitration: pair, updates: false)
                == """
                20 \(regions[1].id).drag begin 0.0,0.0
                20 list.drag begin 0.0,0.0
                40 \(regions[1].id).drag end 7.0,0.0
                40 list.drag end 7.0,0.0
                """)
    }

    private func expect(_ test: Case) {
        let regions = test.regions.map { region in
            var region = region
            region.isPrivate = test.hidden.contains(region.id)
            return region
        }
        #expect(simulate(regions, test.script, arbitration: test.arbitration) == test.transcript)
        // Without private regions the script must have another result, or it does not test the border.
        #expect(simulate(test.regions, test.script, arbitration: test.arbitration) != test.transcript)
    }
}
