// SPDX-License-Identifier: MIT

/// A list of at most 16 directions. It is a plain value, because events and failures allocate nothing.
package struct DirectionList: Hashable, Sendable, BitwiseCopyable, RandomAccessCollection {
    /// The bits of one direction.
    private static let width = 4

    private var bits: UInt64 = 0
    private var size: UInt8 = 0

    /// The directions without diagonals, and all of them.
    static let (four, eight) = (Self([.left, .right, .up, .down]), Self(SwipeDirection.allCases))

    package init() {}

    package init(_ directions: [SwipeDirection]) {
        for direction in directions { append(direction) }
    }

    package var startIndex: Int { 0 }

    package var endIndex: Int { Int(size) }

    package subscript(index: Int) -> SwipeDirection {
        SwipeDirection(rawValue: UInt8(truncatingIfNeeded: bits >> (index * Self.width)) & 0xF) ?? .left
    }

    /// Adds a direction at the end.
    /// - Precondition: the list has fewer than 16 directions.
    mutating func append(_ direction: SwipeDirection) {
        bits |= UInt64(direction.rawValue) << (endIndex * Self.width)
        size += 1
    }
}
