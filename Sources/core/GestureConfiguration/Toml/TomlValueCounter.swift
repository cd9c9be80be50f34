// SPDX-License-Identifier: MIT

/// The maximum number of values that files may have together.
///
/// A value takes a few bytes in a file, but hundreds in memory. So this decides how much memory a configuration takes, before
/// it is parsed; `ConfigurationFiles` limits only the bytes, which take less.
struct TomlValueLimit {
    /// The limit for the daemon's files. 2000 regions with five gestures each have about 40 000.
    static let daemon = Self(most: 100_000)
    /// The limit for the file of another program, which may use less memory.
    static let bridge = Self(most: 10_000)

    private let most: Int
    private var left: Int

    init(most: Int) { (self.most, left) = (most, most) }

    /// Subtracts the values of a text.
    /// - Returns: the offset of the first value that is too many; `nil` if there is none.
    mutating func take(_ text: [UInt8]) -> Int? {
        var counter = TomlValueCounter(text)
        defer { left -= counter.count }
        return counter.count(limit: left)
    }

    /// The message about the first value that is too many.
    var message: String {
        "there are more than \(most) values up to here, in all files together; leave out what is not needed"
    }
}

/// Counts the values of a TOML text before it is parsed: tables, lists, numbers, texts and so on.
///
/// The count is exact up to the first syntax error, where the parser stops, except that an empty list and a comma after the
/// last element count too, and each dot of a key counts as a table.
struct TomlValueCounter {
    private let text: [UInt8]
    private var place = 0
    private(set) var count = 0
    /// Whether each open bracket is that of a list.
    private var brackets: [Bool] = []
    /// The dots of the current key; each of them makes a table.
    private var dots = 0
    /// Whether nothing but spaces has been found on this line, outside of brackets.
    private var isLineStart = true
    /// Whether the line is the header of a table, such as `[[region]]`.
    private var isHeader = false

    init(_ text: [UInt8]) {
        self.text = text
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    }

    /// Counts until the text ends or there are more values than `limit`.
    /// - Returns: the offset of the first value beyond the limit; `nil` if there is none.
    mutating func count(limit: Int) -> Int? {
        while place < text.count {
            let byte = text[place]
            switch byte {
            case UInt8(ascii: "#"): skipComment()
            case UInt8(ascii: "\""), UInt8(ascii: "'"): skipString(byte)
            default: take(byte)
            }
            place += 1
            if count > limit { return place - 1 }
        }
        take(UInt8(ascii: "\n"))
        return count > limit ? text.count : nil
    }

    private mutating func take(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): return
        case UInt8(ascii: "\n"):
            guard brackets.isEmpty else { return }
            if isHeader { count += dots }
            (dots, isLineStart, isHeader) = (0, true, false)
            return
        case UInt8(ascii: "."): dots += 1
        case UInt8(ascii: "="):
            count += 1 + dots
            dots = 0
        case UInt8(ascii: ","):
            if brackets.last == true { count += 1 }
            dots = 0
        case UInt8(ascii: "["):
            count += 1
            if isLineStart, brackets.isEmpty { isHeader = true }
            if !isHeader { open(isList: true) }
        case UInt8(ascii: "{"): open(isList: false)
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            if !isHeader { _ = brackets.popLast() }
            if !isHeader { dots = 0 }
        default: break
        }
        isLineStart = false
    }

    private mutating func open(isList: Bool) {
        brackets.append(isList)
        dots = 0
    }

    private mutating func skipComment() {
        while place + 1 < text.count, text[place + 1] != UInt8(ascii: "\n") { place += 1 }
    }

    /// Moves to the last byte of the string that begins here. A string that does not end is a syntax error.
    private mutating func skipString(_ quote: UInt8) {
        isLineStart = false
        let isLong = text[place...].starts(with: [quote, quote, quote])
        place += isLong ? 3 : 1
        while place < text.count {
            let byte = text[place]
            if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                place += 1
            } else if byte == UInt8(ascii: "\n"), !isLong {
                // The line feed ends the line outside of the string, too.
                place -= 1
                return
            } else if byte == quote, !isLong || text[place...].starts(with: [quote, quote, quote]) {
                return skipQuotes(quote, isLong: isLong)
            }
            place += 1
        }
    }

    /// A long string may end with up to two further quotes that belong to it.
    private mutating func skipQuotes(_ quote: UInt8, isLong: Bool) {
        guard isLong else { return }
        place += 2
        for _ in 0..<2 where place + 1 < text.count && text[place + 1] == quote { place += 1 }
    }
}
