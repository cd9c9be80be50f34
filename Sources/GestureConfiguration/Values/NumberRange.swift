// SPDX-License-Identifier: MIT

/// Which numbers a key takes.
struct NumberRange {
    let lowest: Double
    let highest: Double
    /// The lowest itself is not allowed.
    let isOpen: Bool

    private init(_ lowest: Double, _ highest: Double, isOpen: Bool) {
        self.lowest = lowest
        self.highest = highest
        self.isOpen = isOpen
    }

    static func from(_ lowest: Double, to highest: Double) -> Self { Self(lowest, highest, isOpen: false) }

    static func above(_ lowest: Double, to highest: Double) -> Self { Self(lowest, highest, isOpen: true) }

    /// Never true for what is no number.
    func contains(_ number: Double) -> Bool {
        (isOpen ? number > lowest : number >= lowest) && number <= highest
    }

    func text(_ unit: String) -> String {
        let start = isOpen ? "more than \(plain(lowest))\(unit), at most " : "\(plain(lowest))\(unit) to "
        return start + "\(plain(highest))\(unit)"
    }
}
