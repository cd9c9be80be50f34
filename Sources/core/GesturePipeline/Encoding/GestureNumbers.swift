// SPDX-License-Identifier: MIT
import GestureEngine

/// Assigns numbers to active gestures. A number is assigned when a gesture begins, and identifies all its lines.
///
/// No number is used twice while the daemon runs. Neither subject nor sequence identifies a gesture: a change of
/// regions renumbers subjects, and a gesture may begin again in the same sequence.
struct GestureNumbers {
    private struct Entry: Sendable {
        let sequence: SequenceID
        /// The index in its region, which is constant while a gesture of the sequence is active.
        let gesture: GestureIndex
        let number: Int64
    }

    private let identifiers: Identifiers
    private var underWay: [Entry] = []

    init(_ identifiers: Identifiers) {
        self.identifiers = identifiers
        underWay.reserveCapacity(32)
    }

    /// The number of the gesture of an event; 0 for discrete gestures and failures. Call this for each event; only
    /// updates may be skipped.
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
        // Swift would look up `==` of types of another module for each comparison.
        underWay.lastIndex {
            $0.sequence.rawValue == event.sequence.rawValue && $0.gesture.raw == event.gesture.raw
        }
    }
}
