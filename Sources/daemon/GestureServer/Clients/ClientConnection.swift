// SPDX-License-Identifier: MIT
import CLinux
import GestureProtocol
import LinuxSystem

/// The connection of one client, with its socket, requests, subscription, and queue.
///
/// Its functions never block, and there are no callbacks: the owner checks `state`, `isDrainedAfterLoss` and
/// `nextDeadline` after each call.
final class ClientConnection {
    /// The state of the connection. It can only advance to a later case.
    enum State: Comparable {
        /// Both directions are open.
        case open
        /// The client sends nothing more but still receives.
        case inputEnded
        /// Nothing more can be sent or queued. The client is closed once no request is pending.
        case hungUp
        /// The socket is closed. The next `settle` removes the client.
        case closed
    }

    let limits: ServerLimits
    let clock: ServerClock
    var peer: Peer
    private(set) var state = State.open { didSet { isDirty = true } }
    private var socket: ClientSocket
    var requests: ClientRequests
    private(set) var filter: LineFilter
    var throttle: UpdateThrottle?
    var queue = OutboundQueue()
    var lines = LineNumbers()
    /// Whether the socket is full and the loop waits until it is writable.
    private(set) var isBlocked = false { didSet { if isBlocked != oldValue { isDirty = true } } }
    /// Whether `GestureServer.settle` must handle a change.
    var isDirty = false

    init(socket: consuming OwnedDescriptor, peer: Peer, limits: ServerLimits, clock: ServerClock, now: Int64) {
        self.socket = ClientSocket(socket)
        self.peer = peer
        self.limits = limits
        self.clock = clock
        filter = LineFilter(.silent, subjects: 0, rights: peer.rights, hasPrivate: true)
        let rate = TokenBucket(perSecond: limits.requestsPerSecond, burst: limits.requestBurst, now: now)
        requests = ClientRequests(rate: rate)
    }

    /// The file descriptor; -1 once closed.
    var descriptor: CInt { socket.descriptor?.rawValue ?? -1 }

    /// Sets the subscription, or recompiles the current one for changed subjects or rights.
    func subscribe(_ request: SubscriptionRequest? = nil, to served: Served) {
        filter = LineFilter(
            request ?? filter.request, subjects: served.subjects.count, rights: peer.rights,
            hasPrivate: served.hasPrivate)
    }

    // MARK: The connection

    /// Advances the state if `next` is later.
    func advance(to next: State) {
        guard next > state else { return }
        state = next
        guard next >= .hungUp else { return }
        queue = OutboundQueue()
        throttle = nil
    }

    /// Adds the socket to the loop.
    func watch(in loop: EventLoop, _ handler: @escaping (IOEvents) -> Void) throws(SystemError) {
        socket.source = try loop.add(descriptor, events: .readable, handler)
    }

    /// Sets the events that the loop waits for.
    func watch(in loop: EventLoop, readingIsPaused: Bool) throws(SystemError) {
        guard let source = socket.source else { return }
        var events: IOEvents = []
        if mayReceive, !readingIsPaused { events.insert(.readable) }
        if isBlocked { events.insert(.writable) }
        try loop.modify(source, events: events)
    }

    /// Removes the socket from the loop, which would otherwise report the hangup in each turn.
    func stopWatching(_ loop: EventLoop) {
        if let source = socket.source { loop.remove(source) }
        socket.source = nil
    }

    /// Transfers the socket to the caller, which must close it; `nil` if it was already taken. The loop must no longer
    /// be watching it.
    func takeSocket() -> OwnedDescriptor? {
        advance(to: .closed)
        return socket.descriptor.take()
    }

    // MARK: Reading

    /// Whether the socket may have bytes that were not received yet.
    var mayReceive: Bool { state == .open || state == .hungUp }

    enum ReadOutcome: Hashable { case some, nothing, ended, failed, descriptors }

