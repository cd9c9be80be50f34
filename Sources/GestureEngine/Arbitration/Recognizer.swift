// SPDX-License-Identifier: MIT

/// The machine of one gesture of one region.
///
/// It is told what happens to the region's contacts, and answers what that makes of its gesture. It knows nothing of
/// other gestures, and emits no line: the arbiter of the region (`RegionUnit`) decides what becomes of an answer. A kind of
/// gesture overrides `handle` and the questions whose answer differs from that of most kinds. Questions change nothing.
///
/// This class by itself recognizes nothing. It stands in the list for a pattern, which is told no contacts.
class Recognizer {
    /// The region's contacts. A recognizer reads them and never changes them.
    let contacts: RegionContacts

    init(_ contacts: RegionContacts) {
        self.contacts = contacts
    }

    /// Takes one input in. An input that a kind does not care for changes nothing and has no answer.
    func handle(_ input: RecognizerInput) -> RecognizerAnswer? { nil }

    // MARK: Questions about contacts

    /// Whether it would begin, or be recognized, at this moment, if nobody else were there.
    func wants(_ moment: RecognizerMoment) -> Bool { false }

    /// Whether nothing can come of it any more once this contact has lifted. It fails before others are told of the lift,
    /// so that a gesture which waits for its failure may still come of the contact.
    func isHopeless(after lift: ContactLift) -> Bool { false }

    /// Tells whether it has begun, and whether it may begin.
    var progress: RecognizerProgress { .waiting }

    /// When it must next be told of a deadline.
    var deadline: Timestamp? { nil }

    /// While no contact has strayed further than this from its landing, it need not be told of movement, unless it
    /// competes. Squared millimetres.
    var stillLimit: Double { .infinity }

    /// Where its lines are, if that is not where the contacts are now.
    var focus: Point? { nil }

    /// Nothing of an earlier sequence is left to wait for.
    var isIdle: Bool { true }

    // MARK: Questions about streaks, which outlive a sequence

    /// It may still be recognized, whatever has been decided in this sequence: it has begun in an earlier one.
    var continuesStreak: Bool { false }

    /// The sequence in which what it recognizes began, if that is an earlier one.
    var streakStart: SequenceID? { nil }

    /// Tells what becomes of something that this gesture, or a part of it, recognized in `sequence`.
    func fate(of sequence: SequenceID) -> StreakFate { .void }
}

/// An event of the world, or a decision of the arbiter.
enum RecognizerInput {
    // MARK: The world

    /// A contact that counts has landed, and is in the group. `contacts.motion` is still that of the contacts before.
    case landed(ContactID)
    /// Contacts have moved, left the shape or returned.
    case moved
    /// The contacts that count have changed, or those inside the shape: movement is measured from where they are now.
    case regrouped
    /// A contact lifts. It is still in the group.
    case lifts(ContactLift)
    /// A contact is lost. It is still in the group, and still free if it was.
    case gone(ContactID, ContactLoss)
    /// Its deadline is due. `mayCome`: all gestures of `unless` have failed.
    case deadline(mayCome: Bool)

    // MARK: The arbiter

    /// It has won its contacts, or all that it waited for has failed. `late`: it wanted to begin before, and had to wait.
    case begin(late: Bool)
    /// All gestures of `after` were recognized: for this gesture the contacts land now. (For a tap, the next landing counts.)
    case wake
    /// Nothing comes of this try. A gesture that has begun goes on.
    case refuse(GestureFailure)
    /// It ends, or fails.
    case cancel(CancelReason)
    /// Earlier taps count for nothing any more.
    case forget
    /// The sequence, or this try of it, is over: back to the start.
    case reset
}

/// A contact that lifts.
struct ContactLift {
    let id: ContactID
    let position: Point
    /// No other region has claimed it.
    let isFree: Bool
    /// It is the last contact of the sequence.
    let isLast: Bool
    /// It is the last one that no other region has claimed.
    let isLastFree: Bool
}

/// Says who has a contact now that was lost without a lift.
enum ContactLoss {
    /// A gesture of a region below has it now. It stays in the sequence, and may press.
    case claimed
    /// It is taken away.
    case cancelled(CancelReason)

    var reason: CancelReason {
        switch self {
        case .claimed: .claimed
        case .cancelled(let reason): reason
        }
    }

    var isClaim: Bool {
        if case .claimed = self { true } else { false }
    }
}

/// When a gesture would be recognized.
enum RecognizerMoment {
    /// With the contacts where they are.
    case now
    /// By the lift of this contact.
    case lift(ContactID)
}

enum RecognizerProgress {
    /// It may begin, or be recognized.
    case waiting
    /// It has begun, and neither ended nor been cancelled.
    case active
    /// It has ended, and may begin again in this sequence.
    case ended
    /// It is not recognized any more in this sequence.
    case over
}

enum StreakFate {
    /// It may become a part of something longer.
    case pending
    /// Nothing longer comes: it stands.
    case due
    /// It is a part of something longer, or this gesture knows nothing of it.
    case void
}

/// What an input makes of a gesture. Only `fail` and `cancel` answer `cancel` and `refuse`.
enum RecognizerAnswer {
    case begin(GestureEvent.Detail)
    case update(GestureEvent.Detail)
    case end(GestureEvent.Detail)
    case cancel(GestureEvent.Detail, CancelReason)
    /// A discrete gesture is recognized, where its lines are.
    case recognize(GestureEvent.Detail)
    /// Taps are complete: at the mean of where they lifted, which is not where contacts are. `waits`: until its `fate` is due.
    case recognizeTap(GestureEvent.Detail, fingers: Int, position: Point, waits: Bool)
    /// It gave up: in the present sequence, or with a streak whose last tap was in another one (`sequence`).
    case fail(GestureFailure, in: SequenceID? = nil)
}

