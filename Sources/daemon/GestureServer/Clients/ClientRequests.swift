// SPDX-License-Identifier: MIT
import GestureProtocol

/// The requests of a client that were received and are not answered yet.
struct ClientRequests {
    /// The members of a request that are repeated in its reply.
    typealias Asked = (command: CommandName, id: RequestID?)

    /// The reason why no request of this client is answered at the moment.
    enum Wait {
        case nothing
        /// The previous request is not answered yet.
        case answer(Asked)
        /// The rate limit was reached.
        case rate(until: Int64)
        /// The time for requests in this turn of the loop is used up, or sending has failed. Requests are answered in
        /// the next turn, even if the client has hung up.
        case turn(since: Int64)
    }

    var lines = RequestLines()
    var rate: TokenBucket
    var wait = Wait.nothing

    var isReady: Bool { if case .nothing = wait { true } else { false } }
    var isPutOff: Bool { if case .turn = wait { true } else { false } }
    /// The request that is not answered yet.
    var pending: Asked? { if case .answer(let asked) = wait { asked } else { nil } }
    /// The time at which the wait ends by itself; `nil` if it does not.
    var resumesAt: Int64? {
        switch wait {
        case .nothing, .answer: nil
        case .rate(let time), .turn(let time): time
        }
    }
}

/// Splits the bytes from a client into lines.
package struct RequestLines {
    private var bytes: [UInt8] = []
    /// The start of the first line that was not taken.
    private var start = 0
    /// There is no line feed between `start` and this index. It is stored so that no byte of a line that arrives in
    /// pieces is searched twice.
    private var searched = 0

    package init() {}

    /// The number of bytes that were not taken.
    var byteCount: Int { bytes.count - start }

    /// Adds received bytes.
    package mutating func append(_ chunk: UnsafeBufferPointer<UInt8>) {
        bytes.append(contentsOf: chunk)
    }

    /// Whether there is a complete line. Skips empty lines and those that begin with `#`.
    package mutating func hasLine() -> Bool {
        while let end = lineEnd() {
            if content(upTo: end).isEmpty == false, bytes[start] != UInt8(ascii: "#") { return true }
            start = end + 1
            searched = start
        }
        compact()
        return false
    }

    /// Removes and returns the line that `hasLine()` found, without its line ending.
    package mutating func takeLine() -> [UInt8] {
        guard hasLine(), let end = lineEnd() else { return [] }
        let line = Array(bytes[content(upTo: end)])
        start = end + 1
        searched = start
        return line
    }

    /// Whether the first line, complete or not, is longer than the protocol allows.
    package var isTooLong: Bool {
        mutating get { (lineEnd() ?? bytes.count) - start >= ProtocolLimits.requestBytes }
    }

    /// The first line without `\n` or `\r\n`.
    private func content(upTo end: Int) -> Range<Int> {
        start..<(end > start && bytes[end - 1] == 0x0D ? end - 1 : end)
    }

    private mutating func lineEnd() -> Int? {
        guard searched < bytes.count else { return nil }
        if let end = bytes[searched...].firstIndex(of: 0x0A) {
            searched = end
            return end
        }
        searched = bytes.count
        return nil
    }

    private mutating func compact() {
        guard start > 0 else { return }
        if start == bytes.count {
            // A large buffer is freed, because a client that once sent a long line may stay connected for months.
            if bytes.capacity > 8192 { bytes = [] } else { bytes.removeAll(keepingCapacity: true) }
        } else {
            bytes.removeSubrange(..<start)
        }
        start = 0
        searched = bytes.count
    }
}

/// Limits a rate to a number of tokens per second, but allows a burst after a pause.
struct TokenBucket {
    /// Microseconds per token.
    private let interval: Int64
    private let burst: Int64
    /// The time at which the bucket was or will be full. The bucket lacks one token for each interval between now and
    /// this time.
    private var fullAt: Int64

    /// Whether the bucket is full, so that it is like a new one.
    func isFull(now: Int64) -> Bool { fullAt <= now }

    /// Creates a full bucket.
    init(perSecond: Int64, burst: Int64, now: Int64) {
        interval = max(1, 1_000_000 / max(1, perSecond))
        self.burst = max(1, burst)
        fullAt = now
    }

    /// Takes one token.
    /// - Returns: `nil` if there was a token, otherwise the time at which the next one is available.
    mutating func take(now: Int64) -> Int64? {
        let base = max(fullAt, now)
        let readyAt = base - (burst - 1) * interval
        guard readyAt <= now else { return readyAt }
        fullAt = base + interval
        return nil
    }
}

/// The buckets of connections that have ended. A user's next connections take them over, so that nobody sends more
/// requests by connecting again.
struct PastRates {
    private var buckets: [UInt32: [TokenBucket]] = [:]

    mutating func add(_ bucket: TokenBucket, of user: UInt32, now: Int64) {
        for (user, past) in buckets {
            let left = past.filter { !$0.isFull(now: now) }
            buckets[user] = left.isEmpty ? nil : left
        }
        if !bucket.isFull(now: now) { buckets[user, default: []].append(bucket) }
    }

    /// The bucket of a new connection; `nil` if it gets a full one.
    mutating func take(for user: UInt32) -> TokenBucket? {
        buckets[user]?.isEmpty == false ? buckets[user]?.removeFirst() : nil
    }
}

/// The time in each turn of the loop during which requests are answered.
struct TurnBudget {
    /// The index of the client that is served first after requests were postponed.
    var nextClient = 0
    private var turn: UInt64?
    private var ends: Int64 = 0

    /// Whether another request may be answered in this turn.
    /// - Parameter limit: the length of the budget in microseconds, starting with the first request of the turn.
    mutating func hasLeft(in turn: UInt64, now: Int64, limit: Int64) -> Bool {
        if self.turn != turn {
            self.turn = turn
            ends = now + limit
        }
        return now < ends
    }
}
