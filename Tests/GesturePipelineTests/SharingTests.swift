// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import Testing
import TouchSharing

/// The events that an application receives from a panel of 100 x 100 mm with 10 units per millimetre.
@Suite("Shared panels: receivers of contacts")
struct SharingTests {
    /// Plays a script on a panel.
    ///
    /// Semicolons separate statements: `+MS` lets time pass; `!MS` as well, but no deadline fires, as if the program
    /// woke up late; `SLOT:ID,X,Y` (a contact lands or moves, in millimetres)
    /// and `SLOT:-` (it lifts) are one frame each. The result lists the application's events: `MS +SLOT X,Y` (lands),
    /// `MS ~SLOT X,Y` (moves), `MS palm SLOT` and `MS -SLOT` (lifts).
    struct Script: ~Copyable {
        var pipeline: PanelPipeline
        private(set) var heard: [String] = []
        private(set) var lines: [String] = []
        /// The lines that may be merged.
        private(set) var mergeable: [String] = []
        private var now: Int64 = 1_000_000
        private let application = Application()
        private var twin = SlotTable(slots: [SlotState(), SlotState()], current: 0)

        init(_ regions: String, cancel: String = "lift") throws {
            try self.init(file: Application.configuration(regions, cancel: cancel))
        }

        /// Uses the text of a whole configuration. A unit of the script is then a hundredth of the panel.
        init(file: String) throws {
            let configuration = try #require(ConfigurationReader.read(file).0)
            self.init(try InterestTests.setup(configuration))
        }

        private init(_ setup: PanelSetup) {
            pipeline = PanelPipeline(setup)
            pipeline.interest = LineInterest(updates: false, touches: true)
            pipeline.startSharing { [application] in application.events += $0 }
        }

        mutating func play(_ script: String) {
            for statement in script.split(separator: ";") {
                let word = statement.filter { $0 != " " }
                switch word.first {
                case "+": wait(Int64(word.dropFirst()) ?? 0)
                case "!": now += (Int64(word.dropFirst()) ?? 0) * 1000
                default: frame(word)
                }
            }
        }

        private mutating func wait(_ milliseconds: Int64) {
            now += milliseconds * 1000
            while let deadline = pipeline.nextDeadline, deadline.microseconds <= now {
                var lines: [String] = []
                pipeline.advance(to: deadline) { lines.append($0.body.text) }
                self.lines += lines
                listen()
            }
        }

        /// Plays statements in one frame.
        mutating func frame(_ words: String...) {
            let time = Timestamp(microseconds: now)
            for word in words {
                let fields = word.split { ":,".contains($0) }
                feed(.axis(EventCode.absMTSlot, Int32(fields[0]) ?? 0, at: time))
                if fields[1] == "-" {
                    feed(.axis(EventCode.absMTTrackingID, -1, at: time))
                } else {
                    feed(.axis(EventCode.absMTTrackingID, Int32(fields[1]) ?? 0, at: time))
                    feed(.axis(EventCode.absMTPositionX, (Int32(fields[2]) ?? 0) * 10, at: time))
                    feed(.axis(EventCode.absMTPositionY, (Int32(fields[3]) ?? 0) * 10, at: time))
                }
            }
            feed(.report(at: time))
        }

        private mutating func feed(_ event: KernelEvent) {
            var lines: [String] = []
            var mergeable: [String] = []
            pipeline.feed(event) {
                lines.append($0.body.text)
                if $0.isMergeable { mergeable.append($0.body.text) }
            }
            self.lines += lines
            self.mergeable += mergeable
            listen()
        }

        mutating func listen() {
            var heard: [String] = []
            var twin = twin
            var touched: Set<Int> = []
            var before = twin
            for event in application.takeEvents() {
                twin.apply(CollectionOfOne(event), isSingleTouch: false)
                if event.type == EventCode.evAbs, let slot = twin.current { touched.insert(slot) }
                guard event.endsFrame else { continue }
                let time = (event.time.microseconds - 1_000_000) / 1000
                for slot in touched.sorted() {
                    heard.append("\(time) " + Self.change(slot, before.slots[slot], twin.slots[slot]))
                }
                touched = []
                before = twin
            }
            self.twin = twin
            self.heard += heard
        }

