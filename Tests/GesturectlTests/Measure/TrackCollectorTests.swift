// SPDX-License-Identifier: MIT
import GestureEngine
import Testing

@testable import gesturectl

@Suite("Cutting frames into attempts")
struct TrackCollectorTests {
    /// A class, so that `#expect` can call its mutating methods.
    private final class Cutter {
        var collector: TrackCollector

        init(minGap: Int64 = 40, bounceDistance: Double = 100) {
            var tap = TapSettings()
            (tap.minGap, tap.bounceDistance) = (.milliseconds(minGap), bounceDistance)
            collector = TrackCollector(tap: tap, bounds: Rectangle(minX: 0, minY: 0, maxX: 400, maxY: 100))
        }

        @discardableResult
        func take(_ frame: TouchFrame) -> ContactTrack? { collector.take(frame) }
    }

    private let cutter = Cutter()

    private func frame(_ milliseconds: Int64, _ changes: [(Int64, ContactChange.Kind)]) -> TouchFrame {
        TouchFrame(
            time: Timestamp(microseconds: milliseconds * 1000),
            changes: changes.map {
                ContactChange(id: ContactID($0.0), kind: $0.1, position: Point(x: Double(milliseconds), y: 0))
            })
    }

    @Test("contacts one after the other")
    func simple() throws {
        #expect(cutter.take(frame(0, [(1, .landed)])) == nil)
        #expect(cutter.take(frame(10, [(1, .moved)])) == nil)
        let track = try #require(cutter.take(frame(30, [(1, .lifted)])))
        #expect(track.duration == 30)
        #expect(track.silence == 20)
        #expect(track.excursion() == 30)
        #expect(track.frames.count == 3)
        #expect(cutter.take(frame(70, [(2, .landed)])) == nil)
        #expect(cutter.take(frame(90, [(2, .lifted)]))?.duration == 20)
        #expect(cutter.collector.leftOut == TrackCollector.LeftOut())
    }

    @Test("a lift and another landing in one frame are two attempts, unless the second is a bounce")
    func exchange() {
        let cutter = Cutter(minGap: 0)
        cutter.take(frame(0, [(1, .landed)]))
        #expect(cutter.take(frame(50, [(1, .lifted), (2, .landed)]))?.duration == 50)
        #expect(cutter.take(frame(80, [(2, .lifted)]))?.duration == 30)
    }

    @Test("simultaneous contacts are no attempt until all have lifted")
    func several() {
        cutter.take(frame(0, [(1, .landed)]))
        #expect(cutter.take(frame(10, [(2, .landed)])) == nil)
        #expect(cutter.take(frame(20, [(1, .lifted)])) == nil)
        #expect(cutter.take(frame(30, [(3, .landed)])) == nil)
        #expect(cutter.take(frame(40, [(2, .lifted), (3, .lifted)])) == nil)
        #expect(cutter.collector.leftOut.severalContacts == 1)
        cutter.take(frame(100, [(4, .landed)]))
        #expect(cutter.take(frame(120, [(4, .lifted)])) != nil)
    }

    @Test("a cancelled contact is no attempt")
    func cancelled() {
        cutter.take(frame(0, [(1, .landed)]))
        #expect(cutter.take(frame(10, [(1, .cancelled(.palm))])) == nil)
        #expect(cutter.collector.leftOut.cancelled == 1)
    }

    @Test("several cancelled contacts count as cancelled only")
    func severalCancelled() {
        cutter.take(frame(0, [(1, .landed)]))
        cutter.take(frame(10, [(2, .landed)]))
        cutter.take(frame(20, [(1, .cancelled(.palm)), (2, .cancelled(.palm))]))
        #expect(cutter.collector.leftOut.severalContacts == 0)
        #expect(cutter.collector.leftOut.cancelled == 2)
        cutter.take(frame(100, [(3, .landed)]))
        #expect(cutter.take(frame(120, [(3, .lifted)])) != nil)
    }

    @Test("a landing far from the lift belongs to another finger", arguments: [(30, 1), (29.9, 0)])
    func distance(bounceDistance: Double, expected: Int) {
        let cutter = Cutter(bounceDistance: bounceDistance)
        cutter.take(frame(0, [(1, .landed)]))
        cutter.take(frame(100, [(1, .lifted)]))
        cutter.take(frame(130, [(2, .landed)]))
        #expect(cutter.collector.leftOut.bounces == expected)
    }

    @Test("a landing too soon after a lift is a bounce, on both sides of min_gap", arguments: [(139, 1), (140, 0)])
    func bounce(landing: Int64, expected: Int) {
        cutter.take(frame(0, [(1, .landed)]))
        cutter.take(frame(100, [(1, .lifted)]))
        cutter.take(frame(landing, [(2, .landed)]))
        #expect((cutter.take(frame(landing + 50, [(2, .lifted)])) == nil) == (expected == 1))
        #expect(cutter.collector.leftOut.bounces == expected)
    }
}
