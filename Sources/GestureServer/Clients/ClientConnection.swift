// SPDX-License-Identifier: MIT
import CLinux
import GestureProtocol
import LinuxSystem

/// One client: its socket, its subscription, and its queue.
///
/// Never blocks, and has no callbacks: its user checks `isFailed`, `isDrainedAfterLoss` and `nextDeadline` afterwards.
final class ClientConnection {
    let limits: ServerLimits
    let clock: ServerClock
    var peer: Peer
    private(set) var subscription = SubscriptionRequest.silent
    private(set) var filter: LineFilter
    var input = RequestLines()
    var requests: TokenBucket
    /// When reading resumes that the rate limit, or the end of the turn's share, has stopped.
    var resumeReadingAt: Int64?
    /// Received requests wait for the next turn, even those of a client that has hung up: the turn's share was used up,
    /// or sending has failed.
    var isPutOff = false
    /// The request that is not answered yet; those after it wait.
    var pending: Asked?
    /// What a reply says of its request.
    typealias Asked = (command: CommandName, id: RequestID?)
    /// Nothing can be sent any more; it is closed as soon as no request waits.
    private(set) var hasHungUp = false
    /// The client will send nothing more, but may still receive.
    var isInputEnded = false
    var source: EventLoop.Source?

    private var socket: OwnedDescriptor?
    var queue = OutboundQueue()
    var throttle: UpdateThrottle?
    /// The number of events that matched the subscription, delivered or not.
    var number: Int64 = 0
    /// Since when events are dropped, until the client has taken its queue; `nil`: none are.
    private(set) var lossSince: Int64? { didSet { isDirty = true } }
    /// Lines dropped since then.
    private var lossDropped: Int64 = 0
    /// The socket is full: wait until it is writable.
    private(set) var isBlocked = false { didSet { if isBlocked != oldValue { isDirty = true } } }
    /// Broken, or closed.
    private(set) var isFailed = false { didSet { isDirty = true } }
    /// Something has changed that `GestureServer.settle` must handle.
    var isDirty = false
    /// When the client last took bytes that had been queued.
    private var lastProgress: Int64
    /// The kernel memory of bytes that the client had not read then.
    private var unreadCharge: CInt = 0
    private(set) var linesDropped: Int64 = 0

    init(socket: consuming OwnedDescriptor, peer: Peer, limits: ServerLimits, clock: ServerClock, now: Int64) {
        self.socket = consume socket
        self.peer = peer
        self.limits = limits
        self.clock = clock
        filter = LineFilter(.silent, subjects: 0, rights: peer.rights, hasPrivate: true)
        requests = TokenBucket(perSecond: limits.requestsPerSecond, burst: limits.requestBurst, now: now)
        lastProgress = now
    }

    /// -1 once closed.
    var descriptor: CInt { socket?.rawValue ?? -1 }

    /// Sets the subscription, or compiles the present one for changed subjects or rights.
    func subscribe(_ subscription: SubscriptionRequest? = nil, among subjects: SubjectList, hasPrivate: Bool) {
        if let subscription { self.subscription = subscription }
        filter = LineFilter(
            self.subscription, subjects: subjects.count, rights: peer.rights, hasPrivate: hasPrivate)
    }

    /// Nothing is sent from now on, and nothing queued.
    func hangUp() {
        hasHungUp = true
        queue = OutboundQueue()
    }

    /// Gives up the socket, which is to be closed. The source must have been removed before.
    func takeSocket() -> OwnedDescriptor? {
        isFailed = true
        return socket.take()
    }

    /// The events that the loop should watch the socket for.
    func wantedEvents(readingIsPaused: Bool) -> IOEvents {
        var events: IOEvents = []
        if !isInputEnded, !readingIsPaused { events.insert(.readable) }
        if isBlocked { events.insert(.writable) }
        return events
    }

    // MARK: reading

    enum ReadOutcome: Hashable { case some, nothing, ended, failed, descriptors }

