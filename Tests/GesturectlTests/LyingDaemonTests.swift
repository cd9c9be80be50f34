// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

/// A malicious daemon sends extreme values.
@Suite("With a malicious daemon")
struct LyingDaemonTests {
    /// The smallest and the largest numbers, their neighbours, and values that are not valid times.
    private static let numbers = [
        "-9223372036854775808", "9223372036854775807", "-1", "0", "4503599627370497", "-9223372036854775807", "1e308",
        "-1e308", "1.5", "\"x\"", "null",
    ]

    private static let devices =
        #"{"reply":"devices","id":1,"ok":true,"devices":[{"device":"panel","state":"ready","output":{"width":1e308,"height":-5,"width_mm":0,"height_mm":1e308,"rotation":9223372036854775807}}]}"#
    private static let regions =
        #"{"reply":"regions","id":1,"ok":true,"regions":[{"region":"ok","device":"panel","z":-9223372036854775808,"margin":-1e308,"shape":{"rect":[-1e308,1e308,1e308,1e308]},"gestures":[{"gesture":"tap","name":"tap"}]}]}"#

    private static func describe(_ a: String, _ b: String) -> String {
        let axes =
            "[[0,\(a),\(b),0,0,0,0],[53,\(b),\(a),0,0,\(a),0],[54,0,\(b),0,0,\(b),0],[47,0,\(b),0,0,0,0],[57,0,65535,0,0,0,0]]"
        return
            #"{"reply":"describe","id":5,"ok":true,"device":"panel","idle":true,"description":{"name":"p","phys":"","id":[3,1,2,\#(a)],"properties":[1,\#(b)],"keys":[330],"axes":\#(axes),"udev":{"ID_INPUT_TOUCHSCREEN":"1"},"slots":[[\#(a),\#(b)]]},"next_contact":\#(a),"next_sequence":\#(b)}"#
    }

    /// Events of each kind with each pair of numbers.
    private static var events: [String] {
        numbers.flatMap { a in
            numbers.flatMap { b in
                [
                    #"{"event":"touches","seq":1,"device":"panel","time_us":\#(a),"contacts":[{"id":\#(b),"slot":\#(a),"x":\#(b),"y":\#(a),"region":"ok"}],"ignored":[{"slot":\#(b),"x":\#(a),"y":\#(b),"filter":"palm"}]}"#,
                    #"{"event":"frame","seq":\#(a),"device":"panel","time_us":\#(b),"events":[[3,47,\#(a)],[3,57,\#(b)],[0,0,0]]}"#,
                    #"{"event":"gesture","seq":\#(b),"gesture":"tap","name":"tap","region":"ok","device":"panel","sequence":\#(a),"fingers":\#(b),"count":\#(b),"x":\#(a),"y":\#(b),"duration_ms":\#(a),"time_us":\#(b)}"#,
                    #"{"event":"failed","seq":\#(a),"gesture":"tap","name":"tap","region":"ok","device":"panel","sequence":\#(b),"reason":"too_long","value":\#(a),"limit":\#(b),"time_us":\#(a)}"#,
                    #"{"event":"touches","seq":1,"device":"panel","time_us":\#(b),"contacts":[],"ignored":[]}"#,
                    #"{"event":"overflow","seq":\#(a),"dropped":\#(b),"since_ms":\#(a)}"#,
                ]
            }
        }
    }

    private static func answer(_ request: String, _ a: String, _ b: String) -> FakeDaemon.Answer {
        if request.contains("subscribe") {
            return .init(#"{"reply":"subscribe","id":1,"ok":true}"#.replacing("\"id\":1", with: id(of: request)))
        }
        if request.contains("regions") { return .init(regions.replacing("\"id\":1", with: id(of: request))) }
        if request.contains("devices") { return .init(devices.replacing("\"id\":1", with: id(of: request))) }
        if request.contains("describe") { return .init(describe(a, b)) }
        return .init(
            #"{"reply":"status","ok":true,"uptime_ms":\#(a),"config":{"generation":\#(b),"errors":\#(a)},"longest_turn_us":\#(b),"frames":\#(a)}"#
        )
    }

    private static func id(of request: String) -> String {
        request.firstMatch(of: /"id":[0-9]+/).map { String($0.0) } ?? "\"id\":1"
    }

    @Test("no number makes the tool trap", arguments: ["explain", "explain --json", "touches", "record -o -"])
    func numbers(command: String) throws {
        for (a, b) in [("9223372036854775807", "-9223372036854775808"), ("0", "9223372036854775807"), ("0", "1")] {
            let last = command.hasPrefix("explain") ? "status" : command == "touches" ? "subscribe" : "describe"
            let daemon = try FakeDaemon { request in
                var answer = Self.answer(request, a, b)
                guard request.contains("\"\(last)\"") else { return answer }
                answer.lines += Self.events
                answer.hangsUp = true
                return answer
            }
            let outcome = try Tool.run(command.split(separator: " ").map { String($0) } + ["--socket", daemon.path])
            #expect(![SIGILL, SIGTRAP, SIGSEGV, SIGABRT].contains(outcome.status), "\(outcome.errors)")
            #expect(!outcome.errors.contains("Fatal error"))
        }
    }
}
