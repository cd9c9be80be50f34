// SPDX-License-Identifier: MIT

/// The positions and times of the last lifts in a unit or a region.
struct RecentLifts {
    private let capacity: Int
    /// A ring buffer.
    private var lifts: [(time: Timestamp, position: Point)] = []
    /// The index of the next entry.
    private var next = 0
    /// The time of the last lift.
    private(set) var newest: Timestamp?

    /// - Parameter hands: the number of hands; ten lifts are kept for each, one for each finger of two of them.
    init(hands: Int = 1) { capacity = 10 * hands }

    /// Adds a lift. Lifts that were held back (`bridge`) are added in the order of their contacts, so a lift may be
    /// earlier than the one added before it.
    mutating func add(_ position: Point, at time: Timestamp) {
        if lifts.count < capacity {
            lifts.reserveCapacity(capacity)
            lifts.append((time, position))
        } else {
            lifts[next] = (time, position)
        }
        newest = max(newest ?? time, time)
        next = next + 1 == capacity ? 0 : next + 1
    }

    mutating func add(_ other: RecentLifts) {
        for lift in other.lifts { add(lift.position, at: lift.time) }
    }

    mutating func removeAll() {
        lifts.removeAll(keepingCapacity: true)
        next = 0
        newest = nil
    }

    /// The last recorded lift within `distance` millimetres of `point`, and how far it is from there; of several lifts
    /// at the same time, the nearest one. `nil` if there is none.
    func last(within distance: Double, of point: Point) -> (time: Timestamp, distance: Double)? {
        var last: (time: Timestamp, distance: Double)?
        for lift in lifts {
            let apart = (lift.position - point).length
            if apart.exceeds(distance) { continue }
            if let last, (last.time, -last.distance) >= (lift.time, -apart) { continue }
            last = (lift.time, apart)
        }
        return last
    }
}

/// The last lifts in a region with several units. They share it, because a landing in any of them may be a bounce.
final class SharedLifts {
    var lifts = RecentLifts(hands: RegionUnits.mostContacts)
}
