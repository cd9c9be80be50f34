// SPDX-License-Identifier: MIT

/// State that all regions of one engine share: the time, the options and the collected events.
final class EngineContext {
    /// The source of sequence numbers.
    let identifiers: Identifiers
    /// The time of the current frame or deadline. It never decreases.
    var now = Timestamp(microseconds: .min)
    /// The number of frames so far.
    var frame = 0
    /// The number of inputs that recognizers have handled. A property test checks that each frame adds a bounded
    /// number.
    var tells = 0
    /// Whether a sequence has ended since idle regions were last collected.
    var hasEndedSequence = false
    /// Events of the current call, in the order in which they are sent to clients.
    var events: [GestureEvent] = []
    /// Whether updates of continuous gestures are emitted.
    var reportsUpdates = true
    /// Whether events with a `GestureFailure` are emitted.
    var reportsFailures = false
    var recordsTransitions = false
    /// Recorded transitions, until they are taken.
    var transitions: [GestureTransition] = []
    /// The log of contacts that gestures take from an application; `nil` unless the panel is shared with one.
    var claims: ClaimLog?
    /// The time since the lift of the contact that is being handled (`ContactChange.delay`); zero for other changes.
    var liftDelay = Interval.zero
    /// The contact that is being handled; `nil` at a deadline.
    var contact: ContactID?

    init(_ identifiers: Identifiers) { self.identifiers = identifiers }

    func emit(_ event: GestureEvent) { events.append(event) }
}
