// SPDX-License-Identifier: MIT
import GestureProtocol

/// How an event becomes a line in this client's queue.
extension ClientConnection {
    /// Queues a line that the subscription lets pass. It is sent by the next `flush`.
    func deliver(_ line: borrowing EventLine, now: Int64) {
        guard lossSince == nil else { return countDropped() }
        guard throttle != nil else { return enqueue(line, coalesced: 0, now: now) }
        if line.isMergeable {
            isDirty = true
            guard case .send(let coalesced)? = throttle?.admit(line, now: now) else { return }
            enqueue(line, coalesced: coalesced, now: now)
        } else {
            throttle?.release(before: line) { held, coalesced in
                enqueue(held, coalesced: coalesced, now: now)
            }
            guard lossSince == nil else { return countDropped() }
            enqueue(line, coalesced: 0, now: now)
        }
    }

    /// Queues the held lines whose time has come.
    func deliverDue(now: Int64) {
        throttle?.releaseDue(now: now) { held, coalesced in
            enqueue(held, coalesced: coalesced, now: now)
        }
    }

    /// Queues all held lines, due or not: their filter goes.
    func releaseHeld(now: Int64) {
        throttle?.releaseDue(now: .max) { held, coalesced in
            enqueue(held, coalesced: coalesced, now: now)
        }
    }

    private func enqueue(_ line: borrowing EventLine, coalesced: Int64, now: Int64) {
        number += 1 + coalesced
        var merged = coalesced
        // Only what the client is late for: a client that reads gets each line.
        if isBlocked, line.isMergeable { merged += queue.removeMergeable(OutboundQueue.MergeKey(line)) }
        queue.append(
            line, number: number, coalesced: merged,
            wallMilliseconds: subscription.wallClock ? wallTime(of: line, now: now) : nil, time: now)
        guard isOverLimit else { return }
        if !isBlocked { flush(now: now) }
        if isOverLimit { beginLoss(now: now) }
    }

    private var isOverLimit: Bool {
        queue.eventLines > limits.queuedLines || queue.eventBytes > bytesForEvents
    }

    /// What a request under way and replies that wait leave of this client's bytes; a little in any case.
    private var bytesForEvents: Int {
        max(limits.queuedBytes / 8, limits.queuedBytes - input.byteCount - (queue.byteCount - queue.eventBytes))
    }

    /// The event's own moment on the wall clock.
    private func wallTime(of line: borrowing EventLine, now: Int64) -> Int64 {
        let age = line.timeMicroseconds > 0 ? now &- line.timeMicroseconds : 0
        // Foreign times (a replayed panel) say nothing of this clock.
        let isPlausible = age >= 0 && age < 60_000_000
        return (clock.wall() - (isPlausible ? age : 0)) / 1000
    }
}
