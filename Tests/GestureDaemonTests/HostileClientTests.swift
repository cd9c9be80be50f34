// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

/// The lines that a good client of the real daemon reads while hostile clients act.
@Suite("Daemon: hostile clients", .serialized)
struct HostileClientTests {
    @Test("change no byte of a good client's stream", arguments: HostileClient.kinds)
    func one(kind: String) throws {
        #expect(try Self.stream(beside: [kind]) == Self.alone.get())
    }

    @Test("change none together, either")
    func all() throws {
        #expect(try Self.stream(beside: HostileClient.kinds) == Self.alone.get())
    }

    /// The lines without hostile clients. Every touch has its `begin` and its `end`.
    private static let alone = Result<[String], any Error> {
        let lines = try stream(beside: [])
        #expect(lines.count > 8 * bouts * touches)
        return lines
    }

    private static let bouts = 2
    private static let touches = 20

    /// The start time of the touches in all runs. It is ahead of the clock, so that only the touches' own times
    /// fire deadlines.
    private static let start = Result<Int64, any Error> {
        let folder = try ScratchFolder()
        let panel = try FakePanel(in: folder)
        try panel.add()
        return try panel.now() + 3_600_000_000
    }

    /// The lines of gestures that reach a client with a subscription to all of them.
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
        // The replies to `reload` name the files, whose folder differs in each run.
        return good.lines.transcript[first...].filter { !$0.hasPrefix("{\"reply\":\"reload\"") }
    }

    /// Reloads during the attacks: a file that is nested too deeply is refused, and an unchanged one has no effect.
    private static func reload(_ daemon: DaemonProcess, _ good: SocketClient) throws {
        for text in [deep, configuration] {
            try daemon.configure(text)
            try #expect(good.request(#"{"cmd":"reload","id":2}"#).flag("ok") == (text == configuration))
        }
    }

    /// `""""` closes a string with one quote more.
    private static let deep =
        configuration + "x = { b = \"\"\"y\"\"\"\", c" + String(repeating: ".c", count: 50_000) + " = 1 }\n"

    /// A finger drags, then another one taps. Waits for the last line: the client is never late.
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

    /// Hostile users may lease regions. There are many more regions, where nothing is touched.
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
