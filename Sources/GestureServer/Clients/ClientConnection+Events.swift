// SPDX-License-Identifier: MIT
import GestureProtocol

/// Adding events to the client's queue.
extension ClientConnection {
    /// Queues a line that matches the subscription. `flush` sends it.
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

    /// Queues the held lines that are due.
    func deliverDue(now: Int64) {
        throttle?.releaseDue(now: now) { held, coalesced in
            enqueue(held, coalesced: coalesced, now: now)
        }
    }

    /// Queues all held lines, due or not.
    func releaseHeld(now: Int64) {
        throttle?.releaseDue(now: .max) { held, coalesced in
            enqueue(held, coalesced: coalesced, now: now)
        }
    }

    private func enqueue(_ line: borrowing EventLine, coalesced: Int64, now: Int64) {
        number += 1 + coalesced
        var merged = coalesced
        // Only for a client that is late: one that reads gets every line.
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

    /// What the received bytes and the queued replies leave of this client's bytes, but at least an eighth.
    private var bytesForEvents: Int {
        max(limits.queuedBytes / 8, limits.queuedBytes - input.byteCount - (queue.byteCount - queue.eventBytes))
    }

    /// The time of the event on the wall clock.
    private func wallTime(of line: borrowing EventLine, now: Int64) -> Int64 {
        let age = line.timeMicroseconds > 0 ? now &- line.timeMicroseconds : 0
        // Times of another clock (a replayed panel) cannot be converted.
        let isPlausible = age >= 0 && age < 60_000_000
        return (clock.wall() - (isPlausible ? age : 0)) / 1000
    }
}
