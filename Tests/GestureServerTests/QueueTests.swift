// SPDX-License-Identifier: MIT
import GestureEngine
import GestureProtocol
import GestureTestSupport
import Testing

@testable import GestureServer

@Suite("Outbound queue")
struct OutboundQueueTests {
    private static func append(
        _ queue: inout OutboundQueue, _ number: Int64, update identity: Int64? = nil, coalesced: Int64 = 0
    ) {
        var line = EventLine()
        line.start(.gesture, subject: 1, phase: identity == nil ? .begin : .update, identity: identity ?? 9)
        line.writeTime(number)
        queue.append(line, number: number, coalesced: coalesced, wallMilliseconds: nil, time: number * 10)
    }

    private static func append(
        _ queue: inout OutboundQueue, kept text: String, _ kind: OutboundQueue.Kind = .kept
    ) {
        queue.append(Array(text.utf8), kind: kind, time: 0)
    }

    /// The queued lines: `seq` of each line, with `c` and the count if it is merged; lines without `seq`
    /// verbatim.
    private static func content(_ queue: borrowing OutboundQueue) -> String {
        let text = queue.withUnsent { String(decoding: $0, as: UTF8.self) }
        return text.split(separator: "\n").map { line in
            guard let root = try? JSONDocument.read(String(line)).root, let seq = root["seq"]?.integer else {
                return String(line)
            }
            return "\(seq)" + (root["coalesced"]?.integer.map { "c\($0)" } ?? "")
        }.joined(separator: " ")
    }

    @Test("sends queued lines in order")
    func order() {
        var queue = OutboundQueue()
        Self.append(&queue, 1)
        Self.append(&queue, kept: "reply\n")
        Self.append(&queue, 2)
        #expect(Self.content(queue) == "1 reply 2")
        #expect(queue.eventLines == 2)
        let first = queue.byteCount / 2
        queue.markSent(first)
        queue.markSent(queue.byteCount)
        #expect(queue.isEmpty == true)
        #expect(queue.eventLines == 0)
        #expect(queue.eventBytes == 0)
        #expect(queue.byteCount == 0)
    }

    @Test("a newer update replaces an older one at the end, and counts the lines that it replaces")
    func merges() {
        var queue = OutboundQueue()
        Self.append(&queue, 1, update: 7)
        Self.append(&queue, 2, update: 8)
        Self.append(&queue, 3)
        var line = EventLine()
        line.start(.gesture, subject: 1, phase: .update, identity: 7)
        let merged = queue.removeMergeable(OutboundQueue.MergeKey(line))
        #expect(merged == 1)
        Self.append(&queue, 4, update: 7, coalesced: merged)
        #expect(Self.content(queue) == "2 3 4c1")
        let again = queue.removeMergeable(OutboundQueue.MergeKey(line))
        #expect(again == 2)
        #expect(queue.eventLines == 2)
        let none = queue.removeMergeable(OutboundQueue.MergeKey(line))
        #expect(none == 0)
        #expect(Self.content(queue) == "2 3")
    }

    @Test("a line whose count is at its maximum stays, and the next update is appended")
    func mostMerged() {
        var queue = OutboundQueue()
        var line = EventLine()
        line.start(.gesture, subject: 1, phase: .update, identity: 7)
        let most: Int64 = 1 << 30
        Self.append(&queue, most, update: 7, coalesced: most - 1)
        let merged = queue.removeMergeable(OutboundQueue.MergeKey(line))
        #expect(merged == most)
        Self.append(&queue, most + 1, update: 7, coalesced: merged)
        let none = queue.removeMergeable(OutboundQueue.MergeKey(line))
        #expect(none == 0)
        Self.append(&queue, most + 2, update: 7)
        #expect(Self.content(queue) == "\(most + 1)c\(most) \(most + 2)")
    }

    @Test("a line that is sent in part is neither merged nor dropped")
    func partial() {
        var queue = OutboundQueue()
        Self.append(&queue, 1, update: 7)
        Self.append(&queue, 2)
        Self.append(&queue, kept: "reply\n")
        Self.append(&queue, 3, update: 8, coalesced: 4)
        queue.markSent(5)
        var line = EventLine()
        line.start(.gesture, subject: 1, phase: .update, identity: 7)
        #expect(queue.removeMergeable(OutboundQueue.MergeKey(line)) == 0)
        // Line 2, and line 3 with the four lines that it replaces.
        #expect(queue.dropEvents() == 6)
        let text = queue.withUnsent { String(decoding: $0, as: UTF8.self) }
        #expect(text.hasPrefix("nt\":\"gesture\",\"seq\":1,"))
        #expect(text.hasSuffix("}\nreply\n"))
        #expect(queue.isAtLineEnd == false)
        #expect(queue.oldestEvent == nil)
        queue.markSent(queue.byteCount)
        #expect(queue.isEmpty == true)
        #expect(queue.eventLines == 0)
    }

