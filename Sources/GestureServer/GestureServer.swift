// SPDX-License-Identifier: MIT
package import GestureProtocol
package import LinuxSystem

/// Sends events to the clients that have subscribed to them, and answers requests.
///
/// The behaviour of one client changes no byte of another's stream: writes never block, and each client has its own
/// bounded queue; what does not fit is dropped, counted and reported to the client.
///
/// Belongs to the thread of its loop.
package final class GestureServer {
    let loop: EventLoop
    let limits: ServerLimits
    package let identity: ServerIdentity
    let clock: ServerClock
    private let log: (LogLevel, String) -> Void
    /// To be set before the first turn of the loop. Until `stop()`: the daemon owns the server, and lives as long.
    package var delegate: (any GestureServerDelegate)?
    package private(set) var listener: Listener?
    let closer: ConnectionCloser
    private var timer: DeadlineTimer?
    private let ownUser: UInt32

    var clients: [ClientConnection] = []
    var subjects = SubjectList([])
    /// All regions, also those without gestures.
    var regions: () -> [ServedRegion] = { [] }
    var hasPrivate = false
    package internal(set) var connectionsAccepted: Int64 = 0
    /// Lines that clients had lost when they left; `open`: without those of clients that saw private regions.
    private var droppedBefore = (all: Int64(0), open: Int64(0))
    /// Lines that no client has got yet.
    private let batch = LineBatch()
    /// What is sent to one client, in memory that is used again.
    private var text = JSONWriter()
    /// The turn of the loop in which requests are answered, and when its share of time ends.
    var sharedTurn: UInt64?
    var shareEnds: Int64 = 0
    /// The client that is served first when requests were postponed.
    var nextPutOff = 0

    /// The lines that at least one client wants.
    package private(set) var interest = LineInterest()

    /// Reads the peer of a connection; tests replace it to act as other users.
    package var readCredentials: (CInt) throws(SystemError) -> PeerCredentials = UnixSocket.peer(of:)

    /// Bytes of one read; all clients share it.
    let scratch = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 16 * 1024)

    /// Listens at once; the first client is served in the loop's next turn.
    /// - Parameters:
    ///   - listener: a listening stream socket, non-blocking.
    ///   - ownUser: the daemon's uid, whose clients may control it.
    package init(
        listener: consuming OwnedDescriptor, loop: EventLoop, identity: ServerIdentity,
        limits: ServerLimits = ServerLimits(), clock: ServerClock? = nil, ownUser: UInt32,
        log: @escaping (LogLevel, String) -> Void
    ) throws(SystemError) {
        self.loop = loop
        self.limits = limits
        self.identity = identity
        self.clock = clock ?? .system(loop)
        self.ownUser = ownUser
        self.log = log
        closer = ConnectionCloser(loop: loop)
        // Unretained: `stop` and `deinit` take the sources out of the loop.
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

    private var access = AccessLists()

    /// Sets what users may do, besides root and the daemon's own. Also changes the rights of present connections.
    package func setAccess(_ lists: AccessLists) {
        guard lists != access else { return }
        deliverBatch()
        access = lists
        var changed: [ClientConnection] = []
        for client in clients {
            let sawPrivate = client.peer.seesPrivate
            client.peer.rights = rights(of: client.peer.credentials)
            if client.peer.seesPrivate != sawPrivate { changed.append(client) }
        }
        recompile()
        // From here on they get other lines. After a loss, `state` comes anyway.
        let now = clock.monotonic()
        for client in changed where client.lossSince == nil {
            appendState(to: client, now: now)
            if !client.isBlocked { client.flush(now: now) }
        }
    }

    func rights(of peer: PeerCredentials) -> Rights { access.rights(of: peer, ownUser: ownUser) }

    package var clientCount: Int { clients.count }

    /// How many lines clients have lost, those that have left included.
    /// - Parameter seesPrivate: otherwise those of clients that see private regions are not counted.
    package func droppedLines(seesPrivate: Bool) -> Int64 {
        let left = seesPrivate ? droppedBefore.all : droppedBefore.open
        return clients.reduce(left) { $0 + (seesPrivate || !$1.peer.seesPrivate ? $1.linesDropped : 0) }
    }

    /// Sets what the indices in `EventLine.subject` mean from now on.
    /// - Parameters:
    ///   - hasPrivate: whether there are private regions, with gestures or without.
    ///   - regions: all regions, also those without gestures.
    package func setSubjects(
        _ subjects: SubjectList, hasPrivate: Bool, regions: @escaping () -> [ServedRegion]
    ) {
        deliverBatch()
        let isSamePrivacy = self.hasPrivate == hasPrivate
        self.subjects = subjects
        self.regions = regions
        self.hasPrivate = hasPrivate
        guard isSamePrivacy else { return recompile() }
        for client in clients { client.filter.forgetSubjects(count: subjects.count) }
    }

    /// The same with the regions of the subjects.
    package func setSubjects(_ subjects: [Subject]) {
        let regions = subjects.compactMap { subject in
            subject.region.map { ServedRegion($0, isPrivate: subject.isPrivate) }
        }
        setSubjects(SubjectList(subjects), hasPrivate: regions.contains { $0.isPrivate }) { regions }
    }

    /// Adds a line for each client that has subscribed to it. It is sent with the next `sendBatch` at the latest.
    ///
    /// Never blocks; allocates nothing once the queues have grown to their use.
    package func broadcast(_ line: borrowing EventLine) {
        guard !clients.isEmpty else { return }
        if batch.isFull { deliverBatch() }
        batch.append(line)
    }

    /// Sends the lines since the last call together, with one system call for each client. To be called at the end of
    /// each turn of the loop.
    package func sendBatch() {
        deliverBatch()
        var isDirty = false
        for client in clients where client.isDirty || client.hasUnsent {
            if !client.isBlocked { client.flush(now: clock.turn()) }
            isDirty = isDirty || client.isDirty
        }
        if isDirty { settle(now: clock.turn()) }
    }

    /// Sends the lines of the batch to the clients as they are now. Must be called before clients are added, get
    /// anything else, or want other lines.
    ///
    /// Calls neither the delegate nor `settle`, so that it may be called while a panel makes lines.
    func deliverBatch() {
        guard !batch.isEmpty else { return }
        Self.deliver(batch.contents, with: &text, to: clients, among: subjects)
        batch.removeAll()
    }

    private static func deliver(
        _ batch: UnsafeBufferPointer<EventLine>, with text: inout JSONWriter, to clients: [ClientConnection],
        among subjects: SubjectList
    ) {
        for client in clients { client.deliver(batch, with: &text, among: subjects) }
    }

    /// Sends `bye` to all clients and closes everything. Does not wait: a client that does not read gets no `bye`.
    package func stop() {
        deliverBatch()
        let now = clock.monotonic()
        var bye = JSONWriter()
        ServerLine.bye(reason: "shutdown", into: &bye)
        for client in clients {
            client.resumeWriting(now: now)
            guard client.queue.isEmpty, !client.isFailed else { continue }
            client.queue.append(bye.bytes, kind: .kept, time: now)
            client.flush(now: now)
        }
        closeAll()
    }

    private func closeAll() {
        for client in clients { disconnect(client) }
        clients = []
        listener?.close(with: closer)
        listener = nil
        closer.stop()
        timer?.cancel()
        timer = nil
        delegate = nil
        interest = LineInterest()
    }

    /// Logs something about clients.
    /// - Parameter message: lower case, no full stop, nothing that a client wrote.
    func report(_ level: LogLevel, _ message: String) {
        log(level, "client: " + message)
    }

    /// Does what is due. Called by the timer, and by tests with their own clock.
    package func timePassed() {
        deliverBatch()
        let now = clock.monotonic()
        listener?.resumeIfDue(now: now)
        for client in clients where client.nextDeadline.map({ $0 <= now }) == true {
            client.deliverDue(now: now)
            if !client.isBlocked { client.flush(now: now) }
        }
        resumeRequests(now: now)
        settle(now: now)
    }

    /// Must be called after anything that may have changed clients: reports losses, closes broken connections, and
    /// updates what the loop waits for.
    func settle(now: Int64) {
        limitUnsent()
        var hasFailures = false
        var deadline = listener?.resumeAt
        for client in clients {
            client.isDirty = false
            if client.isDrainedAfterLoss { reportLoss(to: client, now: now) }
            if client.isStuck(now: now), !client.isFailed {
                report(.warning, "\(client.name) took nothing for \(limits.stuckTimeout / 1_000_000) s, closed")
                close(client)
            }
            if client.isFailed {
                hasFailures = true
                continue
            }
            watch(client)
            if let next = client.nextDeadline { deadline = min(deadline ?? .max, next) }
        }
        if hasFailures { sweep() }
        timer?.arm(at: deadline)
    }

    /// Closes the client with the most unsent bytes while all clients together have too many.
    private func limitUnsent() {
        var unsent = clients.reduce(0) { $0 + $1.queue.byteCount }
        while unsent > limits.unsentTogether {
            let present = clients.filter { !$0.isFailed }
            guard let largest = present.max(by: { $0.queue.byteCount < $1.queue.byteCount }) else { return }
            unsent -= largest.queue.byteCount
            report(.warning, "\(largest.name) left too much unread, closed: \(largest.queue.byteCount) bytes")
            close(largest)
        }
    }

    private func sweep() {
        let failed = clients.filter { $0.isFailed }
        // Removed first: what the delegate does may end further connections.
        clients = clients.filter { !$0.isFailed }
        for client in failed {
            droppedBefore.all += client.linesDropped
            if !client.peer.seesPrivate { droppedBefore.open += client.linesDropped }
            disconnect(client)
            delegate?.connectionEnded(client.peer.connection)
        }
        updateInterest()
    }

    private func recompile() {
        let now = clock.monotonic()
        for client in clients {
            // The filter before has let them through.
            client.deliverDue(until: .max, now: now)
            client.subscribe(among: subjects, hasPrivate: hasPrivate)
        }
        updateInterest()
    }

    func updateInterest() {
        let union = clients.reduce(into: LineInterest()) { $0.formUnion($1.filter.interest) }
        guard union != interest else { return }
        interest = union
        delegate?.interestChanged()
    }
}
