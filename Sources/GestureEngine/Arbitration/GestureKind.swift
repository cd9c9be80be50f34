// SPDX-License-Identifier: MIT

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
    /// Describes this kind for the arbiter. A new kind is one more row.
    var traits: GestureTraits {
        switch self {
        case .drag:
            GestureTraits(place: 0, competes: true, countsFreeContacts: true, retry: .whenOver)
        case .pinch:
            GestureTraits(place: 1, competes: true, countsFreeContacts: true, retry: .whenOver)
        case .rotate:
            GestureTraits(place: 2, competes: true, countsFreeContacts: true, retry: .whenOver)
        case .swipe:
            GestureTraits(place: 3, isContinuous: false, competes: true, countsFreeContacts: true, retry: .always)
        case .tap:
            GestureTraits(place: 4, isContinuous: false, shadowing: .everyContact, retry: .always)
        case .longPress:
            GestureTraits(
                place: 5, countsFreeContacts: true, shadowing: .firstContact, retry: .whenOver,
                claimed: .goesOnIfBegun, takesWithSeveral: false, needsSameContacts: true, failsTaps: true,
                liftStage: .held)
        case .repeat:
            GestureTraits(
                place: 6, isContinuous: false, shadowing: .firstContact, claimed: .goesOn, liftStage: .held,
                isStep: false)
        case .press:
            GestureTraits(place: 7, shadowing: .firstContact, claimed: .goesOn, liftStage: .last)
        case .pattern:
            GestureTraits(place: 8, isContinuous: false, claimed: .goesOn, hasRecognizer: false, isStep: false)
        }
    }
}
