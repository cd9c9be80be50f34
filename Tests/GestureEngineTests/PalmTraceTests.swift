// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// The gestures after a palm are as they would be without it (`docs/gestures.md`, "What every gesture has").
@Suite("Traces of palms")
struct PalmTraceTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let gestures: [GestureSettings]
        /// Contact `p` turns out to be a palm.
        let script: String

        init(_ name: String, _ gestures: [GestureSettings], _ script: String) {
            (self.name, self.gestures, self.script) = (name, gestures, script)
        }

        var testDescription: String { name }

        var alone: String {
            let steps = script.split(separator: ";").filter { !$0.contains(" p ") }
            return steps.joined(separator: ";")
        }
    }

    private static let cases = [
        Case("drag, palm first", [drag()], "down p 100,90; +20ms; down a 10,50; \(line); cancel p palm; \(rest)"),
        Case("drag, palm second", [drag()], "down a 10,50; +20ms; down p 100,90; \(line); cancel p palm; \(rest)"),
        Case(
            "drag that moves before and after the palm lands", [drag { $0.start = 10 }],
            "down a 10,50; +20ms; move a 15,50; +10ms; down p 100,90; \(line); cancel p palm; \(rest)"),
        Case(
            "drag of two fingers", [drag(fingers: 2)],
            "down a 10,50; down b 30,50; +20ms; down p 100,90; +20ms; move a 20,50 & move b 40,50; +20ms; "
                + "move a 30,50 & move b 50,50; +10ms; cancel p palm; +10ms; move a 32,50 & move b 52,50; +20ms; up a & up b"
        ),
        Case(
            "drag along an axis that goes on", [drag { $0.axis = .horizontal }],
            "down a 10,50; +20ms; down p 100,90; \(line); cancel p palm; +20ms; move a 40,50; +20ms; up a"),
        Case(
            "drag of a finger that another one joined and left before",
            [drag()],
            "down a 10,50; +20ms; down b 40,50; +20ms; up b; +20ms; down p 100,90; \(line); cancel p palm; \(rest)"),
        Case(
            "rotation", [rotate()],
            "down a 90,50; down b 110,50; +20ms; down p 20,90; +20ms; move b 109,55; +20ms; move b 107,58; +20ms; "
                + "cancel p palm; +20ms; move b 106,59; +20ms; up a; up b"),
        Case(
            "rotation, palm first", [rotate()],
            "down p 20,90; +20ms; down a 90,50; down b 110,50; +20ms; move b 109,55; +20ms; move b 107,58; +20ms; "
                + "cancel p palm; +20ms; move b 106,59; +20ms; up a; up b"),
        Case(
            "pinch", [pinch()],
            "down a 90,50; down b 110,50; +20ms; down p 20,90; +20ms; move b 111,50; +20ms; move b 112,50; +20ms; "
                + "cancel p palm; +20ms; move b 141,50; +20ms; up a; up b"),
        Case(
            "dial, both move", [dial()],
            "down p 20,90; +20ms; down a 120,50; +20ms; move a 114,64; +10ms; move p 26,90; +10ms; move a 101,70; +10ms; "
                + "cancel p palm; +20ms; move a 99,70; +20ms; up a"),
        Case(
            "stroke, both move", [stroke([(0, 0), (1, 2), (2, 0)])],
            "down p 150,90; +20ms; down a 60,30; +50ms; move a 65,40; +10ms; move p 156,90; +10ms; move a 70,50; +20ms; "
                + "cancel p palm; +30ms; move a 80,30; up a"),
        Case(
            "chain, both move", [chain([.right, .down])],
            "down p 150,90; +20ms; down a 20,20; +40ms; move a 40,20; +10ms; move p 156,90; +10ms; move a 60,20; "
                + "cancel p palm; +60ms; move a 60,60; up a"),
        Case(
            "repeat, palm first", [repeating { $0.delay = .milliseconds(300) }],
            "down p 150,90; +100ms; down a 60,30; +150ms; move a 61,30; cancel p palm; +400ms; up a"),
        Case(
            "repeat, palm second", [repeating { $0.delay = .milliseconds(300) }],
            "down a 60,30; +100ms; down p 150,90; +150ms; cancel p palm; +300ms; up a"),
        Case(
            "swipe", [swipe { $0.minVelocity = 0 }],
            "down p 150,90; +20ms; down a 20,50; +20ms; move a 30,50; +200ms; cancel p palm; +20ms; up a"),
        Case(
            "swipe that is fast enough", [swipe()],
            "down a 10,50; +5ms; down p 150,90; +20ms; move a 30,50; +15ms; cancel p palm; +5ms; up a"),
        Case(
            "swipe of two fingers", [swipe { $0.fingers = 2 }],
            "down a 10,50; down b 10,70; +5ms; down p 150,90; +20ms; move a 30,50 & move b 30,70; +15ms; cancel p palm; "
                + "+5ms; up a & up b"),
        Case("tap", [tap()], "down a 60,30; +20ms; down p 150,90; +60ms; cancel p palm; +20ms; up a"),
        Case("long press", [longPress()], "down p 60,30; +50ms; down a 150,90; +60ms; cancel p palm; +600ms; up a"),
    ]

    private static let line = "+20ms; move a 20,50; +20ms; move a 30,50; +10ms"
    private static let rest = "+10ms; move a 32,50; +20ms; up a"

    /// The lines of what ends or is recognized. A swipe's speed is no part of them.
    private static func results(_ gestures: [GestureSettings], _ script: String) -> [Substring] {
        simulate([region(gestures)], script, updates: false).split(separator: "\n").filter { !$0.contains(" begin") }
    }

    @Test("there are none in what ends or is recognized after them", arguments: cases)
    func none(row: Case) {
        let alone = Self.results(row.gestures, row.alone)
        #expect(!alone.isEmpty)
        #expect(Self.results(row.gestures, row.script) == alone)
    }

    /// The velocities at the end of drags and swipes.
    private static func velocities(_ gesture: GestureSettings, _ script: String) -> [Vector] {
        var engine = GestureEngine([region([gesture])], bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
        var time = Timestamp(microseconds: 0)
        var events: [GestureEvent] = []
        for step in TouchScript(script).steps {
            switch step {
            case .wait(let interval): time = time + interval
            case .frame(let changes): engine.process(TouchFrame(time: time, changes: changes), into: &events)
            default: break
            }
        }
        return events.compactMap { event in
            switch event.detail {
            case .drag(_, let velocity, _, _, _) where event.phase == .end: velocity
            case .swipe(let swipe): Vector(dx: swipe.speed, dy: 0)
            default: nil
            }
        }
    }

    private static let flick = "+15ms; move a 20,50; +10ms; move a 27,50; +10ms; move a 35,50"
    private static let flicks = [
        "down p 150,90; +20ms; down a 10,50; \(flick); +5ms; cancel p palm; +5ms; up a",
        "down a 10,50; +5ms; down p 150,90; \(flick); +5ms; cancel p palm; +5ms; up a",
        "down a 10,50; +5ms; down p 150,90; \(flick); cancel p palm; up a",
        "down a 10,50; +5ms; down p 150,90; +15ms; move a 20,50; +5ms; move p 151,90; +5ms; move a 27,50; cancel p palm; "
            + "+5ms; move a 35,50; +5ms; up a",
    ]

    @Test("a velocity is that of the fingers", arguments: flicks, [swipe(), drag()])
    func velocity(script: String, gesture: GestureSettings) {
        let alone = Self.velocities(gesture, Case("", [], script).alone)
        #expect(alone.count == 1 && alone.allSatisfy { $0.dx > 400 })
        #expect(Self.velocities(gesture, script) == alone)
    }

    @Test("a velocity of two fingers beside a palm is theirs")
    func velocityOfTwo() {
        let script =
            "down a 10,50; +5ms; down p 150,90; +5ms; down b 10,70; +10ms; move a 20,50; +5ms; move b 20,70; "
            + "+5ms; move p 151,90; +5ms; move a 30,50 & move b 32,70; cancel p palm; +5ms; move a 40,50; +5ms; up a & up b"
        let alone = Self.velocities(drag(fingers: 2), Case("", [], script).alone)
        #expect(alone.count == 1 && alone != [.zero])
        #expect(Self.velocities(drag(fingers: 2), script) == alone)
    }

    @Test("two palms of one frame are none of three fingers")
    func twoPalms() {
        let palms =
            "down p 150,90; down q 150,20; +20ms; move a 40,50 & move b 40,70; +10ms; "
            + "cancel p palm & cancel q palm"
        let script = "down a 10,50; down b 10,70; +20ms; \(palms); +20ms; up a & up b"
        #expect(simulate([region([drag(fingers: 3)])], script) == "")
        #expect(simulate([region([drag(fingers: 2)])], script, updates: false).contains("50 2-finger drag begin"))
    }

    /// The first palm of the frame leaves the second one and a finger, which are no two fingers.
    @Test(
        "two palms of one frame are judged by nothing that needs two contacts",
        arguments: [
            (tap(fingers: 2), "+10ms; up a & up b", "2-finger tap"),
            (longPress(fingers: 2), "+600ms; up a & up b", "2-finger long_press begin"),
        ])
    func twoMovedPalms(gesture: GestureSettings, lift: String, line: String) {
        let script =
            "down p 150,90 & down q 150,20 & down a 10,50; +10ms; move q 150,30; +10ms; cancel p palm & cancel q palm; "
            + "+10ms; down b 10,70; \(lift)"
        #expect(simulate([region([gesture])], script).contains(line))
    }

    @Test("a double tap is not recognized at the landing of a palm that goes with another one")
    func palmsAfterTap() {
        let regions = [region([tap(fingers: 2, count: 2) { $0.when = .landing }])]
        let tap = "down a 10,10 & down b 30,10; +50ms; up a & up b; +100ms; "
        let palms = "down p 190,90 & down q 30,10; +10ms; down c 10,10; +10ms; cancel p palm & cancel q palm"
        #expect(simulate(regions, "\(tap)\(palms); +10ms; up c") == "")
        #expect(simulate(regions, "\(tap)\(palms); +10ms; down d 30,10; +50ms; up c & up d").hasPrefix("180 2-finger"))
    }

    // MARK: What stays

    /// The lines, with failures, that a palm adds.
    private static func added(_ gestures: [GestureSettings], _ script: String) -> [String] {
        let beside = simulate([region(gestures)], script, updates: false, failures: true).split(separator: "\n")
        let alone = simulate([region(gestures)], Case("", [], script).alone, updates: false, failures: true)
            .split(separator: "\n")
        #expect(alone.filter { !beside.contains($0) } == [])
        return beside.filter { !alone.contains($0) }.map(String.init)
    }

    @Test("a row of taps that a palm has seemed to end goes on, but that has been told")
    func toldTooFar() {
        let script =
            "down a 50,50; +40ms; up a; +100ms; down p 150,90; +40ms; down b 50,50; +20ms; cancel p palm; "
            + "+20ms; up b"
        #expect(Self.added([tap(count: 2)], script) == ["140 double_tap failed: tooFarApart 107.7 / 16.0"])
    }

    @Test("the taps before a gesture are counted when a palm lands first")
    func tapsBefore() {
        let tap = "down t 50,50; +40ms; up t; +100ms"
        let slide = "+40ms; down a 50,50; +20ms; move a 70,50; +20ms; cancel p palm; +10ms; move a 80,50; +20ms; up a"
        let drag = drag { $0.taps = 1 }
        let far = simulate([region([drag])], "\(tap); down p 150,90; \(slide)", updates: false)
        #expect(far == "")
        let near = simulate([region([drag])], "\(tap); down p 52,52; \(slide)", updates: false)
        #expect(near == "220 drag begin 0.0,0.0\n250 drag end 27.0,0.0")
    }

    @Test("a drag that a palm has kept back begins when it goes")
    func keptBack() {
        let transcript = simulate(
            [region([drag()])], "down a 10,50; +20ms; down p 100,90; \(Self.line); cancel p palm; \(Self.rest)",
            updates: false)
        #expect(transcript == "70 drag begin 0.0,0.0\n100 drag end 19.0,0.0")
    }
}
