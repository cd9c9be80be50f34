// SPDX-License-Identifier: MIT

/// A change of one gesture's state within a sequence, for the debug log and for tests.
package struct GestureTransition: Hashable, Sendable {
    /// The state of a gesture: a decision of the arbiter, or the end of a continuous gesture.
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

    /// The index into the engine's regions.
    package let region: RegionIndex
    /// The index into that region's gestures.
    package let gesture: GestureIndex
    package let sequence: SequenceID
    /// The contact that caused the change; at a deadline, the contact that landed last in the region; `nil` if none is
    /// down.
    package let contact: ContactID?
    package let from: State
    package let to: State
    /// The reason for a failure.
    package let failure: GestureFailure?
}
