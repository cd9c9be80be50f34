// SPDX-License-Identifier: MIT
import ContactTracking
import Foundation
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureTestSupport
import Recordings
import Testing
import TouchScripts

@Suite("Touches as text")
struct TouchScriptTests {
    static let configuration = """
        version = 1
        [[device]]
        id = "panel"
        match = { name = "*" }
        [[region]]
        id = "list"
        shape = { rect = [0, 100, 600, 600] }
        gestures = [{ type = "drag", axis = "vertical" }]
        [[region]]
        id = "row"
        parent = "list"
        shape = { rect = [0, 0, 600, 150] }
        gestures = ["button"]
        [[region]]
        id = "under"
        shape = { rect = [700, 100, 100, 100] }
        gestures = ["tap"]
        [[region]]
        id = "over"
        shape = { rect = [690, 90, 120, 120] }
        gestures = ["tap"]
        [[region]]
        id = "pad"
        shape = { rect = [900, 400, 300, 300] }
        gestures = [{ type = "stroke", name = "L", points = [[0, 0], [0, 2], [1, 2]] }]
        [[scene]]
        id = "locked"
        regions = ["list"]
        """
    private static let size = PanelSize(
        widthPixels: 1280, heightPixels: 800, widthMillimeters: 256, heightMillimeters: 160)

    private static func setup(
        _ rotation: OutputSettings.Rotation = .none, scene: String? = nil
    ) throws -> PanelSetup {
        var configuration = try #require(ConfigurationReader.read(configuration, path: "test").configuration)
        if let scene {
            var runtime = configuration.runtime
            runtime.scene = scene
            configuration = configuration.applying(runtime)
        }
        var rule = try #require(configuration.devices.first)
        rule.output.rotation = rotation
        return PanelSetup(virtual: configuration, rule: rule, size: size)
    }

    private static func recording(
        _ text: String, _ setup: PanelSetup? = nil, by hand: Hand = .steady, seed: UInt64 = 1
    ) throws -> Recording {
        try ScriptPlayer.recording(of: TouchScript([text]), on: setup ?? Self.setup(), by: hand, seed: seed)
    }

    /// The changes of the contacts as the daemon sees them, with times in microseconds.
    private static func changes(_ recording: Recording, _ setup: PanelSetup) -> [(time: Int64, change: ContactChange)] {
        var tracker = SlotTracker(
            recording.description, protocol: setup.touchProtocol, mapping: setup.mapping, filter: setup.filter)
        return recording.events.flatMap { event in
            tracker.feed(event) ? tracker.frame.changes.map { (tracker.frame.time.microseconds, $0) } : []
        }
    }

