// SPDX-License-Identifier: MIT
import GestureProtocol

/// The lines that are waiting to be sent to one client.
///
/// The queue neither sends lines nor reads a clock. Its memory is kept and reused.
struct OutboundQueue: ~Copyable {
    /// Determines whether a line is dropped after the client has fallen behind.
    enum Kind: Hashable {
        /// The line is dropped and counted.
        case event
        /// The line is dropped, because a new `state` follows the loss.
        case state
        /// The line is kept. This applies to `hello`, replies, and `overflow`.
        case kept
    }

    /// Lines with the same key replace each other.
    struct MergeKey: Hashable {
        var event: EventName
        var identity: Int64

        init(_ line: borrowing EventLine) {
            event = line.event
            identity = line.identity
        }
    }

    /// The amount of waiting data.
    typealias Load = (eventLines: Int, eventBytes: Int, otherBytes: Int)

    /// An entry is kept to 32 bytes, because a client that hangs has 256 of them.
    private struct Entry {
        /// The time in microseconds at which the line was queued.
        let time: Int64
        private let identity: Int64
        private let lengthBytes: Int32
        private let coalescedLines: Int32
        private let event: EventName
        let kind: Kind
        private let isMergeable: Bool

        /// The maximum count of merged lines. Without it, the count could overflow for a client that is stopped for
        /// weeks.
        private static let mostCoalesced: Int32 = 1 << 30

        init(kind: Kind, length: Int, time: Int64, coalesced: Int64 = 0, key: MergeKey? = nil) {
            self.kind = kind
            self.time = time
            lengthBytes = Int32(clamping: length)
            coalescedLines = Int32(clamping: coalesced)
            isMergeable = key != nil
            event = key?.event ?? .gesture
            identity = key?.identity ?? 0
        }

        var length: Int { Int(lengthBytes) }
        /// The number of other lines that were merged into this one.
        var coalesced: Int64 { Int64(coalescedLines) }

        func isReplaced(by key: MergeKey) -> Bool {
            isMergeable && identity == key.identity && event == key.event && coalescedLines < Self.mostCoalesced
        }
    }

    /// When no lines are waiting, and after a loss, a buffer with a larger capacity in bytes is shrunk. 16 KiB hold
    /// four of the longest event lines.
    private static let keptBytes = 16 * 1024
    private static let keptEntries = 128
    /// The maximum length in bytes of an event line, as in docs/protocol.md.
    private static let longestLine = 4 * 1024

    /// A buffer that outgrows `keptBytes` is enlarged to this size in bytes in one step. The size is sufficient for all
    /// lines that may wait, 16 KiB of sent bytes, and one more line. Memory of this size is mapped separately, so only
    /// its used pages occupy memory, and all of them are returned when it is freed. Doubling the size instead would
    /// leave a hole of half the size in the heap for each client that hangs.
    private static let mappedBytes = 136 * 1024

    private var bytes = JSONWriter(capacity: 512)
    private var entries: [Entry] = []
    /// The index of the first entry that has not been sent completely, and the number of its bytes that have already
    /// been sent.
    private var first = 0
    private var firstSent = 0
    /// The number of sent bytes at the start of `bytes`.
    private var sent = 0

    /// The number of waiting event lines and of their bytes. The limits apply to these numbers.
    private(set) var eventLines = 0
    private(set) var eventBytes = 0

    var heldBytes: Int { bytes.capacity + entries.capacity * MemoryLayout<Entry>.stride }

    var isEmpty: Bool { first == entries.count }
    var byteCount: Int { bytes.count - sent }
    var load: Load { (eventLines, eventBytes, byteCount - eventBytes) }

    /// Calls `body` with the next bytes to send: either complete lines with a total of at most `limit` bytes, or the
    /// remainder of one longer line.
    func withUnsent<Result>(upTo limit: Int = .max, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        var count = 0
        var index = first
        while index < entries.count {
            let length = entries[index].length - (index == first ? firstSent : 0)
            if count > 0, length > limit - count { break }
            count += length
            index += 1
        }
        return bytes.withBytes {
            body(UnsafeBufferPointer(rebasing: $0[sent..<min(sent + count, $0.count)]))
        }
    }

