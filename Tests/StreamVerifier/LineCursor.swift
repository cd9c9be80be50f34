// SPDX-License-Identifier: MIT

/// Reads one line of compact JSON from left to right, with numbers in the formats that the protocol prescribes. The
/// schema says which members and words a line has (`scripts/check-lines`).
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

    /// Reads the members after the first one, and the end of the line. Skips the values that `member` does not read.
    mutating func rest(_ member: (inout Self, LineKey) -> Void) {
        while skip(",") { read(member) }
        expect("}")
        if !isAtEnd { fail("text after the closing brace") }
    }

    /// Reads an object, like `rest`.
    mutating func object(_ member: (inout Self, LineKey) -> Void) {
        expect("{")
        if skip("}") { return }
        repeat { read(member) } while mistake == nil && skip(",")
        expect("}")
    }

    private mutating func read(_ member: (inout Self, LineKey) -> Void) {
        let word = string()
        let key = LineKey(bytes: UnsafeBufferPointer(rebasing: bytes[word.range]))
        expect(":")
        let start = position
        member(&self, key)
        guard position == start else { return }
        switch key {
        case "dx", "dy", "vx", "vy", "angle", "distance_mm", "velocity_mm_s", "rotation", "velocity_deg_s", "major_mm":
            _ = tenths()
        case "u", "v", "scale", "score": _ = tenThousandths()
        default: anything()
        }
    }

    /// Reads `{"x":…,"y":…}`.
    mutating func point() -> (x: Double, y: Double) {
        var point = (x: 0.0, y: 0.0)
        object { cursor, key in
            switch key {
            case "x": point.x = cursor.tenths()
            case "y": point.y = cursor.tenths()
            default: break
            }
        }
        return point
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
        case UInt8(ascii: "{"): object { cursor, _ in cursor.anything(depth: depth + 1) }
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

/// The key of a member.
struct LineKey {
    fileprivate let bytes: UnsafeBufferPointer<UInt8>

    static func ~= (name: StaticString, key: Self) -> Bool {
        guard key.bytes.count == name.utf8CodeUnitCount else { return false }
        return key.bytes.elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }
}
