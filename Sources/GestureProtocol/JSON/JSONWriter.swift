// SPDX-License-Identifier: MIT

/// Writes JSON into bytes that are kept and used again.
///
/// Objects and arrays are scopes; commas come by themselves:
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
/// Every text is valid UTF-8 and is escaped; every number is finite and written without an exponent, so that what
/// comes out is always JSON. Writing allocates only when the text outgrows everything written before.
package struct JSONWriter: ~Copyable {
    /// The text so far. A caller that changes it leaves valid JSON.
    package var bytes: [UInt8]
    /// Whether a value stands before what comes next in the same scope.
    private var needsComma = false

    /// - Parameter capacity: bytes to allocate at once. 480: few lines are longer, and with the array's header and
    ///   rounding it doubles to just below 128 KiB, not above it.
    package init(capacity: Int = 480) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// The bytes that `write` produces in an empty writer, for `append(json:)`: what is written once and used often.
    package static func bytes(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        write(&json)
        return json.bytes
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Empties the text and keeps the memory.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    // MARK: Scopes

    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "{"))
        body(&self)
        close(UInt8(ascii: "}"))
    }

    package mutating func array(_ body: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "["))
        body(&self)
        close(UInt8(ascii: "]"))
    }

    package mutating func object(_ key: StaticString, _ body: (inout JSONWriter) -> Void) {
        self.key(key)
        object(body)
    }

    package mutating func array(_ key: StaticString, _ body: (inout JSONWriter) -> Void) {
        self.key(key)
        array(body)
    }

    /// Writes an object and a line feed.
    package mutating func line(_ body: (inout JSONWriter) -> Void) {
        needsComma = false
        object(body)
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    // MARK: Members

    /// Writes the key of a member; its value must follow.
    /// - Parameter key: printable ASCII without quotes and backslashes; not escaped.
    package mutating func key(_ key: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a key that is known only when the program runs; its value must follow.
    package mutating func key(named key: String) {
        value(key)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    package mutating func member(_ key: StaticString, _ text: String) {
        self.key(key)
        value(text)
    }

    package mutating func member(_ key: StaticString, _ texts: [String]) {
        array(key) { json in
            for text in texts { json.value(text) }
        }
    }

    package mutating func member(_ key: StaticString, _ flag: Bool) {
        self.key(key)
        value(flag)
    }

    package mutating func member(_ key: StaticString, _ number: Int64) {
        self.key(key)
        value(number)
    }

    package mutating func member(_ key: StaticString, _ number: Int) { member(key, Int64(number)) }

    /// Writes a number as `value(tenths:)` does.
    package mutating func member(_ key: StaticString, tenths number: Double) {
        self.key(key)
        value(tenths: number)
    }

    /// Writes a number as `value(tenThousandths:)` does.
    package mutating func member(_ key: StaticString, tenThousandths number: Double) {
        self.key(key)
        value(tenThousandths: number)
    }

    // MARK: Values

    package mutating func value(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { appendEscaped($0) }
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func value(_ flag: Bool) { append(json: flag ? "true" : "false") }

    package mutating func null() { append(json: "null") }

    /// Appends JSON as it is: one value, or members (elements) of the scope that is open, separated by commas.
    /// A comma at the start is allowed where one is needed.
    package mutating func append(json: ArraySlice<UInt8>) {
        guard let first = json.first else { return }
        if first != UInt8(ascii: ",") { separate() }
        bytes.append(contentsOf: json)
        needsComma = true
    }

    package mutating func append(json: [UInt8]) { append(json: json[...]) }

    package mutating func append(json: String) { append(json: Array(json.utf8)) }

    // MARK: Pieces

    /// Writes the comma that separates a value from the one before it.
    mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
        if text.allSatisfy({ Self.isPlain($0) }) {
            bytes.append(contentsOf: text)
        } else {
            for byte in text { appendEscaped(byte) }
        }
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): bytes += #"\""#.utf8
        case UInt8(ascii: "\\"): bytes += #"\\"#.utf8
        case UInt8(ascii: "\n"): bytes += #"\n"#.utf8
        case UInt8(ascii: "\r"): bytes += #"\r"#.utf8
        case UInt8(ascii: "\t"): bytes += #"\t"#.utf8
        case _ where Self.isPlain(byte): bytes.append(byte)
        default:
            let digits = Array("0123456789abcdef".utf8)
            bytes += #"\u00"#.utf8
            bytes += [digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
        }
    }

    /// Whether a byte stands for itself in a string. DEL could, but a terminal that prints the line must not get it.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
}
