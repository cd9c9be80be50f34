// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GestureProtocol
import GestureTestSupport
import Testing

@testable import GesturePipeline

/// The filters, numbers and counters of a panel are separate for its private regions and the rest of the panel.
@Suite("The two sides of a panel")
struct PrivateSideTests {
    /// The region `ok` is on the left, and the private region `pin` on the right.
    private static let configuration =
        panelTable() + """
            [filter]
            storm = { contacts_per_second = 3, quiet = "1s" }
            [[region]]
            id = "ok"
            shape = { rect = ["0%", "0%", "50%", "100%"] }
            gestures = ["press", "tap"]
            [[region]]
            id = "pin"
            shape = { rect = ["50%", "0%", "50%", "100%"] }
            private = true
            gestures = ["press", "tap"]

            """

    private struct Hand: ~Copyable {
        var pipeline: PanelPipeline
        private(set) var lines: [String] = []
        private var nextID: Int32 = 1

        init() throws {
            let configuration = try #require(ConfigurationReader.read(PrivateSideTests.configuration).0)
            self.init(try InterestTests.setup(configuration))
        }

        // Swift 6.2 crashes if an initializer that may throw sets the pipeline.
        private init(_ setup: PanelSetup) {
            pipeline = PanelPipeline(setup)
            pipeline.tallies = RegionTallies()
            pipeline.touchMap = TouchMap(pipeline.setup.size.bounds)
        }

        /// Lands a contact on one side, or lifts it if `isPrivate` is `nil`.
        mutating func put(_ slot: Int32, isPrivate: Bool? = nil, at milliseconds: Int64) {
            let time = Timestamp(microseconds: milliseconds * 1000)
            var events: [KernelEvent] = [.axis(EventCode.absMTSlot, slot, at: time)]
            if let isPrivate {
                events.append(.axis(EventCode.absMTTrackingID, nextID, at: time))
                events.append(.axis(EventCode.absMTPositionX, isPrivate ? 750 : 250, at: time))
                events.append(.axis(EventCode.absMTPositionY, 500, at: time))
                nextID += 1
            } else {
                events.append(.axis(EventCode.absMTTrackingID, -1, at: time))
            }
            events.append(.report(at: time))
            var lines: [String] = []
            pipeline.feed(events[...]) { lines.append($0.body.text) }
            self.lines += lines
        }

        func lines(of region: String) -> [String] { lines.filter { $0.contains("\"region\":\"\(region)\"") } }

        /// The counts that a client without the right `private` can query.
        var counts: String {
            var json = JSONWriter()
            pipeline.tallies?.write([("ok", false)], into: &json)
            pipeline.touchMap?.write(for: 1, into: &json)
            let numbers = pipeline.identifiers
            return "\(json.text) \(pipeline.counts.open) \(pipeline.contactCounts.open) \(numbers.contacts.open) "
                + "\(numbers.sequences.open) \(pipeline.contactCount(seesPrivate: false))"
        }
    }

    @Test("a storm on one side does not affect the other", arguments: [false, true])
    func storm(isPrivate: Bool) throws {
        var hand = try Hand()
        let (stormy, calm) = isPrivate ? ("pin", "ok") : ("ok", "pin")
        hand.put(0, isPrivate: !isPrivate, at: 1000)
        for number in 0..<5 as Range<Int64> {
            hand.put(1, isPrivate: isPrivate, at: 1100 + number * 100)
            hand.put(1, at: 1150 + number * 100)
        }
        // The fourth landing within a second starts the storm.
        #expect(hand.lines(of: stormy).count { $0.contains("\"phase\":\"begin\"") } == 3)
        #expect(hand.lines(of: calm).count == 1)
        hand.put(0, at: 2000)
        #expect(hand.lines(of: calm).contains { $0.contains("\"phase\":\"end\"") })
        #expect(!hand.lines(of: calm).contains { $0.contains("\"phase\":\"cancel\"") })
        // The storm may end even while the other side is touched.
        hand.put(0, isPrivate: !isPrivate, at: 2100)
        #expect(hand.lines(of: calm).last?.contains("\"phase\":\"begin\"") == true)
        let counts = hand.pipeline.contactCounts
        #expect(counts[isPrivate: isPrivate].storms == 1 && counts[isPrivate: !isPrivate].storms == 0)
        #expect(counts[isPrivate: isPrivate].landed == 3 && counts[isPrivate: !isPrivate].landed == 2)
        #expect(counts[isPrivate: isPrivate].hidden(by: .storm) == 2)
        #expect(counts[isPrivate: !isPrivate].hidden(by: .storm) == 0)
    }

    @Test("each side may have as many landings as the limit allows")
    func bothSides() throws {
        var hand = try Hand()
        for number in 0..<6 as Range<Int64> {
            hand.put(0, isPrivate: number % 2 == 0, at: 1000 + number * 100)
            hand.put(0, at: 1050 + number * 100)
        }
        let counts = hand.pipeline.contactCounts
        #expect(counts.open.storms == 0 && counts.hidden.storms == 0)
        #expect(counts.open.landed == 3 && counts.hidden.landed == 3)
    }

    @Test("counters and numbers equal those of a panel whose private regions are not touched")
    func numbers() throws {
        var alone = try Hand()
        var among = try Hand()
        for number in 0..<4 as Range<Int64> {
            let time = 1000 + number * 1000
            among.put(1, isPrivate: true, at: time - 10)
            alone.put(0, isPrivate: false, at: time)
            among.put(0, isPrivate: false, at: time)
            #expect(among.counts == alone.counts)
            among.put(1, at: time + 10)
            alone.put(0, at: time + 50)
            among.put(0, at: time + 50)
        }
        #expect(among.lines(of: "ok") == alone.lines && alone.lines.count == 12)
        #expect(among.lines(of: "pin").count == 12)
        #expect(among.counts == alone.counts)
        #expect(among.pipeline.contactCounts.hidden.landed == 4 && among.pipeline.counts.hidden.events == 12)
    }

    @Test("regions of each side are removed separately")
    func tallies() {
        let tallies = RegionTallies()
        func entries(_ count: Int, isPrivate: Bool) {
            for number in 0..<count {
                var region = region("r\(number)", [press])
                region.isPrivate = isPrivate
                tallies.entry(region).recognized("press").add()
            }
        }
        func text() -> String {
            var json = JSONWriter()
            tallies.write([("r0", false)], into: &json)
            return json.text
        }
        entries(1, isPrivate: false)
        entries(5000, isPrivate: true)
        tallies.forgetRegions(except: [])
        #expect(text().contains("\"r0\""))
        entries(5000, isPrivate: false)
        tallies.forgetRegions(except: [])
        #expect(!text().contains("\"r0\""))
    }
}
