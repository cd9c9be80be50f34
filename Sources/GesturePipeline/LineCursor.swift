// SPDX-License-Identifier: MIT
import GestureProtocol

/// Writes the keys and numbers of one event into room that its line has reserved.
///
/// For what is hot: nothing is checked while it writes, so `LineBuffer.place(reserving:)` must be
/// told how much there will be at most. In this module, not beside `LineBuffer`: so it is inlined.
struct LineCursor {
    /// Behind what is written.
    private(set) var place: UnsafeMutablePointer<UInt8>

    init(_ place: UnsafeMutablePointer<UInt8>) {
        self.place = place
    }

    /// Appends text that was written in the program. Known when it is compiled: a few moves.
    @inline(__always)
    mutating func append(_ text: StaticString) {
        let length = text.utf8CodeUnitCount
        UnsafeMutableRawPointer(place).copyMemory(from: text.utf8Start, byteCount: length)
        place += length
    }

    /// Appends bytes that are JSON already.
    @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        place.update(from: start, count: bytes.count)
        place += bytes.count
    }

    /// A whole number, after its key with punctuation: `,"fingers":`.
    @inline(__always)
    mutating func append(_ key: StaticString, integer value: Int64) {
        append(key)
        place = DecimalText.integer(value, at: place)
    }

    /// A number to 0.1; see `LineBuffer.appendTenths(_:)`.
    @inline(__always)
    mutating func append(_ key: StaticString, tenths value: Double) {
        append(key)
        place = DecimalText.tenths(value, at: place)
    }

    /// A number to 0.0001; see `LineBuffer.appendTenThousandths(_:)`.
    @inline(__always)
    mutating func append(_ key: StaticString, tenThousandths value: Double) {
        append(key)
        place = DecimalText.tenThousandths(value, at: place)
    }
}
