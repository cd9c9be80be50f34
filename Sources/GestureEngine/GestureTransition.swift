// SPDX-License-Identifier: MIT

/// A step of one gesture in the sequence of its region, for a debug log and for tests.
package struct GestureTransition: Hashable, Sendable {
    /// How far a gesture has come: what arbitration has decided, and the end of what is continuous.
    package enum State: String, Sendable {
        case dormant, possible, deferred, recognized, failed, ended, cancelled

        init(_ state: Candidate.State) {
            self =
                switch state {
                case .dormant: .dormant
                case .possible: .possible
                case .deferred: .deferred
                case .accepted: .recognized
                case .rejected: .failed
                }
        }
    }

    /// Index into the engine's regions.
    package let region: Int
    /// Index into that region's gestures.
    package let gesture: GestureIndex
    package let sequence: SequenceID
    /// The contact that caused it; at a deadline the last that landed in the region. `nil`: none is down.
    package let contact: ContactID?
    package let from: State
    package let to: State
    /// Why it failed.
    package let failure: GestureFailure?
}
