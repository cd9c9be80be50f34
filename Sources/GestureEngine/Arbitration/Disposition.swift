// SPDX-License-Identifier: MIT

/// What arbitration has decided about a gesture in the sequence of its region.
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
///    because all contacts left are other regions' (`Recognizer.retry`), the streak of a tap, which goes on
///    in the next sequence, and a pinch or rotation that has ended: it stays accepted, and may begin again
///    (`Recognizer.mayBeginAgain`).
/// 2. Who claims a contact has it alone: gestures of other regions that compete, and those that end with a
///    claim (`Recognizer.outlastsClaims`), are cancelled or go on without it, and no other region may claim it.
///    Regions that pass, and pairs of `simultaneous`, take no part in this.
/// 3. Of two gestures that want a contact in one frame, the one whose kind comes first in `priority` has it; then
///    that of the region nearer to the contact; then the one that comes first in the order of lines.
enum Disposition {
    /// Comes after gestures that have not been accepted yet: it is told of no contacts.
    case dormant
    case possible
    /// Has begun without an event: a gesture of `unless` is still possible.
    case deferred
    case accepted
    case rejected

    /// What a log calls it.
    var state: GestureTransition.State {
        switch self {
        case .dormant: .dormant
        case .possible: .possible
        case .deferred: .deferred
        case .accepted: .recognized
        case .rejected: .failed
        }
    }
}
