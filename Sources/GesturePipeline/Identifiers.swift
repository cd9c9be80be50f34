// SPDX-License-Identifier: MIT

/// What the next contact and the next sequence are called. All panels count together: no id is
/// used twice while the daemon runs.
package struct Identifiers: Hashable, Sendable {
    package var nextContact: Int64
    package var nextSequence: Int64

    package init(nextContact: Int64 = 1, nextSequence: Int64 = 1) {
        self.nextContact = nextContact
        self.nextSequence = nextSequence
    }
}
