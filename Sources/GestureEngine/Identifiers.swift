// SPDX-License-Identifier: MIT

/// The numbers of contacts, sequences and gestures. All panels of a daemon share one, so that no number is used twice
/// while it runs.
package final class Identifiers {
    /// The numbers that are given next. Those of private regions are counted apart, so that the others do not depend on
    /// them, and stand here without the minus sign that they are given with.
    package var contacts: Sides<Int64>
    package var sequences: Sides<Int64>
    private var nextGesture: Int64 = 1
    private var nextPanel = 0

    package init(contacts: Sides<Int64> = Sides(1), sequences: Sides<Int64> = Sides(1)) {
        self.contacts = contacts
        self.sequences = sequences
    }

    /// The number of a gesture that begins. Clients never see it: `EventLine.identity`.
    package func takeGesture() -> Int64 {
        defer { nextGesture &+= 1 }
        return nextGesture
    }

    /// A number that no other panel has had.
    package func takePanel() -> Int {
        defer { nextPanel &+= 1 }
        return nextPanel
    }
}

extension Sides<Int64> {
    /// The numbers that are given next.
    package init(open: Int64, hidden: Int64 = 1) {
        self.init(open)
        self.hidden = hidden
    }

    /// Gives a number to something in a private region or elsewhere.
    package mutating func take(isPrivate: Bool) -> Int64 {
        defer { self[isPrivate: isPrivate] &+= 1 }
        return isPrivate ? 0 &- hidden : open
    }
}
