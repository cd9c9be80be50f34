// SPDX-License-Identifier: MIT

/// The positions and times of a region's last ten lifts, one for each finger of two hands.
struct RecentLifts {
    private static let capacity = 10

    /// A ring buffer.
    private var lifts: [(time: Timestamp, position: Point)] = []
    /// The index of the next entry.
    private var next = 0
    /// The time of the last lift.
    private(set) var newest: Timestamp?

    /// Adds a lift. Lifts that were held back (`bridge`) are added in the order of their contacts, so a lift may be
    /// earlier than the one added before it.
    mutating func add(_ position: Point, at time: Timestamp) {
        if lifts.count < Self.capacity {
            lifts.reserveCapacity(Self.capacity)
            lifts.append((time, position))
        } else {
            lifts[next] = (time, position)
        }
        newest = max(newest ?? time, time)
        next = next + 1 == Self.capacity ? 0 : next + 1
    }

    mutating func removeAll() {
        lifts.removeAll(keepingCapacity: true)
        next = 0
        newest = nil
    }

    /// The time of the last recorded lift within `distance` millimetres of `point`; `nil` if there is none.
    func last(within distance: Double, of point: Point) -> Timestamp? {
        var last: Timestamp?
        for lift in lifts where !(lift.position - point).length.exceeds(distance) {
            last = max(last ?? lift.time, lift.time)
        }
        return last
    }
}
