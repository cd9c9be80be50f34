// SPDX-License-Identifier: MIT
import LinuxSystem

/// Who waits for what, and what is to be done: never more than bookkeeping.
struct LinkState {
    typealias ClientError = GestureClient.ClientError

    enum Next: Sendable {
        /// `resumes`: there were too many, and now there is room to read on.
        case event(GestureClient.Event, resumes: Bool)
        case nothing
        case over(ClientError?)
    }

    /// A request under way.
    struct Pending {
        var continuation: CheckedContinuation<Result<[UInt8], ClientError>, Never>?
        var line: [UInt8]
        var isSent = false
        /// On the monotonic clock, in microseconds.
        var deadline: Int64
        /// It came before the task waited.
        var result: Result<[UInt8], ClientError>?
    }

    /// So many events may wait for an iterator; then nothing is read, and the daemon drops and says so.
    static let waitingEvents = 1024

    var session: Session
    var backoff: GestureClient.Backoff
    var hasThread = false
    var isConnected = false
    var isClosed = false
    /// The connection is to be ended.
    var wantsHangUp = false
    /// When to connect for the stream; `nil`: at once.
    var retryAt: Int64?
    /// The number of the stream that is heard; streams with other numbers are over.
    private(set) var turn = 0
    private var hasStream = false
    /// Why the stream is over.
    private var ending: ClientError?
    private var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    private var pending: [Int: Pending] = [:]
    /// The session's own lines, to be sent before requests.
    private var outbox: [UInt8] = []
    private var numbers = 0

    init(path: String, backoff: GestureClient.Backoff) {
        session = Session(path: path)
        self.backoff = backoff
    }

    mutating func newNumber() -> Int {
        numbers &+= 1
        return numbers
    }

    // MARK: the stream

    mutating func subscribe(_ subscription: GestureClient.Subscription?) -> Int {
        turn = newNumber()
        hasStream = subscription != nil
        ending = nil
        retryAt = nil
        session.subscribe(subscription)
        if isConnected, !wantsHangUp { outbox += session.subscriptionLine() }
        endIfRefused()
        wakeAll()
        return turn
    }

    mutating func next(turn: Int) -> Next {
        guard turn == self.turn else { return .over(nil) }
        if let event = session.takeEvent() {
            return .event(event, resumes: session.events.count == Self.waitingEvents - 1)
        }
        guard hasStream else {
            defer { ending = nil }
            return .over(ending)
        }
        return .nothing
    }

    /// - Parameter isCancelled: the task was cancelled before `wake(_:)` could find it here.
    mutating func wait(
        turn: Int, as waiter: Int, _ continuation: CheckedContinuation<Void, Never>, isCancelled: Bool
    ) {
        guard !isCancelled, turn == self.turn, hasStream, session.events.isEmpty else { return continuation.resume() }
        waiters[waiter] = continuation
    }

    mutating func wake(_ waiter: Int) { waiters.removeValue(forKey: waiter)?.resume() }

    mutating func wakeAll() {
        for waiter in waiters.values { waiter.resume() }
        waiters.removeAll()
    }

    /// No more events after those that are there.
    mutating func endStream(_ error: ClientError?) {
        hasStream = false
        ending = error
        wakeAll()
    }

    // MARK: requests

    mutating func prepare(
        _ command: String, _ keys: [(String, GestureClient.JSON)], timeout: Duration
    ) -> Result<Int, ClientError> {
        do throws(ClientError) {
            let (id, line) = try session.request(command, keys)
            let microseconds = timeout.wholeMilliseconds.multipliedReportingOverflow(by: 1000)
            let deadline = MonotonicClock.now().addingReportingOverflow(microseconds.partialValue)
            let isNever = microseconds.overflow || deadline.overflow
            pending[id] = Pending(line: line, deadline: isNever ? .max : deadline.partialValue)
            return .success(id)
        } catch {
            return .failure(error)
        }
    }

    mutating func awaitReply(
        _ id: Int, _ continuation: CheckedContinuation<Result<[UInt8], ClientError>, Never>, isCancelled: Bool
    ) {
        guard !isCancelled, let request = pending[id] else {
            pending[id] = nil
            return continuation.resume(returning: .failure(.cancelled))
        }
        if let result = request.result {
            pending[id] = nil
            return continuation.resume(returning: result)
        }
        pending[id]?.continuation = continuation
    }

