// SPDX-License-Identifier: MIT

/// Where and when contacts of a region have lifted: the last ones, as many as a person has fingers.
struct RecentLifts {
    private static let capacity = 10

    /// A ring.
    private var lifts: [(time: Timestamp, position: Point)] = []
    /// The place of the next one.
    private var next = 0
    /// When a contact last lifted.
    private(set) var newest: Timestamp?

    /// - Parameter time: none is earlier than that of the lift before.
    mutating func add(_ position: Point, at time: Timestamp) {
        if lifts.count < Self.capacity {
            lifts.reserveCapacity(Self.capacity)
            lifts.append((time, position))
        } else {
            lifts[next] = (time, position)
        }
        newest = time
        next = next + 1 == Self.capacity ? 0 : next + 1
    }

    /// When a contact last lifted within `distance` millimetres of `point`; `nil`: none of those known did.
    func last(within distance: Double, of point: Point) -> Timestamp? {
        // The newest first.
        for place in lifts.indices {
            let age = place + 1
            let lift = lifts[next >= age ? next - age : next - age + lifts.count]
            if !(lift.position - point).length.exceeds(distance) { return lift.time }
        }
        return nil
    }
}
