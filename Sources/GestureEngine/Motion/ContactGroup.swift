// SPDX-License-Identifier: MIT

/// The contacts of one sequence, as its recognizers see them.
struct ContactGroup: Hashable, Sendable {
    struct Member: Hashable, Sendable {
        var id: ContactID
        var origin: Point
        var position: Point
        /// The largest distance from the origin ever reached, squared; in square millimetres.
        var squaredExcursion = 0.0
        /// Left the region (with hysteresis) and has not returned.
        var isOutside = false
    }

    /// In the order in which they landed.
    private(set) var members: [Member] = []
    /// The largest excursion of any contact of the sequence, also of those that have lifted; squared.
    private(set) var squaredExcursion = 0.0

    var count: Int { members.count }

    /// The mean of where the contacts are; the origin when there is none.
    var centroid: Point {
        if members.count == 1 { return members[0].position }
        var sum = Vector.zero
        for i in members.indices { sum = sum + (members[i].position - .zero) }
        return .zero + sum * (1 / Double(max(members.count, 1)))
    }

    /// The mean of where the contacts landed; the origin when there is none.
    var originCentroid: Point {
        if members.count == 1 { return members[0].origin }
        var sum = Vector.zero
        for member in members { sum = sum + (member.origin - .zero) }
        return .zero + sum * (1 / Double(max(members.count, 1)))
    }

    /// At least one contact is inside the region.
    var isInside: Bool {
        for member in members where !member.isOutside { return true }
        return false
    }

    mutating func add(_ id: ContactID, at position: Point) {
        if members.isEmpty { members.reserveCapacity(4) }
        members.append(Member(id: id, origin: position, position: position))
    }

    func index(of id: ContactID) -> Int? {
        for i in members.indices where members[i].id == id { return i }
        return nil
    }

    mutating func move(_ index: Int, to position: Point) {
        members[index].position = position
        let squared = (position - members[index].origin).squaredLength
        if squared > members[index].squaredExcursion {
            members[index].squaredExcursion = squared
            if squared > squaredExcursion { squaredExcursion = squared }
        }
    }

    mutating func setOutside(_ index: Int, _ isOutside: Bool) {
        members[index].isOutside = isOutside
    }

    mutating func remove(_ index: Int) {
        members.remove(at: index)
    }

    mutating func removeAll() {
        members.removeAll(keepingCapacity: true)
        squaredExcursion = 0
    }

    /// A contact other than `ignored` has strayed further than `slop` millimetres from where it landed.
    func hasStrayed(beyond slop: Double, ignoring ignored: ContactID? = nil) -> Bool {
        let limit = slop * slop
        // The common frame: nobody has.
        guard squaredExcursion > limit else { return false }
        guard let ignored else { return true }
        for member in members where member.id != ignored && member.squaredExcursion > limit { return true }
        return false
    }
}
