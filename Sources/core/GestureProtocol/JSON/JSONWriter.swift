// SPDX-License-Identifier: MIT

/// Writes JSON into a buffer that is kept and reused.
///
/// Objects and arrays are scopes; commas are added automatically:
///
/// ```swift
/// json.object { json in
///     json.member("device", "panel")
///     json.array("contacts") { json in
///         json.object { $0.member("x", tenths: 802) }
///     }
/// }
/// ```
///
/// The output is always valid JSON: texts are valid UTF-8 and escaped, numbers are finite and have no exponent.
/// Writing allocates only when the text outgrows all earlier ones.
///
/// The buffer is unsafe memory and keys are inlined, because appending to an array would take twice as many
/// instructions. Members are public, because otherwise other modules do not inline them. Each function reserves memory
/// before it writes.
public struct JSONWriter: ~Copyable {
    @usableFromInline var storage: UnsafeMutablePointer<UInt8>
    @usableFromInline package internal(set) var capacity: Int
    @usableFromInline package internal(set) var count = 0
    /// Whether a value precedes the next one in the current scope.
    @usableFromInline var needsComma = false

    private static let leastCapacity = 64

    /// - Parameter capacity: the initial allocation in bytes. Few lines are longer than 512.
    package init(capacity: Int = 512) {
        self.capacity = max(capacity, Self.leastCapacity)
        storage = .allocate(capacity: self.capacity)
    }

    deinit { storage.deallocate() }

    /// The bytes that `write` produces in an empty writer, for text that is used often with `append(json:)`.
    package static func bytes(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        write(&json)
        return json.bytes
    }

    /// The line with the members that `write` produces, including its line feed.
    package static func line(_ write: (inout JSONWriter) -> Void) -> [UInt8] { bytes { $0.line(write) } }

    package var bytes: [UInt8] { withBytes { Array($0) } }
    package var text: String { withBytes { String(decoding: $0, as: UTF8.self) } }

