// SPDX-License-Identifier: MIT
import Foundation
import GestureEngine
import GestureTestSupport
import Testing

@Suite("Chains of swipes")
struct ChainTests {
    private static let menu = Gesture(chain([.right, .down]), name: "menu")
    private static let draw = "down a 20,20; +60ms; move a 60,20; +60ms; move a 60,60; +10ms; up a"

    @Test(
        "segments are found whatever the shape of the corners",
        arguments: [
            ([.right, .down], draw, "130 chain after 130"),
            // The first movement is a hook, and so is the last one.
            (
                [.right, .down],
                """
                down a 20,20; +20ms; move a 17,22; +60ms; move a 60,20; +60ms; move a 60,60; +20ms; move a 57,58
                +10ms; up a
                """,
                "170 chain after 170"
            ),
            // A round corner.
            (
                [.right, .down],
                """
                down a 20,20; +40ms; move a 40,20; +20ms; move a 48,21; +20ms; move a 54,26; +20ms; move a 56,33
                +40ms; move a 56,60; up a
                """,
                "140 chain after 140"
            ),
            // A finger that turns back on a loop that is narrower than a segment.
            (
                [.right, .left],
                """
                down a 20,20; +40ms; move a 40,20; +20ms; move a 44,22; +20ms; move a 44,26; +20ms; move a 40,28
                +40ms; move a 20,28; up a
                """,
                "140 chain after 140"
            ),
            // Lines that are not quite horizontal and vertical.
            (
                [.left, .up, .left],
                """
                down a 90,80; +40ms; move a 75,75; +40ms; move a 60,70; +40ms; move a 55,55; +40ms; move a 50,40
                +40ms; move a 35,45; +40ms; move a 20,50; up a
                """,
                "240 chain after 240"
            ),
            // The finger comes back, but by less than a segment.
            (
                [.right], "down a 20,20; +60ms; move a 60,20; +20ms; move a 51,20; +60ms; move a 90,20; up a",
                "140 chain after 140"
            ),
            (
                [.upRight, .right, .downRight],
                """
                down a 20,50; +40ms; move a 35,35; +40ms; move a 55,35; +40ms; move a 70,50; up a
                """,
                "120 chain after 120"
            ),
            // A segment must end within 30° of its direction, however long it is, also the first one.
            ([.right, .down], "down a 20,20; +60ms; move a 50,20; +60ms; move a 38.5,40; up a", "120 chain after 120"),
            ([.right, .down], "down a 20,20; +60ms; move a 50,20; +60ms; move a 38.4,40; up a", ""),
            ([.right, .down], "down a 20,20; +60ms; move a 50,20; +60ms; move a 14,60; up a", ""),
            ([.right], "down a 20,20; +60ms; move a 40,31.5; up a", "60 chain after 60"),
            ([.right], "down a 20,20; +60ms; move a 40,31.6; up a", ""),
            ([.right], "down a 20,20; +60ms; move a 40,33; +20ms; move a 46,33; up a", "80 chain after 80"),
            // With diagonals, a later one ends within 15°.
            ([.downRight], "down a 20,20; +60ms; move a 40,28.5; up a", "60 chain after 60"),
            (
                [.right, .downRight], "down a 20,20; +60ms; move a 50,20; +60ms; move a 67.3,30; up a",
                "120 chain after 120"
            ),
            ([.right, .downRight], "down a 20,20; +60ms; move a 50,20; +60ms; move a 67.4,30; up a", ""),
            // The whole segment must be within 35°.
            ([.right], "down a 20,20; +40ms; move a 30,28; +40ms; move a 39,33.1; up a", "80 chain after 80"),
            ([.right], "down a 20,20; +40ms; move a 30,29; +40ms; move a 39,34; up a", ""),
            // At a speed of 20 mm/s, and with a pause.
            ([.up], "down a 20,50; +500ms; move a 20,40; +1000ms; up a", "1500 chain after 1500"),
        ] as [([SwipeDirection], String, String)])
    func segments(path: [SwipeDirection], script: String, transcript: String) {
        #expect(simulate([region([chain(path)])], script) == transcript)
    }

