// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

/// Plays recordings on a fake uinput, whose node is a file that this test has open, as a compositor would.
@Suite("gesturectl play")
struct PlayTests {
    private static let description = """
        # EVEMU 1.3
        N: Glass
        I: 0018 0001 0002 0003
        P: 02 00 00 00 00 00 00 00
        A: 2f 0 4 0 0 0
        A: 35 0 1999 4 0 10
        A: 36 0 999 4 0 10
        A: 39 0 65535 0 0 0

        """
    /// A tap, and a finger that still rests at the end.
    private static let events: [(microseconds: Int64, code: UInt16, value: Int32)] = [
        (0, 0x39, 5), (0, 0x35, 100), (0, 0x36, 200), (0, 0, 0), (41_234, 0x39, -1), (41_234, 0, 0),
        (90_001, 0x2f, 3), (90_001, 0x39, 6), (90_001, 0x35, 150), (90_001, 0, 0),
    ]

    private static func recording(_ events: [(microseconds: Int64, code: UInt16, value: Int32)]) -> String {
        description
            + events.map { event in
                let time = event.microseconds + 3_000_000
                let parts = String(time % 1_000_000)
                let type = event.code == 0 ? "0000" : "0003"
                let code = String(event.code, radix: 16)
                return "E: \(time / 1_000_000)." + String(repeating: "0", count: 6 - parts.count) + parts
                    + " \(type) \(String(repeating: "0", count: 4 - code.count))\(code) \(event.value)\n"
            }.joined()
    }

    private let folder: ScratchFolder
    private let recording: String

    init() throws {
        folder = try ScratchFolder()
        recording = try folder.write(Self.recording(Self.events), to: "panel.evemu")
        try folder.write("", to: "node")
    }

    private func environment(_ uinput: FakeMachine.Uinput? = nil) throws -> [String: String] {
        let machine = try FakeMachine(in: folder, uinput: uinput ?? .file(folder("uinput")), node: folder("node"))
        return try machine.environment(over: [
            "PATH": "/usr/bin:/bin", "GESTURED_SOCKET": folder("none"),
        ])
    }

    private func written() -> [(time: Int64, type: UInt16, code: UInt16, value: Int32)] {
        ((try? Data(contentsOf: URL(fileURLWithPath: folder("uinput")))) ?? Data()).inputEvents
    }

    private func devices() throws -> String { try String(contentsOfFile: folder("uinput.log"), encoding: .utf8) }

    @Test("writes the recording's events at its times, lifts what is left, and removes the panel")
    func plays() throws {
        let reader = try #require(FileHandle(forReadingAtPath: folder("node")))
        let outcome = try Tool.run(["play", recording, "--stay", "1ms"], environment: environment())
        withExtendedLifetime(reader) {}
        #expect(outcome.status == 0, "\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.first == "\(folder("node")): \"Glass\"")
        #expect(lines.dropFirst().first?.hasPrefix("read by ") == true)
        #expect(lines.last == "played 2 touches in 0.1 s")
        let written = written()
        let start = try #require(written.first?.time)
        let expected = Self.events.map { "\($0.microseconds) \($0.code) \($0.value)" }
        #expect(written.map { "\($0.time - start) \($0.code) \($0.value)" }.prefix(expected.count) == expected[...])
        #expect(written.dropFirst(expected.count).map { "\($0.code) \($0.value)" } == ["47 3", "57 -1", "0 0"])
        #expect(try devices() == "made gesturectl/play Glass\nremoved gesturectl/play\n")
    }

    @Test("shortens pauses without a touch, but no touch")
    func shortens() throws {
        let reader = try #require(FileHandle(forReadingAtPath: folder("node")))
        let outcome = try Tool.run(
            ["play", recording, "--stay", "1ms", "--max-gap", "10ms"], environment: environment())
        withExtendedLifetime(reader) {}
        #expect(outcome.status == 0, "\(outcome.errors)")
        let written = written()
        let start = try #require(written.first?.time)
        let reports = written.filter { $0.type == 0 }.map { $0.time - start }
        #expect(reports.prefix(3) == [0, 41_234, 51_234])
    }

    @Test("moves the slots to where they were when the recording began, before anybody reads")
    func start() throws {
        let notes = "# gestured: format 1\n# gestured: slot 0 0 0\n# gestured: slot 1 70 80\n"
        let text = Self.recording(Self.events).replacing("N: Glass", with: notes + "N: Glass")
        let path = try folder.write(text, to: "noted.evemu")
        // Nobody reads, so nothing else is written.
        let outcome = try Tool.run(["play", path, "--wait", "1ms"], environment: environment())
        // Only root sees that nobody reads.
        #expect(getuid() == 0 ? outcome.status == 124 : outcome.status == 0, "\(outcome.errors)")
        let begin = written().prefix(5).map { "\($0.code) \($0.value)" }
        #expect(begin == ["47 1", "53 70", "54 80", "47 0", "0 0"])
        #expect(try devices() == "made gesturectl/play Glass\nremoved gesturectl/play\n")
    }

