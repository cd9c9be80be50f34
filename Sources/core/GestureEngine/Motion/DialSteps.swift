// SPDX-License-Identifier: MIT

/// The whole steps of a rotation.
///
/// A step is complete at its end, and is taken back only when the finger has turned back from there by a quarter of a
/// step, so that a finger that trembles there does not take it back.
struct DialSteps {
    /// The part of a step by which a rotation is rounded up.
    private static let tolerance = 1e-6
    /// The part of a step by which the finger must turn back to take the step back.
    private static let slack = 0.25

    /// The degrees of a step; 0 if there are none.
    private let size: Double
    private var whole = 0

    /// Counts the steps of a rotation that has just begun.
    init(of size: Double, in rotation: Double = 0) {
        self.size = size
        _ = count(rotation)
    }

    /// The number of whole steps; `nil` if there are none.
    var number: Int? { size > 0 ? whole : nil }

    /// Counts the steps of a rotation in degrees.
    /// - Returns: whether their number has changed.
    mutating func count(_ rotation: Double) -> Bool {
        guard size > 0 else { return false }
        func whole(_ slack: Double) -> Int {
            let number = rotation.magnitude / size + Self.tolerance + slack
            return Int(min(number, 1e9)) * (rotation < 0 ? -1 : 1)
        }
        let (complete, kept) = (whole(0), whole(Self.slack))
        let before = self.whole
        self.whole = min(max(before, min(complete, kept)), max(complete, kept))
        return self.whole != before
    }
}
