// SPDX-License-Identifier: MIT

/// JSON text under construction, in memory that is kept and used again.
///
/// Appending allocates only when the text outgrows everything written before; `removeAll()` keeps
/// the memory. Text is appended as it is: commas and braces are the caller's, and strings from
/// outside go through `appendQuoted(_:)`.
package struct LineBuffer: ~Copyable {
    @usableFromInline
    var storage: UnsafeMutablePointer<UInt8>

    @usableFromInline
    var capacity: Int

    /// Memory that it holds.
    package var allocatedBytes: Int { capacity }

    /// Bytes written since the last `removeAll()`.
    @usableFromInline
    package internal(set) var count: Int

    /// - Parameter capacity: bytes to allocate at once. 512: no gesture line of the protocol is longer.
    package init(capacity: Int = 512) {
        self.capacity = max(capacity, 64)
        storage = .allocate(capacity: self.capacity)
        count = 0
    }

    deinit { storage.deallocate() }

    @inlinable
    package var isEmpty: Bool { count == 0 }

    /// The text as bytes of UTF-8, valid until the next change.
    @inlinable
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        body(UnsafeBufferPointer(start: storage, count: count))
    }

    /// A copy of the text, for tests and for what is not hot.
    package var text: String { withBytes { String(decoding: $0, as: UTF8.self) } }

    /// Forgets the text, keeps the memory.
    @inlinable
    package mutating func removeAll() { count = 0 }

    /// Forgets everything after the first `length` bytes; does nothing when there are fewer.
    @inlinable
    package mutating func truncate(to length: Int) { count = max(0, min(count, length)) }

    /// Takes bytes out of the middle or the start; what is outside the text is ignored.
    package mutating func remove(_ range: Range<Int>) {
        let range = range.clamped(to: 0..<count)
        (storage + range.lowerBound).update(from: storage + range.upperBound, count: count - range.upperBound)
        count -= range.count
    }

    /// Appends text that was written in the program: keys, punctuation, fixed words.
    @inlinable
    package mutating func append(_ text: StaticString) {
        let length = text.utf8CodeUnitCount
        reserve(length)
        (storage + count).update(from: text.utf8Start, count: length)
        count &+= length
    }

    @inlinable
    package mutating func append(_ byte: UInt8) {
        reserve(1)
        storage[count] = byte
        count &+= 1
    }

    /// Appends bytes that are JSON already.
    @inlinable
    package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count)
        (storage + count).update(from: start, count: bytes.count)
        count &+= bytes.count
    }

    @inlinable
    package mutating func append(_ other: borrowing LineBuffer) {
        append(UnsafeBufferPointer(start: other.storage, count: other.count))
    }

    @inlinable
    package mutating func append(_ fragment: JSONFragment) {
        fragment.bytes.withUnsafeBufferPointer { append($0) }
    }

    /// Appends `,"key":`. Keys are the protocol's own: nothing in them is escaped.
    @inlinable
    package mutating func appendKey(_ key: StaticString) {
        let length = key.utf8CodeUnitCount
        reserve(length &+ 4)
        let start = storage + count
        start[0] = UInt8(ascii: ",")
        start[1] = UInt8(ascii: "\"")
        (start + 2).update(from: key.utf8Start, count: length)
        start[length &+ 2] = UInt8(ascii: "\"")
        start[length &+ 3] = UInt8(ascii: ":")
        count &+= length &+ 4
    }

    @inlinable
    package mutating func appendBool(_ value: Bool) {
        if value { append("true") } else { append("false") }
    }

    /// Where the text ends, with room for `length` bytes behind it. What is written there belongs to
    /// the text once `commit(to:)` says so; nothing else may be appended before.
    package mutating func place(reserving length: Int) -> UnsafeMutablePointer<UInt8> {
        reserve(length)
        return storage + count
    }

    /// Takes what was written at the place reserved, up to `end`.
    package mutating func commit(to end: UnsafeMutablePointer<UInt8>) {
        count = end - storage
        assert(count <= capacity, "more was written than reserved")
    }

    /// Makes room for `extra` more bytes.
    @inlinable
    package mutating func reserve(_ extra: Int) {
        if capacity &- count < extra { grow(by: extra) }
    }

    @usableFromInline
    mutating func grow(by extra: Int) {
        let larger = max(capacity * 2, count + extra)
        let replacement = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        replacement.update(from: storage, count: count)
        storage.deallocate()
        storage = replacement
        capacity = larger
    }
}