    /// Receives at most a buffer full.
    func receive(into scratch: UnsafeMutableBufferPointer<UInt8>) -> ReadOutcome {
        while true {
            let count = linux_receive_plain(descriptor, scratch.baseAddress, scratch.count)
            if count > 0 {
                input.append(UnsafeBufferPointer(rebasing: scratch[..<count]))
                return .some
            }
            if count == 0 { return .ended }
            switch linux_errno() {
            case EINTR: continue
            case EAGAIN: return .nothing
            case EBADMSG: return .descriptors
            default: return .failed
            }
        }
    }

    // MARK: writing

    /// Whether lines wait that the socket may take.
    var hasUnsent: Bool { !queue.isEmpty && !isBlocked }

    /// Sends lines until the socket is full.
    func flush(now: Int64) {
        guard !isFailed, !hasHungUp else { return }
        isBlocked = false
        while !queue.isEmpty {
            let count = queue.withUnsent(upTo: limits.piece) { linux_send(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                queue.markSent(count)
                lastProgress = now
                continue
            }
            switch linux_errno() {
            case EINTR: continue
            case EAGAIN: isBlocked = true
            default: endSending(now: now)
            }
            return
        }
    }

    /// Sending has failed. Requests that were sent before are answered in the next turn, and then it is closed.
    private func endSending(now: Int64) {
        hangUp()
        // It may have closed one direction only: receive nothing more after what is there.
        _ = shutdown(descriptor, CInt(SHUT_RDWR))
        guard !isPutOff else { return }
        isPutOff = true
        resumeReadingAt = now
        isDirty = true
    }

    /// Sends after the socket has become writable; events that have waited too long are dropped.
    func resumeWriting(now: Int64) {
        // 0: lines never become too old.
        let maxAge = subscription.maxAge * 1000
        if maxAge > 0, let oldest = queue.oldestEvent, now - oldest > maxAge {
            beginLoss(now: now)
        }
        flush(now: now)
    }

    /// Whether the client has taken its queue after a loss, so that the loss can be reported. An empty queue is not
    /// enough, for its lines may have been dropped: the socket must have room.
    var isDrainedAfterLoss: Bool { lossSince != nil && queue.isEmpty && !isBlocked && !isFailed && !hasHungUp }

    /// Drops all events, also new ones, until the client has taken its queue.
    func beginLoss(now: Int64) {
        let held = throttle?.drop() ?? 0
        number += held
        let dropped = queue.dropEvents() + held
        linesDropped += dropped
        lossDropped += dropped
        guard lossSince == nil else { return }
        lossSince = now
        unreadCharge = linux_unread_charge(descriptor)
    }

    /// Counts an event that is dropped.
    func countDropped() {
        number += 1
        linesDropped += 1
        lossDropped += 1
    }

    /// Ends the loss.
    /// - Returns: how many lines were dropped, and since when.
    func endLoss() -> (dropped: Int64, since: Int64)? {
        guard let since = lossSince else { return nil }
        defer {
            lossSince = nil
            lossDropped = 0
        }
        return (lossDropped, since)
    }

    /// When a held line is due, reading resumes, or the client counts as stuck.
    var nextDeadline: Int64? {
        let stuck = lossSince.map { max($0, lastProgress) + limits.stuckTimeout }
        var earliest = stuck
        for deadline in [throttle?.nextDeadline, resumeReadingAt] {
            if let deadline { earliest = min(earliest ?? .max, deadline) }
        }
        return earliest
    }

    /// Whether it was over the limit for too long without taking bytes, neither from the daemon nor from the kernel.
    /// Restarts the timeout if it took some from the kernel.
    func isStuck(now: Int64) -> Bool {
        guard let lossSince, now - max(lossSince, lastProgress) >= limits.stuckTimeout else { return false }
        let charge = linux_unread_charge(descriptor)
        defer { unreadCharge = charge }
        guard charge < unreadCharge else { return true }
        lastProgress = now
        return false
    }
}
