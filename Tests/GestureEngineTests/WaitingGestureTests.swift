// SPDX-License-Identifier: MIT
import GestureEngine
import GestureLaws
import GestureTestSupport
import Testing

/// Gestures that wait for others (`unless`, `after`, `wait`) obey every law. Random tests found these runs, and the
/// shrinker reduced them.
@Suite("Gestures that wait for others")
struct WaitingGestureTests {
    private static let tap = Gesture(name: "tap", word: "tap", settings: .tap(TapSettings()))
    private static let double = Gesture(
        name: "double", word: "double_tap", settings: .tap(TapSettings().with { $0.count = 2 }))
    private static let pinch = Gesture(name: "pinch", word: "pinch", settings: .pinch(PinchSettings()))
    private static let drag = Gesture(name: "drag", word: "drag", settings: .drag(DragSettings()))
    private static let press = Gesture(name: "press", word: "press", settings: .press(PressSettings()))
    private static let hold = Gesture(name: "hold", word: "long_press", settings: .longPress(LongPressSettings()))
    private static let longHold = Gesture(
        name: "longHold", word: "long_press",
        settings: .longPress(LongPressSettings().with { $0.delay = .milliseconds(1300) }))

    private static func whole(_ gestures: [Gesture]) -> [LawWorld] { [LawWorld([Region("r", .whole, gestures)])] }

    @Test("a press that is kept back does not begin when its contacts are cancelled")
    func cancel() {
        let press = Self.press.with { $0.unless = ["pinch"] }
        let script = "down a 56,7 & down b 49,0; cancel a syncLost & cancel b syncLost"
        #expect(lawViolation(Self.whole([Self.pinch, press]), script) == nil)
    }

    @Test("a long press that waits for another one counts its own fingers")
    func fingers() {
        let hold = Self.hold.with { $0.unless = ["longHold"] }
        let script = "down a 125,84; +600ms; down b 136,99"
        #expect(lawViolation(Self.whole([Self.longHold, hold]), script) == nil)
    }

    @Test("an exclusive tap that waits leaves the engine idle")
    func idle() {
        let tap = Gesture(name: "tap", word: "tap", settings: .tap(TapSettings().with { $0.wait = true }))
            .with { $0.exclusive = true }
        #expect(lawViolation(Self.whole([Self.double, tap]), "down a 29,75") == nil)
    }

    @Test("a gesture that waits for one that waits fails once")
    func failures() {
        let first = Self.tap.with {
            $0.name = "first"
            $0.unless = ["drag"]
        }
        let second = Self.tap.with {
            $0.name = "second"
            $0.unless = ["first"]
        }
        #expect(lawViolation(Self.whole([Self.drag, first, second]), "failures on; down a 180,93") == nil)
    }

    @Test("a pinch ends before it begins again, whichever contacts remain")
    func pinchOnce() {
        let both = Region(
            "r5", .whole,
            [
                Gesture(
                    name: "g2", word: "drag",
                    settings: .drag(
                        DragSettings().with {
                            $0.fingers = 2; $0.axis = .vertical
                        })
                ).with { $0.unless = ["g1"] },
                Gesture(name: "g4", word: "pinch", settings: .pinch(PinchSettings())),
            ])
        let world0 = LawWorld([
            both
        ])
        let world1 = LawWorld([
            both,
            Region(
                "r9",
                .rectangle(
                    Rectangle(
                        minX: 17.993792772219237, minY: 43.68565345314908, maxX: 204.56045718716666,
                        maxY: 76.0429163510729)), clip: Rectangle(minX: 0.0, minY: 0.0, maxX: 200.0, maxY: 100.0),
                parent: 0,
                [
                    Gesture(name: "g0", word: "drag", settings: .drag(DragSettings())),
                    Gesture(
                        name: "g1", word: "drag",
                        settings: .drag(
                            DragSettings().with {
                                $0.start = 5.093607975494848; $0.axis = .vertical
                            })),
                    Gesture(
                        name: "g2", word: "pinch",
                        settings: .pinch(PinchSettings().with { $0.start = 1.595421740212629 })
                    ).with { $0.exclusive = true },
                    Gesture(
                        name: "g3", word: "swipe",
                        settings: .swipe(
                            SwipeSettings().with {
                                $0.directions = [.left, .up, .downLeft]; $0.maxDeviation = 17.904878999773583;
                                $0.group = Interval(microseconds: 155690)
                            })),
                    Gesture(name: "g4", word: "drag", settings: .drag(DragSettings().with { $0.axis = .horizontal }))
                        .with { $0.unless = ["g1"] },
                    Gesture(
                        name: "g5", word: "drag",
                        settings: .drag(
                            DragSettings().with {
                                $0.fingers = 3; $0.axis = .vertical
                            })
                    ).with {
                        $0.unless = ["g1"]; $0.exclusive = true
                    },
                ]),
        ])
        let script = """
            reload 1
            down a 28,77
            down b 64,80
            up a & move b 104.41139803398205,85.33642827940702
            down c 155,52
            up b
            down d 133,12
            move c 144.08097553159723,37.03900677472467 & up d
            down e 31.02691830235443,76.18235490076623 & down f 32,99
            move e 24,87
            """
        #expect(lawViolation([world0, world1], script, .engine(.reloaded)) == nil)
    }

