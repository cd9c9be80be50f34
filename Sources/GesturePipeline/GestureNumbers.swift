// SPDX-License-Identifier: MIT
import GestureEngine

/// Numbers the gestures under way: each gets a number when it begins, which all its lines carry.
///
/// No number is given twice while the daemon runs. Neither the subject nor the sequence identifies a gesture: a change of
/// regions renumbers subjects, and a gesture may begin again in the same sequence.
struct GestureNumbers {
    private struct Entry: Sendable {
        let sequence: SequenceID
        /// Its place among the gestures of the sequence's region, which stays as it is while one of them is under way.
        let gesture: GestureIndex
        let number: Int64
    }

    private let identifiers: Identifiers
    private var underWay: [Entry] = []

    init(_ identifiers: Identifiers) {
        self.identifiers = identifiers
        underWay.reserveCapacity(32)
    }

    /// The number of the gesture that an event belongs to; 0 for discrete ones and failures. To be called with each
    /// event, but may be left out for updates.
    mutating func number(of event: GestureEvent) -> Int64 {
        switch event.phase {
        case nil: return 0
        case .begin:
            let number = identifiers.takeGesture()
            underWay.append(Entry(sequence: event.sequence, gesture: event.gesture, number: number))
            return number
        case .update:
            return place(of: event).map { underWay[$0].number } ?? identifiers.takeGesture()
        case .end, .cancel:
            guard let place = place(of: event) else { return identifiers.takeGesture() }
            return underWay.remove(at: place).number
        }
    }

    private func place(of event: GestureEvent) -> Int? {
        underWay.lastIndex { $0.sequence == event.sequence && $0.gesture == event.gesture }
    }
}
