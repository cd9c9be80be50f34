// SPDX-License-Identifier: MIT

/// The machine of one gesture of one region.
///
/// It is told what happens to the region's contacts and answers what that makes of its gesture. It
/// emits no event itself: the region engine does, once arbitration has let it. A kind of gesture
/// overrides `handle` and the properties in which it differs from most.
class Recognizer {
    /// What a recognizer may be asked to try once more within a sequence, when all contacts that are left
    /// are other regions' and another one lands.
    enum Retry {
        case never
        /// Unless it is under way, or has not been decided.
        case whenOver
        case always
    }

    /// The region's contacts. Not to be changed here.
    let contacts: RegionContacts

    // MARK: Arbitration

    /// What arbitration has decided. Not to be changed by the recognizer itself.
    final var disposition = Disposition.possible
    /// The last sequence of which a failure was reported: it is not reported twice.
    final var rejectedSequence: SequenceID?
    /// Why it failed when its contact landed: told at the end of the sequence, if nothing else comes of it.
    final var untold: GestureFailure?
    /// The frame in which it began.
    final var firstFrame = 0
    /// Whether it sends updates: updates are wanted, and it has not begun in this very frame.
    final var reportsUpdates: Bool { contacts.context.reportsUpdates && firstFrame != contacts.context.frame }

    init(_ contacts: RegionContacts) {
        self.contacts = contacts
    }

    /// Takes one input in. Inputs that a kind does not care for change nothing and answer `nil`.
    func handle(_ input: RecognizerInput) -> RecognizerAnswer? { nil }

    // MARK: State

    /// When it must next get a `.deadline`.
    var deadline: Timestamp? { nil }
    /// How far a contact may stray before this fails, squared; `nil` when that does not matter now.
    var squaredSlop: Double? { nil }
    /// It has begun, and neither ended nor been cancelled.
    var isActive: Bool { false }
    /// It can no longer be recognized in this sequence.
    var isOver: Bool { false }
    /// It has ended, and may begin again in this sequence.
    var mayBeginAgain: Bool { false }
    /// Nothing of an earlier sequence is left to wait for.
    var isIdle: Bool { true }
    /// It would begin, or be recognized, where the contacts are now.
    var accepts: Bool { false }
    /// It would be recognized by the lift of this contact.
    func accepts(liftOf id: ContactID) -> Bool { false }
    /// It cannot go on when this contact is taken away and others stay.
    func needs(_ id: ContactID) -> Bool { false }
    /// It goes on though a gesture of another region claims its contacts.
    var outlastsClaims: Bool { false }
    /// It may be recognized whatever has become of it in this sequence: it has begun in an earlier one.
    var continuesStreak: Bool { false }
    /// The sequence in which what it recognizes began, if that is an earlier one.
    var streakStart: SequenceID? { nil }
    /// It has been recognized, and is not told yet: something longer may come.
    var isHeldBack: Bool { false }
    /// Where its events are, if that is not where the contacts are now.
    var focus: Point? { nil }
    /// Something that was recognized in `sequence` may become part of this.
    func mayContain(_ sequence: SequenceID) -> Bool { false }

    // MARK: Kind

    /// Takes contacts for itself when it begins or is recognized.
    var competes: Bool { false }
    /// Its `fingers` and place are those of contacts that no other region has claimed.
    var ignoresClaimedContacts: Bool { false }
    /// Cares whether contacts are inside the region.
    var watchesInside: Bool { false }
    /// Weighs motions of several contacts against each other (`MotionBase`).
    var weighsMotions: Bool { false }
    var retry: Retry { .never }
}

/// What a recognizer is told. Each input says which kinds care for it.
enum RecognizerInput {
    // MARK: Contacts

    /// A contact has landed. `isShadowed`: a nearer region has the same gesture. (press, tap, long press, repeat, swipe)
    case contactLanded(ContactID, isShadowed: Bool)
    /// A contact is about to join those that count, or to leave them. (drag, transform)
    case contactsWillChange
    /// A contact has joined or left: movement is measured from here. (drag, transform)
    case contactsDidChange
    /// The contacts have moved, and what competes has begun if it could: what began earlier says where it has come.
    /// (drag, transform)
    case contactsTravelled
    /// The contacts have moved, and what competes has had its say. (tap, long press)
    case contactsMoved
    /// A contact has left the region or returned, or has joined those that may. (repeat, press, tap, long press)
    case insideChanged
    /// A contact is gone without a lift, and others are left. (repeat)
    case contactCancelled(ContactID, CancelReason)

    // MARK: Lifts, in this order

    /// A contact that counts is about to leave. (drag, transform, swipe, tap)
    case contactWillLift(ContactID, at: Point)
    /// The last contact is about to leave. (drag, swipe)
    case lastContactWillLift
    /// One of the contacts that rest is about to leave. (long press that has not begun)
    case restEnds(ContactID)
    /// No further contact joins those that rest. (long press that has not begun)
    case restLacksContacts
    /// A contact leaves. (long press that has begun, repeat)
    case contactLifted(ContactID)
    /// Too few contacts are left to measure how they lie to each other. (transform)
    case spanEnds
    /// No further contact joins the attempt. (tap that lacks contacts)
    case tapLacksContacts
    /// No contact of the attempt is left. (tap)
    case tapEnds
    /// No contact is left. (press)
    case released
    /// The sequence is over, or the gesture may be tried again in it: back to the start. (all)
    case sequenceEnded

    // MARK: Time

    /// A deadline of the region is due. (press, tap, long press, repeat, swipe)
    /// - waitsForFailure: a gesture of `unless` is still possible.
    case deadline(waitsForFailure: Bool)

    // MARK: Arbitration

    /// All gestures of `after` have been recognized: the contacts land now, but for a tap. (all)
    case woken
    /// It cannot come of this landing: a nearer region has the same gesture, or the taps before it are missing.
    /// (press, long press, repeat, drag, swipe)
    case refused(GestureFailure)
    /// It was accepted, and has won the contacts. (drag, transform, swipe)
    case begin
    /// It was accepted, and a gesture of `unless` is still possible. (drag)
    case blocked
    /// It has begun and could not be announced; now it can. (press, long press)
    case announce
    /// It has begun and could not be announced, and its contacts have changed. (long press)
    case interrupted(CancelReason)
    /// A long press of the region has begun. (tap)
    case longPressBegan
    /// A contact was claimed by a region below. (tap, long press, swipe)
    case contactClaimed
    /// It ends, or fails. (all) `byGesture`: another gesture took the sequence; else it was taken from outside.
    case cancel(CancelReason, byGesture: Bool)
    /// Taps so far count for nothing longer. (tap)
    case forgetStreak
    /// A gesture has begun that comes after taps: those taps were a part of it. (tap)
    case streakTaken
}

/// What an input makes of a gesture.
enum RecognizerAnswer {
    case begin(GestureEvent.Detail)
    case update(GestureEvent.Detail)
    case end(GestureEvent.Detail)
    case cancel(GestureEvent.Detail, CancelReason)
    /// A discrete gesture is recognized.
    case recognize(GestureEvent.Detail)
    /// Gave up for this sequence.
    case fail(GestureFailure)
    /// Of a tap, whose streak may reach back into an earlier sequence.
    case tap(TapAnswer)
}
