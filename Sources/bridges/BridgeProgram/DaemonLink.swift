// SPDX-License-Identifier: MIT
package import GestureClient
package import GestureProtocol
package import LinuxSystem

/// A connection to the daemon on the loop. It receives events, sends requests, and reconnects automatically.
package final class DaemonLink {
    /// The daemon's reply to a request, or the reason why there is none.
    package typealias Answer = Result<JSONValue, ClientError>

    /// The timeout in milliseconds for connecting to a daemon whose backlog is full.
    private static let patience: CInt = 200
    /// The maximum number of unanswered requests. The daemon accepts 64 requests per second.
    private static let mostRequests = 128
    /// The timeout for a reply in microseconds. A daemon that takes longer is assumed to hang.
    private static let replyTime: Int64 = 5_000_000

    /// The reason why the daemon has refused the subscription.
    package private(set) var refusal: ClientError?
    private let path: String
    private let subscription: GestureClient.Subscription
    private let loop: EventLoop
    private let priority: TurnSchedule.Priority
    private let takeEvent: (GestureClient.Event) -> Void
    private var session: Session
    private var connection: Connection?
    private var source: EventLoop.Source?
    private var timer: DeadlineTimer?
    private var backoff = GestureClient.Backoff()
    private var pending: [Int: (command: String, answer: (Answer) -> Void)] = [:]
    /// The deadline for the reply to the oldest request.
    private var deadline: Int64?

    /// Creates a link that does not connect yet.
    /// - Parameters:
    ///   - priority: the priority of the connection in the loop.
    ///   - event: called with each event, including `.disconnected`.
    package init(
        path: String, subscription: GestureClient.Subscription, loop: EventLoop,
        priority: TurnSchedule.Priority = .usual,
        event: @escaping (GestureClient.Event) -> Void
    ) throws(SystemError) {
        self.path = path
        self.subscription = subscription
        (self.loop, self.priority) = (loop, priority)
        takeEvent = event
        session = Session(path: path)
        let this = Unmanaged.passUnretained(self)
        timer = try DeadlineTimer(loop: loop) { this.takeUnretainedValue().tick() }
    }

    deinit { if let source { loop.remove(source) } }

    /// Sends a request. `answer` is called once, after this function has returned.
    package func request(
        _ command: String, _ keys: [(String, GestureClient.JSON)] = [], _ answer: @escaping (Answer) -> Void = { _ in }
    ) {
        guard let connection, session.isGreeted else {
            return answer(.failure(.unavailable(path: path, cause: "no daemon", isPermanent: false)))
        }
        guard pending.count < Self.mostRequests else {
            return answer(
                .failure(.unavailable(path: path, cause: "too many requests are waiting", isPermanent: false)))
        }
        let id = session.newID()
        do throws(ClientError) {
            connection.send(try Session.line(command, id: id, keys))
        } catch {
            return answer(.failure(error))
        }
        session.noteSent(id)
        pending[id] = (command, answer)
        guard deadline == nil else { return }
        deadline = MonotonicClock.now() + Self.replyTime
        timer?.arm(at: deadline)
    }

    private func tick() {
        guard connection != nil else { return connect() }
        guard let deadline, !pending.isEmpty else { return }
        guard deadline <= MonotonicClock.now() else { return timer?.arm(at: deadline) ?? () }
        lose("the daemon does not answer")
    }

    /// Connects, and reconnects when the connection is lost.
    package func connect() {
        session = Session(path: path)
        session.subscribe(subscription)
        do throws(ConnectionError) {
            let connection = try Connection(path: path, patience: Self.patience)
            let this = Unmanaged.passUnretained(self)
            do throws(SystemError) {
                source = try loop.add(connection.descriptor, events: .readable, priority: priority) { _ in
                    this.takeUnretainedValue().read()
                }
            } catch {
                return retry()
            }
            self.connection = connection
            connection.send(session.greeting())
        } catch {
            retry()
        }
    }

    private func retry() {
        timer?.arm(at: MonotonicClock.now() + Int64(backoff.delay() / .microseconds(1)))
    }

    /// Handles the lines that have arrived. The daemon queues at most 64 KiB of events.
    private func read() {
        guard let connection else { return }
        do throws(ConnectionError) {
            let cause = try connection.readLines { line in
                take(line)
                // An event may have ended this connection, or replaced it.
                return self.connection === connection
            }
            if let cause { lose(cause) }
        } catch {
            lose(ClientError(error, path: path).description)
        }
    }

    private func take(_ line: [UInt8]) {
        do throws(ClientError) {
            if let id = try session.take(line) { finish(id, line) }
        } catch {
            return lose(error.description)
        }
        if let failure = session.takeFailure() {
            refusal = failure
            return lose(failure.description)
        }
        if session.isGreeted { backoff.reset() }
        while let event = session.takeEvent() { takeEvent(event) }
    }

    private func finish(_ id: Int, _ line: [UInt8]) {
        guard let request = pending.removeValue(forKey: id), let json = JSONValue(parsing: line) else { return }
        deadline = pending.isEmpty ? nil : MonotonicClock.now() + Self.replyTime
        timer?.arm(at: deadline)
        if json.flag("ok") {
            request.answer(.success(json))
        } else {
            request.answer(.failure(.refused(.init(json, command: request.command))))
        }
    }

    private func lose(_ cause: String) {
        close()
        session.lost(cause)
        let unanswered = pending.values
        pending.removeAll()
        deadline = nil
        retry()
        while let event = session.takeEvent() { takeEvent(event) }
        for request in unanswered {
            request.answer(.failure(.unavailable(path: path, cause: cause, isPermanent: false)))
        }
    }

    package func close() {
        if let source { loop.remove(source) }
        source = nil
        connection = nil
    }
}
