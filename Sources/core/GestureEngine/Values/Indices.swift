// SPDX-License-Identifier: MIT

/// An index into the gestures of one region.
package struct GestureIndex: Hashable, Comparable, Sendable, BitwiseCopyable {
    package let raw: Int

    package init(raw: Int) { self.raw = raw }

    package static func < (a: Self, b: Self) -> Bool { a.raw < b.raw }
}

/// An index into a list of regions, or into the list of rules from which they are made.
package struct RegionIndex: Hashable, Comparable, Strideable, Sendable, BitwiseCopyable {
    package let raw: Int

    package init(raw: Int) { self.raw = raw }

    package static func < (a: Self, b: Self) -> Bool { a.raw < b.raw }

    package func distance(to other: Self) -> Int { other.raw - raw }

    package func advanced(by count: Int) -> Self { Self(raw: raw + count) }
}

/// A reference to a gesture of a region of the panel.
struct GestureReference: Hashable {
    var region: RegionIndex
    var gesture: GestureIndex
}

extension [Candidate] {
    subscript(gesture: GestureIndex) -> Candidate { self[gesture.raw] }
}

extension [Gesture] {
    package subscript(gesture: GestureIndex) -> Gesture { self[gesture.raw] }
}

extension [Region] {
    package subscript(region: RegionIndex) -> Region { self[region.raw] }

    /// The indices of all regions of this list.
    package var regionIndices: Range<RegionIndex> { RegionIndex(raw: 0)..<RegionIndex(raw: count) }
}
