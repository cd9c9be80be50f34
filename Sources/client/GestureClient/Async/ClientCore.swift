// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import LinuxSystem
import Synchronization

/// The state that a client's tasks share with its thread. A task adds a request and waits for the outcome. Only the
/// thread uses the connection.
final class ClientCore: Sendable {
    let path: String
    let reconnects: Bool
    let replyTimeout: Duration
    /// An object that wakes up the thread; `nil` if it could not be created because too many files were open.
    let wakeup: Wakeup?
    #if THREAD_SANITIZER
    private typealias StateLock = PthreadMutex<ClientState>
    #else
    private typealias StateLock = Mutex<ClientState>
    #endif
    private let state: StateLock

    init(path: String, reconnects: Bool, replyTimeout: Duration, backoff: GestureClient.Backoff) {
        self.path = path
        self.reconnects = reconnects
        self.replyTimeout = replyTimeout
        wakeup = try? Wakeup()
        state = StateLock(ClientState(path: path, backoff: backoff))
    }

    /// Changes the state without waking the thread.
    func withState<Result: Sendable>(_ body: (inout sending ClientState) -> sending Result) -> Result {
        state.withLock(body)
    }

    /// Changes the state and wakes the thread.
    private func change<Result: Sendable>(_ body: (inout sending ClientState) -> sending Result) -> Result {
        let result = state.withLock(body)
        wakeup?.signal()
        return result
    }

    /// Starts a new stream and ends the current one.
    /// - Returns: the number of the stream.
    func subscribe(_ subscription: GestureClient.Subscription) -> Int {
        let problem = startThread()
        return change { state in
            let stream = state.subscribe(subscription)
            if let problem { state.endStream(problem) }
            return stream
        }
    }

    /// Ends a stream, unless it has already ended.
    func unsubscribe(stream: Int) {
        change { if $0.stream == stream { _ = $0.subscribe(nil) } }
    }

    func nextEvent(stream: Int) async throws(ClientError) -> GestureClient.Event? {
        while true {
            switch withState({ $0.next(stream: stream) }) {
            case .event(let event, let resumes):
                if resumes { wakeup?.signal() }
                return event
            case .over(let error?): throw error
            case .over(nil): return nil
            case .nothing: break
            }
            guard !Task.isCancelled else { return nil }
            let waiter = withState { $0.newNumber() }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    withState { $0.wait(stream: stream, as: waiter, continuation, isCancelled: Task.isCancelled) }
                }
            } onCancel: {
                withState { $0.resume(waiter) }
            }
        }
    }

    /// - Returns: the line of the reply, which may be a refusal.
    func reply(
        to command: String, _ keys: [(String, GestureClient.JSON)]
    ) async throws(ClientError) -> [UInt8] {
        if let problem = startThread() { throw problem }
        let id = withState { $0.session.newID() }
        let outcome: ClientState.Outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                change {
                    $0.request(
                        command, keys, id: id, timeout: replyTimeout, continuation,
                        isCancelled: Task.isCancelled)
                }
            }
        } onCancel: {
            withState { $0.finish(id, .failure(.cancelled)) }
        }
        return try outcome.get()
    }

    /// Changes the regions that are defined on each new connection.
    func changeLease(_ change: (inout Session) -> Void) { withState { change(&$0.session) } }

    /// Ends the connection. The thread continues to run.
    func hangUp() { change { $0.hangUp() } }

    /// Ends the connection and the thread.
    func close() { change { $0.close() } }

    /// Starts the thread when it is first needed.
    /// - Returns: the error if there is no thread.
    private func startThread() -> ClientError? {
        guard wakeup != nil else { return .unavailable(path: path, cause: "too many open files", isPermanent: true) }
        let isFirst = withState { state in
            defer { state.hasThread = true }
            return !state.hasThread
        }
        guard isFirst else { return nil }
        let code = ConnectionThread.start(self)
        guard code != 0 else { return nil }
        withState { $0.hasThread = false }
        return .unavailable(path: path, cause: "cannot start a thread: error \(code)", isPermanent: true)
    }
}