    mutating func finish(_ id: Int, _ result: Result<[UInt8], ClientError>) {
        guard let request = pending[id], request.result == nil else { return }
        if let continuation = request.continuation {
            pending[id] = nil
            continuation.resume(returning: result)
        } else {
            pending[id]?.result = result
        }
    }

    /// Fails every request, or those whose answers cannot come any more.
    mutating func failRequests(_ error: ClientError, sentOnly: Bool = false) {
        for (id, request) in pending where request.isSent || !sentOnly { finish(id, .failure(error)) }
    }

    /// Fails the requests whose answers take too long.
    /// - Returns: whether the daemon has had one of them.
    mutating func expire(_ error: ClientError, now: Int64) -> Bool {
        let late = pending.filter { $0.value.result == nil && $0.value.deadline <= now }
        for id in late.keys { finish(id, .failure(error)) }
        return late.values.contains { $0.isSent }
    }

    var hasRequests: Bool { pending.values.contains { $0.result == nil } }

    /// When something is due without anybody asking: an answer is late, or the wait before a try is over.
    var nextDeadline: Int64? {
        let answer = pending.values.filter { $0.result == nil }.map { $0.deadline }.min()
        let retry = hasStream && !isConnected ? retryAt : nil
        return [answer, retry].compactMap { $0 }.min()
    }

    // MARK: the connection

    /// Whether to connect now.
    func wantsConnection(now: Int64) -> Bool {
        guard !isConnected, !isClosed else { return false }
        return hasRequests || (hasStream && (retryAt ?? now) <= now)
    }

    var wantsToRead: Bool { session.events.count < Self.waitingEvents || hasRequests }

    /// Bytes to send now; they are the caller's from here on.
    mutating func takeOutput() -> [UInt8] {
        guard isConnected, !wantsHangUp else { return [] }
        var output = outbox
        outbox.removeAll()
        for id in pending.keys.sorted() where pending[id]?.isSent == false {
            output += pending[id]?.line ?? []
            pending[id]?.isSent = true
        }
        return output
    }

    mutating func connected() {
        isConnected = true
        retryAt = nil
        outbox = session.greeting()
        endIfRefused()
    }

    /// There is no daemon.
    mutating func failedToConnect(_ error: ClientError, isFinal: Bool, now: Int64) {
        failRequests(error)
        guard hasStream else { return }
        if isFinal {
            endStream(error)
        } else if (retryAt ?? now) <= now {
            retry(now: now)
        }
    }

    /// The connection is gone.
    /// - Parameter fatal: no other will be better.
    mutating func lost(_ cause: String, path: String, fatal: ClientError?, reconnects: Bool, now: Int64) {
        let isOurs = wantsHangUp
        isConnected = false
        wantsHangUp = false
        outbox.removeAll()
        session.lost(isOurs ? nil : cause)
        failRequests(fatal ?? .unavailable(path: path, cause: cause, isPermanent: false), sentOnly: fatal == nil)
        if hasStream, !isOurs {
            if fatal != nil || !reconnects { endStream(fatal) } else { retry(now: now) }
        }
        wakeAll()
    }

    /// Takes what was read.
    mutating func feed(_ bytes: ArraySlice<UInt8>) throws(ClientError) {
        defer {
            for reply in session.takeReplies() { finish(reply.id, .success(reply.line)) }
            endIfRefused()
            if session.isGreeted { backoff.reset() }
            wakeAll()
        }
        try session.feed(bytes)
    }

    mutating func hangUp() {
        wantsHangUp = isConnected
        turn = newNumber()
        hasStream = false
        session.subscribe(nil)
        wakeAll()
    }

    mutating func close() {
        hangUp()
        isClosed = true
    }

    private mutating func endIfRefused() {
        if let failure = session.takeFailure() { endStream(failure) }
    }

    private mutating func retry(now: Int64) {
        retryAt = now + backoff.delay().wholeMilliseconds * 1000
    }
}
