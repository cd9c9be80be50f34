// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

/// `gesturectl touches` with a fake daemon, on a terminal that script(1) provides.
@Suite("Touches live")
struct TouchesTests {
    private static let devices =
        #"{"reply":"devices","id":2,"ok":true,"devices":[{"device":"panel","state":"ready","output":{"width":800,"height":400,"width_mm":80.0,"height_mm":40.0,"rotation":0}}]}"#
    private static let missing =
        #"{"reply":"devices","id":2,"ok":true,"devices":[{"device":"panel","state":"gone"}]}"#
    private static let touches =
        #"{"event":"touches","seq":1,"device":"panel","time_us":1000,"contacts":[{"id":7,"slot":3,"x":400.0,"y":200.0,"region":"old"}]}"#

    private static func regions(_ name: String) -> String {
        #"{"reply":"regions","id":2,"ok":true,"regions":[{"region":"\#(name)","device":"panel","shape":{"rect":[0,0,800,400]},"gestures":[]}]}"#
    }

    /// - Parameters:
    ///   - change: a line that is sent after the first touches.
    ///   - later: the reply to the second `devices` request. The daemon disconnects after the last reply.
    ///   - meanwhile: lines that are sent before the reply to the second `regions` request.
    private func show(_ change: String, then later: String, meanwhile: [String] = []) throws -> (
        status: Int32, output: String, requests: [String]
    ) {
        let (first, changed, early) = (Countdown(1), Flag(), Countdown(meanwhile.isEmpty ? 0 : 1))
        let daemon = try FakeDaemon { request in
            if request.contains("subscribe") {
                return .init(RecordTests.subscribed, Self.touches, change)
            }
            if request.contains("regions") {
                var answer = FakeDaemon.Answer(Self.regions(changed.isSet ? "new" : "old"))
                if changed.isSet, early.tick() {
                    answer = .init(Self.regions("between"))
                    answer.lines = meanwhile + answer.lines
                } else {
                    answer.hangsUp = changed.isSet
                }
                return answer
            }
            if first.tick() { return .init(Self.devices) }
            changed.set()
            var answer = FakeDaemon.Answer(later)
            answer.hangsUp = later == Self.missing
            return answer
        }
        let command = "\(BuildProducts.program("gesturectl")) touches --socket \(daemon.path)"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/script")
        process.arguments = ["-qefc", command, "/dev/null"]
        process.environment = ["PATH": "/usr/bin:/bin", "TERM": "xterm"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: text, as: UTF8.self), daemon.requests)
    }

    @Test("changed regions are shown at once, and the terminal is restored")
    func regions() throws {
        let seen = try show(#"{"event":"config","seq":2,"change":"applied","generation":2}"#, then: Self.devices)
        #expect(seen.status == 69)
        let pictures = seen.output.components(separatedBy: "\u{1B}[H")
        #expect(pictures.contains { $0.contains("old") && $0.contains("slot 3") })
        #expect(pictures.last?.contains("new") == true)
        #expect(pictures.last?.contains("slot 3") == true)
        #expect(seen.output.contains("\u{1B}[?1049h"))
        #expect(seen.output.contains("\u{1B}[?25h\u{1B}[?1049l"))
        #expect(seen.requests.first { $0.contains("subscribe") }?.contains(#"["touches","config","device"]"#) == true)
    }

    @Test("a lift and another change during its queries are not lost")
    func meanwhile() throws {
        let change = #"{"event":"config","seq":2,"change":"applied","generation":2}"#
        let lift = #"{"event":"touches","seq":3,"device":"panel","time_us":2000,"contacts":[]}"#
        let other = lift.replacing("\"panel\"", with: "\"other\"").replacing(
            "[]", with: #"[{"id":8,"slot":5,"x":1,"y":1}]"#)
        let seen = try show(change, then: Self.devices, meanwhile: [lift, other, change])
        let pictures = seen.output.components(separatedBy: "\u{1B}[H")
        #expect(pictures.contains { $0.contains("slot 3") })
        #expect(pictures.last?.contains("slot") == false)
        #expect(pictures.last?.contains("new") == true)
        #expect(seen.requests.count { $0.contains("devices") } == 3)
    }

    @Test("ends by a signal while its terminal is blocked", arguments: [SIGTERM, SIGINT])
    func unread(signal: CInt) throws {
        let terminal = try PseudoTerminal()
        let other = FileHandle(fileDescriptor: open(terminal.path, O_RDWR | O_NOCTTY), closeOnDealloc: true)
        let daemon = try FakeDaemon { request in
            if request.contains("subscribe") {
                // The pictures are larger than a terminal's buffer.
                var answer = FakeDaemon.Answer(RecordTests.subscribed)
                answer.lines += (0..<200).map { _ in Self.touches }
                return answer
            }
            return .init(request.contains("regions") ? Self.regions("old") : Self.devices)
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: BuildProducts.program("gesturectl"))
        process.arguments = ["touches", "--socket", daemon.path]
        process.standardOutput = other
        process.standardInput = FileHandle.nullDevice
        try process.run()
        // The tool is blocked if it no longer writes, although its output is unread.
        var waiting: CInt = 0
        waitUntil {
            _ = ioctl(terminal.reader.fileDescriptor, UInt(FIONREAD), &waiting)
            return waiting >= 1000
        }
        #expect(waiting >= 1000)
        kill(process.processIdentifier, signal)
        let hasEnded = waitUntil { !process.isRunning }
        #expect(hasEnded)
        if !hasEnded { kill(process.processIdentifier, SIGKILL) }
    }

    @Test("an unplugged panel is reported")
    func unplugged() throws {
        let seen = try show(#"{"event":"device","seq":2,"change":"removed","device":"panel"}"#, then: Self.missing)
        #expect(seen.output.components(separatedBy: "\u{1B}[H").last?.contains("panel: not ready") == true)
    }
}

/// A flag that can only be set.
private final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var value = false

    var isSet: Bool { lock.withLock { value } }

    func set() { lock.withLock { value = true } }
}