    @Test(
        "reasons for failures",
        arguments: [
            ("down a 20,20; +50ms; up a", "50 chain failed: tooShort 0.0 / 10.0"),
            ("down a 20,20; +50ms; move a 29.9,20; up a", "50 chain failed: tooShort 9.9 / 10.0"),
            ("down a 20,20; +50ms; move a 60,20; +50ms; move a 60,29.9; up a", "100 chain failed: tooShort 9.9 / 10.0"),
            ("down a 20,20; +50ms; move a 28,20; +50ms; move a 28,60; up a", "100 chain failed: tooShort 8.0 / 10.0"),
            // Less than half of the first segment was drawn.
            ("down a 20,20; +50ms; move a 24,20; +50ms; move a 24,60; up a", "100 chain failed: wrongStep 0.0 / 2.0"),
            // Less than half of the last segment was drawn, or of another one.
            ("down a 20,20; +50ms; move a 60,20; +50ms; move a 60,24; up a", "100 chain failed: wrongStep 1.0 / 2.0"),
            ("down a 20,20; +50ms; move a 60,20; +50ms; move a 60,12; up a", "100 chain failed: wrongStep 1.0 / 2.0"),
            // A wrong segment is a failure at once.
            ("down a 20,20; +50ms; move a 20,40; +50ms; up a", "50 chain failed: wrongStep 0.0 / 2.0"),
            (
                "down a 20,20; +60ms; move a 60,20; +60ms; move a 60,60; +60ms; move a 40,60; +50ms; up a",
                "180 chain failed: wrongStep 2.0 / 2.0"
            ),
            (
                "down a 20,20; +1000ms; move a 60,20; +3000ms; move a 60,60; up a", "4000 chain after 4000"
            ),
            (
                "down a 20,20; +1000ms; move a 60,20; +3001ms; move a 60,60; up a",
                "4001 chain failed: tooSlow 4001.0 / 4000.0"
            ),
            (
                "down a 20,20; +60ms; move a 60,20; down b 150,50; +60ms; move a 60,60 & move b 150,54; up a",
                "120 chain failed: tooManyContacts 2.0 / 1.0"
            ),
            ("down a 20,20; +60ms; move a 60,20; cancel a syncLost", "60 chain failed: syncLost"),
        ])
    func failures(script: String, transcript: String) {
        #expect(simulate([region([chain([.right, .down])])], script, failures: true) == transcript)
    }

    @Test("a failure names the segments that were drawn")
    func drawn() {
        var engine = GestureEngine(
            [region([chain([.right, .down])])], bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
        engine.reportsFailures = true
        var events: [GestureEvent] = []
        for (time, kind, position) in [
            (0, .landed, Point(x: 20, y: 50)), (60_000, .moved, Point(x: 60, y: 50)),
            (120_000, .moved, Point(x: 60, y: 10)),
        ] as [(Int64, ContactChange.Kind, Point)] {
            let change = ContactChange(id: ContactID(1), kind: kind, position: position)
            engine.process(TouchFrame(time: Timestamp(microseconds: time), changes: [change]), into: &events)
        }
        guard case .failed(let failure)? = events.last?.detail else { Issue.record("no failure"); return }
        #expect(Array(failure.drawn) == [.right, .up])
    }

    @Test(
        "a palm counts as if it had not landed, whether it lands before or after the finger",
        arguments: [
            "down a 20,20; +60ms; move a 60,20; down p 150,80; +60ms; move a 60,60 & move p 150,50; cancel p palm; up a",
            "down p 150,80; down a 20,20; +60ms; move a 60,20; +60ms; move a 60,60; cancel p palm; up a",
        ])
    func palms(script: String) {
        #expect(simulate([region([chain([.right, .down])])], script) == "120 chain after 120")
    }

    @Test("a report in which the finger jumps away and back is left out")
    func jump() {
        let script = """
            down a 20,20; +60ms; move a 60,20; +10ms; move a 60,90; +10ms; move a 61,22; +60ms; move a 60,60; up a
            """
        #expect(simulate([region([chain([.right, .down])])], script) == "140 chain after 140")
    }

    @Test("a finger that scribbles while another contact is down, which turns out to be a palm, fails")
    func scribble() {
        var script = "down a 100,50; down p 150,80"
        for step in 0..<300 { script += "; +20ms; move a \(step % 2 == 0 ? 80 : 100),50" }
        script += "; cancel p palm; +20ms; move a 95,50; up a"
        #expect(
            simulate([region([chain([.right, .down])])], script, failures: true)
                == "6020 chain failed: wrongStep 0.0 / 2.0")
    }

