// SPDX-License-Identifier: MIT

/// What all regions of one engine share: the time, and where events go.
final class EngineContext {
    /// Number the sequences.
    let identifiers: Identifiers
    /// The time of the frame or deadline that is being handled; never goes back.
    var now = Timestamp(microseconds: .min)
    /// Frames so far.
    var frame = 0
    /// How often a recognizer was told something, so far: a law bounds it for each frame.
    var tells = 0
    /// A sequence has ended since idle regions were last looked for.
    var hasEndedSequence = false
    /// Events of the call that is being handled, in the order of their lines.
    var events: [GestureEvent] = []
    /// Whether updates of continuous gestures are made.
    var reportsUpdates = true
    /// Whether events with a `GestureFailure` are made.
    var reportsFailures = false
    /// Whether transitions are recorded.
    var recordsTransitions = false
    /// Recorded transitions, until they are taken.
    var transitions: [GestureTransition] = []
    /// Where it is noted what gestures take from an application; `nil` while the panel is not shared with one.
    var claims: ClaimLog?
    /// The contact that is being handled; `nil` at a deadline.
    var contact: ContactID?

    init(_ identifiers: Identifiers) { self.identifiers = identifiers }

    /// Appends to `events`.
    func emit(_ event: GestureEvent) { events.append(event) }
}
