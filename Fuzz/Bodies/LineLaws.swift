// SPDX-License-Identifier: MIT
import GestureProtocol

/// Looks at the lines of one panel as a client would: each is JSON and short enough, each `begin`
/// has one `end` or `cancel`, nothing comes after it, and time does not go back in a sequence.
final class LineLaws {
    /// The first thing that was wrong.
    private(set) var complaint: String?
    /// The gesture lines themselves, to compare two ways to the same result.
    private(set) var text: [UInt8] = []
    private let name: String
    private var number: Int64 = 0
    private var open: Set<String> = []
    private var closed: Set<String> = []
    private var latest: [Int64: Int64] = [:]

    /// PROTOCOL: one line is at most so long. `frame` lines are as long as the kernel's frame.
    private static let longestLine = 4096

    init(_ name: String) {
        self.name = name
    }

    func complain(_ text: String) {
        if complaint == nil { complaint = "\(name): \(text)" }
    }

    func check(_ line: borrowing EventLine) {
        // Counted alone: `touches` may come between at other places.
        if line.event == .gesture { number += 1 }
        var buffer = LineBuffer()
        line.write(number: number, into: &buffer)
        if line.event == .gesture { buffer.withBytes { text.append(contentsOf: $0) } }
        if line.event != .frame, buffer.count > Self.longestLine { complain("\(buffer.count) bytes: \(buffer.text)") }
        do throws(JSONError) {
            let text = buffer.text
            if text.utf8.count != buffer.count { complain("no UTF-8: \(text)") }
            let document = try JSONDocument.read(text)
            if line.event == .gesture { check(document.root, text) }
        } catch {
            complain("no JSON, \(error): \(buffer.text)")
        }
    }

    private func check(_ line: JSONValue, _ text: String) {
        guard let region = line["region"]?.string, let name = line["name"]?.string,
            let sequence = line["sequence"]?.integer, let time = line["time_us"]?.integer,
            line["x"]?.number != nil, line["y"]?.number != nil, line["u"]?.number != nil
        else { return complain("a key is missing: \(text)") }
        if let before = latest[sequence], time < before { complain("goes back from \(before): \(text)") }
        latest[sequence] = time
        let key = "\(sequence) \(region) \(name)"
        if closed.contains(key) { complain("after its end: \(text)") }
        switch line["phase"]?.string {
        case nil: if open.contains(key) { complain("no phase: \(text)") }
        case "begin": if !open.insert(key).inserted { complain("begins twice: \(text)") }
        case "update": if !open.contains(key) { complain("no begin: \(text)") }
        case "end", "cancel":
            if open.remove(key) == nil { complain("ends without a begin: \(text)") }
            closed.insert(key)
        case let phase?: complain("phase \(phase): \(text)")
        }
    }

    /// Nothing is under way any more.
    func finish() {
        if !open.isEmpty { complain("never ended: \(open.sorted())") }
    }
}
