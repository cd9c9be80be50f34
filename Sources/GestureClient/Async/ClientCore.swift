// SPDX-License-Identifier: MIT
import LinuxSystem
import Synchronization

/// What the tasks that use a client share with its thread. A task leaves a request in the state and waits; the
/// thread alone uses the connection.
final class ClientCore: Sendable {
    let path: String
    let reconnects: Bool
    let replyTimeout: Duration
    /// `nil`: there were too many descriptors.
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

    /// Begins another stream; the one before ends.
    /// - Returns: its number.
    func subscribe(_ subscription: GestureClient.Subscription) -> Int {
        let problem = startThread()
        return change { state in
            let stream = state.subscribe(subscription)
            if let problem { state.endStream(problem) }
            return stream
        }
    }

    /// Ends a stream, unless it has ended already.
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

    /// - Returns: the reply's line, also of a refusal.
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

    func setLease(_ regions: GestureClient.JSON?) { withState { $0.session.setLease(regions) } }

    /// Ends the connection; the thread goes on.
    func hangUp() { change { $0.hangUp() } }

    /// Ends the connection and the thread.
    func close() { change { $0.close() } }

    /// Starts the thread at the first use.
    /// - Returns: why there is none.
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
        return .unavailable(path: path, cause: "no thread: error \(code)", isPermanent: true)
    }
}
