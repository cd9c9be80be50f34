// SPDX-License-Identifier: MIT
import GestureProtocol

/// Lets `update` lines through at most so often, for one client; what came in between is merged.
///
/// The newest line is held back, not thrown away: a finger that stops leaves its last position.
///
/// A class: what it hands over may end in `drop()` on the way.
final class UpdateThrottle {
    /// One gesture that goes on.
    private final class Slot {
        var key: OutboundQueue.MergeKey
        var nextTime: Int64 = .min
        var isPending = false
        /// Lines that the held one stands for besides itself.
        var coalesced: Int64 = 0
        var line = EventLine()

        init(key: OutboundQueue.MergeKey) {
            self.key = key
        }
    }

    enum Verdict: Hashable {
        /// Send it now; it stands for so many others besides itself.
        case send(coalesced: Int64)
        case held
    }

    /// Gestures that go on at the same time: more than that many fingers have.
    private static let slotLimit = 32

    private let interval: Int64
    private var slots: [Slot] = []

    /// - Parameter rate: lines a second for each gesture; above zero.
    init(rate: Double) {
        interval = Int64(max(1, min(1e9, 1_000_000 / max(rate, 0.001))))
    }

    /// Decides on a line that is mergeable; keeps a copy of it when it is held.
    func admit(_ line: borrowing EventLine, now: Int64) -> Verdict {
        let key = OutboundQueue.MergeKey(line)
        guard let slot = slot(for: key) else { return .send(coalesced: 0) }
        let merged = slot.isPending ? slot.coalesced + 1 : 0
        guard now < slot.nextTime else {
            slot.isPending = false
            slot.nextTime = now + interval
            return .send(coalesced: merged)
        }
        slot.isPending = true
        slot.coalesced = merged
        slot.line.copy(line)
        return .held
    }

    /// When a held line is due.
    var nextDeadline: Int64? {
        var earliest: Int64?
        for slot in slots where slot.isPending { earliest = min(earliest ?? .max, slot.nextTime) }
        return earliest
    }

    /// Hands over what is due at `now`.
    func releaseDue(now: Int64, _ send: (borrowing EventLine, _ coalesced: Int64) -> Void) {
        for slot in slots where slot.isPending && slot.nextTime <= now {
            slot.isPending = false
            slot.nextTime = now &+ interval
            send(slot.line, slot.coalesced)
        }
    }

    /// Hands over what is held of the gesture that `line` goes on with, so that it comes before.
    func release(before line: borrowing EventLine, _ send: (borrowing EventLine, _ coalesced: Int64) -> Void) {
        let key = OutboundQueue.MergeKey(line)
        for slot in slots where slot.isPending && slot.key == key {
            slot.isPending = false
            send(slot.line, slot.coalesced)
        }
    }

    /// Forgets everything that is held.
    /// - Returns: how many lines that were, those merged included.
    func drop() -> Int64 {
        var dropped: Int64 = 0
        for slot in slots where slot.isPending {
            slot.isPending = false
            dropped += slot.coalesced + 1
        }
        return dropped
    }

    /// The slot of this gesture, or one whose gesture had its last line longest ago.
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
