// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import StreamVerifier

/// A client that reads and sends requests as its kind determines.
final class VerifiedClient {
    enum Kind: CaseIterable {
        /// Reads all data immediately.
        case fast
        /// Limits the rate of updates.
        case limited
        /// Reads small amounts from time to time.
        case slow
        /// Does not read for some time, then reads everything.
        case pausing
        /// Changes its subscription repeatedly.
        case changing
        /// Leases regions and changes them.
        case guest
        /// Has the right `control`.
        case control

        /// Only one client in 30 has the right `control`.
        init(_ number: Int) {
            if number % 30 == 29 { self = .control; return }
            self =
                [.fast, .limited, .slow, .limited, .guest, .changing, .pausing, .limited, .guest, .slow][number % 10]
        }
    }

    let number: Int
    let kind: Kind
    let socket: CInt
    private var verifier: ConnectionVerifier
    private var reported = 0
    private var nextRead: Int64 = 0
    private var nextRequest: Int64 = 0
    private var leavesAt: Int64 = .max
    private var words: RequestWords
    private(set) var requests = 0
    private(set) var subscription = "nothing"
    /// Whether the daemon has closed the connection.
    private(set) var isAtEnd = false

    /// Takes ownership of the socket, which must be non-blocking.
    init(_ number: Int, _ kind: Kind, socket: CInt, configuration: String) {
        self.number = number
        self.kind = kind
        self.socket = socket
        verifier = ConnectionVerifier(configuration: configuration)
        words = RequestWords(prefix: kind == .control ? "shared." : "app.\(number).")
        subscribe()
    }

    var tally: StreamTally { verifier.tally }

    var newViolations: ArraySlice<StreamViolation> {
        defer { reported = verifier.violations.count }
        return verifier.violations[reported...]
    }

    func end() { close(socket) }

    /// Guests disconnect often, which ends their leases.
    func isDone(at now: Int64) -> Bool {
        if leavesAt == .max { leavesAt = now + Int64(Dice.below(kind == .guest ? 20 : 120) + 5) * 1_000_000 }
        return now >= leavesAt
    }

    // MARK: Reading

    func isReading(at now: Int64) -> Bool { now >= nextRead }

    /// - Returns: the number of bytes received.
    @discardableResult
    func read(into bytes: inout [UInt8], at now: Int64) -> Int {
        let most = kind == .slow ? 200 + Dice.below(4000) : bytes.count
        let count = linux_receive(socket, &bytes, most)
        if count == 0 { isAtEnd = true }
        guard count > 0 else { return 0 }
        verifier.received(bytes[..<count])
        switch kind {
        case .slow: nextRead = now + Int64(Dice.below(300_000))
        case .pausing: if Dice.chance(2) { nextRead = now + Int64(Dice.below(6_000_000)) }
        case .fast, .limited, .changing, .guest, .control: break
        }
        return count
    }

    // MARK: Requests

    func act(at now: Int64) {
        guard now >= nextRequest, !isAtEnd else { return }
        let isFirst = nextRequest == 0
        switch kind {
        case .fast, .limited, .slow, .pausing:
            nextRequest = now + Int64(Dice.below(20_000_000))
            if !isFirst, Dice.chance(30) { subscribe() }
        case .changing:
            nextRequest = now + Int64(Dice.below(3_000_000))
            if !isFirst { subscribe() }
        case .guest:
            nextRequest = now + Int64(Dice.below(1_000_000))
            send(words.guest())
        case .control:
            nextRequest = now + Int64(Dice.below(3_000_000))
            send(words.control())
        }
    }

    private func subscribe() {
        let rate = kind == .limited || Dice.chance(kind == .fast ? 0 : 40)
        subscription = words.subscription(rate: rate, isWhole: kind == .fast)
        send(subscription)
    }

    private func send(_ request: String) {
        let bytes = Array((request + "\n").utf8)
        // Requests are short and the daemon reads them soon, so the socket accepts them as a whole.
        guard linux_send(socket, bytes, bytes.count) == bytes.count else { return }
        requests += 1
        verifier.sent(bytes)
    }
}
