// SPDX-License-Identifier: MIT
package import GestureProtocol
package import LinuxSystem

/// Sends what happens to every client that wants it, and answers their requests.
///
/// One client's behaviour changes no byte of another's stream: writes never block, each client has
/// its own bounded queue, and what does not fit is dropped, counted and told.
///
/// Belongs to the thread of its loop.
package final class GestureServer {
    let loop: EventLoop
    let limits: ServerLimits
    package let identity: ServerIdentity
    let clock: ServerClock
    private let log: (ServerNotice) -> Void
    /// Until `stop()`: the daemon owns the server, and lives as long.
    private(set) var delegate: (any GestureServerDelegate)?
    private(set) var listener: Listener?
    private var timer: DeadlineTimer?
    private let ownUser: UInt32

    var clients: [ClientConnection] = []
    var subjects: [Subject] = []
    var regions: [RegionName] = []
    var hasPrivate = false
    var connectionsAccepted: Int64 = 0
    private var batchDepth = 0
    /// The turn of the loop that requests are answered in, and until when.
    private var sharedTurn: UInt64?
    private var shareEnds: Int64 = 0
    /// The client whose turn it is first when requests were put off.
    private var nextPutOff = 0

    /// What at least one client wants to hear.
    package private(set) var interest: Interest = []

    /// Asks the kernel who connected; a test answers for other users.
    var readCredentials: (CInt) throws(SystemError) -> PeerCredentials = UnixSocket.peer(of:)

    /// Bytes of one read; all clients share it.
    let scratch = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 16 * 1024)

    /// Listens at once; the first client is served in the loop's next turn.
    /// - Parameters:
    ///   - listener: a listening stream socket, non-blocking.
    ///   - ownUser: the daemon's uid, whose clients may control it.
    package init(
        listener: consuming OwnedDescriptor, loop: EventLoop, identity: ServerIdentity,
        limits: ServerLimits = ServerLimits(), clock: ServerClock = .system, ownUser: UInt32,
        delegate: any GestureServerDelegate, log: @escaping (ServerNotice) -> Void
    ) throws(SystemError) {
        self.loop = loop
        self.limits = limits
        self.identity = identity
        self.clock = clock
        self.ownUser = ownUser
        self.delegate = delegate
        self.log = log
        // Unretained: `stop` and `deinit` take the sources out of the loop.
        let server = Unmanaged.passUnretained(self)
        timer = try DeadlineTimer(loop: loop) { server.takeUnretainedValue().timePassed() }
        self.listener = try Listener(socket: consume listener, loop: loop, pauses: limits.acceptPause) {
            server.takeUnretainedValue().acceptWaiting()
        }
    }

    deinit {
        closeAll()
        scratch.deallocate()
    }

    /// Users besides root and the daemon's own that may control it.
    private var controlUsers: Set<UInt32> = []

    /// Says who besides root and the daemon's own user may control it and see private regions:
    /// `[access]`, at each configuration. Holds for those that are connected too.
    package func setControlUsers(_ users: Set<UInt32>) {
        controlUsers = users
        for client in clients { client.setMayControl(mayControl(client.peer.credentials.user)) }
        recompile()
    }

    package var clientCount: Int { clients.count }

    /// Lines that all present clients have lost so far.
    package var droppedLines: Int64 { clients.reduce(0) { $0 + $1.linesDropped } }

    /// Says what the indices in `EventLine.subject` mean, at each configuration. Lines that were
    /// broadcast before keep their meaning.
    /// - Parameter regions: all that there are, also those without gestures; left out: the subjects'.
    package func setSubjects(_ subjects: [Subject], regions: [RegionName]? = nil) {
        self.subjects = subjects
        self.regions = regions ?? subjects.map { RegionName($0.region, isPrivate: $0.isPrivate) }
        hasPrivate = self.regions.contains { $0.isPrivate }
        recompile()
    }

    /// Sends a line to each client that wants it: now, or at the end of the batch.
    ///
    /// Never blocks; allocates nothing once the queues have grown to their use.
    package func broadcast(_ line: borrowing EventLine) {
        var now: Int64?
        var isDirty = false
        for client in clients where client.wants(line) {
            let time = now ?? clock.monotonic()
            now = time
            client.deliver(line, now: time)
            if batchDepth == 0, !client.isBlocked { client.flush(now: time) }
            isDirty = isDirty || client.isDirty
        }
        if isDirty, batchDepth == 0, let now { settle(now: now) }
    }

    /// Lines until the matching `endBatch` go out together, with one system call for each client:
    /// for all that comes of one read of a device. Batches nest.
    package func beginBatch() { batchDepth += 1 }

    package func endBatch() {
        batchDepth = max(0, batchDepth - 1)
        guard batchDepth == 0 else { return }
        var now: Int64?
        var isDirty = false
        for client in clients where client.isDirty || client.hasUnsent {
            let time = now ?? clock.monotonic()
            now = time
            if !client.isBlocked { client.flush(now: time) }
            isDirty = isDirty || client.isDirty
        }
        if isDirty, let now { settle(now: now) }
    }

    /// Says `bye` to all and closes everything. Waits for nobody: a client that does not read gets none.
    package func stop(reason: String = "shutdown") {
        let now = clock.monotonic()
        var bye = JSONWriter()
        ServerLine.bye(reason: reason, into: &bye)
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
        listener?.close()
        listener = nil
        timer?.cancel()
        timer = nil
        delegate = nil
        interest = []
    }

    func report(_ severity: ServerNotice.Severity, _ message: String) {
        log(ServerNotice(severity, message))
    }

    func mayControl(_ user: UInt32) -> Bool { user == 0 || user == ownUser || controlUsers.contains(user) }

    /// Does what is due; the timer calls it. A test with its own clock calls it itself.
    package func timePassed() {
        let now = clock.monotonic()
        listener?.resumeIfDue(now: now)
        for client in clients where client.nextDeadline.map({ $0 <= now }) == true {
            client.deliverDue(now: now)
            if !client.isBlocked { client.flush(now: now) }
        }
        resumeRequests(now: now)
        settle(now: now)
    }

    /// Goes on with the requests that waited, with those of another client first each time.
    private func resumeRequests(now: Int64) {
        let count = clients.count
        let start = nextPutOff
        for offset in 0..<count {
            let index = (start + offset) % count
            guard index < clients.count, let time = clients[index].resumeReadingAt, time <= now else { continue }
            nextPutOff = index + 1
            clients[index].resumeReadingAt = nil
            serveRequests(of: clients[index], now: now)
            if clients[index].isPutOff { break }
        }
    }

    /// Whether one more request may be answered in this turn of the loop.
    func hasShareLeft() -> Bool {
        let time = clock.monotonic()
        if sharedTurn != loop.turnCount {
            sharedTurn = loop.turnCount
            shareEnds = time + limits.turnShare
        }
        return time < shareEnds
    }

    /// After anything that may have changed clients: tells of losses, closes what is broken, and
    /// says to the loop what to wait for.
    func settle(now: Int64) {
        var hasFailures = false
        var deadline = listener?.resumeAt
        for client in clients {
            client.isDirty = false
            if client.isDrainedAfterLoss { tellLoss(to: client, now: now) }
            if client.isStuck(now: now), !client.isFailed {
                report(.warning, "client: \(client.name) took nothing for \(limits.stuckTimeout / 1_000_000) s, closed")
                client.close(removingFrom: loop)
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

    private func sweep() {
        for client in clients where client.isFailed {
            disconnect(client)
            delegate?.connectionEnded(client.peer.connection)
        }
        clients.removeAll { $0.isFailed }
        updateInterest()
    }

    private func recompile() {
        for client in clients { client.subscribe(among: subjects, hasPrivate: hasPrivate) }
        updateInterest()
    }

    func updateInterest() {
        let union = clients.reduce(into: Interest()) { $0.formUnion($1.subscription.interest) }
        guard union != interest else { return }
        interest = union
        delegate?.interestChanged()
    }
}
