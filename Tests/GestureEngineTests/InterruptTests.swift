// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

@Suite("Interruptions")
struct InterruptTests {
    private func time(_ milliseconds: Int64) -> Timestamp { Timestamp(microseconds: milliseconds * 1000) }

    /// Plays taps that land at 0, 100, … ms and lift 50 ms later (the last one only if `lifts`), and interrupts the
    /// engine after the first one if `interrupted`. Returns the events, including those of the following nine seconds.
    private func events(_ regions: [Region], tapsAt x: [Double], interrupted: Bool, lifts: Bool = true) -> [String] {
        var engine = GestureEngine(regions, bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
        var events: [GestureEvent] = []
        for (i, x) in x.enumerated() {
            let (id, start) = (ContactID(Int64(i) + 1), 100 * Int64(i))
            for (kind, time) in [(ContactChange.Kind.landed, time(start)), (.lifted, time(start + 50))] {
                if kind == .lifted, !lifts { continue }
                let change = ContactChange(id: id, kind: kind, position: Point(x: x, y: 10))
                engine.process(TouchFrame(time: time, changes: [change]), into: &events)
            }
            if i == 0, interrupted { engine.interrupt(.suspend, at: time(60), into: &events) }
        }
        engine.advance(to: time(9000), into: &events)
        return events.map { "\($0.time.microseconds / 1000) \(regions[$0.region].gestures[$0.gesture].word)" }
    }

    @Test("a tap that waits for another one is dropped")
    func waitingTap() {
        let regions = [region("a", (0, 0, 100, 100), [tap(wait: true), tap(count: 2)])]
        #expect(events(regions, tapsAt: [10], interrupted: false) == ["450 tap"])
        #expect(events(regions, tapsAt: [10], interrupted: true) == [])
        // The next tap is the first one of a new streak.
        #expect(events(regions, tapsAt: [10, 10], interrupted: true) == ["550 tap"])
    }

    @Test("an interruption discards the steps of a pattern")
    func pattern() {
        let regions = [
            region("a", (0, 0, 50, 100), [tap()]), region("b", (50, 0, 50, 100), [tap()]),
            region("service", pass: true, [GestureTestSupport.pattern(["tap a", "tap b"])]),
        ]
        #expect(events(regions, tapsAt: [10, 60], interrupted: false) == ["50 tap", "150 tap", "150 pattern"])
        #expect(events(regions, tapsAt: [10, 60], interrupted: true) == ["50 tap", "150 tap"])
    }

    @Test("a deadline after the interruption has no effect")
    func deadline() {
        let regions = [region("a", (0, 0, 100, 100), [longPress()])]
        #expect(events(regions, tapsAt: [10], interrupted: false, lifts: false) == ["500 long_press"])
        #expect(events(regions, tapsAt: [10], interrupted: true, lifts: false) == [])
    }
}