    @Test("each contact has a chain of its own, if it has a sequence of its own")
    func eachContact() {
        var region = region([chain([.right, .down])])
        region.contacts = .each
        #expect(
            simulate(
                [region],
                """
                down a 20,20; down b 120,20; +60ms; move a 60,20 & move b 160,20; +60ms; move a 60,60 & move b 160,60
                +10ms; up a; +10ms; up b
                """) == "130 chain after 130\n140 chain after 140")
    }

    @Test("in a region into which the contact crosses, the path begins there")
    func follow() {
        let regions = [0.0, 50].map { x in
            var region = region("at\(Int(x))", (x, 0, 50, 100), [chain([.right, .down])])
            region.capture = .follow
            return region
        }
        #expect(
            simulate(
                regions, "down a 20,20; +60ms; move a 55,20; +60ms; move a 90,20; +60ms; move a 90,60; up a",
                failures: true) == "60 at0.chain failed: handover\n180 at50.chain after 120")
    }

    @Test("a gesture of two fingers takes the sequence")
    func twoFingers() {
        let regions = [region([chain([.right, .down]), GestureTestSupport.drag(fingers: 2)])]
        #expect(
            simulate(
                regions,
                """
                down a 20,20; +60ms; move a 60,20; down b 100,20; +60ms; move a 60,60 & move b 100,60; +10ms; up a & up b
                """, updates: false, failures: true) == """
                    120 chain failed: tooManyContacts 2.0 / 1.0
                    120 2-finger drag begin 0.0,0.0
                    130 2-finger drag end 0.0,37.0
                    """)
    }

    // MARK: Beside other gestures

    @Test(
        "a swipe that waits for a chain is recognized at its lift, but not while the chain is drawn",
        arguments: [SwipeSettings.Moment.lift, .threshold])
    func swipe(when: SwipeSettings.Moment) {
        let swipe = Gesture(GestureTestSupport.swipe { $0.when = when }, unless: ["menu"])
        let regions = [region(rules: [Self.menu, swipe])]
        #expect(simulate(regions, Self.draw) == "130 menu after 130")
        #expect(
            simulate(regions, "down a 20,20; +60ms; move a 60,20; +10ms; up a") == "70 swipe right 40.0 mm")
        // The chain fails with its first segment.
        let early = when == .lift ? 70 : 60
        #expect(
            simulate(regions, "down a 20,20; +60ms; move a 20,60; +10ms; up a") == "\(early) swipe down 40.0 mm")
    }

    @Test("a drag with unless begins when the chain fails: at a wrong segment, after max_time, or at the lift")
    func drag() {
        let regions = [region(rules: [Self.menu, Gesture(GestureTestSupport.drag(), unless: ["menu"])])]
        #expect(simulate(regions, Self.draw) == "130 menu after 130")
        #expect(
            simulate(regions, "down a 20,20; +60ms; move a 20,29; +60ms; move a 20,40; +60ms; move a 20,50; up a")
                == "120 drag begin 0.0,0.0\n180 drag update 0.0,10.0\n180 drag end 0.0,10.0")
        #expect(
            simulate(regions, "down a 20,20; +60ms; move a 40,20; +5000ms; up a")
                == "4000.001 drag begin 0.0,0.0\n5060 drag end 0.0,0.0")
        #expect(
            simulate(regions, "down a 20,20; +60ms; move a 40,20; +60ms; up a")
                == "120 drag begin 0.0,0.0\n120 drag end 0.0,0.0")
    }

    @Test("a drag of the list around it takes the finger, unless both are simultaneous")
    func nested() {
        let regions = [
            region("list", [GestureTestSupport.drag()]),
            region("pad", (0, 0, 100, 100), parent: 0, rules: [Self.menu]),
        ]
        #expect(
            simulate(regions, Self.draw, updates: false) == "60 list.drag begin 0.0,0.0\n130 list.drag end 37.0,40.0")
        #expect(
            simulate(
                regions, Self.draw, arbitration: ArbitrationSettings(simultaneous: ["list.drag & pad.menu"]),
                updates: false)
                == "60 list.drag begin 0.0,0.0\n130 pad.menu after 130\n130 list.drag end 37.0,40.0")
    }

    @Test("of two paths, the one that was drawn comes at the lift, and the shorter one at its threshold")
    func prefix() {
        func regions(_ when: SwipeSettings.Moment, unless: [String] = []) -> [Region] {
            let short = Gesture(chain([.right]) { $0.when = when }, name: "next", unless: unless)
            return [region(rules: [short, Self.menu])]
        }
        let right = "down a 20,20; +60ms; move a 60,20; +10ms; up a"
        #expect(simulate(regions(.lift), Self.draw) == "130 menu after 130")
        #expect(simulate(regions(.lift), right) == "70 next after 70")
        #expect(simulate(regions(.threshold), Self.draw) == "60 next after 60\n130 menu after 130")
        #expect(simulate(regions(.threshold, unless: ["menu"]), Self.draw) == "130 menu after 130")
        #expect(simulate(regions(.threshold, unless: ["menu"]), right) == "70 next after 60")
    }

    @Test("with when = threshold it comes with the last segment, once, and before the finger turns on")
    func threshold() {
        let regions = [region([press, chain([.right, .down]) { $0.when = .threshold }])]
        #expect(
            simulate(
                regions,
                """
                down a 20,20; +60ms; move a 60,20; +60ms; move a 60,29.9; +10ms; move a 60,30; +60ms; move a 20,30
                +60ms; move a 20,90; up a
                """) == """
                    0 press begin
                    130 chain after 130
                    250 press end inside held 250
                    """)
    }

    @Test("after another gesture, the path is measured from where the finger then is")
    func after() {
        let regions = [
            region(rules: [Gesture(longPress(), name: "hold"), Gesture(chain([.right, .down]), after: ["hold"])])
        ]
        #expect(
            simulate(
                regions,
                "down a 20,20; +400ms; move a 22,20; +160ms; move a 60,20; +60ms; move a 60,60; up a")
                == "500 hold begin\n620 chain after 120\n620 hold end held 620")
    }

    // MARK: Real fingers

    /// Every path of up to four segments without diagonals.
    private static let paths: [[SwipeDirection]] = {
        var paths: [[SwipeDirection]] = [[]]
        var all: [[SwipeDirection]] = []
        for _ in 1...4 {
            paths = paths.flatMap { path in
                [.right, .up, .left, .down].filter { $0 != path.last }.map { path + [$0] }
            }
            all += paths
        }
        return all
    }()

    /// Plays touches in a region that has a chain for each path.
    /// - Returns: the indices of the chains that each touch made.
    private static func recognized(_ touches: [(path: Int, reports: [(time: Double, position: Point)])]) -> [[Int]] {
        var engine = GestureEngine(
            [region(paths.map { chain($0) { $0.maxTime = .milliseconds(20_000) } })],
            bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
        var start = Timestamp(microseconds: 0)
        return touches.enumerated().map { number, touch in
            var events: [GestureEvent] = []
            var time = start
            for (index, report) in touch.reports.enumerated() {
                time = start + Interval(microseconds: Int64(report.time * 1000))
                let change = ContactChange(
                    id: ContactID(Int64(number)), kind: index == 0 ? .landed : .moved, position: report.position)
                engine.process(TouchFrame(time: time, changes: [change]), into: &events)
            }
            let lift = ContactChange(
                id: ContactID(Int64(number)), kind: .lifted, position: touch.reports.last?.position ?? .zero)
            time = time + .milliseconds(20)
            engine.process(TouchFrame(time: time, changes: [lift]), into: &events)
            start = time + .milliseconds(1000)
            return events.map { $0.gesture.raw }
        }
    }

    @Test("is too late at once if the contact that is left, or moves, has been down for too long")
    func lateFinger() {
        let waiting = Gesture(GestureTestSupport.swipe(), unless: ["chain"])
        let regions = [region(rules: [Gesture(chain([.right, .down])), waiting])]
        for change in ["up b", "cancel b palm", "move a 24,20"] {
            let script = "down a 20,20; +3000ms; down b 150,50; +2000ms; \(change)"
            #expect(simulate(regions, script, failures: true).contains("5000 chain failed: tooSlow 5000.0 / 4000.0"))
        }
    }

    /// A thumb that turns around its joint from a nearly horizontal movement, as people turn pages.
    private static func thumb(_ random: inout SeededRandom) -> String {
        let (turn, radius) = (random.number(20, 58) * .pi / 180, random.number(60, 130))
        let (start, across) = (random.number(-10, 5) * .pi / 180, random.chance(50) ? 1.0 : -1)
        let (along, count) = (random.chance(50) ? 1.0 : -1, Int(radius * turn / 4) + 2)
        func place(_ part: Double) -> String {
            let angle = start + turn * part
            let (x, y) = (radius * (sin(angle) - sin(start)), radius * (cos(start) - cos(angle)))
            let tremor = (random.number(-0.2, 0.2), random.number(-0.2, 0.2))
            return "a \(100 + along * (x - 60) + tremor.0),\(50 + across * (y - 35) + tremor.1)"
        }
        let moves = (1...count).map { "+12ms; move \(place(Double($0) / Double(count)))" }
        return "down \(place(0)); " + moves.joined(separator: "; ") + "; +10ms; up a"
    }

    @Test("a thumb swipes in an arc, and draws no chain")
    func thumbs() {
        let corners = [SwipeDirection.right, .left].flatMap { first in
            [SwipeDirection.up, .down].map { Gesture(chain([first, $0]), name: "\(first), \($0)") }
        }
        let page = Gesture(
            GestureTestSupport.swipe { $0.directions = [.left, .right] }, unless: corners.map { $0.name })
        let regions = [region(rules: corners + [page])]
        var random = SeededRandom(1)
        let results = (0..<400).map { _ in simulate(regions, Self.thumb(&random)) }
        let swipes = results.filter { $0.contains(" swipe ") && !$0.contains("chain") && !$0.contains(",") }
        #expect(swipes.count >= 396, "\(swipes.count): \(Set(results).subtracting(swipes))")
    }

    @Test(
        "are recognized as drawn, and as nothing else",
        arguments: [
            ("usual", 20.0, 20.0...50, 8.0, 99.0), ("slanted", 30, 20...50, 8, 98), ("short", 20, 14...25, 4, 96),
        ])
    func people(name: String, slant: Double, lengths: ClosedRange<Double>, radius: Double, percent: Double) {
        var hand = SyntheticChain(1)
        (hand.slant, hand.lengths, hand.radius) = (slant, lengths, radius)
        let touches = Self.paths.indices.flatMap { path in
            (0..<2).map { _ in (path: path, reports: hand.draw(Self.paths[path])) }
        }
        let results = Self.recognized(touches)
        var wrong: [String] = []
        for (touch, result) in zip(touches, results) where result != [touch.path] {
            wrong.append("\(Self.paths[touch.path]) became \(result.map { Self.paths[$0] })")
        }
        let rate = 100 - 100 * Double(wrong.count) / Double(touches.count)
        #expect(rate >= percent, "\(name): \(rate) % of \(touches.count); \(wrong.joined(separator: "\n"))")
    }
}
