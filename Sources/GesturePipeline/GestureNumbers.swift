// SPDX-License-Identifier: MIT
import GestureEngine
import GestureProtocol

/// Numbers the gestures under way: each gets a number when it begins, which all its lines carry.
///
/// No number is given twice while the daemon runs. Neither the subject nor the sequence identifies a gesture: a change of
/// regions renumbers subjects, a gesture may begin again in the same sequence, and clients that may see private regions
/// have other sequences than those that may not.
struct GestureNumbers: Sendable {
    private struct Entry: Sendable {
        let sequence: SequenceID
        /// Its place among the gestures of the sequence's region, which stays as it is while one of them is under way.
        let gesture: Int
        let audience: EventLine.Audience
        let number: Int64
    }

    /// The number of the gesture that begins next.
    var next: Int64
    private var underWay: [Entry] = []

    init(next: Int64) {
        self.next = next
        underWay.reserveCapacity(32)
    }

    /// The number of the gesture that an event belongs to; 0 for discrete ones and failures. To be called with each
    /// event, but may be left out for updates.
    mutating func number(of event: GestureEvent, for audience: EventLine.Audience) -> Int64 {
        switch event.phase {
        case nil: return 0
        case .begin:
            let number = take()
            underWay.append(
                Entry(sequence: event.sequence, gesture: event.gesture, audience: audience, number: number))
            return number
        case .update:
            return place(of: event, for: audience).map { underWay[$0].number } ?? take()
        case .end, .cancel:
            guard let place = place(of: event, for: audience) else { return take() }
            return underWay.remove(at: place).number
        }
    }

    private mutating func take() -> Int64 {
        defer { next &+= 1 }
        return next
    }

    private func place(of event: GestureEvent, for audience: EventLine.Audience) -> Int? {
        underWay.lastIndex {
            $0.sequence == event.sequence && $0.gesture == event.gesture && $0.audience == audience
        }
    }
}
