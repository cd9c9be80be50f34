// SPDX-License-Identifier: MIT

/// The numbers of contacts, sequences and gestures. All panels of a daemon share one, so that no number is used twice
/// while it runs.
package final class Identifiers {
    /// The numbers that are given next.
    ///
    /// What happens in private regions is counted apart: so the other numbers do not depend on it.
    package struct Numbers: Hashable, Sendable {
        package var open: Int64
        /// Without the minus sign that it is given with.
        package var hidden: Int64

        package init(open: Int64 = 1, hidden: Int64 = 1) {
            self.open = open
            self.hidden = hidden
        }

        /// Gives one to something in a private region or elsewhere.
        package mutating func take(isPrivate: Bool) -> Int64 {
            if isPrivate {
                defer { hidden &+= 1 }
                return 0 &- hidden
            }
            defer { open &+= 1 }
            return open
        }
    }

    package var contacts: Numbers
    package var sequences: Numbers
    private var nextGesture: Int64 = 1
    private var nextPanel = 0

    package init(contacts: Numbers = Numbers(), sequences: Numbers = Numbers()) {
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
