// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureTestSupport
import Testing

/// A panel that loses a finger for a moment (raspberrypi/linux#4749) causes the same gestures as one that does not.
@Suite("Panels that lose contacts for a moment")
struct BridgeTests {
    private static let key = """
        [[region]]
        id = "key"
        shape = { rect = [0, 0, 50, 50] }
        gestures = ["press", "tap", { type = "repeat", delay = "300ms", interval = "100ms" }]
        [[region]]
        id = "confirm"
        shape = { rect = [50, 0, 50, 50] }
        gestures = [{ type = "long_press", delay = "1500ms" }]

        """

    /// Plays frames `MS SLOT:X,Y` (in millimetres) and `MS SLOT:-`, and then waits until nothing is pending. `SLOT:X,Y`
    /// is a landing if the slot has no contact.
    /// - Returns: the description of each line, by default `MS region.gesture phase`.
    static func play(
        _ script: String, regions: String, bridge: String, describe: (borrowing EventLine) -> String = Self.summary
    ) throws -> [String] {
        let text = panelTable() + "filter = { bridge = \"\(bridge)\", storm = \"off\" }\n" + regions
        let setup = try InterestTests.setup(try #require(ConfigurationReader.read(text).configuration))
        var pipeline = PanelPipeline(setup)
        pipeline.interest = LineInterest(updates: false)
        var lines: [String] = []
        var ids = [Int32](repeating: -1, count: 2)
        var next: Int32 = 0
        for frame in script.split(separator: ";") {
            let words = frame.split(separator: " ")
            let time = Timestamp(microseconds: (Int64(words[0]) ?? 0) * 1000)
            var events: [KernelEvent] = []
            for word in words.dropFirst() {
                let fields = word.split { ":,".contains($0) }
                let slot = Int(fields[0]) ?? 0
                events.append(.axis(EventCode.absMTSlot, Int32(slot), at: time))
                if fields[1] == "-" {
                    ids[slot] = -1
                    events.append(.axis(EventCode.absMTTrackingID, -1, at: time))
                    continue
                }
                if ids[slot] < 0 {
                    (ids[slot], next) = (next, next + 1)
                    events.append(.axis(EventCode.absMTTrackingID, ids[slot], at: time))
                }
                for (code, field) in zip([EventCode.absMTPositionX, EventCode.absMTPositionY], fields.dropFirst()) {
                    events.append(.axis(code, Int32((Double(field) ?? 0) * 10), at: time))
                }
            }
            events.append(.report(at: time))
            pipeline.feed(events[...]) { lines.append(describe($0)) }
        }
        while let deadline = pipeline.nextDeadline { pipeline.advance(to: deadline) { lines.append(describe($0)) } }
        let isIdle = pipeline.isIdle
        #expect(isIdle)
        return lines
    }

    static func summary(_ line: borrowing EventLine) -> String {
        guard let line = JSONLine("{\(line.body.text)}") else { return "?" }
        let time = Int(line.number("time_us") ?? 0) / 1000
        let gesture = "\(line["region"] ?? "").\(line["gesture"] ?? "")"
        return (["\(time)", gesture] + [line["phase"], line["reason"]].compactMap { $0 }).joined(separator: " ")
    }

    /// A finger presses the key for 500 ms. The panel loses it three times, for 25 ms each time.
    private static let flickering =
        "0 0:20,20; 100 0:-; 125 0:20.5,20; 200 0:-; 225 1:20,20.5; 350 1:-; 375 0:20,20; 500 0:-"

    @Test func oneKeystroke() throws {
        #expect(
            try Self.play(Self.flickering, regions: Self.key, bridge: "80ms") == [
                "0 key.press begin", "300 key.repeat", "400 key.repeat", "500 key.repeat", "580 key.press end",
            ])
        let today = try Self.play(Self.flickering, regions: Self.key, bridge: "off")
        #expect(today.count { $0.contains("press begin") } == 4)
    }

