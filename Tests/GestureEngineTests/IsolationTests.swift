// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// An event in one contact, region or gesture has no effect on unrelated ones.
@Suite("Isolation of contacts, regions and gestures")
struct IsolationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var regions: [Region]
        var script: String
        var transcript: String
        var arbitration = ArbitrationSettings()

        init(_ name: String, _ regions: [Region], _ script: String, _ transcript: String) {
            testDescription = name
            self.regions = regions
            self.script = script
            self.transcript = transcript
        }
    }

    private static let slider = (x: 50.0, y: 50.0, width: 100.0, height: 20.0)

    private static func list(_ gestures: [GestureSettings], slider: GestureSettings = drag()) -> [Region] {
        [region("list", gestures), region("slider", Self.slider, parent: 0, [slider])]
    }

    @Test(
        "a contact that a child has claimed",
        arguments: [
            Case(
                "begins without a start distance, and stays with the child",
                list([drag { $0.axis = .vertical }], slider: drag { $0.start = 0 }),
                "down a 60,60; +20ms; move a 60,70; +20ms; up a",
                "0 slider.drag begin 0.0,0.0\n20 slider.drag update 0.0,10.0\n40 slider.drag end 0.0,10.0"),
            Case(
                "begins in both without a start distance: the innermost wins",
                list([drag { $0.start = 0 }], slider: drag { $0.start = 0 }),
                "down a 60,60; +20ms; up a", "0 slider.drag begin 0.0,0.0\n20 slider.drag end 0.0,0.0"),
            Case(
                "lifts before another contact's long press begins", list([longPress()]),
                "down a 60,60; +20ms; move a 70,60; +20ms; down b 60,10; +100ms; up a; +600ms; up b",
                """
                20 slider.drag begin 0.0,0.0
                140 slider.drag end 7.0,0.0
                540 list.long_press begin
                740 list.long_press end held 700
                """),
            Case(
                "lifts while another contact's long press is in progress", list([longPress()]),
                "down a 60,60; +20ms; move a 70,60; +20ms; down b 60,10; +600ms; up a; +600ms; up b",
                """
                20 slider.drag begin 0.0,0.0
                540 list.long_press begin
                640 slider.drag end 7.0,0.0
                1240 list.long_press end held 1200
                """),
            Case(
                "is cancelled together with the long press that it has begun",
                list([longPress { $0.delay = .milliseconds(84) }]),
                "down a 60,60; +100ms; move a 70,60 & down b 60,10; cancel a syncLost; up b",
                """
                84 list.long_press begin
                100 slider.drag begin 0.0,0.0
                100 slider.drag cancel syncLost 7.0,0.0
                100 list.long_press cancel syncLost held 100
                """),
            Case(
                "has strayed, but another contact still taps", list([tap()]),
                "down a 60,60; +20ms; move a 90,60; +20ms; down b 60,10; +20ms; up a; +20ms; move b 60,10.1; +20ms; up b",
                "20 slider.drag begin 0.0,0.0\n60 slider.drag end 27.0,0.0\n100 list.tap after 60"),
            Case(
                "moves, and another contact scrolls the list",
                list([drag { $0.axis = .vertical }], slider: drag { $0.axis = .horizontal }),
                "down a 60,60; +20ms; move a 70,60; +20ms; down b 60,10; +20ms; move b 60,20; +20ms; move a 80,60",
                """
                20 slider.drag begin 0.0,0.0
                60 list.drag begin 0.0,0.0
                80 slider.drag update 17.0,0.0
                """),
            Case(
                "does not wake a gesture that comes after one that was never recognized",
                [
                    region(
                        "list",
                        rules: [
                            Gesture(longPress(), name: "arm"), Gesture(drag(), after: ["arm"]),
                            Gesture(tap(), after: ["arm"]),
                        ]),
                    region("slider", slider, parent: 0, [drag { $0.axis = .horizontal }]),
                ],
                "down a 60,60; +20ms; move a 70,60; +20ms; down b 60,10; +20ms; move b 60,20; +20ms; up b; up a",
                "20 slider.drag begin 0.0,0.0\n80 slider.drag end 7.0,0.0"),
            Case(
                "leaves the next contact to the button under it",
                list([longPress()]) + [region("button", (10, 10, 20, 20), parent: 0, [longPress()])],
                "down a 60,60; +20ms; move a 70,60; +20ms; down b 15,15; +600ms; up b; up a",
                """
                20 slider.drag begin 0.0,0.0
                540 button.long_press begin
                640 button.long_press end held 600
                640 slider.drag end 7.0,0.0
                """),
        ])
    func claimed(_ test: Case) {
        #expect(simulate(test.regions, test.script) == test.transcript)
    }

    @Test("a simultaneous pair affects only its own two gestures")
    func companions() {
        let pair = ArbitrationSettings(simultaneous: ["list.drag & slider.drag"])
        #expect(
            simulate(
                Self.list([drag(), swipe(), longPress()]),
                "down a 60,60; +10ms; move a 70,60; +10ms; move a 80,60; +10ms; up a", arbitration: pair, updates: false
            )
                == """
                10 slider.drag begin 0.0,0.0
                10 list.drag begin 0.0,0.0
                30 slider.drag end 17.0,0.0
                30 list.drag end 17.0,0.0
                """)
    }

    @Test(
        "a tap",
        arguments: [
            Case(
                "is not suppressed by a double tap elsewhere",
                [
                    region(rules: [
                        Gesture(tap(), name: "single", unless: ["double"]), Gesture(tap(count: 2), name: "double"),
                    ])
                ],
                "down a 10,10; +50ms; up a; +100ms; down b 60,10; +50ms; up b; +100ms; down c 60,10; +50ms; up c",
                "150 single after 50\n350 double after 50"),
            Case(
                "comes when its own double tap has failed, independently of a tap elsewhere",
                [
                    region(rules: [
                        Gesture(tap(), name: "single", unless: ["double"]), Gesture(tap(count: 2), name: "double"),
                    ])
                ],
                "down a 10,10; +50ms; up a; +100ms; down b 60,10; +50ms; up b; +1000ms",
                "150 single after 50\n600 single after 50"),
            Case(
                "that waited comes when the next touch belongs to a child",
                [
                    region("list", [tap(wait: true), tap(count: 2)]),
                    region("child", (50, 20, 40, 20), parent: 0, [tap()]),
                ],
                "down a 10,10; +50ms; up a; +100ms; down b 60,30; +50ms; up b",
                "150 list.tap after 50\n200 child.tap after 50"),
            Case(
                "that comes after a long press is made only by its own finger",
                [region(rules: [Gesture(longPress(), name: "arm"), Gesture(tap(), after: ["arm"])])],
                "down a 10,10; +600ms; down b 50,10; +50ms; up a; +50ms; up b",
                "500 arm begin\n650 arm end held 650\n700 tap after 100"),
            Case(
                "of two fingers ignores a bounce", [region([tap(fingers: 2)])],
                """
                down a 10,10 & down b 40,10; +50ms; up a; +10ms; down c 20,10; move c 70,10
                +15ms; up b; +50ms; up c
                """, "75 2-finger tap after 75"),
        ])
    func taps(_ test: Case) {
        #expect(simulate(test.regions, test.script) == test.transcript)
    }

    @Test(
        "gestures with `unless`",
        arguments: [
            Case(
                "a press waits for a swipe that waits itself",
                [
                    region(rules: [
                        Gesture(pinch()), Gesture(swipe(), name: "s", unless: ["pinch"]), Gesture(press, unless: ["s"]),
                    ])
                ],
                "down a 20,50; +10ms; move a 30,50; +10ms; move a 40,50; +10ms; up a", "30 s right 20.0 mm"),
            Case(
                "a drag that waits for a pinch begins at the lift",
                [region(rules: [Gesture(drag(), unless: ["pinch"]), Gesture(pinch())])],
                "down a 10,10; +50ms; move a 30,10; +10ms; up a", "60 drag begin 0.0,0.0\n60 drag end 0.0,0.0"),
            Case(
                "a long press that waits for one of two fingers begins at the lift",
                [
                    region(rules: [
                        Gesture(longPress { $0.delay = .milliseconds(1000) }, name: "one", unless: ["two"]),
                        Gesture(longPress(fingers: 2), name: "two"),
                    ])
                ],
                "down a 10,10; +1200ms; up a", "1200 one begin\n1200 one end held 1200"),
            Case(
                "a press begins as soon as the last gesture has failed, for any reason",
                [
                    region(rules: [
                        Gesture(press, unless: ["hold"]), Gesture(longPress(), name: "hold", unless: ["drag"]),
                        Gesture(drag()),
                    ])
                ],
                "down a 10,10; +20ms; move a 14,10; +700ms; up a",
                "20 drag begin 0.0,0.0\n20 press begin\n720 drag end 1.0,0.0\n720 press end inside held 720"),
            Case(
                "a drag that did not have to wait includes the start distance",
                [
                    region(rules: [
                        Gesture(drag { $0.from = .down }, unless: ["hold"]),
                        Gesture(longPress { $0.slop = 1 }, name: "hold"),
                    ])
                ],
                "down a 10,10; +10ms; move a 12,10; +10ms; move a 20,10; +10ms; move a 21,10; up a",
                "20 drag begin 0.0,0.0\n30 drag update 11.0,0.0\n30 drag end 11.0,0.0"),
        ])
    func givingWay(_ test: Case) {
        #expect(simulate(test.regions, test.script) == test.transcript)
    }

    @Test("an exclusive gesture does not end gestures after it")
    func exclusive() {
        let regions = [
            region(rules: [Gesture(longPress(), name: "hold", exclusive: true), Gesture(drag(), after: ["hold"])])
        ]
        #expect(
            simulate(regions, "down a 10,10; +600ms; move a 30,10; up a")
                == "500 hold begin\n600 drag begin 0.0,0.0\n600 drag end 17.0,0.0\n600 hold end held 600")
    }

    @Test(
        "if two exclusive gestures are recognized at one lift, the kind that comes first takes the sequence",
        arguments: [([], "15 swipe right 30.0 mm"), ([.tap], "15 tap after 15")] as [([GestureKind], String)])
    func priority(kinds: [GestureKind], transcript: String) {
        let regions = [
            region(rules: [Gesture(tap { $0.slop = 90 }, exclusive: true), Gesture(swipe(), exclusive: true)])
        ]
        #expect(
            simulate(
                regions, "down a 20,50; +10ms; move a 50,50; +5ms; up a",
                arbitration: ArbitrationSettings(priority: kinds)) == transcript)
    }

    @Test("a region that passes keeps a contact that is handed over")
    func handover() {
        var regions = [
            region("corner", (0, 0, 20, 20), pass: true, [press]), region("k1", (0, 0, 20, 20), [press]),
            region("k2", (20, 0, 20, 20), [press]),
        ]
        regions[1].capture = .follow
        regions[2].capture = .follow
        #expect(
            simulate(regions, "down a 10,10; +50ms; move a 25,10; +50ms; up a")
                == """
                0 k1.press begin
                0 corner.press begin
                50 corner.press update outside
                50 k1.press cancel handover inside held 50
                50 k2.press begin
                100 k2.press end inside held 50
                100 corner.press end outside held 100
                """)
    }

    @Test("the cancels of a claim are ordered by contact, whichever lifted before")
    func order() {
        let regions = [
            region("map", [pinch()]), region("left", (0, 0, 60, 100), parent: 0, [press]),
            region("right", (140, 0, 60, 100), parent: 0, [press]),
        ]
        #expect(
            simulate(
                regions,
                "down x 100,50; down a 30,50; down b 170,50; +10ms; up x; +50ms; move a 10,50 & move b 190,50; up a; up b"
            )
                == """
                0 left.press begin
                0 right.press begin
                60 left.press cancel claimed inside held 60
                60 right.press cancel claimed inside held 60
                60 map.pinch begin x1.286
                60 map.pinch end x1.286
                """)
    }
}