    @Test("a loss keeps replies and drops states")
    func drops() {
        var queue = OutboundQueue()
        Self.append(&queue, kept: "hello\n")
        Self.append(&queue, kept: "state\n", .state)
        Self.append(&queue, 1)
        Self.append(&queue, 2)
        Self.append(&queue, kept: "reply\n")
        Self.append(&queue, 3)
        #expect(queue.oldestEvent == 10)
        #expect(queue.dropEvents() == 3)
        #expect(Self.content(queue) == "hello reply")
        #expect(queue.dropEvents() == 0)
        #expect(queue.eventBytes == 0)
    }

    @Test("any mixture of operations leaves whole lines in order, and consistent counts")
    func mixture() {
        var generator = SeededRandom(3)
        for _ in 0..<200 {
            var queue = OutboundQueue()
            var received: [UInt8] = []
            var number: Int64 = 0
            var lost: Int64 = 0
            for _ in 0..<120 {
                switch generator.next() % 8 {
                case 0...4:
                    number += 1
                    let identity = Int64(generator.next() % 3)
                    var line = EventLine()
                    line.start(.gesture, subject: 1, phase: .update, identity: identity)
                    let merged = queue.removeMergeable(OutboundQueue.MergeKey(line))
                    Self.append(&queue, number, update: identity, coalesced: merged)
                case 5:
                    number += 1
                    Self.append(&queue, number)
                case 6:
                    let count = min(queue.byteCount, Int(generator.next() % 400))
                    received += queue.withUnsent { Array($0.prefix(count)) }
                    queue.markSent(count)
                default:
                    if generator.next() % 4 == 0 { lost += queue.dropEvents() }
                }
            }
            received += queue.withUnsent { Array($0) }
            var last: Int64 = 0
            var told = lost
            for text in String(decoding: received, as: UTF8.self).split(separator: "\n") {
                guard let root = try? JSONDocument.read(String(text)).root, let seq = root["seq"]?.integer else {
                    Issue.record("no line: \(text)")
                    continue
                }
                #expect(seq > last)
                last = seq
                told += 1 + (root["coalesced"]?.integer ?? 0)
            }
            #expect(told == number)
        }
    }
}

@Suite("Token bucket")
struct TokenBucketTests {
    @Test("a burst, then a constant rate")
    func burst() {
        var bucket = TokenBucket(perSecond: 64, burst: 128, now: 1000)
        for _ in 0..<128 { #expect(bucket.take(now: 1000) == nil) }
        #expect(bucket.take(now: 1000) == 16_625)
        #expect(bucket.take(now: 16_624) == 16_625)
        #expect(bucket.take(now: 16_625) == nil)
        #expect(bucket.take(now: 16_625) != nil)
    }

    @Test("a pause fills it up to its limit")
    func refill() {
        var bucket = TokenBucket(perSecond: 10, burst: 2, now: 0)
        #expect(bucket.take(now: 0) == nil)
        #expect(bucket.take(now: 0) == nil)
        let later: Int64 = 3_600_000_000
        #expect(bucket.take(now: later) == nil)
        #expect(bucket.take(now: later) == nil)
        #expect(bucket.take(now: later) == later + 100_000)
    }
}

@Suite("Request lines")
struct RequestLinesTests {
    private func lines(_ chunks: [String]) -> [String] {
        var input = RequestLines()
        var result: [String] = []
        for chunk in chunks {
            Array(chunk.utf8).withUnsafeBufferPointer { input.append($0) }
            while input.hasLine() { result.append(String(decoding: input.takeLine(), as: UTF8.self)) }
        }
        return result
    }

    @Test(
        "lines in pieces",
        arguments: [
            (["a\nb\n"], ["a", "b"]), (["a", "b", "\n", "c\n"], ["ab", "c"]), (["a\r\n", "b\r", "\nc"], ["a", "b"]),
            (["\n\r\n#x\n#\n\na\n"], ["a"]), (["# comment", " goes on\nb\n"], ["b"]), ([" #x\n"], [" #x"]),
            (["a\rb\n"], ["a\rb"]), ([""], []), (["a"], []), (["\r\r\n"], ["\r"]),
        ])
    func pieces(chunks: [String], expected: [String]) {
        #expect(lines(chunks) == expected)
    }

    @Test("the lines do not depend on how they are cut")
    func cuts() {
        let text = "{\"cmd\":\"ping\"}\r\n\n# c\n{\"cmd\":\"state\"}\nrest"
        for size in 1...text.utf8.count {
            let bytes = Array(text.utf8)
            let chunks = stride(from: 0, to: bytes.count, by: size).map {
                String(decoding: bytes[$0..<min($0 + size, bytes.count)], as: UTF8.self)
            }
            #expect(lines(chunks) == ["{\"cmd\":\"ping\"}", "{\"cmd\":\"state\"}"])
        }
    }

    @Test("the longest line has 64 KiB with its line end", arguments: [(65_535, false), (65_536, true)])
    func longest(length: Int, isTooLong: Bool) {
        var input = RequestLines()
        [UInt8](repeating: 0x61, count: length).withUnsafeBufferPointer { input.append($0) }
        #expect(input.isTooLong == isTooLong)
        [0x0A].withUnsafeBufferPointer { input.append($0) }
        #expect(input.isTooLong == isTooLong)
    }
}
