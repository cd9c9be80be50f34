// SPDX-License-Identifier: MIT
import GestureProtocol

/// Reads the fields of one line of an evemu file, from left to right.
struct FieldScanner {
    private let bytes: ArraySlice<UInt8>
    private var index: Int
    /// The line number for errors.
    let line: Int

    /// - Parameter bytes: a line without its newline, from the expected start of the first field.
    init(_ bytes: ArraySlice<UInt8>, line: Int) {
        self.bytes = bytes
        self.line = line
        index = bytes.startIndex
    }

    /// Whether only white space or a comment is left.
    var isAtEnd: Bool {
        mutating get {
            skipSpace()
            return index >= bytes.endIndex || bytes[index] == UInt8(ascii: "#")
        }
    }

    /// Returns the next field, up to white space, as text.
    mutating func word() -> String {
        String(decoding: field(), as: UTF8.self)
    }

    /// Returns the rest of the line, without leading white space.
    mutating func rest() -> ArraySlice<UInt8> {
        skipSpace()
        defer { index = bytes.endIndex }
        return bytes[index...]
    }

    /// Reads a hexadecimal number without `0x`, at most `limit`.
    mutating func hexadecimal(_ what: String, atMost limit: Int) throws(RecordingError) -> Int {
        let field = field()
        guard field.count <= 8, field.allSatisfy({ Self.hexDigit($0) != nil }),
            let value = Int(String(decoding: field, as: UTF8.self), radix: 16)
        else { throw bad(field, "hexadecimal number", what) }
        guard value <= limit else {
            throw RecordingError(
                .outOfRange, line: line,
                "\(what) \(SafeText.field(field)) is too large; the maximum is \(String(limit, radix: 16))")
        }
        return value
    }

    /// Reads a decimal number of at most 18 digits. Only a negative number has a sign.
    mutating func decimal(_ what: String) throws(RecordingError) -> Int64 {
        let field = field()
        guard let value = Self.decimal(field) else { throw bad(field, "decimal number", what) }
        return value
    }

    /// Reads a decimal number that fits into 32 bits, as the kernel's values do.
    mutating func value(_ what: String) throws(RecordingError) -> Int32 {
        let wide = try decimal(what)
        guard let value = Int32(exactly: wide) else {
            throw RecordingError(
                .outOfRange, line: line, "\(what) \(wide) is too large; kernel values have 32 bits")
        }
        return value
    }

    /// Reads `seconds.microseconds` and returns microseconds. As in evemu, the part after the point is an
    /// integer and not a fraction: `1.8000` is 1 s and 8000 µs.
    mutating func time() throws(RecordingError) -> Int64 {
        let field = field()
        guard let point = field.firstIndex(of: UInt8(ascii: ".")), field.first != UInt8(ascii: "-"),
            let seconds = Self.decimal(field[..<point]), field.endIndex - point <= 7,
            let microseconds = Self.decimal(field[(point + 1)...]), microseconds >= 0
        else { throw bad(field, "time", "seconds.microseconds, at most six digits after the point") }
        guard seconds < 1 << 34, seconds * 1_000_000 + microseconds < 1 << 53 else {
            throw RecordingError(
                .outOfRange, line: line, "time \(SafeText.field(field)) is too large; the maximum is 285 years")
        }
        return seconds * 1_000_000 + microseconds
    }

    /// - Throws: an error if the line has more fields.
    mutating func end(_ what: String) throws(RecordingError) {
        guard !isAtEnd else { return }
        let field = field()
        throw RecordingError(.badNumber, line: line, "too many fields, from \(SafeText.field(field)) on; \(what)")
    }

    static func hexDigit(_ byte: UInt8) -> Int? { Character(UnicodeScalar(byte)).hexDigitValue }

    private static func decimal(_ field: ArraySlice<UInt8>) -> Int64? {
        let digits = field.first == UInt8(ascii: "-") ? field.dropFirst() : field
        guard !digits.isEmpty, digits.count <= 18 else { return nil }
        guard digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        return Int64(String(decoding: field, as: UTF8.self))
    }

    private mutating func field() -> ArraySlice<UInt8> {
        skipSpace()
        let start = index
        while index < bytes.endIndex, !Self.isSpace(bytes[index]) { index += 1 }
        return bytes[start..<index]
    }

    private mutating func skipSpace() {
        while index < bytes.endIndex, Self.isSpace(bytes[index]) { index += 1 }
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

    private func bad(_ field: ArraySlice<UInt8>, _ kind: String, _ what: String) -> RecordingError {
        field.isEmpty
            ? RecordingError(.badNumber, line: line, "the line ends too early; a \(kind) is missing (\(what))")
            : RecordingError(.badNumber, line: line, "\(SafeText.field(field)) is not a \(kind); expected \(what)")
    }
}
