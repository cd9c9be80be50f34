// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureTestSupport
import Testing

@Suite("Lines of touches: the regions of a contact")
struct TouchRouteTests {
    /// A panel of 100 x 100 mm with 10 units per millimetre and room for many fingers.
    private struct Player: ~Copyable {
        private var pipeline: PanelPipeline
        private var now: Int64 = 1_000_000
        private(set) var lines: [JSONValue] = []
        private(set) var longest = 0

        init(_ regions: String) throws {
            var description = DeviceDescription()
            description.name = "Panel"
            description.properties = [1]
            let position = AxisRange(minimum: 0, maximum: 999)
            description.axes = [
                0x2F: AxisRange(minimum: 0, maximum: 39), 0x39: AxisRange(minimum: 0, maximum: 65535), 0x35: position,
                0x36: position, 0x30: position,
            ]
            let configuration = try #require(ConfigurationReader.read(panelTable() + regions).0)
            guard case .ready(let setup) = PanelDecision(description, configuration, fallbackName: "panel") else {
                throw TestFailure("no panel")
            }
            self.init(setup)
        }

        // Swift 6.2 crashes if an initializer that may throw sets the pipeline.
        private init(_ setup: PanelSetup) {
            pipeline = PanelPipeline(setup)
            pipeline.interest = LineInterest(updates: true, touches: true, failures: true)
        }

        /// Plays a frame, 10 ms after the preceding one.
        /// - Parameter places: the slots with their tracking ids and positions; a contact without a position lifts.
        mutating func frame(_ places: [(slot: Int32, id: Int32, at: (x: Int32, y: Int32)?)]) throws {
            now += 10_000
            let time = Timestamp(microseconds: now)
            var events: [KernelEvent] = []
            for place in places {
                events.append(.axis(EventCode.absMTSlot, place.slot, at: time))
                events.append(.axis(EventCode.absMTTrackingID, place.at == nil ? -1 : place.id, at: time))
                guard let at = place.at else { continue }
                events.append(.axis(EventCode.absMTPositionX, at.x, at: time))
                events.append(.axis(EventCode.absMTPositionY, at.y, at: time))
            }
            var written: [String] = []
            pipeline.feed((events + [.report(at: time)])[...]) { line in
                var text = JSONWriter()
                line.write(number: 999_999_999, into: &text)
                written.append(text.text)
            }
            for text in written {
                longest = max(longest, text.utf8.count)
                lines.append(try JSONDocument.read(String(text.dropLast())).root)
            }
        }

        /// The last `touches` line as text: `91 button 7; list 8: 91 92`.
        var routes: String {
            guard let line = lines.last(where: { $0["event"]?.string == "touches" }) else { return "none" }
            let contacts = (line["contacts"]?.array ?? []).map { contact in
                [
                    "\(contact["id"]?.integer ?? 0)", contact["region"]?.string,
                    contact["sequence"]?.integer.map { "\($0)" },
                ].compactMap { $0 }.joined(separator: " ")
            }
            let others = (line["seen_by"]?.array ?? []).map { other in
                let ids = (other["contacts"]?.array ?? []).map { " \($0.integer ?? 0)" }.joined()
                return "\(other["region"]?.string ?? "") \(other["sequence"]?.integer ?? 0):\(ids)"
            }
            return (contacts + others).joined(separator: "; ")
        }
    }

    private static let list = """
        [[region]]
        id = "list"
        shape = { rect = [0, 0, 80, 100] }
        gestures = ["drag", "tap"]
        [[region]]
        id = "button"
        parent = "list"
        shape = { rect = [0, 0, 20, 20] }
        gestures = ["press"]
        [[region]]
        id = "glass"
        shape = { rect = [0, 0, 100, 50] }
        pass = true
        gestures = ["press"]
        """

    @Test("a contact lists its owner's sequence, and in seen_by the regions around it and those that pass")
    func owner() throws {
        var player = try Player(Self.list)
        try player.frame([(0, 7, (100, 100))])
        #expect(player.routes == "1 button 1; list 2: 1; glass 3: 1")
        // The gesture lines have the same sequence numbers.
        let presses = player.lines.filter { $0["gesture"]?.string == "press" }
        #expect(presses.map { $0["region"]?.string } == ["button", "glass"])
        #expect(presses.map { $0["sequence"]?.integer } == [1, 3])
        // Three more contacts land: one in a region that passes, one in no region, and one only in the list.
        try player.frame([(1, 8, (900, 100)), (2, 9, (900, 900)), (3, 10, (500, 900))])
        #expect(player.routes == "1 button 1; 2; 3; 4 list 2; list 2: 1; glass 3: 1 2")
        try player.frame([(0, 7, nil), (1, 8, nil), (2, 9, nil), (3, 10, nil)])
        #expect(player.routes == "")
    }

    @Test("a contact that joins the drag of a list does not belong to its button")
    func joined() throws {
        var player = try Player(Self.list)
        try player.frame([(0, 7, (500, 900))])
        try player.frame([(0, 7, (500, 800))])
        try player.frame([(0, 7, (500, 700))])
        try player.frame([(1, 8, (100, 100))])
        #expect(player.routes == "1 list 1; 2 button; list 1: 2; glass 2: 2")
    }

    @Test("if each contact has its own sequence, each is listed with it")
    func each() throws {
        var player = try Player(
            """
            [[region]]
            id = "table"
            shape = "full"
            contacts = "each"
            gestures = ["tap"]
            """)
        try player.frame([(0, 7, (100, 100)), (1, 8, (900, 100))])
        #expect(player.routes == "1 table 1; 2 table 2")
    }

    @Test("a line has at most 4 KiB, with any regions", arguments: [1, 5, 10, 14, 17, 20, 21, 40])
    func length(fingers: Int32) throws {
        // The panel has twenty nested regions with names of the maximum length.
        var regions = ""
        for index in 0..<20 {
            regions += "[[region]]\nid = \"\(index + 10)\(String(repeating: "n", count: 62))\"\n"
            if index > 0 { regions += "parent = \"\(index + 9)\(String(repeating: "n", count: 62))\"\n" }
            regions += "shape = { rect = [0, 0, 100, 100] }\ngestures = [\"tap\"]\n"
        }
        var player = try Player(regions)
        try player.frame((0..<fingers).map { ($0, $0 + 1, (999, 900 + $0)) })
        #expect(player.longest > 100 && player.longest <= 4096, "\(player.longest)")
        let line = try #require(player.lines.last { $0["event"]?.string == "touches" })
        let named = (line["contacts"]?.array ?? []).filter { $0["region"] != nil }.count
        let others = line["seen_by"]?.array ?? []
        #expect(named == (fingers > 20 ? 0 : Int(fingers)))
        #expect(others.count == (fingers > 20 ? 0 : min(19, 20 - Int(fingers))))
        // If regions are left out, the nearer ones stay.
        #expect(others.first.map { $0["region"]?.string?.hasPrefix("28") == true } != false)
    }
}
