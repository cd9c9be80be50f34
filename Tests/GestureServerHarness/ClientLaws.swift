// SPDX-License-Identifier: MIT
import GestureProtocol
import StreamVerifier

/// Checks the lines that one client of a `GestureModel` receives, however it reads and whatever it subscribes to:
///
/// - A gesture begins once. Its updates and its end come after the `begin` line. Once the client has received a line
///   that was made after the gesture's end, no line of that gesture follows. The same holds for a panel and its
///   removal.
/// - An update replaces only earlier updates of the same gesture.
/// - `coalesced` and `overflow` account for all missing numbers.
///
/// The stream verifier cannot check these lines, because the model's bodies are not valid in the protocol: they contain
/// a number for each update, so that a wrong merge is detected at once.
struct ClientLaws {
    /// The first violation, if any.
    private(set) var complaint: String?
    private let model: GestureModel
    private var lines = ConnectionLines()
    /// The number of updates that the client has received for each open gesture, by identity.
    private var open: [Int64: Int64] = [:]
    private var touches: [Int64: Int64] = [:]
    private var youngest: Int64 = 0
    private var seq: Int64?
    private var missing: Int64 = 0
    /// Whether the current subscription includes updates.
    private var hasUpdates = false
    /// Whether the current subscription includes every phase of every gesture that the user may see.
    private var hasEverything = true

    init(_ model: GestureModel) { self.model = model }

    mutating func sent(_ bytes: some Sequence<UInt8>) { lines.sent(bytes) }

    mutating func received(_ bytes: some Sequence<UInt8>) {
        for (line, request) in lines.received(bytes) where complaint == nil {
            let text = String(decoding: line, as: UTF8.self)
            if let request {
                follow(String(decoding: request, as: UTF8.self), answeredBy: text)
            } else if let event = try? JSONDocument.read(line).root {
                take(event)
                if let complaint { self.complaint = complaint + ": " + text.prefix(200) }
            }
        }
    }

    /// Checks the state at the end, after all gestures have ended and the client has read all lines.
    mutating func finish() {
        if hasEverything, let identity = open.keys.first { complain("gesture \(identity) never ends") }
        if missing != 0 { complain("\(missing) lines are missing") }
    }

    private mutating func complain(_ text: String) { complaint = complaint ?? text }

    private mutating func follow(_ request: String, answeredBy reply: String) {
        guard reply.hasPrefix("{\"reply\":\"subscribe\""), reply.contains("\"ok\":true") else { return }
        hasUpdates = true
        let hasGestures = !request.contains("\"events\"") || request.contains("\"gesture\"")
        hasEverything = hasGestures && !request.contains("\"regions\"") && !request.contains("\"phases\"")
        touches = [:]
    }

    private mutating func take(_ line: JSONValue) {
        guard let event = line["event"]?.string, let number = line["seq"]?.integer else { return }
        if event == "state" { return takeState(line) }
        if let seq {
            if number <= seq { complain("\(number) after \(seq)") }
            missing += number - seq - 1 - (line["coalesced"]?.integer ?? 0)
        }
        seq = number
        if event == "overflow" {
            if missing != line["dropped"]?.integer { complain("\(missing) lines are missing") }
            missing = 0
            touches = [:]
        }
        if missing < 0 { complain("more lines were merged than are missing") }
        guard let identity = line["of"]?.integer, let count = line["count"]?.integer, let at = line["at"]?.integer
        else { return }
        if let end = model.ends[identity], youngest > end {
            complain("a line of \(identity) after a line that was made after its end")
        }
        youngest = max(youngest, at)
        let merged = line["coalesced"]?.integer ?? 0
        if event == "touches" { takeTouches(identity, count, merged) }
        if let phase = line["phase"]?.string { takeGesture(identity, phase, count, merged) }
    }

    private mutating func takeState(_ line: JSONValue) {
        if let seq, line["seq"]?.integer != seq { complain("a state with a seq other than \(seq)") }
        seq = line["seq"]?.integer
        open = [:]
        for entry in line["active"]?.array ?? [] {
            open[entry["of"]?.integer ?? 0] = entry["count"]?.integer
        }
    }

    private mutating func takeTouches(_ identity: Int64, _ count: Int64, _ merged: Int64) {
        if let last = touches[identity], count != last + 1 + merged { complain("touches \(count) after \(last)") }
        touches[identity] = count
    }

    private mutating func takeGesture(_ identity: Int64, _ phase: String, _ count: Int64, _ merged: Int64) {
        let known = open[identity]
        if (phase == "begin") != (known == nil) {
            complain("a \(phase) of a gesture that is \(known == nil ? "not " : "")in progress")
        }
        switch phase {
        case "begin": open[identity] = 0
        case "update":
            open[identity] = count
            if let known, count != known + 1 + merged { complain("update \(count) after \(known)") }
        default:
            open[identity] = nil
            if hasUpdates, let known, known != count { complain("\(count) updates, the last was \(known)") }
        }
    }
}