        private static func change(_ slot: Int, _ before: SlotState, _ after: SlotState) -> String {
            if after.trackingID < 0 { return "-\(slot)" }
            if before.tool != after.tool, after.tool == 2 { return "palm \(slot)" }
            if before.trackingID >= 0, before.trackingID != after.trackingID { return "id \(slot)" }
            return "\(before.trackingID < 0 ? "+" : "~")\(slot) \(after.x / 10),\(after.y / 10)"
        }

        /// The receivers of the contacts in the last `touches` line.
        var receivers: [String] {
            let last = lines.last { $0.contains("\"contacts\":") } ?? ""
            return last.split(separator: "{").compactMap { part in
                let words = part.split(separator: "\"")
                return words.firstIndex(of: "to").map { String(words[$0 + 2]) }
            }
        }
    }

    static func play(_ regions: String, _ script: String, cancel: String = "lift") throws -> [String] {
        var run = try Script(regions, cancel: cancel)
        run.play(script)
        return run.heard
    }

    private static let corner = """
        [[region]]
        id = "list"
        shape = "full"
        gestures = ["drag"]
        [[region]]
        id = "corner"
        parent = "list"
        touches = "capture"
        shape = { rect = [0, 0, 20, 20] }
        gestures = ["tap"]
        [[region]]
        id = "corner.key"
        parent = "corner"
        shape = { rect = [0, 0, 10, 10] }
        gestures = ["press"]
        [[region]]
        id = "above"
        shape = "full"
        pass = true
        touches = "capture"
        gestures = ["two_finger_tap"]

        """

