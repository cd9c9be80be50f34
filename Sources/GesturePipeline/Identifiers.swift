// SPDX-License-Identifier: MIT

/// The ids of the next contact, the next sequence and the next gesture. All panels share them: no id is
/// used twice while the daemon runs.
package struct Identifiers: Hashable, Sendable {
    package var nextContact: Int64
    package var nextSequence: Int64
    /// Of what those see who may not see private regions.
    package var nextOpenSequence: Int64
    /// Never seen by clients: `EventLine.identity`.
    package var nextGesture: Int64

    package init(
        nextContact: Int64 = 1, nextSequence: Int64 = 1, nextOpenSequence: Int64 = 1, nextGesture: Int64 = 1
    ) {
        self.nextContact = nextContact
        self.nextSequence = nextSequence
        self.nextOpenSequence = nextOpenSequence
        self.nextGesture = nextGesture
    }
}
