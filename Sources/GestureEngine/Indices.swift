// SPDX-License-Identifier: MIT

/// An index into the gestures of one region.
package struct GestureIndex: Hashable, Comparable, Sendable, BitwiseCopyable {
    package let raw: Int

    package init(raw: Int) { self.raw = raw }

    package static func < (a: Self, b: Self) -> Bool { a.raw < b.raw }
}

/// A reference to a gesture of a region of the panel.
struct GestureReference: Hashable {
    var region: Int
    var gesture: GestureIndex
}

extension [Candidate] {
    subscript(gesture: GestureIndex) -> Candidate { self[gesture.raw] }
}

extension [Gesture] {
    package subscript(gesture: GestureIndex) -> Gesture { self[gesture.raw] }
}
