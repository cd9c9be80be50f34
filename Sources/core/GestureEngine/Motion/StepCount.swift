// SPDX-License-Identifier: MIT

/// The whole steps of a movement, such as a rotation.
///
/// A step is complete at its end, and is taken back only when the finger has come back from there by a quarter of a
/// step, so that a finger that trembles there does not take it back.
package struct StepCount {
    /// The part of a step by which a movement is rounded up.
    private static let tolerance = 1e-6
    /// The part of a step by which the finger must come back to take the step back.
    private static let slack = 0.25

    /// The size of a step, in the unit of the movement; 0 if there are none.
    private let size: Double
    private var whole = 0

    /// Counts the steps of a movement that has just begun.
    package init(of size: Double, in amount: Double = 0) {
        self.size = size
        _ = count(amount)
    }

    /// The number of whole steps; `nil` if there are none.
    package var number: Int? { size > 0 ? whole : nil }

    /// Counts the steps of a movement.
    /// - Returns: whether their number has changed.
    package mutating func count(_ amount: Double) -> Bool {
        guard size > 0 else { return false }
        func whole(_ slack: Double) -> Int {
            let number = amount.magnitude / size + Self.tolerance + slack
            return Int(min(number, 1e9)) * (amount < 0 ? -1 : 1)
        }
        let (complete, kept) = (whole(0), whole(Self.slack))
        let before = self.whole
        self.whole = min(max(before, min(complete, kept)), max(complete, kept))
        return self.whole != before
    }
}
