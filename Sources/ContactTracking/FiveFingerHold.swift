// SPDX-License-Identifier: MIT
package import GestureEngine

/// Five fingers that rest on a panel: the way out for a person who cannot get past the daemon, because it
/// has the panel alone and whatever listens to it is stuck. Pure.
package struct FiveFingerHold: Hashable, Sendable {
    /// One hand; few gestures take as many, and none lets them rest for so long.
    package static let fingers = 5
    /// Six times the time of a long press.
    package static let time = Interval.milliseconds(3000)
    /// Millimetres; as much as a long press forgives.
    package static let slop = 5.0

    /// Where they were when the hold began.
    private var anchors: [LiveContact] = []

    /// When it will have lasted long enough, while it goes on.
    package private(set) var deadline: Timestamp?

    package init() {}

    /// Takes the contacts that are down, ordered by id. Allocates nothing once it has seen as many.
    package mutating func follow(_ contacts: [LiveContact], at time: Timestamp) {
        guard contacts.count >= Self.fingers else { return reset() }
        if deadline != nil, isHeld(contacts) { return }
        anchors.removeAll(keepingCapacity: true)
        anchors.append(contentsOf: contacts)
        deadline = time + Self.time
    }

    package mutating func reset() {
        deadline = nil
    }

    private func isHeld(_ contacts: [LiveContact]) -> Bool {
        guard contacts.count == anchors.count else { return false }
        for i in contacts.indices {
            let moved = contacts[i].position - anchors[i].position
            if contacts[i].id != anchors[i].id || moved.squaredLength > Self.slop * Self.slop { return false }
        }
        return true
    }
}
