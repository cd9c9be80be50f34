// SPDX-License-Identifier: MIT
package import GestureProtocol
package import LinuxSystem

/// Sends events to the clients that have subscribed to them, and answers requests.
///
/// Clients do not affect each other's streams: writes never block, and each client has its own bounded queue. Lines
/// that do not fit into the queue are dropped and counted, and the client is informed.
///
/// A server must be used only on the thread of its loop. Its properties are its dependencies and its parts, and the
/// parts own the state of clients and lines.
package final class GestureServer {
    let loop: EventLoop
    let limits: ServerLimits
    package let identity: ServerIdentity
    let clock: ServerClock
    private let log: (LogLevel, String) -> Void
    /// The delegate must be set before the first turn of the loop. The server retains it until `stop()`.
    package var delegate: (any GestureServerDelegate)?
    /// The listening socket; `nil` after `stop()`.
    package private(set) var listener: Listener?
    let closer: ConnectionCloser
    private var timer: DeadlineTimer?
    private var access: (lists: AccessLists, ownUser: UInt32)
    let list = ClientList()
    var budget = TurnBudget()
    var pastRates = PastRates()
    /// The buffer for one read, shared by all clients.
    let scratch = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 16 * 1024)

    /// Creates a server that listens immediately. The first client is served in the next turn of the loop.
    /// - Parameters:
    ///   - listener: a listening stream socket, non-blocking.
    ///   - ownUser: the uid of the daemon. This user has all rights.
    package init(
        listener: consuming OwnedDescriptor, loop: EventLoop, identity: ServerIdentity,
        limits: ServerLimits = ServerLimits(), clock: ServerClock? = nil, ownUser: UInt32,
        log: @escaping (LogLevel, String) -> Void
    ) throws(SystemError) {
        self.loop = loop
        self.limits = limits
        self.identity = identity
        self.clock = clock ?? .system(loop)
        access = (AccessLists(), ownUser)
        self.log = log
        closer = ConnectionCloser(loop: loop)
        // This reference is unretained, because `stop` and `deinit` remove the sources from the loop.
        let server = Unmanaged.passUnretained(self)
        timer = try DeadlineTimer(loop: loop) { server.takeUnretainedValue().timePassed() }
        self.listener = try Listener(socket: consume listener, loop: loop, pauses: limits.acceptPause) {
            server.takeUnretainedValue().acceptWaiting()
        }
        closer.whenClosed = { server.takeUnretainedValue().connectionClosed() }
    }

    deinit {
        closeAll()
        scratch.deallocate()
    }

    /// Sets the rights of users other than root and the daemon's own. Also changes the rights of existing
    /// connections.
    package func setAccess(_ lists: AccessLists) {
        guard lists != access.lists else { return }
        access.lists = lists
        var changed: [ClientConnection] = []
        for client in clients {
            let sawPrivate = client.peer.seesPrivate
            client.peer.rights = rights(of: client.peer.credentials)
            if client.peer.seesPrivate != sawPrivate { changed.append(client) }
        }
        recompile()
        renewState(of: changed)
    }

    /// Sends `state` to clients whose stream changes at this point. A client with a loss receives a `state` when the
    /// loss ends.
    private func renewState(of clients: [ClientConnection]) {
        let now = clock.monotonic()
        for client in clients where client.lines.loss == nil {
            enqueueState(for: client, now: now)
            if !client.isBlocked { client.flush(now: now) }
        }
    }

    func rights(of peer: PeerCredentials) -> Rights { access.lists.rights(of: peer, ownUser: access.ownUser) }

    var clients: [ClientConnection] { list.clients }
    /// The number of connected clients.
    package var clientCount: Int { list.clients.count }
    /// The lines that at least one client has subscribed to.
    package var interest: LineInterest { list.interest }

    /// The number of lines that clients have lost, including clients that have disconnected.
    /// - Parameter seesPrivate: `false` excludes clients with access to private regions.
    package func droppedLines(seesPrivate: Bool) -> Int64 { list.droppedLines(seesPrivate: seesPrivate) }

    /// Sets the subjects that `EventLine.subject` refers to from now on.
    /// - Parameters:
    ///   - hasPrivate: whether there are private regions, with or without gestures.
    ///   - shadowed: ids of regions that are hidden from peers with access to private ones.
    ///   - regions: returns all regions, including those without gestures.
    package func setSubjects(
        _ subjects: SubjectList, hasPrivate: Bool, shadowed: Set<String> = [], regions: @escaping () -> [ServedRegion]
    ) {
        let before = list.served
        list.served = Served(subjects: subjects, hasPrivate: hasPrivate, shadowed: shadowed, regions: regions)
        if before.hasPrivate != hasPrivate {
            recompile()
        } else {
            for client in clients { client.filter.forgetSubjects(count: subjects.count) }
        }
        if before.shadowed != shadowed { renewState(of: clients.filter { $0.peer.seesPrivate }) }
    }

    /// Sends queued lines and handles changes. Call this at the end of each turn of the loop.
    package func endTurn() {
        var isDirty = false
        for client in clients where client.isDirty || client.hasUnsent {
            if !client.isBlocked { client.flush(now: clock.turn()) }
            isDirty = isDirty || client.isDirty
        }
        if isDirty { settle(now: clock.turn()) }
    }

    /// Sends `bye` to all clients and closes everything. Does not wait, so a client that does not read receives no
    /// `bye`.
    package func stop() {
        let now = clock.monotonic()
        var bye = JSONWriter()
        ServerLine.bye(reason: "shutdown", into: &bye)
        for client in clients {
            client.resumeWriting(now: now)
            guard client.queue.isEmpty else { continue }
            client.enqueue(bye.bytes, kind: .kept, now: now)
            client.flush(now: now)
        }
        closeAll()
    }

    private func closeAll() {
        for client in clients { disconnect(client) }
        list.removeAll()
        listener?.close(with: closer)
        listener = nil
        closer.stop()
        timer?.cancel()
        timer = nil
        delegate = nil
    }

    /// Logs a message about clients.
    /// - Parameter message: the message, which begins with a lower-case letter and contains neither a full stop at the
    ///   end nor text from a client.
    func report(_ level: LogLevel, _ message: String) {
        log(level, "client: " + message)
    }

    /// Handles deadlines that are due. Called by the timer, and by tests that use their own clock.
    package func timePassed() {
        let now = clock.monotonic()
        if let listener, let time = listener.resumeAt, time <= now { listener.resume(now: now) }
        for client in clients where client.nextDeadline.map({ $0 <= now }) == true {
            client.enqueueDue(until: now, now: now)
            if !client.isBlocked { client.flush(now: now) }
        }
        resumeRequests(now: now)
        settle(now: now)
    }

    /// Reports losses, closes broken connections, and updates the events that the loop waits for. Call this after
    /// anything that may have changed clients.
    func settle(now: Int64) {
        limitUnsent()
        var deadline: Int64?
        repeat {
            deadline = listener?.resumeAt
            for client in clients {
                client.isDirty = false
                settle(client, now: now)
                if let next = client.nextDeadline { deadline = min(deadline ?? .max, next) }
            }
            // The delegate may change other clients when a connection ends.
        } while sweep()
        timer?.arm(at: deadline)
    }

    private func settle(_ client: ClientConnection, now: Int64) {
        if client.isDrainedAfterLoss { reportLoss(to: client, now: now) }
        if client.state != .closed, client.isStuck(now: now) {
            report(.warning, "\(client.name) read nothing for \(limits.stuckTimeout / 1_000_000) s; disconnected")
            close(client)
        }
        if client.state != .closed { watch(client) }
    }

    /// Closes the client with the most unsent bytes while all clients together have too many.
    private func limitUnsent() {
        var unsent = clients.reduce(0) { $0 + $1.queue.byteCount }
        while unsent > limits.unsentTogether {
            let present = clients.filter { $0.state != .closed }
            guard let largest = present.max(by: { $0.queue.byteCount < $1.queue.byteCount }) else { return }
            unsent -= largest.queue.byteCount
            report(.warning, "\(largest.name) has too many unread bytes (\(largest.queue.byteCount)); disconnected")
            close(largest)
        }
    }

    /// Removes the clients whose connection is closed.
    /// - Returns: whether there were any.
    private func sweep() -> Bool {
        // The clients are removed first, because the delegate may end more connections.
        let closed = list.removeClosed()
        if closed.isEmpty { return false }
        for client in closed {
            disconnect(client)
            delegate?.connectionEnded(client.peer.connection)
        }
        updateInterest()
        return true
    }

    private func recompile() {
        let now = clock.monotonic()
        for client in clients {
            // Held lines have passed the previous filter, so they are queued before the filter changes.
            client.enqueueDue(until: .max, now: now)
            client.subscribe(to: list.served)
        }
        updateInterest()
    }

    func updateInterest() {
        if list.updateInterest() { delegate?.interestChanged() }
    }
}
