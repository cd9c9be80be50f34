// SPDX-License-Identifier: MIT

/// Why the contacts of a sequence have not made a drag before their number changed.
struct DragMiss {
    /// The failure while the number of contacts was right.
    var failure: GestureFailure?
    /// The number of contacts, if it was wrong but they moved far enough for a drag.
    var wrongCount: Int?

    /// The failure to report at the last lift.
    /// - Parameters:
    ///   - count: the number of contacts, including the one that lifts.
    ///   - range: the right numbers.
    ///   - shortfall: the failure if `count` is right.
    func reason(
        _ count: Int, of range: ClosedRange<Int>, shortfall: @autoclosure () -> GestureFailure
    ) -> GestureFailure {
        guard let reason = range.contains(count) ? shortfall() : failure else {
            return .wrongNumber(count, of: range)
        }
        guard reason.code == .tooShort else { return reason }
        // If the wrong number of contacts moved, that is a better explanation than the right number that barely moved.
        if let wrongCount { return .wrongNumber(wrongCount, of: range) }
        if let failure, failure.value > reason.value { return failure }
        return reason
    }
}
