// SPDX-License-Identifier: MIT
import GestureEngine
@testable import GestureLaws
import GestureTestSupport
import Testing

/// Checks that the laws used by random tests find each kind of violation.
@Suite("Laws of events")
struct EventLawTests {
    private static let world = LawWorld([
        Region(
            "left", .rectangle(Rectangle(minX: 0, minY: 0, maxX: 100, maxY: 100)),
            [
                Gesture(name: "press", word: "press", settings: .press(PressSettings())),
                Gesture(name: "tap", word: "tap", settings: .tap(TapSettings())),
                Gesture(name: "repeat", word: "repeat", settings: .repeat(RepeatSettings())),
                Gesture(name: "swipe", word: "swipe", settings: .swipe(SwipeSettings())),
                Gesture(name: "drag", word: "drag", settings: .drag(DragSettings())),
                Gesture(
                    name: "two", word: "two_finger_tap", settings: .tap(TapSettings().with { $0.fingers = 2 })),
            ]),
        Region(
            "right", .rectangle(Rectangle(minX: 100, minY: 0, maxX: 200, maxY: 100)),
            [Gesture(name: "press", word: "press", settings: .press(PressSettings()))]),
    ])

    private static let begin = event(0, .begin, .press(inside: true, held: nil))
    private static let update = event(0, .update, .press(inside: false, held: nil))
    private static let end = event(0, .end, .press(inside: true, held: .milliseconds(5)))
    private static let tap = event(1, nil, .tap(count: 1, duration: .milliseconds(5)))
    private static let failure = event(1, nil, .failed(GestureFailure(.moved, value: 4, limit: 3)))

    @Test("accept valid events")
    func right() {
        #expect(Self.law([Self.begin, Self.update, Self.tap, Self.end]) == nil)
        #expect(Self.law([Self.failure], reportsFailures: true) == nil)
    }

    @Test(
        "find violations",
        arguments: [
            ("begin-end", [begin]),
            ("begin-end", [begin, begin]),
            ("begin-end", [update]),
            ("begin-end", [end]),
            ("begin-end", [begin, end, end]),
            ("begin-end", [begin, end, begin]),
            ("begin-end", [begin, end, update]),
            ("phase", [with(tap) { $0.phase = .end }]),
            ("phase", [with(begin) { $0.phase = nil }]),
            ("time", [begin, with(end) { $0.time = Timestamp(microseconds: 99) }]),
            ("time", [with(tap) { $0.time = Timestamp(microseconds: 2_000_000) }]),
            ("untouched", [with(begin) { $0.region = 1 }]),
            ("sequence", [begin, with(end) { $0.sequence = SequenceID(0) }]),
            ("place", [with(tap) { $0.position = Point(x: 200.1, y: 5) }]),
            ("place", [with(tap) { $0.position = Point(x: .nan, y: 5) }]),
            ("fingers", [with(tap) { $0.fingers = 0 }]),
            ("numbers", [event(1, nil, .tap(count: 2, duration: .zero))]),
            ("numbers", [event(1, nil, .tap(count: 1, duration: .milliseconds(500)))]),
            ("numbers", [with(begin) { $0.detail = .press(inside: true, held: .zero) }]),
            ("numbers", [swipe(distance: 9.9)]),
            ("numbers", [swipe(speed: 79)]),
            ("numbers", [swipe(speed: 1301)]),
            ("numbers", [swipe(direction: .upLeft)]),
            ("numbers", [event(4, .begin, drag(speed: .infinity, predicted: nil))]),
            ("numbers", [event(4, .begin, drag(speed: 1, predicted: .zero))]),
            ("repeat", [event(2, nil, .repeat(n: 2, held: .milliseconds(600)))]),
            ("together", [with(event(5, nil, .tap(count: 1, duration: .milliseconds(5)))) { $0.fingers = 2 }]),
            ("names", [with(begin) { $0.gesture = GestureIndex(raw: 7) }]),
            ("unasked", [failure]),
        ] as [(String, [GestureEvent])])
    func wrong(law: String, events: [GestureEvent]) {
        #expect(Self.law(events) == law)
    }

    @Test("find a second failure, the failure of an open gesture, and events that follow a cancel")
    func failures() {
        #expect(Self.law([Self.failure, Self.failure], reportsFailures: true) == "failed-twice")
        let ofOpen = Self.with(Self.failure) { $0.gesture = GestureIndex(raw: 0) }
        #expect(Self.law([Self.begin, ofOpen], reportsFailures: true) == "failed-open")
        #expect(Self.law([Self.tap], isQuiet: true) == "quiet-cancel")
    }

    @Test("find variations whose numbers differ")
    func variations() {
        let run = LawRun(worlds: [Self.world], steps: [.frame([Self.landing]), .wait(80_000), .frame([Self.lift])])
        #expect(LawPlayer.events(of: run).count == 3)
        for variation in Variation.allCases {
            #expect(variation.violation(run, events: LawPlayer.events(of: run)) == nil, "\(variation)")
            #expect(variation.violation(run, events: []) != nil || variation == .withoutFailures, "\(variation)")
        }
        for variant in PanelVariant.allCases {
            #expect(LawCheck.panel(1, variant).violation(of: run) == nil, "\(variant)")
        }
    }

    private static let landing = ContactChange(id: ContactID(1), kind: .landed, position: Point(x: 5, y: 5))
    private static let lift = ContactChange(id: ContactID(1), kind: .lifted, position: Point(x: 5, y: 5))

