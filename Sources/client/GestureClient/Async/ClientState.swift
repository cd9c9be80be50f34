// SPDX-License-Identifier: MIT
import LinuxSystem

/// The state of a client: its stream of events, its requests, and the work that is left for the thread. It does no I/O.
struct ClientState {
    enum Next: Sendable {
        /// The next event. `resumes` is true if the thread had stopped reading and may continue.
        case event(GestureClient.Event, resumes: Bool)
        case nothing
        case over(ClientError?)
    }

    /// A request that has not been answered yet.
    struct Pending {
        var continuation: CheckedContinuation<Outcome, Never>
        var line: [UInt8]
        var isSent = false
        /// The deadline on the monotonic clock, in microseconds.
        var deadline: Int64
    }

    /// The line of a reply, which may be a refusal.
    typealias Outcome = Result<[UInt8], ClientError>

    /// The maximum number of events that wait for an iterator. When it is reached, the thread stops reading, so the
    /// daemon may drop lines.
    static let waitingEvents = 1024

    var session: Session
    var backoff: GestureClient.Backoff
    var hasThread = false
    var isConnected = false
    var isClosed = false
    /// Whether the thread must close the connection.
    var wantsHangUp = false
    /// The time at which to connect again for the stream; `nil` to connect immediately.
    var retryAt: Int64?
    /// The number of the current stream. Streams with other numbers have ended.
    private(set) var stream = 0
    private var hasStream = false
    /// The error that ended the stream.
    private var ending: ClientError?
    private var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    private var pending: [Int: Pending] = [:]
    /// The session's own requests, which are sent before all others.
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
        stream = newNumber()
        hasStream = subscription != nil
        ending = nil
        retryAt = nil
        session.subscribe(subscription)
        if isConnected, !wantsHangUp { outbox += session.subscriptionLine() }
        endIfRefused()
        resumeAll()
        return stream
    }

    mutating func next(stream: Int) -> Next {
        guard stream == self.stream else { return .over(nil) }
        let wasFull = session.isFull
        if let event = session.takeEvent() { return .event(event, resumes: wasFull && !session.isFull) }
        guard hasStream else {
            defer { ending = nil }
            return .over(ending)
        }
        return .nothing
    }

    /// - Parameter isCancelled: whether the task was cancelled before it was registered here. In that case,
    ///   `resume(_:)` could not find it.
    mutating func wait(
        stream: Int, as waiter: Int, _ continuation: CheckedContinuation<Void, Never>, isCancelled: Bool
    ) {
        guard !isCancelled, stream == self.stream, hasStream, session.eventCount == 0 else {
            return continuation.resume()
        }
        waiters[waiter] = continuation
    }

    mutating func resume(_ waiter: Int) { waiters.removeValue(forKey: waiter)?.resume() }

    mutating func resumeAll() {
        for waiter in waiters.values { waiter.resume() }
        waiters.removeAll()
    }

    /// Makes the stream end after the events that are already queued.
    mutating func endStream(_ error: ClientError?) {
        hasStream = false
        ending = error
        resumeAll()
    }

    // MARK: requests

    /// Adds a request that the thread will send.
    /// - Parameters:
    ///   - id: the result of `Session.newID()`.
    ///   - isCancelled: whether the task was cancelled before the request was registered here. In that case, `finish`
    ///     could not find it.
    mutating func request(
        _ command: String, _ keys: [(String, GestureClient.JSON)], id: Int, timeout: Duration,
        _ continuation: CheckedContinuation<Outcome, Never>, isCancelled: Bool
    ) {
        guard !isCancelled else { return continuation.resume(returning: .failure(.cancelled)) }
        do throws(ClientError) {
            let line = try Session.line(command, id: id, keys)
            let microseconds = timeout.wholeMilliseconds.multipliedReportingOverflow(by: 1000)
            let deadline = MonotonicClock.now().addingReportingOverflow(microseconds.partialValue)
            let isNever = microseconds.overflow || deadline.overflow
            pending[id] = Pending(
                continuation: continuation, line: line, deadline: isNever ? .max : deadline.partialValue)
        } catch {
            continuation.resume(returning: .failure(error))
        }
    }

    /// Ends a request. Does nothing if it has already ended.
    mutating func finish(_ id: Int, _ outcome: Outcome) {
        pending.removeValue(forKey: id)?.continuation.resume(returning: outcome)
    }

    /// Fails every request.
    /// - Parameter sentOnly: whether to fail only the requests that were sent, whose replies can no longer arrive.
    mutating func failRequests(_ error: ClientError, sentOnly: Bool = false) {
        for (id, request) in pending where request.isSent || !sentOnly { finish(id, .failure(error)) }
    }

    /// Fails the requests that have timed out.
    /// - Returns: whether one of them was sent.
    mutating func expire(_ error: ClientError, now: Int64) -> Bool {
        let late = pending.filter { $0.value.deadline <= now }
        for id in late.keys { finish(id, .failure(error)) }
        return late.values.contains { $0.isSent }
    }

    /// The time at which the thread must act even if it is not woken, because a request times out or because it is time
    /// to connect again.
    var nextDeadline: Int64? {
        let retry = hasStream && !isConnected ? retryAt : nil
        return (pending.values.map { $0.deadline } + [retry].compactMap { $0 }).min()
    }

    // MARK: the connection

    func wantsConnection(now: Int64) -> Bool {
        guard !isConnected, !isClosed else { return false }
        return !pending.isEmpty || (hasStream && (retryAt ?? now) <= now)
    }

    var wantsToRead: Bool { !session.isFull || !pending.isEmpty }

    /// - Returns: the bytes to send. Each byte is returned only once.
    mutating func takeOutput() -> [UInt8] {
        guard isConnected, !wantsHangUp else { return [] }
        var output = outbox
        outbox.removeAll()
        for id in pending.keys.sorted() where pending[id]?.isSent == false {
            output += pending[id]?.line ?? []
            pending[id]?.isSent = true
            session.noteSent(id)
        }
        return output
    }

    mutating func connected() {
        isConnected = true
        retryAt = nil
        outbox = session.greeting()
        endIfRefused()
    }

    /// Handles a failed attempt to connect.
    /// - Parameter isFinal: whether the stream ends.
    mutating func failedToConnect(_ error: ClientError, isFinal: Bool, now: Int64) {
        failRequests(error)
        guard hasStream else { return }
        if isFinal {
            endStream(error)
        } else if (retryAt ?? now) <= now {
            retry(now: now)
        }
    }

    /// Handles the loss of the connection.
    /// - Parameter fatal: the error if connecting again would not help; otherwise `nil`.
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
        resumeAll()
    }

    /// Handles one line from the daemon.
    mutating func take(_ line: [UInt8]) throws(ClientError) {
        defer {
            endIfRefused()
            if session.isGreeted { backoff.reset() }
            resumeAll()
        }
        if let id = try session.take(line) { finish(id, .success(line)) }
    }

    mutating func hangUp() {
        wantsHangUp = isConnected
        stream = newNumber()
        hasStream = false
        session.subscribe(nil)
        resumeAll()
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