    /// Receives at most one buffer of bytes.
    func receive(into scratch: UnsafeMutableBufferPointer<UInt8>) -> ReadOutcome {
        while true {
            let count = linux_receive_plain(descriptor, scratch.baseAddress, scratch.count)
            if count > 0 {
                requests.lines.append(UnsafeBufferPointer(rebasing: scratch[..<count]))
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

    // MARK: Writing

    /// Whether bytes are queued and the socket may accept them.
    var hasUnsent: Bool { !queue.isEmpty && !isBlocked }

    /// Sends queued bytes until the socket is full.
    func flush(now: Int64) {
        guard state < .hungUp else { return }
        isBlocked = false
        while !queue.isEmpty {
            let count = queue.withUnsent(upTo: limits.piece) { linux_send(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                queue.markSent(count)
                lines.loss?.lastProgress = now
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

    /// Ends sending after an error. Requests that the client sent earlier are handled in the next turn, and then the
    /// client is closed.
    private func endSending(now: Int64) {
        advance(to: .hungUp)
        // The peer may have closed only one direction. After the shutdown, only bytes that are already in the socket
        // can be received.
        _ = shutdown(descriptor, CInt(SHUT_RDWR))
        // If a request is already waiting, nothing has to be scheduled, because the loop reports the hangup.
        if requests.pending == nil, !requests.isPutOff { requests.wait = .turn(since: now) }
    }

    /// Sends queued bytes after the socket has become writable. If events have waited too long, they are dropped.
    func resumeWriting(now: Int64) {
        // 0 means no limit.
        let maxAge = filter.request.maxAge * 1000
        if maxAge > 0, let oldest = queue.oldestEvent, now - oldest > maxAge {
            beginLoss(now: now)
        }
        flush(now: now)
    }

    // MARK: Loss

    /// Whether the loss can be reported because the client has received its whole queue. The socket must also have
    /// room, because the queue may be empty merely because its lines were dropped.
    var isDrainedAfterLoss: Bool { lines.loss != nil && queue.isEmpty && !isBlocked && state < .hungUp }

    /// Drops all events, including new ones, until the client has received its queue.
    func beginLoss(now: Int64) {
        let held = throttle?.drop() ?? 0
        lines.number += held
        if lines.loss == nil {
            lines.loss = LineNumbers.Loss(since: now, lastProgress: now, unreadCharge: linux_unread_charge(descriptor))
            isDirty = true
        }
        lines.drop(queue.dropEvents() + held)
    }

    func endLoss() -> LineNumbers.Loss? {
        isDirty = true
        return lines.loss.take()
    }

    /// The earliest time at which a held line is due, reading resumes, or the client is considered stuck.
    var nextDeadline: Int64? {
        var earliest = lines.loss.map { $0.lastProgress + limits.stuckTimeout }
        for deadline in [throttle?.nextDeadline, requests.resumesAt] {
            if let deadline { earliest = min(earliest ?? .max, deadline) }
        }
        return earliest
    }

    /// Whether, during a loss, the client has read nothing for too long: neither queued bytes nor bytes in the kernel.
    /// If it has read bytes in the kernel, the timeout starts again.
    func isStuck(now: Int64) -> Bool {
        guard let loss = lines.loss, now - loss.lastProgress >= limits.stuckTimeout else { return false }
        let charge = linux_unread_charge(descriptor)
        lines.loss?.unreadCharge = charge
        guard charge < loss.unreadCharge else { return true }
        lines.loss?.lastProgress = now
        return false
    }
}

/// The socket of a client, and its registration in the loop. The registration must be removed before the socket is
/// closed.
struct ClientSocket: ~Copyable {
    var descriptor: OwnedDescriptor?
    var source: EventLoop.Source?

    init(_ socket: consuming OwnedDescriptor) { descriptor = consume socket }
}

/// The counters of one client's lines.
struct LineNumbers {
    /// A period in which all events are dropped, because the client reads too slowly.
    struct Loss {
        let since: Int64
        /// The time when queued bytes were last sent to the client; initially `since`.
        var lastProgress: Int64
        /// The kernel memory of unread bytes at that time.
        var unreadCharge: CInt
        var dropped: Int64 = 0
    }

    /// The number of events that matched the subscription, sent or not.
    var number: Int64 = 0
    private(set) var dropped: Int64 = 0
    /// The current loss; `nil` after the client has received its queue.
    var loss: Loss?

    /// Counts dropped lines that already have numbers.
    mutating func drop(_ count: Int64) {
        dropped += count
        loss?.dropped += count
    }
}
