// SPDX-License-Identifier: MIT
package import GestureEngine

/// Recognizes five fingers that stay on a panel.
///
/// The hold lets a user return a panel to other programs when the daemon has grabbed it and its clients are stuck.
package struct FiveFingerHold: Hashable, Sendable {
    /// The number of fingers of one hand. Few gestures use this many, and none requires them to stay for this long.
    package static let fingers = 5
    /// The default of `five_fingers`: six times the default delay of a long press.
    package static let usualTime = Interval.milliseconds(3000)
    /// The distance in millimetres that a finger may move, as for a long press.
    package static let slop = 5.0

    /// The time for which they must stay; `nil`: no hold is recognized.
    private let time: Interval?
    /// The contacts when the hold began.
    private var anchors: [PanelContact] = []

    /// The time at which the hold is complete; `nil` if none is in progress.
    package private(set) var deadline: Timestamp?

    package init(for time: Interval? = usualTime) { self.time = time }

    /// Updates the contacts that are down. They must always be in the same order. Allocates only if there are more
    /// contacts than ever before.
    package mutating func follow(_ contacts: [PanelContact], at now: Timestamp) {
        guard let time, contacts.count >= Self.fingers else { return reset() }
        if deadline != nil, areStaying(contacts) { return }
        anchors.removeAll(keepingCapacity: true)
        anchors.append(contentsOf: contacts)
        deadline = now + time
    }

    /// Drops the hold.
    package mutating func reset() {
        deadline = nil
    }

    private func areStaying(_ contacts: [PanelContact]) -> Bool {
        guard contacts.count == anchors.count else { return false }
        for i in contacts.indices {
            let moved = contacts[i].position - anchors[i].position
            if contacts[i].id != anchors[i].id || moved.squaredLength > Self.slop * Self.slop { return false }
        }
        return true
    }
}
