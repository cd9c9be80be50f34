// SPDX-License-Identifier: MIT

/// What a recognizer answers when it is told something. It does nothing itself: the region
/// engine makes the event, once arbitration has let it.
enum RecognizerAction: Hashable, Sendable {
    case none
    case begin(GestureEvent.Detail)
    case update(GestureEvent.Detail)
    case end(GestureEvent.Detail)
    case cancel(GestureEvent.Detail, CancelReason)
    /// A discrete gesture is recognized.
    case recognize(GestureEvent.Detail)
    /// Gave up for this sequence; printed only for those who ask why.
    case fail(GestureFailure)
}

/// What a movement, or a lift, says to a recognizer that waits.
enum Outcome: Hashable, Sendable {
    case pending
    case accept
    case reject(GestureFailure)
}