    @discardableResult
    mutating func append(
        _ line: borrowing EventLine, number: Int64, coalesced: Int64, wallMilliseconds: Int64?, time: Int64
    ) -> Load {
        makeRoom(for: Self.longestLine)
        let start = bytes.count
        line.write(number: number, coalesced: coalesced, wallMilliseconds: wallMilliseconds, into: &bytes)
        let length = bytes.count - start
        let key = line.isMergeable ? MergeKey(line) : nil
        entries.append(Entry(kind: .event, length: length, time: time, coalesced: coalesced, key: key))
        eventLines += 1
        eventBytes += length
        return load
    }

    /// Adds a complete line that is not an event.
    mutating func append(_ line: [UInt8], kind: Kind, time: Int64) {
        makeRoom(for: line.count)
        line.withUnsafeBufferPointer { bytes.append($0) }
        entries.append(Entry(kind: kind, length: line.count, time: time))
    }

    /// Removes the waiting line with this key, unless it has been partly sent or is followed by a `state`. A `state`
    /// contains the number of the last line before it, and it may follow the reply to a new subscription.
    /// - Returns: the number of lines that the next line replaces; 0 if none was removed.
    mutating func removeMergeable(_ key: MergeKey) -> Int64 {
        var end = bytes.count
        for index in stride(from: entries.count - 1, through: first, by: -1) {
            let entry = entries[index]
            if entry.kind == .state { return 0 }
            guard entry.isReplaced(by: key) else {
                end -= entry.length
                continue
            }
            guard index > first || firstSent == 0 else { return 0 }
            bytes.remove((end - entry.length)..<end)
            entries.remove(at: index)
            forget(entry)
            return entry.coalesced + 1
        }
        return 0
    }

    /// Removes `count` bytes that the socket has accepted.
    mutating func markSent(_ count: Int) {
        sent += count
        var left = count
        while left > 0, first < entries.count {
            let entry = entries[first]
            let rest = entry.length - firstSent
            guard left >= rest else {
                firstSent += left
                break
            }
            left -= rest
            firstSent = 0
            first += 1
            if entry.kind == .event { forget(entry) }
        }
        compact()
    }

    /// Drops all events and states, except a line that has been partly sent.
    /// - Returns: the number of dropped events, including merged ones.
    mutating func dropEvents() -> Int64 {
        compact(force: true)
        var dropped: Int64 = 0
        var kept = firstSent > 0 ? 1 : 0
        var offset = kept > 0 ? entries[0].length - firstSent : 0
        // The bytes after a run of dropped lines are moved only once.
        var run = 0
        for index in kept..<entries.count {
            let entry = entries[index]
            if entry.kind == .kept {
                bytes.remove(offset..<(offset + run))
                offset += entry.length
                run = 0
                entries[kept] = entry
                kept += 1
            } else {
                run += entry.length
                if entry.kind == .event {
                    forget(entry)
                    dropped += entry.coalesced + 1
                }
            }
        }
        bytes.remove(offset..<(offset + run))
        entries.removeLast(entries.count - kept)
        freeUnused()
        return dropped
    }

    /// The time when the oldest waiting event was queued. An event that has been partly sent is excluded.
    var oldestEvent: Int64? {
        var index = firstSent > 0 ? first + 1 : first
        while index < entries.count {
            if entries[index].kind == .event { return entries[index].time }
            index += 1
        }
        return nil
    }

    /// Whether the bytes sent so far end with a complete line.
    var isAtLineEnd: Bool { firstSent == 0 }

    private mutating func makeRoom(for count: Int) {
        let needed = bytes.count + count
        guard needed > bytes.capacity, needed > Self.keptBytes, needed <= Self.mappedBytes else { return }
        compact(force: true)
        bytes.reallocate(capacity: Self.mappedBytes)
    }

    private mutating func forget(_ entry: Entry) {
        eventLines -= 1
        eventBytes -= entry.length
    }

    /// Removes sent bytes from the front: immediately if nothing is waiting, otherwise only once there are many of
    /// them.
    private mutating func compact(force: Bool = false) {
        if isEmpty {
            bytes.removeAll()
            entries.removeAll(keepingCapacity: true)
            freeUnused()
        } else if force || sent >= 16 * 1024 {
            bytes.remove(0..<sent)
            entries.removeFirst(first)
        } else {
            return
        }
        first = 0
        sent = 0
    }

    /// Frees memory after a backlog. Otherwise, 64 clients that once had a backlog would hold megabytes.
    private mutating func freeUnused() {
        if bytes.capacity > max(Self.keptBytes, 2 * bytes.count) { bytes.shrink() }
        if entries.capacity > Self.keptEntries, entries.count <= Self.keptEntries { entries = entries.map { $0 } }
    }
}
