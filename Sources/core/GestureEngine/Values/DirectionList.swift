// SPDX-License-Identifier: MIT

/// A list of at most 15 directions. It is a plain value of 8 bytes, because events and failures allocate nothing.
package struct DirectionList: Hashable, Sendable, BitwiseCopyable, RandomAccessCollection {
    /// Four bits for the number of directions, then four for each of them.
    private var bits: UInt64 = 0

    /// The directions without diagonals, and all of them.
    static let (four, eight) = (Self([.left, .right, .up, .down]), Self(SwipeDirection.allCases))

    package init() {}

    package init(_ directions: [SwipeDirection]) {
        for direction in directions { append(direction) }
    }

    package var startIndex: Int { 0 }

    package var endIndex: Int { nibble(0) }

    package subscript(index: Int) -> SwipeDirection {
        SwipeDirection(rawValue: UInt8(nibble(index + 1))) ?? .left
    }

    /// Adds a direction at the end, unless the list is full.
    mutating func append(_ direction: SwipeDirection) {
        guard count < 15 else { return }
        bits |= UInt64(direction.rawValue) << UInt64(4 * (count + 1))
        bits += 1
    }

    private func nibble(_ index: Int) -> Int { Int(bits >> UInt64(4 * index)) & 15 }
}