    @Test("an `after` gesture may wake up when another region owns all contacts")
    func wokenWithoutContacts() {
        let world0 = LawWorld([
            Region(
                "r1", .whole,
                [
                    Gesture(
                        name: "g0", word: "repeat",
                        settings: .repeat(RepeatSettings().with { $0.delay = Interval(microseconds: 52000) })),
                    Gesture(
                        name: "g2", word: "swipe", settings: .swipe(SwipeSettings().with { $0.fingers = 2 })
                    ).with { $0.after = ["g0"] },
                ]),
            Region(
                "r3", .whole, parent: 0,
                [
                    Gesture(
                        name: "g2", word: "drag",
                        settings: .drag(
                            DragSettings().with {
                                $0.fingers = 3; $0.start = 0.0
                            }))
                ]),
        ])
        let script = """
            down a 132,50 & down b 135,29 & down c 128,51
            +100ms
            """
        #expect(lawViolation([world0], script, .engine(.withoutUpdates)) == nil)
    }

    @Test("a repeat that wakes up when another region owns all contacts fails")
    func repeatWithoutContacts() {
        let world0 = LawWorld([
            Region(
                "r0", .whole,
                [
                    Gesture(name: "g0", word: "repeat", settings: .repeat(RepeatSettings())),
                    Gesture(name: "g1", word: "repeat", settings: .repeat(RepeatSettings())).with { $0.after = ["g0"] },
                ]),
            Region(
                "r4", .whole, parent: 0,
                [
                    Gesture(name: "g3", word: "pinch", settings: .pinch(PinchSettings()))
                ]),
        ])
        let script = """
            down a 106,94 & down b 101,70
            move a 106,84
            +3700ms
            """
        #expect(lawViolation([world0], script, .engine(.again)) == nil)
    }

    @Test("a deferred tap does not fail with the next attempt")
    func deferredTap() {
        let world0 = LawWorld([
            Region(
                "r0", .whole,
                [
                    Gesture(name: "g2", word: "double_tap", settings: .tap(TapSettings().with { $0.count = 2 })),
                    Gesture(name: "g3", word: "tap", settings: .tap(TapSettings())).with { $0.unless = ["g2"] },
                ]),
            Region(
                "r1", .rectangle(Rectangle(minX: 186.0, minY: 36.0, maxX: 199.0, maxY: 48.0)), parent: 0,
                [
                    Gesture(name: "g0", word: "drag", settings: .drag(DragSettings().with { $0.start = 0.0 }))
                ]),
        ])
        let script = """
            down a 198,44
            jump a 198,44 & down b 140,40
            up b
            down c 133,39 & down d 153,63
            """
        #expect(lawViolation([world0], script, .engine(.reloaded)) == nil)
    }

    @Test("a long press that begins at the lift replaces the tap that waits")
    func longPressAtLift() {
        let world0 = LawWorld([
            Region(
                "r1", .whole,
                [
                    Gesture(name: "g2", word: "tap", settings: .tap(TapSettings().with { $0.count = 2 })),
                    Gesture(name: "g3", word: "drag", settings: .drag(DragSettings())),
                    Gesture(name: "g4", word: "tap", settings: .tap(TapSettings().with { $0.wait = true })),
                    Gesture(
                        name: "g5", word: "long_press",
                        settings: .longPress(
                            LongPressSettings().with {
                                $0.delay = Interval(microseconds: 382000)
                                $0.slop = 11.75
                            })
                    ).with { $0.unless = ["g3"] },
                ])
        ])
        let script = """
            down a 19,52
            +382ms
            """
        #expect(lawViolation([world0], script, .engine(.again)) == nil)
    }

    @Test("a press that waits in a list comes when a drag on the list's content takes the contact")
    func pressUnderDrag() {
        let world = LawWorld([
            Region(
                "list", .whole,
                [
                    Gesture(name: "swipe", word: "swipe", settings: .swipe(SwipeSettings().with { $0.fingers = 2 })),
                    Gesture(name: "press", word: "press", settings: .press(PressSettings()))
                        .with { $0.unless = ["swipe"] },
                ]),
            Region(
                "beside", .whole, pass: true,
                [Gesture(name: "press", word: "press", settings: .press(PressSettings()))]),
            Region(
                "content", .whole, parent: 0,
                [Gesture(name: "drag", word: "drag", settings: .drag(DragSettings().with { $0.start = 0 }))]),
        ])
        #expect(lawViolation([world], "down a 172,61", .engine(.again)) == nil)
    }
}
