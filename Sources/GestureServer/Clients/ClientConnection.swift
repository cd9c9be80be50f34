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
    var subscription = Subscription(.silent)
    var input = RequestLines()
    var requests: TokenBucket
    /// When reading goes on that the rate of requests has stopped.
    var resumeReadingAt: Int64?
    /// The client will send nothing more; it may go on listening for ever.
    var isInputEnded = false
    var source: EventLoop.Source?

    private var socket: OwnedDescriptor?
    var queue = OutboundQueue()
    var throttle: UpdateThrottle?
    /// Counts this connection's matching events, delivered or not.
    var number: Int64 = 0
    /// Set while everything is dropped until the client has taken what it has.
    var loss: Loss?
    /// The socket took less than there was: wait until it is writable.
    private(set) var isBlocked = false
    /// Broken, or closed.
    private(set) var isFailed = false
    /// When the socket last took a byte.
    private var lastProgress: Int64
    private(set) var linesDropped: Int64 = 0

    struct Loss: Hashable {
        var since: Int64
        var dropped: Int64
    }

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

    /// Sends what waits until the socket takes no more.
    func flush(now: Int64) {
        guard !isFailed else { return }
        isBlocked = false
        while !queue.isEmpty {
            let count = queue.withUnsent { linux_send(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                queue.markSent(count)
                lastProgress = now
                continue
            }
            switch linux_errno() {
            case EINTR: continue
            case EAGAIN: isBlocked = true
            default: isFailed = true
            }
            return
        }
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
    var isDrainedAfterLoss: Bool { loss != nil && queue.isEmpty && !isBlocked && !isFailed }

    /// Drops all events, from now on too, until the client has drained.
    func beginLoss(now: Int64) {
        let held = throttle?.drop() ?? 0
        number += held
        let dropped = queue.dropEvents() + held
        linesDropped += dropped
        if loss == nil { loss = Loss(since: now, dropped: 0) }
        loss?.dropped += dropped
    }

    /// Counts an event that is not kept.
    func countDropped() {
        number += 1
        linesDropped += 1
        loss?.dropped += 1
    }

    /// When something must be done without the client: a line that is due, or the end of patience.
    var nextDeadline: Int64? {
        let stuck = loss.map { max($0.since, lastProgress) + limits.stuckTimeout }
        var earliest = stuck
        for deadline in [throttle?.nextDeadline, resumeReadingAt] {
            if let deadline { earliest = min(earliest ?? .max, deadline) }
        }
        return earliest
    }

    /// Whether it was over the limit for too long without taking a byte.
    func isStuck(now: Int64) -> Bool {
        guard let loss else { return false }
        return now - max(loss.since, lastProgress) >= limits.stuckTimeout
    }
}
