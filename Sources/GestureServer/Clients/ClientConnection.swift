// SPDX-License-Identifier: MIT
import CLinux
import GestureProtocol
import LinuxSystem

/// One client: its socket, its requests, its subscription, and its queue.
///
/// Never blocks, and has no callbacks: its user checks `state`, `isDrainedAfterLoss` and `nextDeadline` afterwards.
final class ClientConnection {
    /// How much of the connection has ended. It only goes on, from one case to a later one.
    enum State: Comparable {
        /// Both directions are open.
        case open
        /// The client sends nothing more, but still receives.
        case inputEnded
        /// Nothing can be sent or queued any more. The client is closed as soon as no request waits.
        case hungUp
        /// The socket is closed. The client is removed with the next `settle`.
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
    /// The socket is full: wait until it is writable.
    private(set) var isBlocked = false { didSet { if isBlocked != oldValue { isDirty = true } } }
    /// Something has changed that `GestureServer.settle` must handle.
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

    /// -1 once closed.
    var descriptor: CInt { socket.descriptor?.rawValue ?? -1 }

    /// Sets the subscription, or compiles the present one for changed subjects or rights.
    func subscribe(_ request: SubscriptionRequest? = nil, to served: Served) {
        filter = LineFilter(
            request ?? filter.request, subjects: served.subjects.count, rights: peer.rights,
            hasPrivate: served.hasPrivate)
    }

    // MARK: the connection

    /// Notes that more of the connection has ended.
    func advance(to next: State) {
        guard next > state else { return }
        state = next
        guard next >= .hungUp else { return }
        queue = OutboundQueue()
        throttle = nil
    }

    /// Puts the socket into the loop.
    func watch(in loop: EventLoop, _ handler: @escaping (IOEvents) -> Void) throws(SystemError) {
        socket.source = try loop.add(descriptor, events: .readable, handler)
    }

    /// Sets what the loop waits for.
    func watch(in loop: EventLoop, readingIsPaused: Bool) throws(SystemError) {
        guard let source = socket.source else { return }
        var events: IOEvents = []
        if mayReceive, !readingIsPaused { events.insert(.readable) }
        if isBlocked { events.insert(.writable) }
        try loop.modify(source, events: events)
    }

    /// Takes the socket out of the loop, which otherwise reports in each turn that the client has hung up.
    func stopWatching(_ loop: EventLoop) {
        if let source = socket.source { loop.remove(source) }
        socket.source = nil
    }

    /// Gives up the socket, which is to be closed; `nil` if it was given up before. The loop must not watch it any more.
    func takeSocket() -> OwnedDescriptor? {
        advance(to: .closed)
        return socket.descriptor.take()
    }

    // MARK: reading

    /// Whether something may come that was not received yet.
    var mayReceive: Bool { state == .open || state == .hungUp }

    enum ReadOutcome: Hashable { case some, nothing, ended, failed, descriptors }

    /// Receives at most a buffer full.
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

    // MARK: writing

    /// Whether bytes are queued that the socket may take.
    var hasUnsent: Bool { !queue.isEmpty && !isBlocked }

    /// Sends what is queued until the socket is full.
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

    /// Sending has failed. Requests that were sent before are answered in the next turn, and then the client is closed.
    private func endSending(now: Int64) {
        advance(to: .hungUp)
        // It may have closed one direction only: receive nothing more after what is there.
        _ = shutdown(descriptor, CInt(SHUT_RDWR))
        // While a request waits for its answer, the loop's report that the client has hung up is enough.
        if requests.pending == nil, !requests.isPutOff { requests.wait = .turn(since: now) }
    }

    /// Sends what is queued after the socket has become writable; events that have waited too long are dropped.
    func resumeWriting(now: Int64) {
        // 0: lines never become too old.
        let maxAge = filter.request.maxAge * 1000
        if maxAge > 0, let oldest = queue.oldestEvent, now - oldest > maxAge {
            beginLoss(now: now)
        }
        flush(now: now)
    }

    // MARK: loss

    /// Whether the client has taken its queue after a loss, so that the loss can be reported. An empty queue is not
    /// enough, for its lines may have been dropped: the socket must have room.
    var isDrainedAfterLoss: Bool { lines.loss != nil && queue.isEmpty && !isBlocked && state < .hungUp }

    /// Drops all events, also new ones, until the client has taken its queue.
    func beginLoss(now: Int64) {
        let held = throttle?.drop() ?? 0
        lines.number += held
        if lines.loss == nil {
            lines.loss = LineNumbers.Loss(since: now, lastProgress: now, unreadCharge: linux_unread_charge(descriptor))
            isDirty = true
        }
        lines.drop(queue.dropEvents() + held)
    }

    /// Ends the loss, and returns it.
    func endLoss() -> LineNumbers.Loss? {
        isDirty = true
        return lines.loss.take()
    }

    /// When a held line is due, reading resumes, or the client counts as stuck.
    var nextDeadline: Int64? {
        var earliest = lines.loss.map { $0.lastProgress + limits.stuckTimeout }
        for deadline in [throttle?.nextDeadline, requests.resumesAt] {
            if let deadline { earliest = min(earliest ?? .max, deadline) }
        }
        return earliest
    }

    /// Whether it was over the limit for too long without taking bytes, neither from the daemon nor from the kernel.
    /// Restarts the timeout if it took some from the kernel.
    func isStuck(now: Int64) -> Bool {
        guard let loss = lines.loss, now - loss.lastProgress >= limits.stuckTimeout else { return false }
        let charge = linux_unread_charge(descriptor)
        lines.loss?.unreadCharge = charge
        guard charge < loss.unreadCharge else { return true }
        lines.loss?.lastProgress = now
        return false
    }
}

/// The socket of a client, and its place in the loop, which it must lose before it is closed.
struct ClientSocket: ~Copyable {
    var descriptor: OwnedDescriptor?
    var source: EventLoop.Source?

    init(_ socket: consuming OwnedDescriptor) { descriptor = consume socket }
}

/// Counts the lines of one client.
struct LineNumbers {
    /// A time in which all events are dropped, because the client reads too slowly.
    struct Loss {
        let since: Int64
        /// When the client last took bytes that had been queued; at first `since`.
        var lastProgress: Int64
        /// The kernel memory of bytes that the client had not read then.
        var unreadCharge: CInt
        var dropped: Int64 = 0
    }

    /// The number of events that matched the subscription, sent or not.
    var number: Int64 = 0
    /// All lines that were dropped.
    private(set) var dropped: Int64 = 0
    /// Lasts until the client has taken its queue.
    var loss: Loss?

    /// Counts lines that are dropped, and have their numbers already.
    mutating func drop(_ count: Int64) {
        dropped += count
        loss?.dropped += count
    }
}