    @Test("the application receives all contacts except those that land in a region with `capture`, or in its children")
    func capture() throws {
        #expect(
            try Self.play(Self.corner, "0:1,50,50; +10; 0:1,15,15; +10; 0:-; 0:2,15,15; 0:2,50,50; 0:-; 0:3,5,5; 0:-")
                == ["0 +0 50,50", "10 ~0 15,15", "20 -0"])
        var run = try Script(Self.corner)
        run.play("0:1,50,50; 1:2,5,5")
        #expect(run.receivers == ["both", "gestured"])
        run.play("0:-; 1:-")
        let counts = run.pipeline.shareCounts.open
        #expect([counts.forwarded, counts.captured, counts.held, counts.cancelled] == [1, 1, 0, 0])
    }

    @Test("a contact outside all regions belongs only to the application")
    func outside() throws {
        var run = try Script("")
        run.play("0:1,50,50")
        #expect(run.receivers == ["app"])
    }

    private static let swipe = """
        [[region]]
        id = "edge"
        touches = "TOUCHES"
        shape = { rect = [0, 0, 100, 50] }
        gestures = [{ type = "swipe", when = "threshold", consume = true }]

        """

    @Test("a gesture with consume takes its contact, which stands still and then lifts")
    func consume() throws {
        let text = Self.swipe.replacing("TOUCHES", with: "share")
        #expect(
            try Self.play(text, "0:1,50,20; +20; 0:1,45,20; +20; 0:1,30,20; +20; 0:1,20,20; +10; 0:-; +500").filter {
                !$0.contains("~")
            } == ["0 +0 50,20", "140 -0"])
    }

    @Test("with cancel = palm it is a palm until it lifts; a swipe at the lift takes it as well")
    func consumePalm() throws {
        let text = Self.swipe.replacing("TOUCHES", with: "share")
        #expect(
            try Self.play(
                text, "0:1,50,20; +20; 0:1,45,20; +20; 0:1,10,20; +10; 0:1,5,20; +20; 0:-; +500", cancel: "palm")
                == ["0 +0 50,20", "20 ~0 45,20", "40 palm 0", "70 -0"])
        let atLift = text.replacing("when = \"threshold\", ", with: "")
        #expect(
            try Self.play(atLift, "0:1,50,20; +20; 0:1,30,20; +20; 0:1,10,20; +10; 0:-; +500", cancel: "palm")
                == ["0 +0 50,20", "20 ~0 30,20", "40 ~0 10,20", "50 palm 0", "50 -0"])
    }

    @Test("touches states the receiver of a contact, before and after it is taken")
    func receivers() throws {
        var run = try Script(Self.swipe.replacing("TOUCHES", with: "share"))
        run.play("0:1,50,20; +20; 0:1,45,20")
        #expect(run.receivers == ["both"])
        run.play("+20; 0:1,30,20; +20; 0:1,10,20")
        #expect(run.receivers == ["gestured"])
        #expect(run.pipeline.shareCounts.open.cancelled == 1)
    }

    @Test("a held contact is given when all gestures have failed, at its landing position")
    func holdFails() throws {
        let text = Self.swipe.replacing("TOUCHES", with: "hold")
        // The swipe takes too long: `max_time` is 500 ms.
        #expect(
            try Self.play(text, "0:1,50,20; +400; 0:1,49,20; +200; 0:-; 0:2,10,90; 0:-")
                == ["600 +0 50,20", "600 ~0 49,20", "600 -0", "600 +0 10,90", "600 -0"])
        // The contact moves too far for a tap while it is down.
        let tap = text.replacing("\"swipe\", when = \"threshold\"", with: "\"tap\"")
        let heard = try Self.play(tap, "0:1,50,20; +20; 0:1,45,20; +20; 0:1,40,20; +10; 0:-")
        #expect(heard == ["20 +0 50,20", "20 ~0 45,20", "40 ~0 40,20", "50 -0"])
        // A tap is given to the application at its lift, and a swipe is never given.
        #expect(try Self.play(text, "0:1,50,20; +40; 0:-; +500") == ["40 +0 50,20", "40 -0"])
        #expect(try Self.play(text, "0:1,50,20; +20; 0:1,30,20; +20; 0:1,10,20; +10; 0:-; +500") == [])
    }

    @Test("a gesture may outlive the sequence; then both taps come, one after the other")
    func holdDoubleTap() throws {
        let text = """
            [[region]]
            id = "list"
            touches = "hold"
            shape = "full"
            gestures = ["double_tap"]

            """
        #expect(try Self.play(text, "0:1,50,20; +40; 0:-; +100; 0:2,50,20; +40; 0:-; +500") == [])
        #expect(try Self.play(text, "0:1,50,20; +40; 0:-; +500") == ["440 +0 50,20", "440 -0"])
        let heard = try Self.play(text, "0:1,50,20; +40; 0:-; +100; 0:2,50,20; +40; 0:2,80,20; +10; 0:-; +500")
        #expect(heard.filter { $0.contains("+") || $0.contains("-") }.count == 4, "\(heard)")
    }

    @Test("a line with a contact that has lifted by the time it is given is not replaced by a newer one")
    func givenStays() throws {
        var run = try Script(Self.swipe.replacing("TOUCHES", with: "hold"))
        run.play("0:1,50,20; +40; 0:-")
        let touches = run.lines.filter { $0.contains("\"contacts\":") }
        #expect(touches.map { $0.contains("\"given\":[1]") } == [false, true])
        #expect(run.mergeable == [touches[0]])
    }

    @Test("a press turns a hold into a capture; a region without gestures turns it into a share")
    func holdAtOnce() throws {
        let text = "[[region]]\nid = \"a\"\ntouches = \"hold\"\nshape = \"full\"\ngestures = [GESTURES]\n"
        #expect(try Self.play(text.replacing("GESTURES", with: "\"press\""), "0:1,50,20; +40; 0:-") == [])
        #expect(
            try Self.play(text.replacing("GESTURES", with: ""), "0:1,50,20; +40; 0:-") == ["0 +0 50,20", "40 -0"])
    }

    @Test("a contact that joins a gesture that has taken its contacts is never given to the application")
    func joins() throws {
        let text = """
            [[region]]
            id = "map"
            shape = "full"
            gestures = [{ type = "drag", consume = true }]

            """
        #expect(
            try Self.play(text, "0:1,50,20; +20; 0:1,40,20; 1:2,50,50; 1:2,40,50; 1:-; 0:-; +200")
                == ["0 +0 50,20", "120 -0"])
    }

    @Test("a contact that lands in a captured region and joins a gesture around it is captured as well")
    func capturedAndJoined() throws {
        let heard = try Self.play(Self.corner, "0:1,50,50; +20; 0:1,60,50; 1:2,15,15; 1:2,17,15; 1:-; 0:-")
        #expect(heard == ["0 +0 50,50", "20 ~0 60,50", "20 -0"])
    }

    @Test("a deadline takes contacts, too")
    func deadline() throws {
        let text = """
            [[region]]
            id = "a"
            shape = "full"
            gestures = [{ type = "long_press", consume = true }]

            """
        #expect(try Self.play(text, "0:1,50,20; +700; 0:-", cancel: "palm") == ["0 +0 50,20", "500 palm 0", "700 -0"])
    }

    @Test("a frame that is read after a deadline does not change what the deadline gave to the application")
    func lateFrame() throws {
        let text = Self.swipe.replacing("TOUCHES", with: "hold").replacing(
            "\"swipe\", when = \"threshold\"", with: "\"tap\"")
        for pause in ["+", "!"] {
            var run = try Script(text)
            run.play("0:1,50,20; \(pause)700")
            run.frame("0:-", "0:2,10,90")
            #expect(run.heard == ["500 +0 50,20", "700 -0", "700 +0 10,90"], "\(pause)")
        }
    }

    @Test("the application gets a frame before its lines are made, and the lines come as usual")
    func beforeLines() throws {
        final class Order {
            var words: [String] = []
        }
        let order = Order()
        let file = Application.configuration(
            """
            [[idle]]
            after = "1s"
            [[region]]
            id = "a"
            shape = "full"
            gestures = ["press", "tap"]
            """)
        let configuration = try #require(ConfigurationReader.read(file).0)
        var pipeline = PanelPipeline(try InterestTests.setup(configuration))
        pipeline.interest = LineInterest(updates: true, touches: true, frames: true, failures: true)
        let idle = IdleWatch()
        _ = idle.apply(configuration.idle, in: "default", .reload, at: Timestamp(microseconds: 0))
        _ = idle.advance(to: Timestamp(microseconds: 2_000_000))
        pipeline.idle = idle
        pipeline.startSharing { _ in order.words.append("twin") }
        func play(_ contact: SlotState, at time: Int64) {
            let events = SlotTable(slots: [contact], current: 0).events(at: Timestamp(microseconds: time))
            pipeline.feed(events[...]) { order.words.append("\($0.event)") }
        }
        play(SlotState(trackingID: 1, x: 500, y: 500), at: 3_000_000)
        #expect(order.words == ["twin", "frame", "idle", "gesture", "touches"])
        order.words = []
        play(SlotState(x: 500, y: 500), at: 3_050_000)
        #expect(order.words == ["twin", "frame", "gesture", "gesture", "touches"])
    }

    @Test("lost events: the difference as a frame; sleep: all contacts lift")
    func losses() throws {
        var run = try Script(Self.corner)
        run.play("0:1,50,50; +20")
        let later = SlotTable(
            slots: [SlotState(trackingID: 1, x: 600, y: 500), SlotState(trackingID: 9, x: 700, y: 700)], current: 1)
        run.pipeline.resynchronize(later, at: Timestamp(microseconds: 1_030_000)) { _ in }
        run.listen()
        #expect(run.heard == ["0 +0 50,50", "30 ~0 60,50", "30 +1 70,70"])
        run.pipeline.suspend(at: Timestamp(microseconds: 1_040_000)) { _ in }
        run.listen()
        #expect(run.heard.suffix(2) == ["40 -0", "40 -1"])
        run.play("+100; 1:9,80,80; 1:-; 0:5,50,50")
        #expect(run.heard.suffix(2) == ["40 -1", "120 +0 50,50"])
    }

    @Test("contacts that a filter hides go to the application, unless a region captures them")
    func filtered() throws {
        let masked = "[filter]\nmask = [[0, 0, 20, 20], [50, 50, 20, 20]]\n" + Self.corner
        #expect(try Self.play(masked, "0:1,5,5; +9; 0:-; 0:1,55,55; +9; 0:-") == ["9 +0 55,55", "18 -0"])
    }
}
