// SPDX-License-Identifier: MIT

/// Holds the decisions of the arbiter about one gesture in the present sequence of its region.
///
///     dormant ──all of `after` accepted──▶ possible ──recognized──▶ accepted
///        │                                  │    │                     ▲
///        │                                  │    └─▶ deferred ─────────┤ all of `unless` rejected
///        │                                  │            │             │
///        └──────the last contact lifts──────┴────fails───┴─▶ rejected  ┘
///
/// The law, as in Flutter's arena:
/// 1. In each sequence a gesture is accepted or rejected, exactly once. It is accepted before its first
///    event, and no event of a rejected one follows. Three things count anew: a gesture that may be tried again
///    because all contacts left are other regions' (`GestureTraits.retry`), the streak of a tap, which goes on
///    in the next sequence, and a pinch or rotation that has ended: it stays accepted, and may begin again.
/// 2. Who claims a contact has it alone: gestures of other regions that compete, and those that end with a
///    claim (`GestureTraits.claimed`), are cancelled or go on without it, and no other region may claim it.
///    Regions that pass, and pairs of `simultaneous`, take no part in this.
/// 3. Of two gestures that want a contact in one frame, the one whose kind comes first in `priority` has it; then
///    that of the region nearer to the contact; then the one that comes first in the order of lines.
///
/// A class, because each use of a structure in a list of a class is checked for exclusive access.
final class Candidate {
    enum State {
        /// A gesture of `after` has not been accepted yet, so it is told of no contacts.
        case dormant
        case possible
        /// It has begun without an event: a gesture of `unless` is still possible.
        case deferred
        case accepted
        case rejected
    }

    var state = State.possible
    /// Why it failed when its contact landed: told at the end of the sequence, if nothing else came of it.
    var untold: GestureFailure?
    /// The last sequence of which a failure was reported: a broken streak is not reported after that.
    var reported: SequenceID?
    /// It wanted to begin, and a gesture of `unless` was still possible.
    var wasHeldBack = false
    /// The frame in which it began: no update follows in that one.
    var begunIn = 0
    /// It has been told of the lift that is being handled.
    var knowsLift = false

    /// The state as a log calls it.
    var transitionState: GestureTransition.State {
        switch state {
        case .dormant: .dormant
        case .possible: .possible
        case .deferred: .deferred
        case .accepted: .recognized
        case .rejected: .failed
        }
    }
}

/// A discrete gesture that has happened and is not announced yet.
struct DeferredEvent {
    enum Cause {
        /// A gesture of `unless` is still possible.
        case unless
        /// It is a tap that waits until nothing longer can come of it (`wait`); after that, `unless` may still hold it.
        case wait
    }

    var event: GestureEvent
    var cause: Cause
}
