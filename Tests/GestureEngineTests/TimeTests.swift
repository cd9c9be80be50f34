// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// Times that are equal, decrease, or lie far in the future.
@Suite("Times")
struct TimeTests {
    private static let everything = region(rules: [
        Gesture(.press(PressSettings(progress: .milliseconds(100)))), Gesture(tap(wait: true)), Gesture(tap(count: 2)),
        Gesture(tap(fingers: 2)), Gesture(longPress()),
        Gesture(longPress { $0.delay = .milliseconds(2000) }, name: "stage"),
        Gesture(repeating { $0.accelerate = 0.5 }), Gesture(drag()), Gesture(drag(fingers: 2)), Gesture(swipe()),
        Gesture(swipe { $0.when = .threshold }, name: "early", unless: ["stage"]), Gesture(pinch()), Gesture(rotate()),
        Gesture(pattern(["tap r", "drag r"])), Gesture(drag(), name: "later", after: ["long_press"]),
    ])

    /// Plays the steps of one finger, with times in microseconds, and returns the events.
    private func play(_ steps: [(time: Int64, kind: ContactChange.Kind, x: Double)]) -> [GestureEvent] {
        var engine = GestureEngine(
            [Self.everything], bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
        engine.reportsFailures = true
        var events: [GestureEvent] = []
        var id: Int64 = 0
        for step in steps {
            if step.kind == .landed { id += 1 }
            let change = ContactChange(id: ContactID(id), kind: step.kind, position: Point(x: step.x, y: 50))
            engine.process(TouchFrame(time: Timestamp(microseconds: step.time), changes: [change]), into: &events)
        }
        engine.advance(to: .never, into: &events)
        return events
    }

    @Test("all at the same time: no velocity, no trap")
    func equal() {
        for time: Int64 in [0, 1, -5, .max / 2] {
            let events = play([(time, .landed, 10), (time, .moved, 60), (time, .moved, 90), (time, .lifted, 90)])
            for event in events {
                if case .drag(_, let velocity, _, _, _) = event.detail { #expect(velocity == .zero) }
            }
            #expect(!events.contains { $0.phase == nil && isSwipe($0) })
            #expect(events.first?.phase == .begin)
        }
    }

    private func isSwipe(_ event: GestureEvent) -> Bool {
        if case .swipe = event.detail { true } else { false }
    }

    @Test("an older frame is processed at the engine's time")
    func backwards() {
        #expect(
            simulate(
                [region([press, tap(), longPress()])],
                "down a 10,10; +100ms; move a 11,10; +-60ms; move a 12,10; +-900ms; up a")
                == "0 press begin\n100 tap after 100\n100 press end inside held 100")
        // Late frames do not undo a deadline.
        #expect(
            simulate([region([tap(), longPress()])], "down a 10,10; +500ms; advance; +-1ms; up a")
                == "500 long_press begin\n500 long_press end held 500")
        let events = play([(1_000_000, .landed, 10), (-9_000_000, .moved, 20), (.min, .moved, 30), (0, .lifted, 30)])
        #expect(!events.isEmpty)
        #expect(events.filter { $0.phase == .end }.allSatisfy { $0.time.microseconds == 1_000_000 })
    }

    @Test(
        "far in the future, and at the limits of time",
        arguments: [
            [Int64.min, .min + 1, .min + 2, .min + 3], [.min, 0, 1, .max], [.max - 3, .max - 2, .max - 1, .max],
            [.max, .max, .max, .max], [.max, .min, 0, .min], [0, .max / 2, .max - 1, .max], [-1, 0, .max, .min],
        ] as [[Int64]])
    func extremes(times: [Int64]) {
        let steps: [(ContactChange.Kind, Double)] = [(.landed, 10), (.moved, 60), (.moved, 61), (.lifted, 61)]
        let events = play(zip(times, steps).map { ($0, $1.0, $1.1) })
        #expect(events.contains { $0.phase == .begin })
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.time <= $1.time })
        let begun = events.filter { $0.phase == .begin }.count
        let over = events.filter { event in
            switch event.phase {
            case .end, .cancel: true
            case nil, .begin, .update: false
            }
        }.count
        #expect(begun == over)
        // Progress ends after an hour and repetitions after a minute, so there is not an event for each interval.
        #expect(events.count < 40_000)
    }

    @Test("a year later, a held press has been held for a year")
    func year() {
        let year: Int64 = 31_536_000_000
        #expect(
            simulate(
                [region([press, repeating { $0.interval = .milliseconds(20_000) }])], "down a 10,10; +\(year)ms; up a")
                    == """
                    0 press begin
                    500 repeat 1 held 500
                    20500 repeat 2 held 20500
                    40500 repeat 3 held 40500
                    \(year) press end inside held \(year)
                    """)
    }

    @Test("the times and the number of wake-ups do not matter", arguments: [1, 7, 50, 799])
    func wakeUps(pause: Int) {
        let regions = [region([press, tap(wait: true), tap(count: 2), longPress(), repeating()])]
        func script(_ wait: (Int) -> String) -> String {
            "down a 10,10; \(wait(50)); up a; \(wait(800)); down b 10,10; \(wait(799)); up b; \(wait(900))"
        }
        let waking = script { duration in
            let pieces = Array(repeating: "+\(pause)ms; advance", count: duration / pause)
            return (pieces + ["+\(duration % pause)ms"]).joined(separator: "; ")
        }
        let expected = simulate(regions, script { "+\($0)ms" })
        #expect(simulate(regions, waking) == expected)
        #expect(expected.split(separator: "\n").count == 10)
    }
}
