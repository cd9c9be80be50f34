// SPDX-License-Identifier: MIT
import LinuxSystem
import Synchronization

/// What tasks and the thread that reads and writes share: a task leaves a wish and waits, the thread
/// fulfils it.
final class Link: Sendable {
    typealias ClientError = GestureClient.ClientError

    let path: String
    let reconnects: Bool
    let replyTimeout: Duration
    /// Wakes the thread.
    let bell: Bell?
    #if THREAD_SANITIZER
        private typealias StateLock = WatchedMutex<LinkState>
    #else
        private typealias StateLock = Mutex<LinkState>
    #endif
    private let state: StateLock

    init(path: String, reconnects: Bool, replyTimeout: Duration, backoff: GestureClient.Backoff) {
        self.path = path
        self.reconnects = reconnects
        self.replyTimeout = replyTimeout
        bell = try? Bell()
        state = StateLock(LinkState(path: path, backoff: backoff))
    }

    /// Changes the state, and lets the thread know.
    private func change<Result: Sendable>(_ body: (inout sending LinkState) -> sending Result) -> Result {
        let result = state.withLock(body)
        bell?.ring()
        return result
    }

    /// For the thread: changes the state without waking itself.
    func withState<Result: Sendable>(_ body: (inout sending LinkState) -> sending Result) -> Result {
        state.withLock(body)
    }

    // MARK: for tasks

    /// Another stream; the one before ends.
    /// - Returns: its number.
    func subscribe(_ subscription: GestureClient.Subscription) -> Int {
        let problem = start()
        return change { state in
            let turn = state.subscribe(subscription)
            if let problem { state.endStream(problem) }
            return turn
        }
    }

    /// Nobody listens to this stream any more.
    func rest(turn: Int) {
        change { if $0.turn == turn { _ = $0.subscribe(nil) } }
    }

    func nextEvent(turn: Int) async throws(ClientError) -> GestureClient.Event? {
        while true {
            switch withState({ $0.next(turn: turn) }) {
            case .event(let event, let resumes):
                if resumes { bell?.ring() }
                return event
            case .over(let error?): throw error
            case .over(nil): return nil
            case .nothing: break
            }
            guard !Task.isCancelled else { return nil }
            let waiter = withState { $0.newNumber() }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    withState { $0.wait(turn: turn, as: waiter, continuation, isCancelled: Task.isCancelled) }
                }
            } onCancel: {
                withState { $0.wake(waiter) }
            }
        }
    }

    /// - Returns: the reply's line, whatever it says.
    func reply(
        to command: String, _ keys: [(String, GestureClient.JSON)]
    ) async throws(ClientError) -> [UInt8] {
        if let problem = start() { throw problem }
        let prepared: Result<Int, ClientError> = change { $0.prepare(command, keys, timeout: replyTimeout) }
        let id = try prepared.get()
        let result: Result<[UInt8], ClientError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                withState { $0.awaitReply(id, continuation, isCancelled: Task.isCancelled) }
            }
        } onCancel: {
            withState { $0.finish(id, .failure(.cancelled)) }
        }
        return try result.get()
    }

    func setLease(_ regions: GestureClient.JSON?) { withState { $0.session.setLease(regions) } }

    /// Ends the connection; the thread goes on.
    func hangUp() { change { $0.hangUp() } }

    /// Ends the thread, too.
    func close() { change { $0.close() } }

    /// Sees to it that there is a thread.
    /// - Returns: why there is none.
    private func start() -> ClientError? {
        guard bell != nil else { return .unavailable(path: path, cause: "too many open files", isPermanent: true) }
        let isFirst = withState { state in
            defer { state.hasThread = true }
            return !state.hasThread
        }
        guard isFirst else { return nil }
        let code = LinkThread.start(self)
        guard code != 0 else { return nil }
        withState { $0.hasThread = false }
        return .unavailable(path: path, cause: "no thread: error \(code)", isPermanent: true)
    }
}
