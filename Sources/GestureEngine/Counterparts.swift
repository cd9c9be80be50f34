// SPDX-License-Identifier: MIT

/// For each place in a list, the place of the same element in another list, if it is there.
///
/// Lists of thousands mostly differ in a few elements that stand together. Only the places in `range` are stored; the
/// others follow from it, and a search for what has changed skips them.
package struct Counterparts: Hashable, Sendable {
    /// Those before are at the same place in the other list, and those behind it at the end of that.
    package private(set) var range: Range<Int>
    /// The same in the other list.
    package private(set) var otherRange: Range<Int>
    /// By place in `range`.
    private var listed: [Int?]

    /// With what is the same at the beginning and at the end; none of those between.
    ///
    /// - Parameters:
    ///   - count: of the list.
    ///   - otherCount: of the other list.
    ///   - isSame: whether the elements at a place of the list and one of the other list are the same.
    package init(_ count: Int, in otherCount: Int, isSame: (Int, Int) -> Bool) {
        let shorter = min(count, otherCount)
        var first = 0
        while first < shorter, isSame(first, first) { first += 1 }
        var last = 0
        while last < shorter - first, isSame(count - last - 1, otherCount - last - 1) { last += 1 }
        range = first..<(count - last)
        otherRange = first..<(otherCount - last)
        listed = [Int?](repeating: nil, count: range.count)
    }

    /// Of a list that stays the same.
    /// - Parameter range: the places that may be changed.
    init(unchanged range: Range<Int>) {
        self.range = range
        otherRange = range
        listed = Array(range)
    }

    /// All of them, one by one.
    /// - Parameter otherCount: of the other list.
    init(_ listed: [Int?], in otherCount: Int) {
        range = listed.indices
        otherRange = 0..<otherCount
        self.listed = listed
    }

    /// By how much those behind `range` are further in the other list.
    package var shift: Int { otherRange.upperBound - range.upperBound }

    /// - Precondition: only what is in `range` is set.
    package subscript(place: Int) -> Int? {
        get {
            if place < range.lowerBound { return place }
            return place < range.upperBound ? listed[place - range.lowerBound] : place + shift
        }
        set { listed[place - range.lowerBound] = newValue }
    }

    /// Those in `range` without a counterpart.
    package var missing: [Int] { range.filter { self[$0] == nil } }

    /// Those of the other list that are no counterpart.
    package var otherMissing: [Int] {
        var isFound = [Bool](repeating: false, count: otherRange.count)
        for place in listed { if let place { isFound[place - otherRange.lowerBound] = true } }
        return otherRange.filter { !isFound[$0 - otherRange.lowerBound] }
    }

    /// Whether the counterparts are in the same order as the list.
    package var isInOrder: Bool {
        var last = -1
        for place in listed {
            guard let place else { continue }
            guard place > last else { return false }
            last = place
        }
        return true
    }

    /// Takes those at the end into `range`, without counterparts.
    /// - Parameters:
    ///   - count: of the list.
    package mutating func dropLast(of count: Int) {
        listed += repeatElement(nil, count: count - range.upperBound)
        otherRange = otherRange.lowerBound..<(count + shift)
        range = range.lowerBound..<count
    }
}