    /// The panel loses the finger twice, for 60 ms each time.
    @Test func longerGaps() throws {
        let script = "0 0:20,20; 40 0:-; 100 0:20,20; 130 0:-; 190 0:20,20; 210 0:-"
        let lines = try Self.play(script, regions: Self.key, bridge: "80ms")
        #expect(lines == ["0 key.press begin", "290 key.tap", "290 key.press end"])
        let today = try Self.play(script, regions: Self.key, bridge: "off")
        #expect(today.count { $0.contains("press begin") } == 3)
    }

    @Test func holdConfirms() throws {
        let gaps = (1...14).map { "\($0 * 100) 0:-; \($0 * 100 + 30) 0:70,20" }.joined(separator: "; ")
        let lines = try Self.play("0 0:70,20; \(gaps); 1600 0:-", regions: Self.key, bridge: "80ms")
        #expect(lines == ["1500 confirm.long_press begin", "1680 confirm.long_press end"])
    }

    /// A lift is reported later, but it is judged by the time at which it happened: only the times of the events differ.
    @Test(arguments: [
        (#"["tap", "double_tap"]"#, "0 0:10,10; 60 0:-; 160 0:11,10; 220 0:-"),
        (#"["press", "button"]"#, "0 0:10,10; 60 0:-; 160 0:11,10; 220 0:-"),
        (#"["tap"]"#, "0 0:10,10; 60 0:-; 130 0:20,10; 190 0:-"),
        (#"["swipe", "drag"]"#, "0 0:10,10; 20 0:20,10; 40 0:40,10; 60 0:60,10; 160 0:-"),
        // A real bounce is still a bounce.
        (#"["tap"]"#, "0 0:10,10; 60 0:-; 90 0:20,10; 150 0:-"),
        // `max_time` and `rest` are limits up to the lift.
        (#"["swipe"]"#, "0 0:10,10; 420 0:20,10; 440 0:40,10; 490 0:-"),
        (#"["swipe", "drag"]"#, "0 0:10,10; 20 0:20,10; 40 0:40,10; 200 0:-"),
        // A tap that is too short remains too short.
        (#"[{ type = "tap", min_time = "50ms" }]"#, "0 0:10,10; 40 0:-"),
        // A third tap that comes after `gap`.
        (#"["tap", "double_tap"]"#, "0 0:10,10; 50 0:-; 400 0:10,10; 450 0:-; 500 0:60,10; 550 0:-"),
        // The second landing comes after `gap`, in the frame in which the first lift is reported.
        (
            #"["tap", { type = "double_tap", gap = "60ms", wait = false }]"#,
            "0 0:10,10; 50 0:-; 125 0:20,10; 180 0:-; 220 0:10,10; 260 0:-"
        ),
        // Two fingers lift in the order opposite to that of their landings, and another one lands before they are reported.
        (#"["drag"]"#, "0 0:10,10; 20 0:20,10; 40 0:40,10 1:50,50; 60 0:60,10; 80 1:-; 100 0:-; 120 1:80,80; 140 1:-"),
        (
            #"[{ type = "two_finger_tap", max_lift_spread = "30ms" }]"#,
            "0 0:10,10; 5 1:50,10; 50 1:-; 100 0:-; 120 0:90,90; 160 0:-"
        ),
        (
            #"[{ type = "two_finger_tap", max_lift_spread = "30ms" }]"#,
            "0 0:10,10; 5 1:50,10; 50 1:-; 70 0:-; 120 0:90,90; 160 0:-"
        ),
    ])
    func judgedByTimeOfLift(gestures: String, script: String) throws {
        let regions = "[[region]]\nid = \"area\"\nshape = \"full\"\ngestures = \(gestures)\n"
        func play(_ bridge: String) throws -> [String] {
            try Self.play(script, regions: regions, bridge: bridge) { line in
                line.body.text.replacing(#/"(time_us|held_ms)":\d+/#, with: "")
            }
        }
        let today = try play("off")
        #expect(try play("80ms") == today)
    }

    /// Two quick keystrokes are not two fingers: the first one lifts before the second one lands.
    @Test func fastTyping() throws {
        let keys = """
            [[region]]
            id = "keys"
            shape = "full"
            gestures = ["tap", "two_finger_tap"]

            """
        let lines = try Self.play("0 0:20,20; 50 0:-; 70 0:40,20; 120 0:-", regions: keys, bridge: "80ms")
        #expect(lines == ["70 keys.tap", "200 keys.tap"])
    }

    /// A swipe is as fast as without `bridge`, because its `rest` (150 ms) is longer than the delay of the lift.
    @Test func swipe() throws {
        let list = "[[region]]\nid = \"list\"\nshape = \"full\"\ngestures = [\"swipe\"]\n"
        let script = "0 0:20,20; 10 0:24,20; 20 0:30,20; 30 0:36,20; 40 0:42,20; 50 0:-"
        #expect(try Self.play(script, regions: list, bridge: "80ms") == ["130 list.swipe"])
    }

    /// A landing in a private region does not affect the other regions, whose lifts are still held.
    @Test func privateRegion() throws {
        let regions =
            Self.key + """
                [[region]]
                id = "pin"
                private = true
                shape = { rect = [0, 50, 100, 50] }
                gestures = ["tap"]

                """
        let script = "0 0:20,20; 50 0:-; 60 1:20,80; 70 0:20,20; 100 1:-; 120 0:-"
        let lines = try Self.play(script, regions: regions, bridge: "80ms")
        #expect(lines == ["0 key.press begin", "180 pin.tap", "200 key.tap", "200 key.press end"])
    }

    /// If two fingers exchange their positions in one report, there is no rotation, and their tap is still recognized
    /// (RIOT-OS/RIOT#17448).
    @Test func exchangedContacts() throws {
        let regions = """
            [[region]]
            id = "map"
            shape = "full"
            gestures = ["rotate", "pinch", "two_finger_tap"]

            """
        let script = "0 0:20,20 1:80,80; 20 0:80,80 1:20,20; 40 0:20,20 1:80,80; 60 0:80,80 1:20,20; 80 0:- 1:-"
        #expect(try Self.play(script, regions: regions, bridge: "off") == ["80 map.two_finger_tap"])
    }

    private static let shared = """
        filter = { bridge = "80ms" }
        [[region]]
        id = "edge"
        touches = "TOUCHES"
        shape = { rect = [0, 0, 100, 50] }
        gestures = [{ type = "swipe", when = "threshold", consume = true }]

        """

    /// The application receives a contact that lands again only if it had received the contact before the lift.
    @Test(arguments: [
        // A gesture has taken the contact.
        ("share", "0:1,50,20; +20; 0:1,30,20; +20; 0:-; +20; 0:2,30,20; +20; 0:-; +500", ["0 +0 50,20", "60 -0"]),
        // The application has the contact.
        (
            "share", "0:1,50,20; +20; 0:-; +20; 0:2,50,20; +20; 0:-; +500",
            ["0 +0 50,20", "20 -0", "40 +0 50,20", "60 -0"]
        ),
        // The contact is undecided until it has lifted for good.
        ("hold", "0:1,50,20; +20; 0:-; +20; 0:2,51,20; +20; 0:-; +500", ["140 +0 51,20", "140 -0"]),
        // The contact is taken after it has landed again.
        ("hold", "0:1,50,20; +20; 0:-; +20; 0:2,50,20; +20; 0:2,30,20; +20; 0:-; +500", []),
    ])
    func sharing(touches: String, script: String, expected: [String]) throws {
        let heard = try SharingTests.play(Self.shared.replacing("TOUCHES", with: touches), script)
        #expect(heard.filter { !$0.contains("~") } == expected)
    }
}
