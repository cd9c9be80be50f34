// SPDX-License-Identifier: MIT
import GestureEngine

// The cases' own names, written out: a build for Embedded Swift has no reflection to ask for them.

extension CancelReason {
    /// The name of the case: what scripts and transcripts call it.
    var caseName: String {
        switch self {
        case .claimed: "claimed"
        case .multiTouch: "multiTouch"
        case .palm: "palm"
        case .deviceRemoved: "deviceRemoved"
        case .syncLost: "syncLost"
        case .reload: "reload"
        case .disabled: "disabled"
        case .client: "client"
        case .handover: "handover"
        case .suspend: "suspend"
        }
    }
}

extension SwipeDirection {
    /// The name of the case: what transcripts call it.
    var caseName: String {
        switch self {
        case .left: "left"
        case .right: "right"
        case .up: "up"
        case .down: "down"
        case .upLeft: "upLeft"
        case .upRight: "upRight"
        case .downLeft: "downLeft"
        case .downRight: "downRight"
        }
    }
}

extension GestureFailure.Code {
    /// The name of the case, of a cancel its reason's: what transcripts call it.
    var caseName: String {
        switch self {
        case .bounce: "bounce"
        case .dominated: "dominated"
        case .landedApart: "landedApart"
        case .lateStep: "lateStep"
        case .liftedEarly: "liftedEarly"
        case .lockedOut: "lockedOut"
        case .longPress: "longPress"
        case .lowVelocity: "lowVelocity"
        case .moved: "moved"
        case .noFurtherTap: "noFurtherTap"
        case .notAfter: "notAfter"
        case .shadowed: "shadowed"
        case .smallSpan: "smallSpan"
        case .smallTurn: "smallTurn"
        case .timeout: "timeout"
        case .tooFarApart: "tooFarApart"
        case .tooFewContacts: "tooFewContacts"
        case .tooLong: "tooLong"
        case .tooManyContacts: "tooManyContacts"
        case .tooShort: "tooShort"
        case .tooSlow: "tooSlow"
        case .unless: "unless"
        case .keptBack: "keptBack"
        case .wrongAxis: "wrongAxis"
        case .wrongDirection: "wrongDirection"
        case .wrongStep: "wrongStep"
        case .cancelled(let reason): reason.caseName
        }
    }
}
