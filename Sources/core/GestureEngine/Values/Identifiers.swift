// SPDX-License-Identifier: MIT

/// The numbers of contacts, sequences and gestures. All panels of a daemon share one instance, so no number is used
/// twice while it runs.
package final class Identifiers {
    /// The next numbers, stored without a sign. Numbers for private regions are counted separately and returned
    /// negated, so that other numbers do not depend on them.
    package var contacts: Sides<Int64>
    package var sequences: Sides<Int64>
    private var nextGesture: Int64 = 1
    private var nextPanel = 0

    package init(contacts: Sides<Int64> = Sides(1), sequences: Sides<Int64> = Sides(1)) {
        self.contacts = contacts
        self.sequences = sequences
    }

    /// Returns the number for a contact that lands. A function, because ThreadSanitizer makes code of a change of `contacts`
    /// from another module that Swift 6.3.1 refuses.
    package func takeContact(isPrivate: Bool) -> Int64 { contacts.take(isPrivate: isPrivate) }

    /// Returns the number for a gesture that begins. It is not sent to clients; they receive `EventLine.identity`.
    package func takeGesture() -> Int64 {
        defer { nextGesture &+= 1 }
        return nextGesture
    }

    /// Returns a number that no other panel has had.
    package func takePanel() -> Int {
        defer { nextPanel &+= 1 }
        return nextPanel
    }
}

extension Sides<Int64> {
    /// The next numbers.
    package init(open: Int64, hidden: Int64 = 1) {
        self.init(open)
        self.hidden = hidden
    }

    /// Returns a number for an item in a private region (negative) or elsewhere (positive).
    package mutating func take(isPrivate: Bool) -> Int64 {
        defer { self[isPrivate: isPrivate] &+= 1 }
        return isPrivate ? 0 &- hidden : open
    }
}
