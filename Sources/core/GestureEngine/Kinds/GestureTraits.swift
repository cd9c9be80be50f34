// SPDX-License-Identifier: MIT

/// The properties of a kind that the arbiter depends on. Properties that depend on settings belong to the recognizer.
struct GestureTraits {
    /// The effect on a gesture if a nearer region has a gesture with the same kind, fingers, taps and count.
    enum Shadowing {
        case none
        /// The gesture fails for the whole try.
        case firstContact
        /// The gesture fails for every contact that both regions receive.
        case everyContact
    }

    /// Whether a gesture is retried within a sequence when a contact lands while other regions own all the earlier
    /// ones.
    enum Retry {
        case never
        /// The gesture is retried if it has failed, or if it was recognized and has ended.
        case whenOver
        case always
    }

    /// The effect of a claim by another region's gesture, unless the two are companions.
    enum Claimed {
        /// The gesture lasts as long as the contacts are down.
        case goesOn
        case goesOnIfBegun
        /// The gesture fails or is cancelled.
        case ends
    }

    /// The stage in which a gesture that can survive a lift handles it. All gestures of one stage handle the lift
    /// before those of the next.
    enum LiftStage: Int, CaseIterable {
        /// Gestures that compete for contacts or finish at once.
        case first
        /// Gestures of the first stage that have not begun. They fail because contacts are missing, unless a gesture of
        /// the first stage has already ended them for another reason.
        case unbegun
        /// Gestures that last while contacts are held.
        case held
        /// Gestures that last until the last contact is gone, so that their event comes last.
        case last
    }

    /// The position of the kind's events among the events of the same region and time.
    var place: Int
    /// Whether it begins, continues and ends. Discrete kinds are recognized at a single moment.
    var isContinuous = true
    /// Whether it claims contacts when it begins or is recognized.
    var competes = false
    /// Whether `fingers` and the position refer only to contacts that no other region has claimed.
    var countsFreeContacts = false
    var shadowing = Shadowing.none
    var retry = Retry.never
    var claimed = Claimed.ends
    /// Whether it ends one-finger gestures when it uses several fingers.
    var takesWithSeveral = true
    /// Whether a deferred gesture (`unless`) ends when a contact joins or leaves, because it would begin with other
    /// contacts.
    var needsSameContacts = false
    /// Whether all taps of the sequence end when it begins.
    var failsTaps = false
    var liftStage = LiftStage.first
    /// Whether it receives contacts. A pattern observes events instead.
    var hasRecognizer = true
    /// Whether it can be a step of a pattern when it begins or is recognized.
    var isStep = true

    /// Whether it compares its motion with the other motions of several contacts (`MotionBase`).
    var weighsMotions: Bool { competes && isContinuous }
}

extension GestureKind {
    /// Whether it begins, continues and ends. Discrete kinds are recognized at a single moment.
    package var isContinuous: Bool { traits.isContinuous }

    /// Whether it lasts while contacts are held, without claiming them. It still begins if the lift makes the gestures
    /// listed in `unless` fail.
    package var isHold: Bool { traits.isContinuous && !traits.competes }
}
