// SPDX-License-Identifier: MIT
import GestureProtocol

/// Limits the rate of `update` lines for one client. Excess lines are merged.
///
/// The newest line is held rather than dropped, so that the client receives the last position of a contact.
///
/// This is a class, because a line that is passed on may cause a call to `drop()` before the function returns.
final class UpdateThrottle {
    /// An active gesture.
    private final class Slot {
        var key: OutboundQueue.MergeKey
        var nextTime: Int64 = .min
        var isPending = false
        /// The number of other lines merged into the held one.
        var coalesced: Int64 = 0
        var line = EventLine()

        init(key: OutboundQueue.MergeKey) {
            self.key = key
        }
    }

    enum Verdict: Hashable {
        /// The line can be queued now. `coalesced` other lines were merged into it.
        case passed(coalesced: Int64)
        case held
    }

    /// The maximum number of gestures throttled at the same time.
    private static let slotLimit = 32

    private let interval: Int64
    private var slots: [Slot] = []

    /// Creates a throttle.
    /// - Parameter rate: the maximum number of lines per second for each gesture; must be positive.
    init(rate: Double) {
        interval = Int64(max(1, min(1e9, 1_000_000 / max(rate, 0.001))))
    }

    /// Decides whether a mergeable line can be queued now or is held. If it is held, keeps a copy.
    func admit(_ line: borrowing EventLine, now: Int64) -> Verdict {
        let key = OutboundQueue.MergeKey(line)
        guard let slot = slot(for: key) else { return .passed(coalesced: 0) }
        let merged = slot.isPending ? slot.coalesced + 1 : 0
        guard now < slot.nextTime else {
            slot.isPending = false
            slot.nextTime = now + interval
            return .passed(coalesced: merged)
        }
        slot.isPending = true
        slot.coalesced = merged
        slot.line.copy(line)
        return .held
    }

    /// The time when the next held line is due.
    var nextDeadline: Int64? {
        var earliest: Int64?
        for slot in slots where slot.isPending { earliest = min(earliest ?? .max, slot.nextTime) }
        return earliest
    }

    func releaseDue(now: Int64, _ pass: (borrowing EventLine, _ coalesced: Int64) -> Void) {
        for slot in slots where slot.isPending && slot.nextTime <= now {
            slot.isPending = false
            slot.nextTime = now &+ interval
            pass(slot.line, slot.coalesced)
        }
    }

    /// Passes on the held line that must precede `line`: the one of the same gesture, or of the panel that a `device`
    /// line adds or removes.
    func release(before line: borrowing EventLine, _ pass: (borrowing EventLine, _ coalesced: Int64) -> Void) {
        var key = OutboundQueue.MergeKey(line)
        if key.event == .device { key.event = .touches }
        for slot in slots where slot.isPending && slot.key == key {
            slot.isPending = false
            pass(slot.line, slot.coalesced)
        }
    }

    /// Drops all held lines.
    /// - Returns: the number of dropped lines, including merged ones.
    func drop() -> Int64 {
        var dropped: Int64 = 0
        for slot in slots where slot.isPending {
            slot.isPending = false
            dropped += slot.coalesced + 1
        }
        return dropped
    }

    /// The slot of this gesture, or else the least recently used one.
    private func slot(for key: OutboundQueue.MergeKey) -> Slot? {
        var oldest: Slot?
        for slot in slots {
            if slot.key == key { return slot }
            if !slot.isPending, slot.nextTime < oldest?.nextTime ?? .max { oldest = slot }
        }
        if slots.count < Self.slotLimit {
            let slot = Slot(key: key)
            slots.append(slot)
            return slot
        }
        oldest?.key = key
        oldest?.nextTime = .min
        return oldest
    }
}
