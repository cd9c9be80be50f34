// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

/// Lines that a well-behaved client of the real daemon receives while hostile clients attack.
@Suite("Daemon: hostile clients", .serialized)
struct HostileClientTests {
    @Test("change no byte of a good client's stream", arguments: HostileClient.kinds)
    func one(kind: String) throws {
        #expect(try Self.stream(beside: [kind]) == Self.alone.get())
    }

    @Test("all kinds together change no byte either")
    func all() throws {
        #expect(try Self.stream(beside: HostileClient.kinds) == Self.alone.get())
    }

    /// The lines received without hostile clients. They contain a `begin` and an `end` for every touch.
    private static let alone = Result<[String], any Error> {
        let lines = try stream(beside: [])
        #expect(lines.count > 8 * bouts * touches)
        return lines
    }

    private static let bouts = 2
    private static let touches = 20

    /// The time of the first touch, the same in all runs. It is in the future, so that deadlines expire only because
    /// of the times of the touches, not because of the clock.
    private static let start = Result<Int64, any Error> {
        let folder = try ScratchFolder()
        let panel = try FakePanel(in: folder)
        try panel.add()
        return try panel.now() + 3_600_000_000
    }

    /// Touches the panel while clients of `kinds` attack, and returns the lines that the well-behaved client
    /// receives.
    private static func stream(beside kinds: [String]) throws -> [String] {
        let harness = try PanelHarness(configuration)
        let good = try harness.daemon.connect()
        try good.request(#"{"cmd":"subscribe","id":1,"events":["gesture"]}"#)
        try good.wait(for: "state")
        let hostile = try kinds.enumerated().map {
            try HostileClient($1, at: harness.daemon.socketPath, user: firstUser + $0)
        }
        let first = good.lines.transcript.count
        var time = try start.get()
        for bout in 0..<bouts {
            for touch in 0..<touches { try self.touch(bout * touches + touch, harness.panel, good, &time) }
            for client in hostile { #expect(try client.waitForBout() > 0) }
            if bout == 0 { try reload(harness.daemon, good) }
        }
        #expect(try harness.daemon.stop() == .exited(0))
        try good.lines.waitForEnd()
        // Removes replies to `reload`: they contain file names, and the folder differs between runs.
        return good.lines.transcript[first...].filter { !$0.hasPrefix("{\"reply\":\"reload\"") }
    }

    /// Reloads during the attacks. The daemon must refuse the file that is nested too deeply. Reloading the unchanged
    /// file has no effect.
    private static func reload(_ daemon: DaemonProcess, _ good: SocketClient) throws {
        for text in [deep, configuration] {
            try daemon.configure(text)
            try #expect(good.request(#"{"cmd":"reload","id":2}"#).flag("ok") == (text == configuration))
        }
    }

    /// In TOML, `""""` at the end of a multi-line string is a quotation mark followed by the closing delimiter.
    private static let deep =
        configuration + "x = { b = \"\"\"y\"\"\"\", c" + String(repeating: ".c", count: 50_000) + " = 1 }\n"

    /// One finger drags, then another one taps. Waits for the last line, so that the client never lags behind.
    private static func touch(_ number: Int, _ panel: FakePanel, _ good: SocketClient, _ time: inout Int64) throws {
        func step(_ milliseconds: Int64) throws {
            time += milliseconds * 1000
            try panel.at(time)
        }
        let y = 300 + number * 37 % 3000
        try step(500)
        try panel.land(0, id: 2 * number, x: 300, y: y)
        for move in 1...4 {
            try step(10)
            try panel.move(0, x: 300 + 250 * move, y: y + 11 * move)
        }
        try step(10)
        try panel.lift(0)
        try step(20)
        try panel.land(1, id: 2 * number + 1, x: 3000, y: y)
        try step(40)
        try panel.lift(1)
        try good.wait(for: "gesture press end button")
    }

    private static let firstUser = 60_001

    /// Grants hostile users the right to define regions. Adds a hundred regions that no touch hits.
    private static let configuration =
        TestConfiguration.panel + """
            [access]
            define_uids = [\((0..<HostileClient.kinds.count).map { "\(firstUser + $0)" }.joined(separator: ", "))]
            define_limit = 256
            [filter]
            storm = { contacts_per_second = 10000, quiet = "1ms" }
            max_contact_age = "off"
            [[region]]
            id = "map"
            shape = { rect = ["0%", "0%", "50%", "100%"] }
            gestures = ["drag", "swipe"]
            [[region]]
            id = "button"
            shape = { rect = ["50%", "0%", "50%", "100%"] }
            gestures = ["press", "tap"]

            """
        + (0..<100).map { number in
            """
            [[region]]
            id = "small_\(number)"
            shape = { rect = [\(number * 10), 840, 5, 5] }
            gestures = ["tap"]

            """
        }.joined()
}