// MARK: - Kinds

/// The kinds of gestures. A kind's word in configuration and on the wire is made of its name.
package enum GestureKind: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case press, tap, longPress, `repeat`, drag, swipe, pinch, rotate, pattern
}

/// Describes one kind of gesture for the arbiter. What depends on a gesture's settings is its recognizer's.
struct GestureTraits {
    /// A nearer region's gesture of the same kind, fingers, taps and count may keep this one from its contacts.
    enum Shadowing {
        /// It does not.
        case none
        /// Nothing comes of the whole try.
        case firstContact
        /// Nothing comes of any contact that both are told of.
        case everyContact
    }

    /// When a gesture is tried once more within a sequence: a contact lands while all others are other regions'.
    enum Retry {
        case never
        /// If it has failed, or was recognized and has ended.
        case whenOver
        case always
    }

    /// Another region's gesture claims the contacts, and this one is no companion of it.
    enum Claimed {
        /// It lasts as long as the contacts are down.
        case goesOn
        /// It goes on if it has begun.
        case goesOnIfBegun
        /// It fails, or is cancelled.
        case ends
    }

    /// When a gesture is told of a lift that does not make it impossible. All gestures of a stage come before those of
    /// the next one.
    enum LiftStage: CaseIterable {
        /// It competes for contacts, or is over in a moment.
        case first
        /// It would be of the first stage, but has not begun: it fails for want of contacts, unless one of the first stage
        /// is a better reason.
        case unbegun
        /// It lasts while contacts are held.
        case held
        /// It lasts until the last contact is gone: its line comes last.
        case last
    }

    /// Where its lines stand among those of one region and one moment.
    var place: Int
    /// The keys and words of its failures.
    var failures: FailureTerms
    /// It begins, goes on and ends. Others are recognized at one moment.
    var isContinuous = true
    /// It claims contacts when it begins or is recognized.
    var competes = false
    /// Its `fingers` and place are those of contacts that no other region has claimed. Otherwise they are those of all.
    var countsFreeContacts = false
    var shadowing = Shadowing.none
    var retry = Retry.never
    var claimed = Claimed.ends
    /// With several fingers, it takes the sequence from gestures of one.
    var takesWithSeveral = true
    /// While it may not be announced yet (`unless`), a contact that joins or goes ends it: it would begin for others.
    var needsSameContacts = false
    /// Its begin ends all taps of the sequence.
    var failsTaps = false
    var liftStage = LiftStage.first
    /// Contacts are told to it. A pattern looks at lines.
    var hasRecognizer = true
    /// Its begin, or its recognition, may be a step of a pattern.
    var isStep = true

    /// With several contacts, it weighs their motion against their other motions (`MotionBase`).
    var weighsMotions: Bool { competes && isContinuous }
}

extension GestureKind {
    /// It begins, goes on and ends. Others are recognized at one moment.
    package var isContinuous: Bool { traits.isContinuous }

    /// It lasts as long as contacts are held, and claims none. What it waits for may fail by the lift, and it still comes.
    package var isHold: Bool { traits.isContinuous && !traits.competes }

    /// The keys and words of its failures.
    package var failures: FailureTerms { traits.failures }

    /// Describes this kind for the arbiter. A new kind is one more row.
    var traits: GestureTraits {
        switch self {
        case .drag:
            GestureTraits(
                place: 0, failures: FailureTerms(distance: .start, fingers: .fingers), competes: true,
                countsFreeContacts: true, retry: .whenOver)
        case .pinch:
            GestureTraits(
                place: 1, failures: FailureTerms(.span, distance: .start, fingers: nil), competes: true,
                countsFreeContacts: true, retry: .whenOver)
        case .rotate:
            GestureTraits(
                place: 2, failures: FailureTerms(.turn, distance: .start, fingers: nil), competes: true,
                countsFreeContacts: true, retry: .whenOver)
        case .swipe:
            GestureTraits(
                place: 3, failures: FailureTerms(distance: .minDistance, fingers: .fingers), isContinuous: false,
                competes: true, countsFreeContacts: true, retry: .always)
        case .tap:
            GestureTraits(
                place: 4, failures: FailureTerms(fingers: .fingers), isContinuous: false, shadowing: .everyContact,
                retry: .always)
        case .longPress:
            GestureTraits(
                place: 5, failures: FailureTerms(fingers: .fingers), countsFreeContacts: true,
                shadowing: .firstContact, retry: .whenOver, claimed: .goesOnIfBegun, takesWithSeveral: false,
                needsSameContacts: true, failsTaps: true, liftStage: .held)
        case .repeat:
            GestureTraits(
                place: 6, failures: FailureTerms(fingers: nil, time: .maxDuration), isContinuous: false,
                shadowing: .firstContact, claimed: .goesOn, liftStage: .held, isStep: false)
        case .press:
            GestureTraits(
                place: 7, failures: FailureTerms(fingers: nil), shadowing: .firstContact, claimed: .goesOn,
                liftStage: .last)
        case .pattern:
            GestureTraits(
                place: 8, failures: FailureTerms(fingers: nil), isContinuous: false, claimed: .goesOn,
                hasRecognizer: false, isStep: false)
        }
    }
}
