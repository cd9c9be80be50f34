// SPDX-License-Identifier: MIT
import GestureEngine

extension GestureFailure.Code {
    /// The reason in a few words, for the inspector.
    var phrase: String {
        switch self {
        case .moved: "moved too far"
        case .tooLong: "held too long"
        case .tooQuick: "lifted too soon"
        case .tooSlow: "took too long"
        case .tooShort: "moved too little"
        case .stopped: "stood still before the lift"
        case .lowVelocity: "too slow at the end"
        case .wrongDirection, .deviated: "wrong direction"
        case .wrongAxis: "moved across its axis"
        case .smallTurn: "turned too little"
        case .smallSpan: "fingers too close together, or to the centre"
        case .dominated: "another movement was larger"
        case .notRound: "not drawn as a circle"
        case .lowScore: "drawn too differently"
        case .outscored: "another stroke matched better"
        case .liftedEarly: "lifted too soon"
        case .tooManyContacts: "too many fingers"
        case .tooFewContacts: "too few fingers"
        case .landedApart: "fingers landed one after the other"
        case .liftedApart: "fingers lifted one after the other"
        case .leftRegion: "left the region"
        case .tooFarApart: "taps too far apart"
        case .noFurtherTap: "no further tap came"
        case .bounce: "landed again too soon"
        case .wrongTaps: "wrong number of taps before it"
        case .longPress: "a long press began first"
        case .notAfter: "no gesture of after came first"
        case .unless: "a gesture of unless was recognized"
        case .keptBack: "a gesture of unless stayed possible"
        case .shadowed: "a region above it has the gesture"
        case .wrongStep: "wrong step"
        case .lateStep: "the next step came too late"
        case .timeout: "took too long"
        case .lockedOut: "locked after wrong attempts"
        case .cancelled(let reason): reason.phrase
        }
    }
}

extension CancelReason {
    /// The reason in a few words, for the inspector.
    var phrase: String {
        switch self {
        case .claimed: "another gesture took the finger"
        case .multiTouch: "another finger landed"
        case .palm: "treated as a palm"
        case .deviceRemoved: "the panel was unplugged"
        case .syncLost: "ended without a lift"
        case .reload: "the configuration changed"
        case .disabled: "the region was switched off"
        case .client: "a client cancelled it"
        case .handover: "moved into another region"
        case .suspend: "the machine was suspended"
        case .rest: "the finger rested"
        case .movement: "moved too far"
        }
    }
}
