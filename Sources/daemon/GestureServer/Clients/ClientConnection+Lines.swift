// SPDX-License-Identifier: MIT
import CLinux
import GestureProtocol

/// Sends lines, and queues those that the socket does not accept.
extension ClientConnection {
    /// Queues a complete line that is not an event. Does nothing if the connection has hung up.
    func enqueue(_ line: [UInt8], kind: OutboundQueue.Kind, now: Int64) {
        guard state < .hungUp else { return }
        queue.append(line, kind: kind, time: now)
    }

    /// Sends the lines that match the subscription. Lines that the socket does not accept are queued.
    ///
    /// - Parameters:
    ///   - text: a reused buffer for the bytes.
    ///   - subjects: the subjects for which the subscription was compiled.
    func send(_ batch: UnsafeBufferPointer<EventLine>, with text: inout JSONWriter, among subjects: SubjectList) {
        var index = 0
        while index < batch.count, isDirect {
            index = sendDirectly(batch, from: index, with: &text, among: subjects)
        }
        guard index < batch.count || hasUnsent else { return }
        let now = clock.turn()
        while index < batch.count, state < .hungUp {
            enqueue(batch[index], isWanted: filter.passes(batch[index], among: subjects), now: now)
            index += 1
        }
        if hasUnsent { flush(now: now) }
    }

    /// Whether lines can be sent without being queued. Lines with `wall_ms` cannot: a partly sent line is encoded again
    /// when it is queued, and the value may have changed by then.
    private var isDirect: Bool {
        queue.isEmpty && throttle == nil && lines.loss == nil && !isBlocked && state < .hungUp
            && !filter.request.wallClock
    }

    /// Sends as many lines, starting at `first`, as fit into one system call.
    /// - Returns: the index of the first line that was neither sent nor queued.
    private func sendDirectly(
        _ batch: UnsafeBufferPointer<EventLine>, from first: Int, with text: inout JSONWriter,
        among subjects: SubjectList
    ) -> Int {
        text.removeAll()
        var last = lines.number
        var index = first
        while index < batch.count {
            if filter.passes(batch[index], among: subjects) {
                let end = text.count
                batch[index].write(number: last + 1, into: &text)
                if text.count > limits.piece, end > 0 {
                    text.remove(end..<text.count)
                    break
                }
                last += 1
            }
            index += 1
        }
        guard text.count > 0 else { return index }
        let taken = text.withBytes { linux_send(descriptor, $0.baseAddress, $0.count) }
        if taken == text.count {
            lines.number = last
        } else {
            let now = clock.turn()
            for place in first..<index where filter.passes(batch[place], among: subjects) {
                enqueueUnlimited(batch[place], coalesced: 0, now: now)
            }
            queue.markSent(max(0, taken))
            flush(now: now)
            if isOverLimit(queue.load) { beginLoss(now: now) }
        }
        return index
    }

    /// Queues a line if it matches the subscription.
    /// - Parameter isWanted: whether the line matches the subscription. A line that does not match may still release a
    ///   held line, because a held line must not follow the end of its gesture or the removal of its panel, even if the
    ///   client does not receive these events.
    private func enqueue(_ line: borrowing EventLine, isWanted: Bool, now: Int64) {
        if isWanted, line.isMergeable, lines.loss == nil, throttle != nil {
            isDirty = true
            guard case .passed(let coalesced)? = throttle?.admit(line, now: now) else { return }
            return enqueue(line, coalesced: coalesced, now: now)
        }
        throttle?.release(before: line) { enqueue($0, coalesced: $1, now: now) }
        guard isWanted else { return }
        guard lines.loss == nil else {
            lines.number += 1
            return lines.drop(1)
        }
        enqueue(line, coalesced: 0, now: now)
    }

    /// Queues held lines that are due at `time`.
    func enqueueDue(until time: Int64, now: Int64) {
        throttle?.releaseDue(now: time) { enqueue($0, coalesced: $1, now: now) }
    }

    /// Queues a line. If the queue is full, sends as much as the socket accepts. If it is still full after that, a loss
    /// begins.
    private func enqueue(_ line: borrowing EventLine, coalesced: Int64, now: Int64) {
        guard state < .hungUp, isOverLimit(enqueueUnlimited(line, coalesced: coalesced, now: now)) else { return }
        if !isBlocked { flush(now: now) }
        if isOverLimit(queue.load) { beginLoss(now: now) }
    }

    @discardableResult
    private func enqueueUnlimited(
        _ line: borrowing EventLine, coalesced: Int64, now: Int64
    ) -> OutboundQueue.Load {
        lines.number += 1 + coalesced
        var merged = coalesced
        // Lines are merged only if the client has fallen behind. A client that keeps up receives every line.
        if isBlocked, line.isMergeable { merged += queue.removeMergeable(OutboundQueue.MergeKey(line)) }
        return queue.append(
            line, number: lines.number, coalesced: merged,
            wallMilliseconds: filter.request.wallClock ? wallTime(of: line, now: now) : nil, time: now)
    }

    private func isOverLimit(_ load: OutboundQueue.Load) -> Bool {
        // Received bytes and queued replies reduce the byte limit for events, but not below an eighth of it.
        let bytes = max(limits.queuedBytes / 8, limits.queuedBytes - requests.lines.byteCount - load.otherBytes)
        return load.eventLines > limits.queuedLines || load.eventBytes > bytes
    }

    /// The time of the event on the wall clock, in milliseconds.
    private func wallTime(of line: borrowing EventLine, now: Int64) -> Int64 {
        let age = line.timeMicroseconds > 0 ? now &- line.timeMicroseconds : 0
        // Times of another clock, such as those of a replayed panel, cannot be converted.
        let isPlausible = age >= 0 && age < 60_000_000
        return (clock.wall() - (isPlausible ? age : 0)) / 1000
    }
}
