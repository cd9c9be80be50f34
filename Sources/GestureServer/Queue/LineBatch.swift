// SPDX-License-Identifier: MIT
import GestureProtocol

/// The lines of one turn, which are sent to all clients together.
///
/// They are kept once for all clients, and their memory is used again.
final class LineBatch {
    /// Ten contacts make no more in a frame.
    static let capacity = 32

    private let lines: UnsafeMutablePointer<EventLine>
    /// How many lines have been used so far, and need memory.
    private var made = 0
    private(set) var count = 0

    init() { lines = .allocate(capacity: Self.capacity) }

    deinit {
        lines.deinitialize(count: made)
        lines.deallocate()
    }

    var isEmpty: Bool { count == 0 }
    var isFull: Bool { count == Self.capacity }

    /// Adds a copy of a line; there must be room.
    func append(_ line: borrowing EventLine) {
        precondition(count < Self.capacity)
        if count == made {
            (lines + made).initialize(to: EventLine())
            made += 1
        }
        lines[count].copy(line)
        count += 1
    }

    func removeAll() { count = 0 }

    /// The lines so far; until the batch is changed. Clients are given these, because an object would be retained for
    /// each line.
    var contents: UnsafeBufferPointer<EventLine> { UnsafeBufferPointer(start: lines, count: count) }
}
