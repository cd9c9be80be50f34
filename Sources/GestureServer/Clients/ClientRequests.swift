// SPDX-License-Identifier: MIT
import GestureProtocol

/// A client's requests that were received and not answered.
struct ClientRequests {
    /// The words of a request that its reply repeats.
    typealias Asked = (command: CommandName, id: RequestID?)

    /// Why no further request is answered now.
    enum Wait {
        case nothing
        /// The request before them is not answered yet.
        case answer(Asked)
        /// The rate limit was reached.
        case rate(until: Int64)
        /// The share of the loop's turn was used up, or sending has failed. They are answered in the next turn, even when the
        /// client has hung up.
        case turn(since: Int64)
    }

    var lines = RequestLines()
    var rate: TokenBucket
    var wait = Wait.nothing

    var isReady: Bool { if case .nothing = wait { true } else { false } }
    var isPutOff: Bool { if case .turn = wait { true } else { false } }
    /// The request that is not answered yet.
    var pending: Asked? { if case .answer(let asked) = wait { asked } else { nil } }
    /// When a wait ends by itself.
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
    /// Where the first line begins that was not taken.
    private var start = 0
    /// There is no line feed before this, so that a line that comes in pieces is searched once.
    private var searched = 0

    package init() {}

    /// Bytes that were not taken.
    var byteCount: Int { bytes.count - start }

    /// Appends received bytes.
    package mutating func append(_ chunk: UnsafeBufferPointer<UInt8>) {
        bytes.append(contentsOf: chunk)
    }

    /// Whether there is a whole line; skips empty lines and those that begin with `#`.
    package mutating func hasLine() -> Bool {
        while let end = lineEnd() {
            if content(upTo: end).isEmpty == false, bytes[start] != UInt8(ascii: "#") { return true }
            start = end + 1
            searched = start
        }
        compact()
        return false
    }

    /// Takes the line that `hasLine()` has found, without its end.
    package mutating func takeLine() -> [UInt8] {
        guard hasLine(), let end = lineEnd() else { return [] }
        let line = Array(bytes[content(upTo: end)])
        start = end + 1
        searched = start
        return line
    }

    /// Whether the line at the front is longer than the protocol allows, whole or not.
    package var isTooLong: Bool {
        mutating get { (lineEnd() ?? bytes.count) - start >= ProtocolLimits.requestBytes }
    }

    /// The line at the front without `\n` or `\r\n`.
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
            // Freed: a client that once sent a long line may stay connected for months.
            if bytes.capacity > 8192 { bytes = [] } else { bytes.removeAll(keepingCapacity: true) }
        } else {
            bytes.removeSubrange(..<start)
        }
        start = 0
        searched = bytes.count
    }
}

/// Limits a rate: a number of tokens a second, and a burst after a pause.
struct TokenBucket {
    /// Microseconds per token.
    private let interval: Int64
    private let burst: Int64
    /// When the bucket was, or will be, full: one token less for each interval from now to there.
    private var fullAt: Int64

    /// Starts full.
    init(perSecond: Int64, burst: Int64, now: Int64) {
        interval = max(1, 1_000_000 / max(1, perSecond))
        self.burst = max(1, burst)
        fullAt = now
    }

    /// Takes one token.
    /// - Returns: `nil` if there was one, else when there will be one.
    mutating func take(now: Int64) -> Int64? {
        let base = max(fullAt, now)
        let readyAt = base - (burst - 1) * interval
        guard readyAt <= now else { return readyAt }
        fullAt = base + interval
        return nil
    }
}

/// The part of a turn of the loop in which requests are answered.
struct TurnShare {
    /// The client that is served first when requests were postponed.
    var nextClient = 0
    private var turn: UInt64?
    private var ends: Int64 = 0

    /// Whether one more request may be answered in this turn.
    /// - Parameter limit: microseconds from the turn's first request on.
    mutating func hasLeft(in turn: UInt64, now: Int64, limit: Int64) -> Bool {
        if self.turn != turn {
            self.turn = turn
            ends = now + limit
        }
        return now < ends
    }
}
