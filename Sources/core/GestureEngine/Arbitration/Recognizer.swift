// SPDX-License-Identifier: MIT

/// The state machine of one gesture in one region.
///
/// The arbiter of the region (`RegionUnit`) passes inputs to it and decides on the effects of its answers. An answer
/// concerns only this gesture: a recognizer has no access to other gestures and emits no events. Each subclass
/// overrides `handle` and the queries whose defaults do not fit its kind. Queries change no state.
///
/// The base class recognizes nothing. An instance of it represents a pattern, because patterns receive no contacts.
class Recognizer {
    /// The region's contacts. A recognizer only reads them.
    let contacts: RegionContacts

    init(_ contacts: RegionContacts) {
        self.contacts = contacts
    }

    /// Handles one input. Inputs that are irrelevant to a kind change nothing and return `nil`.
    func handle(_ input: RecognizerInput) -> RecognizerAnswer? { nil }

    /// Continues the measurement with a different selection of the group's contacts (`RegionContacts.measured`).
    /// - Parameters:
    ///   - old: the current arrangement of the contacts that were measured until now.
    ///   - mark: the arrangement from which the newly selected contacts are measured.
    func remeasure(after old: GroupMotion, since mark: MotionMark) {}

    // MARK: Queries about contacts

    /// Whether the gesture would begin or be recognized at this moment if no other gesture competed.
    func wants(_ moment: RecognizerMoment) -> Bool { false }

    /// Whether the gesture can no longer be recognized after the lift. Hopeless gestures fail before others handle the
    /// lift, so that a gesture waiting for the failure can still use the contact.
    func isHopeless(after lift: ContactLift) -> Bool { false }

    /// Whether the gesture has begun, and whether it can still begin.
    var progress: RecognizerProgress { .waiting }

    /// The time at which the next `.deadline` input is due; `nil` while none is pending.
    var deadline: Timestamp? { nil }

    /// The square of a distance from the landing, in mm². Gestures that do not compete need no `.moved` input while
    /// every contact has stayed within this distance.
    var stillLimit: Double { .infinity }

    /// Whether a movement concerns the gesture. A competing gesture that is judged by where its contacts lift gets no `.moved`
    /// input, and cannot begin with a movement.
    var followsMovement: Bool { true }

    /// The position that events report, if it differs from the current position of the contacts.
    var focus: Point? { nil }

    /// Whether nothing from an earlier sequence is pending.
    var isIdle: Bool { true }

    // MARK: Queries about streaks, which outlive a sequence

    /// Whether a streak that began in an earlier sequence may still be recognized, regardless of the decision in this
    /// one.
    var continuesStreak: Bool { false }

    /// The sequence in which the current or last streak began; `nil` for a gesture without streaks.
    var streakStart: SequenceID? { nil }

    /// The fate of the tap that was recognized in `sequence`, either as this gesture or as a part of its streak.
    func fate(of sequence: SequenceID) -> StreakFate { .void }
}

/// An input of a recognizer: something that happened, or a decision of the arbiter.
enum RecognizerInput {
    // MARK: Contacts and time

    /// A contact has landed and joined the group. `contacts.motion` still describes the group without it. `isShadowed`:
    /// a region nearer to the contact has the same gesture. Only kinds that are shadowed for every contact receive such
    /// a landing.
    case landed(ContactID, isShadowed: Bool)
    /// Contacts have moved, left the shape or returned.
    case moved
    /// The set of unclaimed contacts, or of contacts inside the shape, has changed. From now on, movement is measured
    /// from the current positions.
    case regrouped
    /// A contact lifts. It is still in the group.
    case lifts(ContactLift)
    /// A contact is lost. It is still in the group, and a claim has not been recorded yet.
    case gone(ContactID, ContactLoss)
    /// The gesture's deadline is due. `mayCome`: whether all gestures listed in `unless` have failed.
    case deadline(mayCome: Bool)

    // MARK: Decisions of the arbiter

    /// The gesture has won its contacts, or every gesture that it waited for has failed. `late`: whether it was ready
    /// earlier and had to wait.
    case begin(late: Bool)
    /// All gestures listed in `after` were recognized. Contacts are treated as if they had just landed, but a tap
    /// starts at the next landing.
    case wake
    /// The gesture cannot be recognized in this try. A gesture that has begun goes on.
    case refuse(GestureFailure)
    /// The gesture is cancelled if it has begun; otherwise it fails.
    case cancel(CancelReason)
    /// Earlier taps are discarded.
    case forget
    /// The sequence or this try is over. The recognizer returns to its initial state.
    case reset
}

struct ContactLift {
    let id: ContactID
    let position: Point
    /// Whether no other region has claimed the contact.
    let isFree: Bool
    /// Whether it is the last contact of the sequence.
    let isLast: Bool
    /// Whether it is the last contact that no other region has claimed.
    let isLastFree: Bool

    /// Whether gestures that are judged by the first lift of their contacts are judged now. A gesture that the last lift
    /// has woken is judged too, and fails because nothing has moved since.
    var isDecisive: Bool { isFree || isLast }
    /// Whether no contact is left from which a gesture of the region could begin.
    var leavesNone: Bool { isLastFree || isLast }
}

/// The reason for the loss of a contact that did not lift.
enum ContactLoss {
    /// A gesture of a region below claimed the contact. The contact stays in the sequence, and presses continue.
    case claimed
    /// The contact is no longer part of the sequence.
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

extension CancelReason {
    /// Whether the contact has turned out not to be a finger. Gestures that have not begun then continue as if it had
    /// never landed.
    var isNoFinger: Bool { self == .palm || self == .rest }
}

/// The moment for which a recognizer is queried.
enum RecognizerMoment {
    /// Now, with the contacts at their current positions.
    case now
    case lift(ContactID)
}

enum RecognizerProgress {
    /// The gesture may begin or be recognized.
    case waiting
    /// The gesture has begun and has neither ended nor been cancelled.
    case active
    /// The gesture has ended and may begin again in this sequence.
    case ended
    /// The gesture can no longer be recognized in this sequence.
    case over
}

enum StreakFate {
    /// The tap may still become part of a longer streak.
    case pending
    /// A longer streak has become impossible, so the recognition is final.
    case due
    /// The tap became part of a longer streak, or this gesture did not recognize it.
    case void
}

/// The effect of an input on a gesture. The inputs `cancel` and `refuse` only produce `fail` and `cancel`.
enum RecognizerAnswer {
    case begin(GestureEvent.Detail)
    case update(GestureEvent.Detail)
    case end(GestureEvent.Detail)
    case cancel(GestureEvent.Detail, CancelReason)
    /// A discrete gesture is recognized at `focus` or, if that is `nil`, at the current position of the contacts.
    case recognize(GestureEvent.Detail)
    /// A discrete gesture is recognized that was complete earlier, or a tap, whose `position` is the mean of its lifts.
    /// `waits` defers the event until its `fate` is due.
    case recognizeEarlier(GestureEvent.Detail, fingers: Int, position: Point, waits: Bool)
    /// The gesture failed, in the current sequence or with a streak whose last tap was in an earlier one.
    case fail(GestureFailure, in: SequenceID? = nil)
}
