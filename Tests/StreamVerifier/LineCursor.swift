// SPDX-License-Identifier: MIT

/// Reads one line of JSON from left to right. It accepts only the form that the protocol prescribes: no spaces, keys in
/// a fixed order, numbers in fixed formats.
///
/// The first error is kept in `mistake`. After that, all reads return empty values.
struct LineCursor {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    private(set) var mistake: String?

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position >= bytes.count }
    private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func fail(_ text: String) {
        if mistake == nil { mistake = "column \(position + 1): \(text)" }
    }

    // MARK: Punctuation and words

    /// Moves past the text if it comes next, and returns whether it did.
    mutating func skip(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard mistake == nil, bytes.count - position >= count else { return false }
        for i in 0..<count where bytes[position + i] != text.utf8Start[i] { return false }
        position += count
        return true
    }

    mutating func expect(_ text: StaticString) {
        if !skip(text) { fail("expected \(text)") }
    }

    /// Reads `,"key":`.
    mutating func key(_ name: StaticString) {
        if !skipKey(name) { fail("expected the key \"\(name)\"") }
    }

    /// Moves past this key if it comes next, and returns whether it did.
    mutating func skipKey(_ name: StaticString) -> Bool {
        let start = position
        if skip(","), skip("\""), skip(name), skip("\":") { return true }
        if mistake == nil { position = start }
        return false
    }

    mutating func end() {
        expect("}")
        if !isAtEnd { fail("text after the closing brace") }
    }

    /// Reads a string. It is identified by a hash of its bytes as they are written in the line.
    mutating func string() -> Word {
        guard skip("\"") else {
            fail("expected a string")
            return Word()
        }
        let start = position
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        while let byte, byte != UInt8(ascii: "\"") {
            if byte < 0x20 { fail("a control byte in a string") }
            if byte == UInt8(ascii: "\\") { escape() }
            if mistake != nil { return Word() }
            hash = (hash ^ UInt64(self.byte ?? 0)) &* 0x100_0000_01b3
            position += 1
        }
        let range = start..<position
        expect("\"")
        return Word(hash: hash, range: range)
    }

    /// Checks an escape, and moves to its last byte.
    private mutating func escape() {
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "n"), UInt8(ascii: "r"),
            UInt8(ascii: "t"), UInt8(ascii: "b"), UInt8(ascii: "f"):
            break
        case UInt8(ascii: "u"):
            for _ in 0..<4 {
                position += 1
                guard let byte, Self.isHexadecimal(byte) else { return fail("an invalid \\u in a string") }
            }
        default: fail("an invalid escape in a string")
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    mutating func bool() -> Bool {
        if skip("true") { return true }
        if !skip("false") { fail("expected true or false") }
        return false
    }

    /// Reads a whole number whose magnitude is below 2^53.
    mutating func integer() -> Int64 {
        let isNegative = skip("-")
        let value = digits()
        if isNegative, value == 0 { fail("-0") }
        if byte == UInt8(ascii: ".") { fail("expected a whole number") }
        return isNegative ? -value : value
    }

    /// Whether the next number has no decimal point.
    var isWholeNext: Bool {
        var i = position
        while i < bytes.count, bytes[i] == UInt8(ascii: "-") || (48...57).contains(bytes[i]) { i += 1 }
        return i >= bytes.count || bytes[i] != UInt8(ascii: ".")
    }

    /// Reads a number with exactly one decimal.
    mutating func tenths() -> Double { decimal(places: 1...1) }

    /// Reads a number with one to four decimals, without superfluous zeros.
    mutating func tenThousandths() -> Double { decimal(places: 1...4) }

    private mutating func decimal(places: ClosedRange<Int>) -> Double {
        let isNegative = skip("-")
        let whole = digits()
        expect(".")
        var fraction = 0.0
        var unit = 0.1
        var count = 0
        var last: UInt8 = 0
        while let byte, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
            last = byte - UInt8(ascii: "0")
            fraction += Double(last) * unit
            unit /= 10
            count += 1
            position += 1
        }
        if !places.contains(count) { fail("\(count) decimals") }
        if count > 1, last == 0 { fail("a superfluous zero") }
        if isNegative, whole == 0, fraction == 0 { fail("-0.0") }
        return isNegative ? -(Double(whole) + fraction) : Double(whole) + fraction
    }

    private mutating func digits() -> Int64 {
        let start = position
        var value: Int64 = 0
        while let byte, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
            // Larger numbers are an error anyway, so no more digits are added.
            if value < 1 << 53 { value = value * 10 + Int64(byte - UInt8(ascii: "0")) }
            position += 1
        }
        if position == start { fail("expected a number") }
        if position - start > 1, mistake == nil, bytes[start] == UInt8(ascii: "0") { fail("a leading zero") }
        if value >= 1 << 53 { fail("a number of 2^53 or more") }
        return value
    }

    /// Reads a list, and calls `element` to read each element.
    mutating func list(_ element: (inout Self) -> Void) {
        expect("[")
        if skip("]") { return }
        repeat { element(&self) } while mistake == nil && skip(",")
        expect("]")
    }

    /// Skips any value.
    mutating func anything(depth: Int = 0) {
        guard depth < 12, mistake == nil else { return fail("nested too deeply") }
        switch byte {
        case UInt8(ascii: "\""): _ = string()
        case UInt8(ascii: "["): list { $0.anything(depth: depth + 1) }
        case UInt8(ascii: "{"):
            expect("{")
            if skip("}") { return }
            repeat {
                _ = string()
                expect(":")
                anything(depth: depth + 1)
            } while mistake == nil && skip(",")
            expect("}")
        case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = bool()
        case UInt8(ascii: "n"): expect("null")
        default:
            let start = position
            _ = skip("-")
            _ = digits()
            if byte == UInt8(ascii: ".") {
                position = start
                _ = tenThousandths()
            }
        }
    }

    /// The text of a string that was read from this line.
    func text(_ word: Word) -> String { String(decoding: bytes[word.range], as: UTF8.self) }

    func matches(_ word: Word, _ text: StaticString) -> Bool {
        guard word.range.count == text.utf8CodeUnitCount else { return false }
        for i in 0..<word.range.count where bytes[word.range.lowerBound + i] != text.utf8Start[i] { return false }
        return true
    }

    // MARK: A key and its value

    @discardableResult
    mutating func string(_ name: StaticString) -> Word {
        key(name)
        return string()
    }

    @discardableResult
    mutating func bool(_ name: StaticString) -> Bool {
        key(name)
        return bool()
    }

    @discardableResult
    mutating func integer(_ name: StaticString) -> Int64 {
        key(name)
        return integer()
    }

    @discardableResult
    mutating func tenths(_ name: StaticString) -> Double {
        key(name)
        return tenths()
    }

    @discardableResult
    mutating func tenThousandths(_ name: StaticString) -> Double {
        key(name)
        return tenThousandths()
    }

    mutating func list(_ name: StaticString, _ element: (inout Self) -> Void) {
        key(name)
        list(element)
    }

    /// - Returns: the index of the value in the allowed words; `nil` if it is not one of them.
    @discardableResult
    mutating func word(_ name: StaticString, in allowed: [StaticString]) -> Int? {
        index(of: string(name), name, in: allowed)
    }

    /// The index of a word in the allowed words; `nil`, with an error, if it is not one of them.
    mutating func index(of word: Word, _ what: StaticString, in allowed: [StaticString]) -> Int? {
        for i in allowed.indices where matches(word, allowed[i]) { return i }
        fail("unknown \(what) \"\(text(word))\"")
        return nil
    }
}

/// A string in a line.
struct Word: Hashable {
    /// A hash of the string's bytes. Collisions are too unlikely to matter.
    var hash: UInt64 = 0
    var range: Range<Int> = 0..<0
}
