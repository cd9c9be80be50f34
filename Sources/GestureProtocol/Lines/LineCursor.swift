// SPDX-License-Identifier: MIT

/// Writes the keys and numbers of one event into room that its line has reserved.
///
/// For what is hot: nothing is checked while it writes, so `LineBuffer.cursor(reserving:)` must be
/// told how much there will be at most.
package struct LineCursor {
    /// What any number takes: what to reserve for each.
    package static var numberRoom: Int { DecimalText.room }

    @usableFromInline
    var place: UnsafeMutablePointer<UInt8>

    @usableFromInline
    init(_ place: UnsafeMutablePointer<UInt8>) {
        self.place = place
    }

    /// Appends text that was written in the program. Known when it is compiled: a few moves.
    @inlinable
    @inline(__always)
    package mutating func append(_ text: StaticString) {
        let length = text.utf8CodeUnitCount
        UnsafeMutableRawPointer(place).copyMemory(from: text.utf8Start, byteCount: length)
        place += length
    }

    /// Appends bytes that are JSON already.
    @inlinable
    @inline(__always)
    package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        place.update(from: start, count: bytes.count)
        place += bytes.count
    }

    /// A whole number, after its key with punctuation: `,"fingers":`.
    @inlinable
    @inline(__always)
    package mutating func append(_ key: StaticString, integer value: Int64) {
        append(key)
        place = DecimalText.integer(value, at: place)
    }

    /// A number to 0.1; see `LineBuffer.appendTenths(_:)`.
    @inlinable
    @inline(__always)
    package mutating func append(_ key: StaticString, tenths value: Double) {
        append(key)
        place = DecimalText.tenths(value, at: place)
    }

    /// A number to 0.0001; see `LineBuffer.appendTenThousandths(_:)`.
    @inlinable
    @inline(__always)
    package mutating func append(_ key: StaticString, tenThousandths value: Double) {
        append(key)
        place = DecimalText.tenThousandths(value, at: place)
    }
}

extension LineBuffer {
    /// A cursor behind the text, with room for `length` bytes. What it has written belongs to the
    /// text once it is given to `commit(_:)`; nothing else may be appended before.
    @inlinable
    package mutating func cursor(reserving length: Int) -> LineCursor {
        reserve(length)
        return LineCursor(storage + count)
    }

    @inlinable
    package mutating func commit(_ cursor: LineCursor) {
        count = cursor.place - storage
        assert(count <= capacity, "a cursor wrote more than was reserved")
    }
}
