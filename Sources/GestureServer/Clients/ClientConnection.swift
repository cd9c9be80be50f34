// SPDX-License-Identifier: MIT
import CLinux
import GestureProtocol
import LinuxSystem

/// One client: its socket, what it wants, what waits for it.
///
/// Never blocks, never calls back: who uses it looks at `isFailed`, `isDrainedAfterLoss` and
/// `nextDeadline` afterwards.
final class ClientConnection {
    let limits: ServerLimits
    let clock: ServerClock
    private(set) var peer: Peer
    private(set) var subscription = Subscription(.silent)
    private var filter = LineFilter.closed
    var input = RequestLines()
    var requests: TokenBucket
    /// When reading goes on that the rate of requests, or the end of the turn's share, has stopped.
    var resumeReadingAt: Int64?
    /// Requests that are there wait for the next turn, even those of a client that has hung up: the turn's share was
    /// used up, or its end was found while something was sent to it.
    var isPutOff = false
    /// Nothing can be sent any more; it goes as soon as nothing is put off.
    var hasHungUp = false
    /// The client will send nothing more; it may go on listening for ever.
    var isInputEnded = false
    var source: EventLoop.Source?

    private var socket: OwnedDescriptor?
    var queue = OutboundQueue()
    var throttle: UpdateThrottle?
    /// Counts this connection's matching events, delivered or not.
    var number: Int64 = 0
    /// Since when everything is dropped until the client has taken what it has; `nil`: nothing is.
    private(set) var lossSince: Int64? { didSet { isDirty = true } }
    /// Lines dropped since then.
    private var lossDropped: Int64 = 0
    /// The socket took less than there was: wait until it is writable.
    private(set) var isBlocked = false { didSet { if isBlocked != oldValue { isDirty = true } } }
    /// Broken, or closed.
    private(set) var isFailed = false { didSet { isDirty = true } }
    /// Something has changed that the server must look at: see `GestureServer.settle`.
    var isDirty = false
    /// When the client was last seen to take something.
    private var lastProgress: Int64
    /// What the kernel was charged for what the client had not read then.
    private var unreadCharge: CInt = 0
    private(set) var linesDropped: Int64 = 0

    init(socket: consuming OwnedDescriptor, peer: Peer, limits: ServerLimits, clock: ServerClock, now: Int64) {
        self.socket = consume socket
        self.peer = peer
        self.limits = limits
        self.clock = clock
        requests = TokenBucket(perSecond: limits.requestsPerSecond, burst: limits.requestBurst, now: now)
        lastProgress = now
    }

    /// -1 once closed.
    var descriptor: CInt { socket?.rawValue ?? -1 }

    func setMayControl(_ mayControl: Bool) { peer.mayControl = mayControl }

    /// Takes another subscription, or the same for other subjects or rights.
    func subscribe(_ subscription: Subscription? = nil, among subjects: [Subject], hasPrivate: Bool) {
        if let subscription { self.subscription = subscription }
        filter = self.subscription.compile(subjects, maySeePrivate: peer.mayControl, hasPrivate: hasPrivate)
    }

    func wants(_ line: borrowing EventLine) -> Bool {
        filter.passes(event: line.event, phase: line.phase, subject: line.subject)
    }

    /// Closes the socket. The source must have been removed before.
    func close() {
        isFailed = true
        socket = nil
    }

    /// What the loop should watch the socket for.
    func wantedEvents(readingIsPaused: Bool) -> IOEvents {
        var events: IOEvents = []
        if !isInputEnded, !readingIsPaused { events.insert(.readable) }
        if isBlocked { events.insert(.writable) }
        return events
    }

    // MARK: reading

    enum ReadOutcome: Hashable { case some, nothing, ended, failed }

    /// Takes what the client sent, at most a buffer full.
    func receive(into scratch: UnsafeMutableBufferPointer<UInt8>) -> ReadOutcome {
        while true {
            let count = linux_receive(descriptor, scratch.baseAddress, scratch.count)
            if count > 0 {
                input.append(UnsafeBufferPointer(rebasing: scratch[..<count]))
                return .some
            }
            if count == 0 { return .ended }
            switch linux_errno() {
            case EINTR: continue
            case EAGAIN: return .nothing
            default: return .failed
            }
        }
    }

    // MARK: writing

    /// Whether something waits that the socket may take.
    var hasUnsent: Bool { !queue.isEmpty && !isBlocked }

    /// Sends what waits until the socket takes no more.
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

    /// It takes nothing any more. What it had sent before is served in the loop's next turn, and then it goes.
    private func endSending(now: Int64) {
        hasHungUp = true
        // It may have closed one direction only: nothing more comes after what is there.
        _ = shutdown(descriptor, CInt(SHUT_RDWR))
        guard !isPutOff else { return }
        isPutOff = true
        resumeReadingAt = now
        isDirty = true
    }

    /// After the socket has become writable again: sends, but nothing that has waited too long.
    func resumeWriting(now: Int64) {
        if let maxAge = subscription.maxAge, let oldest = queue.oldestEvent, now - oldest > maxAge {
            beginLoss(now: now)
        }
        flush(now: now)
    }

    /// Whether the client has taken what it had, after a loss: time to say so and start afresh.
    /// An empty queue is not enough, it may have been dropped: the socket must have room again.
    var isDrainedAfterLoss: Bool { lossSince != nil && queue.isEmpty && !isBlocked && !isFailed && !hasHungUp }

    /// Drops all events, from now on too, until the client has drained.
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

    /// Counts an event that is not kept.
    func countDropped() {
        number += 1
        linesDropped += 1
        lossDropped += 1
    }

    /// Goes back to normal.
    /// - Returns: how many lines were dropped, and since when.
    func endLoss() -> (dropped: Int64, since: Int64)? {
        guard let since = lossSince else { return nil }
        defer {
            lossSince = nil
            lossDropped = 0
        }
        return (lossDropped, since)
    }

    /// When something must be done without the client: a line that is due, or the end of patience.
    var nextDeadline: Int64? {
        let stuck = lossSince.map { max($0, lastProgress) + limits.stuckTimeout }
        var earliest = stuck
        for deadline in [throttle?.nextDeadline, resumeReadingAt] {
            if let deadline { earliest = min(earliest ?? .max, deadline) }
        }
        return earliest
    }

    /// Whether it was over the limit for too long without taking anything: neither the daemon nor the kernel
    /// got rid of a piece. Looks, and begins to wait anew when it did.
    func isStuck(now: Int64) -> Bool {
        guard let lossSince, now - max(lossSince, lastProgress) >= limits.stuckTimeout else { return false }
        let charge = linux_unread_charge(descriptor)
        defer { unreadCharge = charge }
        guard charge < unreadCharge else { return true }
        lastProgress = now
        return false
    }
}