    @Test("land where they say, however the panel is turned", arguments: OutputSettings.Rotation.allCases)
    func places(rotation: OutputSettings.Rotation) throws {
        let setup = try Self.setup(rotation)
        let recording = try Self.recording(
            "down a 1,2 & down b 1279,799; +90ms; move a 20mm,30.5mm; +1ms; move b 50%,25%; up a & up b; down c 10,10 of row",
            setup)
        let changes = Self.changes(recording, setup)
        let points = changes.map { Point(x: $0.change.position.x * 5, y: $0.change.position.y * 5) }
        #expect(
            points == [
                Point(x: 1, y: 2), Point(x: 1279, y: 799), Point(x: 100, y: 152.5), Point(x: 640, y: 200),
                Point(x: 100, y: 152.5), Point(x: 640, y: 200), Point(x: 10, y: 110),
            ])
        #expect(changes.map(\.time) == [0, 0, 90_000, 91_000, 91_000, 91_000, 91_000])
    }

    /// Each mistake, its column, and a part of the message.
    @Test(
        "that cannot be read are refused with place and cure",
        arguments: [
            ("tab row", 1, "did you mean \"tap\""), ("tap rov", 5, "did you mean \"row\""),
            ("tap", 1, "needs a region or a position"), ("swipe list", 1, "needs a place, and a direction"),
            ("pinch at list", 1, "needs a factor"), ("turn list", 1, "needs an angle"), ("draw", 1, "needs the name"),
            ("draw M", 1, "there are L"), ("tap 2000,10", 5, "outside the panel"), ("tap 10,1e4x", 5, "not a position"),
            ("move a 1,1", 1, "is not down"), ("down a 1,1; down a 2,2", 13, "down already"),
            ("tap row list", 9, "one word too many"), ("tap row twice", 9, "number of times"),
            ("tap 50% 50%", 1, "no length"), ("swipe left", 1, "needs a place"), ("hold 800 row", 6, "need a unit"),
            ("+5", 1, "is not a time"),
            ("+-5ms", 1, "is not a time"), ("tap row with 11 fingers", 14, "not 1 to 10"),
            ("tap row 101 times", 9, "not 1 to 100"), ("tap row in", 9, "needs a time"),
            ("down a 1,1 & tap row", 18, "but not both"), ("tap row &", 9, "is missing"),
            ("tap \"row", 5, "is missing"),
            ("  ", 1, "there are no touches"), ("tap under", 5, "other regions cover it"),
            ("tap row to list", 1, "no destination"), ("pinch 2x at row with 3 fingers", 1, "no number of fingers"),
            ("down a 1,1; cancel a size", 22, "write palm"), ("tap row; +1h; +1h", 10, "more than an hour"),
            ("tap row with 6 fingers & tap list with 5 fingers", 1, "no more than 10"),
            ("up a 1,1 2,2", 10, "too many"), ("tap row by nothing", 9, "needs a time"),
            ("turn 720deg at pad in 60ms", 1, "this fast"),
            ("draw left,up", 1, "need a place"), ("turn 90deg at pad with 3 fingers", 1, "one or two fingers"),
            ("swipe left from row to 5,5", 1, "exclude each other"),
            ("tap row 100 times in 3600s", 1, "more than an hour"),
        ] as [(String, Int, String)])
    func mistakes(text: String, column: Int, part: String) throws {
        let error = #expect(throws: ScriptError.self) { try Self.recording(text) }
        #expect(error?.message.contains(part) == true, "\(text): \(error?.message ?? "")")
        #expect(error?.position == TextPosition(column: column), "\(text)")
    }

    @Test("name the line and the text of a mistake")
    func position() {
        let error = #expect(throws: ScriptError.self) { try TouchScript(["tap a", "# no touch\n\n  tap; tap b"]) }
        #expect(error?.position == TextPosition(text: 1, line: 3, column: 3))
    }

    @Test("may have the line ends of Windows")
    func lineEnds() throws {
        let text = "tap row # first\n\n+2s\n\ttap pad\n"
        #expect(try Self.recording(text.replacing("\n", with: "\r\n")) == Self.recording(text))
        let error = #expect(throws: ScriptError.self) { try TouchScript(["# one\r\ntap a\r\ntab b"]) }
        #expect(error?.position == TextPosition(line: 3))
    }

    @Test("turn by the angle that they say", arguments: [-45.0, 90, 720, 3600])
    func turns(angle: Double) throws {
        let setup = try Self.setup()
        let changes = Self.changes(try Self.recording("turn \(angle)deg at pad", setup), setup)
        var points: [ContactID: Point] = [:]
        var (last, turned): (Double?, Double) = (nil, 0)
        for (_, change) in changes {
            points[change.id] = change.position
            guard points.count == 2, let first = points.keys.min(), let second = points.keys.max() else { continue }
            guard let a = points[first], let b = points[second] else { continue }
            let now = atan2(b.y - a.y, b.x - a.x) * 180 / .pi
            if let last { turned += (now - last).remainder(dividingBy: 360) }
            last = now
        }
        #expect(abs(turned - angle) < 3, "\(turned)")
    }

    @Test("in a region that is off are refused")
    func hidden() throws {
        let locked = try Self.setup(scene: "locked")
        let error = #expect(throws: ScriptError.self) { try Self.recording("tap pad", locked) }
        #expect(error?.message.contains("--scene") == true)
    }

    @Test("of people are the same for the same seed, and differ for another one", arguments: Hand.allCases)
    func seeds(hand: Hand) throws {
        let text = "tap row; swipe up from list; draw L; two-finger-tap pad"
        let first = try Self.recording(text, by: hand)
        #expect(try Self.recording(text, by: hand) == first)
        #expect(try Self.recording(text, by: hand, seed: 2) != first)
    }

    @Test("are ordered, stay on the glass, and lift all fingers", arguments: Hand.allCases)
    func order(hand: Hand) throws {
        let setup = try Self.setup()
        let words = [
            "tap 0,0", "hold 2s 1279,799", "swipe up 500mm from list", "drag list to 0,0", "pinch 10x at 10,10",
            "pinch 0.1x at list", "turn 3600deg at pad", "turn -30deg at 0,0", "draw L by 400mm",
            "tap pad with 10 fingers",
            "tap row 20 times in 5ms", "tap row & tap pad & swipe left from 1000,300",
        ]
        for (number, text) in words.enumerated() {
            let recording = try Self.recording(text, by: hand, seed: UInt64(number))
            let times = recording.events.map(\.time)
            #expect(times == times.sorted(), "\(text)")
            var down: Set<ContactID> = []
            for (_, change) in Self.changes(recording, setup) {
                #expect(setup.size.bounds.contains(change.position), "\(text)")
                if change.kind == .landed { down.insert(change.id) }
                if change.kind == .lifted { down.remove(change.id) }
            }
            #expect(down.isEmpty && !recording.entries.isEmpty, "\(text)")
        }
    }
}
