// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureTestSupport
import Testing

@Suite("A change of the profile")
struct ProfileTests {
    /// Three regions side by side with 20 × 100 mm each, and a profile that changes each of them.
    private static let text =
        panelTable() + """
            [[region]]
            id = "a"
            shape = { rect = ["0%", "0%", "20%", "100%"] }
            gestures = ["press", "tap", { type = "long_press", delay = "900ms" }]
            [[region]]
            id = "b"
            shape = { rect = ["20%", "0%", "20%", "100%"] }
            gestures = ["tap", "double_tap"]
            [[region]]
            id = "map"
            shape = { rect = ["40%", "0%", "20%", "100%"] }
            gestures = ["drag"]
            [[region]]
            id = "key"
            parent = "map"
            shape = { rect = ["0%", "0%", "100%", "50%"] }
            private = true
            gestures = ["press", { type = "pattern", steps = ["press key", "press key"], attempts = 2 }]
            [[profile]]
            id = "large"
            defaults = { tap = { max_time = "5s", min_gap = "600ms" }, drag = { start = "20mm" }, leave = { outside = "9mm" } }
            filter = { max_touch = "off" }

            """

    private struct Hand: ~Copyable {
        var pipeline: PanelPipeline
        var lines: [String] = []
        private(set) var time: Int64 = 1_000_000
        private let setups: [PanelSetup]

        /// - Parameter text: a configuration with the profile `large`.
        init(_ text: String = ProfileTests.text) throws {
            let read = try #require(ConfigurationReader.read(text).configuration)
            let setups = try ["default", "large"].map { profile in
                var runtime = read.runtime
                runtime.profile = profile
                return try InterestTests.setup(read.applying(runtime))
            }
            self.init(setups)
        }

        // Swift 6.2 crashes if an initializer that may throw sets the pipeline.
        private init(_ setups: [PanelSetup]) {
            self.setups = setups
            pipeline = PanelPipeline(setups[0])
        }

        private mutating func call(_ body: (inout PanelPipeline, Timestamp, PanelPipeline.Sink) -> Void) {
            var found: [String] = []
            body(&pipeline, Timestamp(microseconds: time)) { line in
                guard let json = JSONValue(parsing: Array("{\(line.body.text)}".utf8)), line.event == .gesture else {
                    return
                }
                let phase = json["phase"]?.string.map { " " + $0 } ?? ""
                found.append(json.text("gesture") + phase + " " + json.text("region"))
            }
            lines += found
        }

        mutating func wait(_ milliseconds: Int64) {
            time += milliseconds * 1000
            call { $0.advance(to: $1, $2) }
            call { $0.followProfile(at: $1, $2) }
        }

        /// Lands, moves or (without a position) lifts a contact, 20 ms later.
        mutating func put(_ slot: Int32 = 0, id: Int32? = nil, x: Int32?, y: Int32 = 900) {
            time += 20_000
            call { pipeline, time, sink in
                pipeline.feed(.axis(0x2F, slot, at: time), sink)
                if let id = x == nil ? -1 : id { pipeline.feed(.axis(EventCode.absMTTrackingID, id, at: time), sink) }
                if let x {
                    pipeline.feed(.axis(EventCode.absMTPositionX, x, at: time), sink)
                    pipeline.feed(.axis(EventCode.absMTPositionY, y, at: time), sink)
                }
                pipeline.feed(.report(at: time), sink)
            }
            call { $0.followProfile(at: $1, $2) }
        }

        /// - Parameter isLarge: `false` switches to `default`.
        mutating func change(_ isLarge: Bool = true) {
            let setup = setups[isLarge ? 1 : 0]
            call { $0.changeProfile(setup, at: $1, $2) }
        }

        mutating func replace(_ text: String, profile: String = "large") throws {
            let read = try #require(ConfigurationReader.read(text).configuration)
            var runtime = read.runtime
            runtime.profile = profile
            let setup = try InterestTests.setup(read.applying(runtime))
            call { $0.replaceRegions(setup, at: $1, $2) }
        }

        /// The ids of the regions that have the profile `large`.
        var large: [String] { pipeline.setup.regions.filter { $0.leaveDistance == 9 }.map { $0.id } }
        var isWaiting: Bool { pipeline.awaitsProfile }
        var isEnabled: [Bool] { pipeline.setup.regions.map { $0.isEnabled } }
        var maxTouch: Double? { pipeline.tracker.filter.maxTouch }
    }

    @Test func idleRegionsChangeAtOnce() throws {
        var hand = try Hand()
        hand.change()
        #expect(hand.large == ["a", "b", "map", "key"])
        #expect(hand.maxTouch == nil)
        #expect(hand.isWaiting == false)
        hand.change(false)
        #expect(hand.large == [])
        #expect(hand.maxTouch == 30)
    }

    @Test func aReloadWithoutTheProfileEndsTheWait() throws {
        var hand = try Hand()
        hand.change()
        hand.put(id: 1, x: 100)
        hand.change(false)
        #expect(hand.large == ["a"])
        try hand.replace(Self.text)
        hand.put(x: nil)
        #expect(hand.large == ["a", "b", "map", "key"])
        hand.put(id: 2, x: 100)
        hand.change(false)
        try hand.replace(Self.text, profile: "default")
        hand.put(x: nil)
        #expect(hand.large == [])
        #expect(hand.isWaiting == false)
    }

