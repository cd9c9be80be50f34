// SPDX-License-Identifier: MIT
import StreamVerifier

/// The tests replace the body of an event with a short stub. `keep` puts the body of a real event back, and
/// stores the line for `scripts/check-lines`, which checks the part that the server has added.
enum StubLines {
    static func keep(_ line: String) {
        guard let archive = LineArchive.shared else { return }
        if let real = real(line) { archive.keep(real) }
    }

    /// The line with a real body; `nil` if the line consists only of values made up by the tests.
    private static func real(_ line: String) -> String? {
        guard let stub = line.range(of: ",\"n\":") else {
            // The tests' delegate makes up these replies.
            let isMadeUp = line.hasPrefix("{\"reply\":\"") && line.contains("\"ok\":true")
            let own = ["ping", "state", "subscribe", "clients"].contains { line.hasPrefix("{\"reply\":\"\($0)\"") }
            return isMadeUp && !own ? nil : line
        }
        let head = line[..<stub.lowerBound]
        guard let event = head.split(separator: "\"").dropFirst(2).first(where: { $0 != ":" }),
            let body = bodies["\(event)"]
        else { return nil }
        let rest = line[stub.upperBound...]
        let end = (rest.range(of: ",\"coalesced\":") ?? rest.range(of: ",\"time_us\":"))?.lowerBound ?? rest.endIndex
        guard event == "device" || event == "config" else { return head + body + rest[end...] }
        // These two events have no `time_us`.
        let wall = rest.range(of: ",\"wall_ms\":")?.lowerBound
        return head + body + (wall.map { String(rest[$0...]) } ?? "}")
    }

    private static let bodies = [
        "gesture":
            #","gesture":"press","name":"press","phase":"update","region":"ok","device":"panel","sequence":1,"fingers":1,"x":1.0,"y":1.0,"u":0.5,"v":0.5,"inside":true"#,
        "failed":
            #","gesture":"press","name":"press","region":"ok","device":"panel","sequence":1,"code":"client","message":"a client cancelled it""#,
        "touches": #","device":"panel","contacts":[]"#,
        "frame": #","device":"panel","events":[]"#,
        "device": #","change":"added","device":"panel","node":"/dev/input/event4","name":"Panel""#,
        "config": #","change":"scene","generation":1,"scene":"default""#,
    ]
}

extension String {
    /// The range of the first occurrence of `text`.
    fileprivate func range(of text: String) -> Range<Index>? { self[...].range(of: text) }
}

extension Substring {
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
