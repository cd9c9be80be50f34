// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureTestSupport
import Testing

/// `EventLine.identity` distinguishes the queued lines of different gestures.
@Suite("The identity of a gesture")
struct IdentityTests {
    private static func region(_ id: String, x: Int, _ more: String = "") -> String {
        """
        [[region]]
        id = "\(id)"
        shape = { rect = ["\(x)%", "0%", "50%", "100%"] }
        gestures = ["press", "pinch"]
        \(more)

        """
    }

    private static let map = panelTable() + region("map", x: 0)

    private struct Line: Equatable {
        var words: String
        var subject: Int
        var identity: Int64
    }

    private struct Hand: ~Copyable {
        var pipeline: PanelPipeline
        var lines: [Line] = []
        private var time: Int64 = 1_000_000

        init(_ configuration: String) throws { self.init(try Self.setup(configuration)) }

        // Swift 6.2 crashes if an initializer that may throw sets the pipeline.
        private init(_ setup: PanelSetup) { pipeline = PanelPipeline(setup) }

        static func setup(_ configuration: String) throws -> PanelSetup {
            try InterestTests.setup(try #require(ConfigurationReader.read(configuration).0))
        }

        private mutating func call(_ body: (inout PanelPipeline, Timestamp, PanelPipeline.Sink) -> Void) {
            time += 20_000
            var lines: [Line] = []
            body(&pipeline, Timestamp(microseconds: time)) { line in
                guard line.phase != .none else { return }
                let name = line.body.text.split(separator: "\"").dropFirst(2).first ?? "?"
                lines.append(
                    Line(words: "\(name) \(line.phase.word)", subject: line.subject, identity: line.identity))
            }
            self.lines += lines
        }

        /// Lands, moves or (without a position) lifts a contact.
        mutating func put(_ slot: Int32, id: Int32? = nil, x: Int32?) {
            call { pipeline, time, sink in
                pipeline.feed(.axis(0x2F, slot, at: time), sink)
                if let id = x == nil ? -1 : id { pipeline.feed(.axis(EventCode.absMTTrackingID, id, at: time), sink) }
                if let x {
                    pipeline.feed(.axis(EventCode.absMTPositionX, x, at: time), sink)
                    pipeline.feed(.axis(EventCode.absMTPositionY, 500, at: time), sink)
                }
                pipeline.feed(.report(at: time), sink)
            }
        }

        mutating func replace(_ configuration: String, subjectBase: Int) throws {
            let setup = try Self.setup(configuration)
            call { $0.replaceRegions(setup, at: $1, $2) }
            pipeline.subjectBase = subjectBase
        }

        func lines(of name: String) -> [Line] { lines.filter { $0.words.hasPrefix(name) } }
    }

    @Test("stays the same when a change of regions gives the gesture's region another number")
    func renumbered() throws {
        var hand = try Hand(Self.map)
        hand.pipeline.subjectBase = 1
        hand.put(0, id: 1, x: 100)
        hand.put(1, id: 2, x: 300)
        hand.put(1, x: 400)
        try hand.replace(panelTable() + Self.region("new", x: 50) + Self.region("map", x: 0), subjectBase: 5)
        hand.put(1, x: 450)
        hand.put(1, x: nil)
        let pinch = hand.lines(of: "pinch")
        #expect(pinch.map { $0.words } == ["pinch begin", "pinch update", "pinch end"])
        #expect(Set(pinch.map { $0.subject }) == [2, 8])
        #expect(Set(pinch.map { $0.identity }).count == 1)
        let press = hand.lines(of: "press")
        #expect(Set(press.map { $0.identity }).isDisjoint(with: pinch.map { $0.identity }))
    }

    @Test("is new when a gesture begins again in the same sequence")
    func again() throws {
        var hand = try Hand(Self.map)
        hand.put(0, id: 1, x: 100)
        for id in 2...3 as ClosedRange<Int32> {
            hand.put(1, id: id, x: 300)
            hand.put(1, x: 400)
            hand.put(1, x: 450)
            hand.put(1, x: nil)
        }
        let pinch = hand.lines(of: "pinch")
        #expect(pinch.filter { $0.words == "pinch begin" }.count == 2)
        #expect(Set(pinch.map { $0.identity }).count == 2)
        #expect(pinch.first?.identity != pinch.last?.identity)
    }

    @Test("differs for each region and each panel")
    func panels() throws {
        var hand = try Hand(Self.map + Self.region("pin", x: 50, "private = true"))
        hand.put(0, id: 1, x: 600)
        hand.put(0, x: nil)
        hand.put(0, id: 2, x: 100)
        hand.put(0, x: nil)
        let words = ["press begin", "press end", "press begin", "press end"]
        #expect(hand.lines.map { $0.words } == words)
        #expect(Set(hand.lines.map { $0.identity }).count == 2)
        // A second panel uses numbers above those of the first one.
        var next = PanelPipeline(try Hand.setup(Self.map), identifiers: hand.pipeline.identifiers)
        var first: Int64 = 0
        let time = Timestamp(microseconds: 9_000_000)
        for event in [KernelEvent.axis(EventCode.absMTTrackingID, 3, at: time), .report(at: time)] {
            next.feed(event) { if $0.phase == .begin { first = $0.identity } }
        }
        #expect(hand.lines.allSatisfy { $0.identity < first })
    }
}
