// SPDX-License-Identifier: MIT
import ContactTracking
import Foundation
import GestureConfiguration
import GestureEngine
import GestureProtocol
import Testing

@testable import GesturePipeline

/// Counters that are never reset while the daemon runs. They do not reach 2^53, where JavaScript's integers end: at
/// a million counts a second, that would take 285 years.
@Suite("Counters that have run for years")
struct CounterTests {
    private static let configuration = """
        version = 1
        [[region]]
        id = "ok"
        shape = "full"
        gestures = ["press"]
        """

    /// Lands and lifts a contact.
    private func touch(
        _ pipeline: inout PanelPipeline, trackingID: Int32, at milliseconds: Int64, _ sink: PanelPipeline.Sink
    ) {
        for (id, time) in [(trackingID, milliseconds), (-1, milliseconds + 50)] {
            let time = Timestamp(microseconds: time * 1000)
            pipeline.feed(.axis(EventCode.absMTTrackingID, id, at: time), sink)
            pipeline.feed(.axis(EventCode.absMTPositionX, 500, at: time), sink)
            pipeline.feed(.report(at: time), sink)
        }
    }

    @Test("ids and counts work past 31, 32 and nearly 53 bits", arguments: [1 << 31, 1 << 32, 1 << 53 - 3] as [Int64])
    func goOn(past edge: Int64) throws {
        let setup = try InterestTests.setup(try #require(ConfigurationReader.read(Self.configuration).0))
        let before = edge - 2
        var pipeline = PanelPipeline(
            setup, identifiers: Identifiers(contacts: .init(open: before), sequences: .init(open: before)))
        pipeline.counters.lines.open.frames = before
        pipeline.counters.lines.open.events = before
        var lines: [String] = []
        for number in 0..<4 as Range<Int64> {
            touch(&pipeline, trackingID: Int32(number), at: 1000 + number * 1000) { lines.append($0.body.text) }
        }
        let sequences = lines.map { line in
            line.components(separatedBy: "\"sequence\":").last.flatMap { Int64($0.prefix(while: \.isNumber)) }
        }
        #expect(sequences == (0..<8).map { before + $0 / 2 })
        #expect(pipeline.identifiers.contacts == .init(open: edge + 2))
        #expect(pipeline.identifiers.sequences == .init(open: edge + 2))
        let counts = pipeline.counts.open
        #expect((counts.frames, counts.events) == (before + 8, before + 8))
        #expect(pipeline.contactCounts.open.landed == 4)
    }

    @Test("the kernel's tracking ids may have any value, and may start over")
    func trackingIDs() throws {
        let setup = try InterestTests.setup(try #require(ConfigurationReader.read(Self.configuration).0))
        var pipeline = PanelPipeline(setup)
        var count = 0
        for (number, id) in [65_534, 65_535, 0, 1, .max - 1, .max, 0, .max].enumerated() as EnumeratedSequence<[Int32]>
        {
            touch(&pipeline, trackingID: id, at: 1000 + Int64(number) * 1000) { _ in count += 1 }
        }
        #expect(count == 16)
        #expect(pipeline.contactCounts.open.landed == 8)
    }

    @Test("a map of touches is right after 2^32 touches at the same position")
    func map() throws {
        var json = JSONWriter()
        let map = TouchMap(Rectangle(minX: 0, minY: 0, maxX: 4, maxY: 4), startingAt: .max - 1)
        map.write(for: 1, into: &json)
        for _ in 0..<5 { map.count(Point(x: 1, y: 1)) }
        json.removeAll()
        map.write(for: 1, into: &json)
        #expect(json.text.contains("\"counts\":[5"))
    }
}
