// SPDX-License-Identifier: MIT
package import GestureEngine

/// The codes of `failed` lines, append-only. What took a gesture away is a code of its own, with the
/// word of the reason to cancel.
package enum FailureCode: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case moved, tooLong, tooSlow, tooShort, lowVelocity, wrongDirection, wrongAxis
    case smallTurn, smallSpan, dominated
    case liftedEarly, tooManyContacts, tooFewContacts, landedApart
    case tooFarApart, noFurtherTap, bounce
    case longPress, notAfter, unless, keptBack, shadowed
    case wrongStep, lateStep, timeout, lockedOut
    case claimed, multiTouch, palm, deviceRemoved, syncLost, reload, disabled, client, handover, suspend

    package init(_ code: GestureFailure.Code) {
        self =
            switch code {
            case .moved: .moved
            case .tooLong: .tooLong
            case .tooSlow: .tooSlow
            case .tooShort: .tooShort
            case .lowVelocity: .lowVelocity
            case .wrongDirection: .wrongDirection
            case .wrongAxis: .wrongAxis
            case .smallTurn: .smallTurn
            case .smallSpan: .smallSpan
            case .dominated: .dominated
            case .liftedEarly: .liftedEarly
            case .tooManyContacts: .tooManyContacts
            case .tooFewContacts: .tooFewContacts
            case .landedApart: .landedApart
            case .tooFarApart: .tooFarApart
            case .noFurtherTap: .noFurtherTap
            case .bounce: .bounce
            case .longPress: .longPress
            case .notAfter: .notAfter
            case .unless: .unless
            case .keptBack: .keptBack
            case .shadowed: .shadowed
            case .wrongStep: .wrongStep
            case .lateStep: .lateStep
            case .timeout: .timeout
            case .lockedOut: .lockedOut
            case .cancelled(let reason): Self(reason)
            }
    }

    private init(_ reason: CancelReason) {
        self =
            switch reason {
            case .claimed: .claimed
            case .multiTouch: .multiTouch
            case .palm: .palm
            case .deviceRemoved: .deviceRemoved
            case .syncLost: .syncLost
            case .reload: .reload
            case .disabled: .disabled
            case .client: .client
            case .handover: .handover
            case .suspend: .suspend
            }
    }

    /// The name on the wire.
    package var word: String {
        switch self {
        case .moved: "moved"
        case .tooLong: "too_long"
        case .tooSlow: "too_slow"
        case .tooShort: "too_short"
        case .lowVelocity: "low_velocity"
        case .wrongDirection: "wrong_direction"
        case .wrongAxis: "wrong_axis"
        case .smallTurn: "small_turn"
        case .smallSpan: "small_span"
        case .dominated: "dominated"
        case .liftedEarly: "lifted_early"
        case .tooManyContacts: "too_many_contacts"
        case .tooFewContacts: "too_few_contacts"
        case .landedApart: "landed_apart"
        case .tooFarApart: "too_far_apart"
        case .noFurtherTap: "no_further_tap"
        case .bounce: "bounce"
        case .longPress: "long_press"
        case .notAfter: "not_after"
        case .unless: "unless"
        case .keptBack: "kept_back"
        case .shadowed: "shadowed"
        case .wrongStep: "wrong_step"
        case .lateStep: "late_step"
        case .timeout: "timeout"
        case .lockedOut: "locked_out"
        case .claimed: CancelReason.claimed.word
        case .multiTouch: CancelReason.multiTouch.word
        case .palm: CancelReason.palm.word
        case .deviceRemoved: CancelReason.deviceRemoved.word
        case .syncLost: CancelReason.syncLost.word
        case .reload: CancelReason.reload.word
        case .disabled: CancelReason.disabled.word
        case .client: CancelReason.client.word
        case .handover: CancelReason.handover.word
        case .suspend: CancelReason.suspend.word
        }
    }
}