    @Test("when it is terminated, touches lift and the panel is removed", arguments: [SIGTERM, SIGINT, SIGHUP])
    func terminated(signal: Int32) throws {
        let reader = try #require(FileHandle(forReadingAtPath: folder("node")))
        var long = Array(Self.events.prefix(4))
        long.append((3_600_000_000, 0x39, -1))
        long.append((3_600_000_000, 0, 0))
        let path = try folder.write(Self.recording(long), to: "long.evemu")
        let child = try ChildProcess(
            [BuildProducts.program("gesturectl"), "play", path], environment: environment())
        #expect(waitUntil { written().count == 4 })
        child.signal(signal)
        #expect(try child.waitForExit() == .killed(signal: signal))
        withExtendedLifetime(reader) {}
        #expect(written().dropFirst(4).map { "\($0.code) \($0.value)" } == ["47 0", "57 -1", "0 0"])
    }

    @Test(
        "says why there is no panel, and what helps",
        arguments: [
            (FakeMachine.Uinput.denied, 77, "run it with sudo"), (.none, 73, "modprobe uinput"),
            (.refusing, 65, "the kernel refuses this panel"),
        ])
    func refused(uinput: FakeMachine.Uinput, status: Int32, words: String) throws {
        let outcome = try Tool.run(["play", recording], environment: environment(uinput))
        #expect(outcome.status == status)
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
    }

    @Test(
        "refuses recordings without a panel or without touches",
        arguments: [
            ("A: 35 0 1999 4 0 10\n", "", "is no panel that can be played"), ("A: 2f 0 4", "A: 2f 0 999", "slots"),
            ("N: Glass\n", "", "panel.evemu"),
        ])
    func unusable(old: String, new: String, words: String) throws {
        let path = try folder.write(Self.recording(Self.events).replacing(old, with: new), to: "panel.evemu")
        let outcome = try Tool.run(["play", path], environment: environment())
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
        let empty = try folder.write(Self.description, to: "empty.evemu")
        #expect(try Tool.run(["play", empty], environment: environment()).status == 65)
    }

    private static let panel = """
        version = 1
        [[device]]
        id = "left"
        match = { name = "*Goodix ?*", vendor = 0x1234 }
        output = { size = [800, 480], size_mm = [160, 96], rotation = 90 }
        [[region]]
        id = "ok"
        shape = { rect = [0, 0, 100, 100] }
        gestures = ["tap"]

        """

    /// Writes touches to a node that this test reads.
    /// - Returns: what the tool has printed, and the values of the x and y axes that were written.
    private func play(_ arguments: [String]) throws -> (Tool.Outcome, x: [Int32], y: [Int32]) {
        let reader = try #require(FileHandle(forReadingAtPath: folder("node")))
        let outcome = try Tool.run(["play", "--stay", "1ms"] + arguments, environment: environment())
        withExtendedLifetime(reader) {}
        let written = written()
        return (
            outcome, written.filter { $0.code == 0x35 }.map(\.value), written.filter { $0.code == 0x36 }.map(\.value)
        )
    }

    @Test("plays touches on a panel that the configuration matches, also from a file")
    func touches() throws {
        let panel = try folder.write(Self.panel, to: "panel.toml")
        let file = try folder.write("tap ok", to: "one.touch")
        for touches in ["down a 20,40; +50ms; up a", file] {
            let (outcome, x, y) = try play(["-c", panel, touches])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output.hasPrefix("\(folder("node")): \"Goodix x\"\n"), "\(outcome.output)")
            #expect(outcome.output.hasSuffix("played 1 touch in 0.1 s\n") || touches == file, "\(outcome.output)")
            // The panel is turned, and has 1024 units in a pixel.
            let isNear = zip(x, y).allSatisfy {
                $0 < 100 * 1024 && $1 > 380 * 1024 || $0 > 700 * 1024 && $1 < 100 * 1024
            }
            #expect(!x.isEmpty && (isNear || touches == file), "\(x) \(y)")
            try FileManager.default.removeItem(atPath: folder("uinput"))
        }
    }

    @Test("with a size, plays touches also without a configuration, on a panel with a unit for each pixel")
    func sized() throws {
        let empty = try folder.write("version = 1\n", to: "empty.toml")
        for configuration in [[], ["-c", empty]] {
            let (outcome, x, y) = try play(configuration + ["--size", "1280x800", "down a 90%,10%; up a"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(x == [1152] && y == [80], "\(x) \(y)")
            try FileManager.default.removeItem(atPath: folder("uinput"))
        }
    }

    @Test("says where a mistake in touches is")
    func mistakes() throws {
        let outcome = try Tool.run(["play", "--size", "100x100", "tap here now"], environment: environment())
        #expect(outcome.status == 65 && outcome.errors.contains("touches:1:"), "\(outcome.errors)")
        #expect(try Tool.run(["play", folder("none")], environment: environment()).status == 66)
    }

    @Test("a daemon that is named must be there")
    func daemon() throws {
        let outcome = try Tool.run(["play", recording, "--socket", folder("none")], environment: environment())
        #expect(outcome.status == 69)
        #expect(outcome.output.isEmpty)
    }
}
