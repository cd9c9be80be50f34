// SPDX-License-Identifier: MIT
package import GestureEngine

/// All codes of failures.
package let everyFailureCode: [GestureFailure.Code] =
    [
        .moved, .tooLong, .tooSlow, .tooShort, .lowVelocity, .wrongDirection, .wrongAxis, .smallTurn, .smallSpan,
        .dominated, .liftedEarly, .tooManyContacts, .tooFewContacts, .landedApart, .tooFarApart, .noFurtherTap,
        .bounce, .longPress, .notAfter, .unless, .keptBack, .shadowed, .wrongStep, .lateStep, .timeout, .lockedOut,
    ] + CancelReason.allCases.map { .cancelled($0) }