    @Test func aRegionInUseFollowsWhenItIsIdle() throws {
        var hand = try Hand()
        hand.put(id: 1, x: 100)
        hand.change()
        #expect(hand.large == ["b", "map", "key"])
        #expect(hand.maxTouch == 30)
        #expect(hand.isWaiting == true)
        // The tap in progress has the old time.
        hand.wait(600)
        hand.put(x: nil)
        #expect(hand.lines == ["press begin a", "press end a"])
        #expect(hand.large == ["a", "b", "map", "key"])
        #expect(hand.maxTouch == nil)
        #expect(hand.isWaiting == false)
        hand.wait(1000)
        hand.put(id: 2, x: 100)
        hand.wait(600)
        hand.put(x: nil)
        #expect(hand.lines.suffix(3) == ["press begin a", "tap a", "press end a"])
        #expect(hand.lines.filter { $0 == "tap a" } == ["tap a"])
    }

    @Test func aRowOfTapsIsInProgress() throws {
        var hand = try Hand()
        hand.put(id: 1, x: 300)
        hand.put(x: nil)
        hand.change()
        #expect(hand.large == ["a", "map", "key"])
        hand.wait(60)
        hand.put(id: 2, x: 300)
        hand.put(x: nil)
        #expect(hand.lines == ["tap b", "double_tap b"])
        hand.wait(1000)
        #expect(hand.large == ["a", "b", "map", "key"])
    }

    @Test func theFormerProfileMayComeBackMeanwhile() throws {
        var hand = try Hand()
        hand.put(id: 1, x: 100)
        hand.change()
        hand.change(false)
        #expect(hand.large == [])
        #expect(hand.lines.filter { $0.contains("cancel") } == [])
        hand.put(x: nil)
        #expect(hand.large == [])
        #expect(hand.isWaiting == false)
        #expect(hand.lines == ["press begin a", "tap a", "press end a"])
    }

    /// A second strike of the finger that has switched to a profile must be a bounce.
    @Test func liftsBeforeTheChangeMakeBouncesAfterIt() throws {
        var hand = try Hand()
        hand.put(id: 1, x: 100)
        hand.put(x: nil)
        hand.wait(1)
        hand.change()
        #expect(hand.large == ["a", "b", "map", "key"])
        hand.wait(200)
        hand.put(id: 2, x: 100)
        hand.put(x: nil)
        #expect(hand.lines.filter { $0 == "tap a" }.count == 1)
    }

    /// A change must not give more attempts at an unlock pattern.
    @Test func patternsKeepTheirWrongAttempts() throws {
        let text = """
            [[region]]
            id = "pad"
            shape = "full"
            gestures = ["press", "long_press"]
            [[region]]
            id = "lock"
            shape = { rect = ["90%", "90%", "10%", "10%"] }
            gestures = [{ type = "pattern", steps = ["press pad", "long_press pad"], attempts = 2, lockout = "60s" }]
            [[profile]]
            id = "large"
            defaults = { long_press = { slop = "9mm" }, leave = { outside = "9mm" } }

            """
        var hand = try Hand(panelTable() + text)
        func attempt(_ hand: inout Hand, _ id: Int32, isRight: Bool) {
            hand.put(id: id, x: 100)
            hand.wait(isRight ? 700 : 100)
            hand.put(x: nil)
            if !isRight { hand.put(id: id + 100, x: 100); hand.put(x: nil) }
            hand.wait(5000)
        }
        attempt(&hand, 1, isRight: false)
        hand.change()
        attempt(&hand, 2, isRight: false)
        attempt(&hand, 3, isRight: true)
        #expect(hand.lines.filter { $0 == "pattern lock" } == [])
    }

    /// The parent of a private region is not busy for those who may not see that region, so the parent changes.
    @Test func aPrivateRegionGoesOnInsideOneThatChanges() throws {
        var hand = try Hand()
        hand.put(id: 1, x: 500, y: 100)
        hand.change()
        #expect(hand.large == ["a", "b", "map"])
        hand.put(x: nil)
        #expect(hand.lines == ["press begin key", "press end key"])
    }

    @Test func aReloadMeanwhileCancelsOnlyWhatItChanges() throws {
        var hand = try Hand()
        hand.put(0, id: 1, x: 100)
        hand.put(1, id: 2, x: 500, y: 900)
        hand.put(1, x: 500, y: 950)
        hand.change()
        #expect(hand.lines == ["press begin a", "drag begin map"])
        try hand.replace(Self.text + "[[region]]\nid = \"new\"\nshape = { rect = [\"80%\", \"0%\", \"5%\", \"5%\"] }\n")
        #expect(hand.large == ["b", "key", "new"])
        hand.put(0, x: nil)
        try hand.replace(Self.text.replacing("[\"drag\"]", with: "[\"drag\", \"pinch\"]"))
        #expect(hand.lines.suffix(2) == ["press end a", "drag cancel map"])
        #expect(hand.large == ["a", "b", "map", "key"])
    }

    @Test func aSceneMeanwhileKeepsWhatWaits() throws {
        var hand = try Hand()
        hand.put(id: 1, x: 100)
        hand.change()
        let time = Timestamp(microseconds: hand.time)
        hand.pipeline.switchRegions(isShown: { $0.id != "b" }, hand.pipeline.setup.application, at: time) { _ in }
        hand.put(x: nil)
        #expect(hand.large == ["a", "b", "map", "key"])
        #expect(hand.isEnabled == [true, false, true, true])
        #expect(hand.lines.filter { $0.hasPrefix("press") } == ["press begin a", "press end a"])
    }

    @Test func theFilterWaitsForTheLastContact() throws {
        var hand = try Hand()
        hand.put(0, id: 1, x: 100)
        hand.put(1, id: 2, x: 300)
        hand.change()
        hand.put(0, x: nil)
        #expect(hand.maxTouch == 30)
        hand.put(1, x: nil)
        #expect(hand.maxTouch == nil)
    }
}