/// The thread of a client, which connects, sends and reads. Only this thread uses the connection.
struct ConnectionThread: ~Copyable {
    let core: ClientCore
    var connection: Connection?

    /// Starts a thread, which ends after `ClientCore.close()`.
    /// - Returns: 0, or the errno of pthread_create(3).
    static func start(_ core: ClientCore) -> CInt {
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(core).toOpaque()
        let code = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                // All signals are blocked, so that they are delivered to the program's own threads.
                var signals = sigset_t()
                sigfillset(&signals)
                pthread_sigmask(SIG_BLOCK, &signals, nil)
                var thread = ConnectionThread(core: Unmanaged<ClientCore>.fromOpaque(argument).takeRetainedValue())
                thread.run()
                return nil
            }, argument)
        if code == 0 { pthread_detach(thread) } else { Unmanaged<ClientCore>.fromOpaque(argument).release() }
        return code
    }

    private mutating func run() {
        while !core.withState({ $0.isClosed }) {
            let now = MonotonicClock.now()
            expire(now: now)
            if core.withState({ $0.wantsHangUp }) { lose("closed") }
            if core.withState({ $0.wantsConnection(now: now) }) { connect() }
            connection?.send(core.withState { $0.takeOutput() })
            wait()
        }
        connection = nil
        core.withState { $0.failRequests(.cancelled) }
    }

    /// Fails requests that have timed out. If one of them had been sent, the daemon is assumed to hang, and the
    /// connection is closed.
    private mutating func expire(now: Int64) {
        let error = ClientError(.noReply, path: core.path)
        if core.withState({ $0.expire(error, now: now) }), connection != nil { lose(ConnectionError.noReplyCause) }
    }

    private mutating func connect() {
        do throws(ConnectionError) {
            connection = try Connection(path: core.path)
            core.withState { $0.connected() }
        } catch {
            let problem = ClientError(error, path: core.path)
            let isFinal = problem.isPermanent || !core.reconnects
            core.withState { $0.failedToConnect(problem, isFinal: isFinal, now: MonotonicClock.now()) }
        }
    }

    /// Waits for a line, a wakeup or the next deadline.
    private mutating func wait() {
        let (isReading, deadline) = core.withState { ($0.wantsToRead, $0.nextDeadline) }
        // If there is no wakeup, the descriptor is -1, which poll(2) ignores.
        var others = [pollfd(fd: core.wakeup?.descriptor ?? -1, events: Int16(POLLIN), revents: 0)]
        guard let connection else {
            if poll(&others, nfds_t(others.count), Connection.milliseconds(until: deadline)) > 0 {
                core.wakeup?.reset()
            }
            return
        }
        do throws(ConnectionError) {
            switch try connection.next(until: deadline, or: others, isReading: isReading) {
            case .line(let line): take(line)
            case .ready: core.wakeup?.reset()
            case .end(let cause): lose(cause)
            case .timeout: break
            }
        } catch {
            lose(ClientError(error, path: core.path))
        }
    }

    private mutating func take(_ line: [UInt8]) {
        let problem: ClientError? = core.withState { state in
            do throws(ClientError) {
                try state.take(line)
                return nil
            } catch {
                return error
            }
        }
        if let problem { lose(problem) }
    }

    private mutating func lose(_ problem: ClientError) {
        switch problem {
        case .unavailable(_, let cause, _): lose(cause)
        case .wrongProtocol(_, let cause): lose(cause, fatal: problem)
        case .refused, .cancelled: break
        }
    }

    private mutating func lose(_ cause: String, fatal: ClientError? = nil) {
        connection = nil
        core.withState {
            $0.lost(cause, path: core.path, fatal: fatal, reconnects: core.reconnects, now: MonotonicClock.now())
        }
    }
}