    /// Calls `body` with the text, which is valid until `body` returns.
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        body(UnsafeBufferPointer(start: storage, count: count))
    }

    /// Removes the text and keeps the memory.
    package mutating func removeAll() {
        count = 0
        needsComma = false
    }

    // MARK: Scopes

    /// Writes an object with the members that `body` writes.
    @inlinable @inline(__always)
    public mutating func object(_ body: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "{"))
        body(&self)
        close(UInt8(ascii: "}"))
    }

    package mutating func array(_ body: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "["))
        body(&self)
        close(UInt8(ascii: "]"))
    }

    /// Writes a member that is an object.
    @inlinable @inline(__always)
    public mutating func object(_ key: StaticString, _ body: (inout JSONWriter) -> Void) {
        self.key(key)
        object(body)
    }

    package mutating func array(_ key: StaticString, _ body: (inout JSONWriter) -> Void) {
        self.key(key)
        array(body)
    }

    /// Writes an array with an object for each element. `write` writes the members of each object.
    package mutating func objects<Elements: Sequence>(
        _ key: StaticString, _ elements: Elements, _ write: (Elements.Element, inout JSONWriter) -> Void
    ) {
        array(key) { json in
            for element in elements { json.object { write(element, &$0) } }
        }
    }

    /// Writes an object and a line feed.
    package mutating func line(_ body: (inout JSONWriter) -> Void) {
        needsComma = false
        open(UInt8(ascii: "{"))
        body(&self)
        endLine()
    }

    /// Ends an object and its line.
    package mutating func endLine() {
        close(UInt8(ascii: "}"))
        append(UInt8(ascii: "\n"))
        needsComma = false
    }

    // MARK: Members

    /// Writes the key of a member. Its value must follow.
    /// - Parameter key: printable ASCII without quotes and backslashes; not escaped.
    @inlinable @inline(__always)
    public mutating func key(_ key: StaticString) {
        let length = key.utf8CodeUnitCount
        separate(length + 3)
        // This is a local copy, because members of `self` would be loaded again for each byte.
        let text = storage + count
        text[0] = UInt8(ascii: "\"")
        (text + 1).initialize(from: key.utf8Start, count: length)
        text[length + 1] = UInt8(ascii: "\"")
        text[length + 2] = UInt8(ascii: ":")
        count += length + 3
        needsComma = false
    }

    /// Writes a key that is not a constant. Its value must follow.
    package mutating func key(named key: String) {
        value(key)
        append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a member that is a string.
    @inlinable
    public mutating func member(_ key: StaticString, _ text: String) {
        self.key(key)
        value(text)
    }

    package mutating func member(_ key: StaticString, _ texts: [String]) {
        array(key) { json in
            for text in texts { json.value(text) }
        }
    }

    /// Writes a member that is `true` or `false`.
    @inlinable
    public mutating func member(_ key: StaticString, _ flag: Bool) {
        self.key(key)
        value(flag)
    }

    /// Writes a member that is an integer.
    @inlinable @inline(__always)
    public mutating func member(_ key: StaticString, _ number: Int64) {
        self.key(key)
        value(number)
    }

    @inlinable @inline(__always)
    public mutating func member(_ key: StaticString, _ number: Int) { member(key, Int64(number)) }

    /// Writes a number like `value(tenths:)`.
    @inlinable @inline(__always)
    public mutating func member(_ key: StaticString, tenths number: Double) {
        self.key(key)
        value(tenths: number)
    }

    /// Writes a number like `value(tenThousandths:)`.
    @inlinable @inline(__always)
    public mutating func member(_ key: StaticString, tenThousandths number: Double) {
        self.key(key)
        value(tenThousandths: number)
    }

    // MARK: Values

    /// Writes `true` or `false`.
    public mutating func value(_ flag: Bool) { append(word: flag ? "true" : "false") }

    package mutating func null() { append(word: "null") }

    private mutating func append(word: StaticString) {
        append(json: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    /// Appends encoded JSON: one value, or comma-separated members or elements of the current scope. It may start
    /// with a comma where one is needed.
    package mutating func append(json: UnsafeBufferPointer<UInt8>) {
        guard let first = json.first else { return }
        if first != UInt8(ascii: ",") { separate(0) }
        append(json)
        needsComma = true
    }

    package mutating func append(json: [UInt8]) {
        json.withUnsafeBufferPointer { append(json: $0) }
    }

    /// Removes a range of bytes. It may be a part of a line, or several lines.
    package mutating func remove(_ part: Range<Int>) {
        precondition(part.lowerBound >= 0 && part.upperBound <= count)
        (storage + part.lowerBound).update(from: storage + part.upperBound, count: count - part.upperBound)
        count -= part.count
    }

    /// Frees memory that the text does not need.
    package mutating func shrink() { reallocate(capacity: count) }

    /// Moves the text into memory of this size in bytes, or of its own length if that is larger.
    package mutating func reallocate(capacity new: Int) {
        capacity = max(new, count, Self.leastCapacity)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        moved.update(from: storage, count: count)
        storage.deallocate()
        storage = moved
    }

    package mutating func append(json: String) { append(json: Array(json.utf8)) }

    // MARK: Pieces

    /// Ensures room for `extra` more bytes.
    @inlinable
    mutating func reserve(_ extra: Int) {
        if capacity - count < extra { grow(by: extra) }
    }

    @usableFromInline
    mutating func grow(by extra: Int) {
        reallocate(capacity: max(capacity * 2, count + extra))
    }

    @inlinable
    mutating func append(_ byte: UInt8) {
        reserve(1)
        storage[count] = byte
        count += 1
    }

    /// Appends complete lines, or the start of one.
    package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count)
        (storage + count).initialize(from: start, count: bytes.count)
        count += bytes.count
    }

    /// Appends a line: the start of an object, a number, more members, and the end.
    package mutating func append(_ head: borrowing JSONWriter, _ number: Int64, _ members: borrowing JSONWriter) {
        // A number has at most 20 characters. It is followed by a comma, a closing brace and a line feed.
        reserve(head.count + 20 + members.count + 3)
        (storage + count).initialize(from: head.storage, count: head.count)
        count += head.count
        needsComma = false
        value(number)
        let text = storage + count
        text[0] = UInt8(ascii: ",")
        (text + 1).initialize(from: members.storage, count: members.count)
        let start = members.count > 0 ? 1 : 0
        text[start + members.count] = UInt8(ascii: "}")
        text[start + members.count + 1] = UInt8(ascii: "\n")
        count += start + members.count + 2
        needsComma = false
    }

    /// Ensures room for `extra` bytes after a comma, and writes the comma if a value precedes it.
    @inlinable @inline(__always)
    mutating func separate(_ extra: Int) {
        reserve(extra + 1)
        if needsComma {
            storage[count] = UInt8(ascii: ",")
            count += 1
        }
        needsComma = true
    }

    @inlinable
    mutating func open(_ bracket: UInt8) {
        separate(1)
        append(bracket)
        needsComma = false
    }

    @inlinable
    mutating func close(_ bracket: UInt8) {
        append(bracket)
        needsComma = true
    }
}
