// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

@testable import GestureClient

@Suite("Swift client: a server that is no gesture daemon")
struct LyingServerTests {
    private typealias Failing = GestureClient.ClientError

    private static let hello = #"{"event":"hello","protocol":1,"server":"s","instance":"a","capabilities":["x"]}"#

    private func press(_ phase: String, _ sequence: Int, more: String = "") -> String {
        #"{"event":"gesture","seq":1,"gesture":"press","name":"press","phase":"\#(phase)","region":"ok","device":"p","#
            + #""sequence":\#(sequence),"fingers":1,"x":1.0,"y":2.0,"inside":true\#(more),"time_us":5}"#
    }

    private func state(_ sequences: Range<Int>) -> String {
        let entries = sequences.map {
            #"{"region":"ok","gesture":"press","name":"press","sequence":\#($0)}"#
        }
        return #"{"event":"state","seq":0,"devices":[{"device":"p","state":"ready"}],"active":["#
            + entries.joined(separator: ",") + "]}"
    }

    private func feed(_ session: inout Session, _ lines: String...) throws {
        for line in lines { try session.take(Array(line.utf8)) }
    }

    /// A session that has subscribed and received its first events.
    private func session() throws -> Session {
        var session = Session(path: "/nowhere")
        session.subscribe(.init())
        let id = try #require(JSONLine(String(decoding: session.greeting(), as: UTF8.self))?.number("id"))
        try feed(&session, Self.hello, #"{"reply":"subscribe","id":\#(Int(id)),"ok":true}"#, state(0..<0))
        while session.takeEvent() != nil {}
        return session
    }

    @Test("the number of gestures that never end is bounded")
    func openGestures() throws {
        var session = try session()
        var taken = 0
        #expect(throws: Failing.self) {
            for sequence in 1...100_000 {
                try feed(&session, press("begin", sequence))
                taken = sequence
            }
        }
        #expect(taken == 4096)
        session = try self.session()
        let long = press("begin", 1, more: #","later":"\#(String(repeating: "x", count: 20_000))""#)
        let cause = "a gesture's line of \(long.utf8.count) bytes; this is not a gesture daemon"
        #expect(throws: Failing.wrongProtocol(path: "/nowhere", cause: cause)) { try feed(&session, long) }
        #expect(throws: Failing.self) { try feed(&session, state(0..<5000)) }
    }

    @Test("the number of events that wait during requests is bounded, and every gesture ends")
    func waitingEvents() throws {
        var session = try session()
        try feed(&session, press("begin", 1), press("begin", 2))
        while session.takeEvent() != nil {}
        try feed(&session, press("end", 1), press("begin", 3), press("begin", 4), press("end", 4))
        let text = String(repeating: "x", count: 1000)
        var lines = 0
        #expect(throws: Failing.self) {
            while lines < 100_000 {
                try feed(&session, #"{"event":"later","text":"\#(text)"}"#)
                lines += 1
            }
        }
        #expect(lines < 40_000)
        session.lost("test")
        let rest = session.events.map { $0.gesture.map { "\($0.phase?.rawValue ?? "") \($0.sequence)" } }
        #expect(rest == ["end 1", "cancel 2", nil])
    }

    @Test("a client that takes no events stops reading, and continues when they are taken")
    func reading() throws {
        var state = ClientState(path: "/nowhere", backoff: .init())
        let stream = state.subscribe(.init())
        state.connected()
        let id = try #require(JSONLine(String(decoding: state.takeOutput(), as: UTF8.self))?.number("id"))
        try state.take(Array(Self.hello.utf8))
        try state.take(Array(#"{"reply":"subscribe","id":\#(Int(id)),"ok":true}"#.utf8))
        let line = Array(#"{"event":"later","text":"\#(String(repeating: "x", count: 1 << 20))"}"#.utf8)
        for _ in 0..<15 { try state.take(line) }
        #expect(state.wantsToRead)
        try state.take(line)
        #expect(!state.wantsToRead)
        var resumed = 0
        while case .event(_, let resumes) = state.next(stream: stream) { resumed += resumes ? 1 : 0 }
        #expect(resumed == 1)
        #expect(state.wantsToRead)
    }

    @Test("events are taken in order, for any number of waiting events")
    func order() {
        var queue = EventQueue()
        var (added, taken) = (0, 0)
        for round in 0..<5000 {
            for _ in 0..<(round < 2500 ? 3 : 0) {
                queue.append(.other(name: "\(added)", json: ""), bytes: 1)
                added += 1
            }
            for _ in 0..<2 {
                guard let event = queue.takeFirst() else { break }
                #expect(event == .other(name: "\(taken)", json: ""))
                taken += 1
            }
            #expect(queue.count == added - taken)
        }
        #expect(taken == 7500)
        #expect(queue.takeFirst() == nil && queue.bytes == 0)
    }

    @Test("a line of many values is refused before it is parsed", arguments: ["{},", "[],", "1,"])
    func values(value: String) {
        var splitter = LineSplitter()
        splitter.append(Array((String(repeating: value, count: (15 << 20) / value.utf8.count) + "\n").utf8))
        #expect(throws: ConnectionError.self) { try splitter.next() }
        splitter = LineSplitter()
        splitter.append(Array((#"{"a":[\#(String(repeating: "1,", count: 1 << 19))1]}"# + "\n").utf8))
        #expect(throws: Never.self) { try splitter.next() }
    }

    @Test("no value of any key makes the client trap")
    func wrongValues() throws {
        let lines = [
            Self.hello, state(1..<2), press("begin", 7, more: #","start":{"x":1,"y":2}"#), press("end", 7),
            #"{"event":"touches","seq":1,"device":"p","time_us":1,"given":[1],"contacts":[{"id":1,"slot":0,"x":1,"y":1}]}"#,
            #"{"event":"frame","seq":1,"device":"p","time_us":1,"events":[[3,47,1]],"resync":true}"#,
            #"{"event":"config","seq":1,"change":"scene","generation":1,"diagnostics":[{"line":1,"column":1}]}"#,
            #"{"event":"overflow","seq":1,"dropped":1,"since_ms":1}"#,
            #"{"reply":"status","id":3,"ok":false,"error":{"code":"a","message":"b","diagnostics":[{"line":1}]}}"#,
        ]
        let values = [
            "null", "true", "-1", "9223372036854775807", "-9223372036854775808", "1e308", "1.5", #""""#, #""x""#, "[]",
            "{}", "[[]]", "[null]", #"{"x":null}"#, "18446744073709551616", "1e999", "[[1,2,3e99]]",
        ]
        var taken = 0
        for line in lines {
            for place in line.matches(of: /[:\[,]("[^"]*"|[0-9.]+|true|false|\[[^\[\]]*\]|\{[^{}]*\})/) {
                for value in values {
                    var session = try session()
                    let range = place.output.1.startIndex..<place.output.1.endIndex
                    _ = try? feed(&session, line.replacingCharacters(in: range, with: value), press("end", 7))
                    session.lost("test")
                    taken += session.events.count
                }
            }
        }
        #expect(taken > 1000)
    }
}