    /// Returns the law that these events violate if only the left region was touched; `nil` if there is none.
    private static func law(
        _ events: [GestureEvent], isQuiet: Bool = false, reportsFailures: Bool = false
    ) -> String? {
        var laws = EventLaws(LawRun(worlds: [world], steps: []))
        laws.touch(Point(x: 10, y: 10), isLanding: true)
        laws.check(
            events[...], now: Timestamp(microseconds: 1_000_000), isQuiet: isQuiet, mayRelease: false,
            reportsFailures: reportsFailures)
        laws.checkEnd()
        return laws.violation?.law
    }

    @Test("a double tap that is decided at the landing comes when the other contact turns out to rest")
    func landingBesideRest() {
        let tap = TapSettings().with {
            $0.count = 2
            $0.when = .landing
        }
        let world = LawWorld([Region("r", .whole, [Gesture(name: "tap", word: "tap", settings: .tap(tap))])])
        let script = """
            down a 63,12
            up a
            +67ms
            down b 79,27 & down c 66,12
            cancel b rest & cancel c rest
            """
        #expect(lawViolation([world], script, .engine(.withoutFailures)) == nil)
    }

    @Test("a twin lifts in time after a frame that is older than a deadline")
    func oldFrame() {
        let world = LawWorld([
            Region("r", .whole, [Gesture(name: "repeat", word: "repeat", settings: .repeat(RepeatSettings()))])
        ])
        let script = """
            down a 199,42
            down b 177,45
            +1600ms
            cancel a claimed & cancel b claimed
            +-9ms
            down c 199,68
            +107ms
            """
        #expect(lawViolation([world], script, .panel(60_211_615, .sharedLift)) == nil)
    }

    @Test("what a rule of the application has hidden is judged by the filter of that time")
    func formerFilter() {
        let tap = Gesture(name: "tap", word: "tap", settings: .tap(TapSettings().with { $0.count = 3 }))
        let world = LawWorld([Region("r3", .whole, [tap])])
        let script = """
            +100ms
            down a 102,47 & down b 92,46
            down c 179,10
            cancel a deviceRemoved & up b
            +100ms
            move c 179,10
            """
        #expect(lawViolation([world], script, .panel(900_003_829, .sharedLift)) == nil)
    }

    @Test(
        "a contact that the panel loses near a lift goes on, although the clock has gone back",
        arguments: [
            // The lift has been reported, because another contact landed.
            """
            down a 21,90
            +-31ms
            up a
            +41ms
            down b 12,93
            +42ms
            move b 17,94
            +1ms
            move b 21,92
            +1ms
            move b 23,91
            down c 70,27
            """,
            // The lift is held.
            """
            down a 38,90 & down b 50,90
            +-31ms
            up a
            +82ms
            move b 40,90
            +1ms
            move b 38.5,90
            """,
        ])
    func clockGoesBack(script: String) {
        let tap = Gesture(name: "tap", word: "tap", settings: .tap(TapSettings().with { $0.wait = true }))
        let right = Rectangle(minX: 40, minY: 0, maxX: 77, maxY: 99)
        let drag = Gesture(name: "drag", word: "drag", settings: .drag(DragSettings()))
        let world = LawWorld([Region("left", .whole, []), Region("right", .rectangle(right), [tap, drag])])
        for seed in [63_136_355] + (0..<20) as [UInt64] {
            #expect(lawViolation([world], script, .panel(seed, .flickering)) == nil, "\(seed)")
        }
    }

    @Test("a region measures a drag from the position at which it received the contact")
    func velocityAfterHandover() {
        let drag = Gesture(
            name: "drag", word: "drag",
            settings: .drag(
                DragSettings().with {
                    $0.axis = .vertical
                    $0.isLocked = true
                }))
        let inner = Rectangle(minX: 185, minY: 44, maxX: 212, maxY: 70)
        let world = LawWorld([
            Region("outer", .whole, []).with { $0.capture = .follow },
            Region("inner", .rectangle(inner), [drag]),
        ])
        let script = """
            down a 199,41
            +1ms
            move a 197.75,45.5
            +1ms
            move a 198,42
            +1ms
            move a 197,45
            """
        #expect(lawViolation([world], script, .engine(.reloaded)) == nil)
    }

    private static func event(
        _ gesture: Int, _ phase: GestureEvent.Phase?, _ detail: GestureEvent.Detail
    ) -> GestureEvent {
        GestureEvent(
            time: Timestamp(microseconds: 100), region: 0, gesture: GestureIndex(raw: gesture), phase: phase,
            sequence: SequenceID(1),
            fingers: 1, position: Point(x: 10, y: 10), detail: detail)
    }

    private static func with(_ event: GestureEvent, _ change: (inout GestureEvent) -> Void) -> GestureEvent {
        var event = event
        change(&event)
        return event
    }

    private static func swipe(
        direction: SwipeDirection = .left, distance: Double = 20, speed: Double = 100
    ) -> GestureEvent {
        event(
            3, nil,
            .swipe(
                SwipeDetail(
                    direction: direction, angle: 180, distance: distance, speed: speed, duration: .milliseconds(100),
                    start: .zero)))
    }

    private static func drag(speed: Double, predicted: Point?) -> GestureEvent.Detail {
        .drag(translation: .zero, velocity: Vector(dx: speed, dy: 0), start: .zero, predicted: predicted, scale: nil)
    }
}
