// SPDX-License-Identifier: MIT

/// Detects mistakes for which the parser's own message is not helpful.
extension TomlParser {
    /// Returns the location of the first byte that is not valid UTF-8. The location in the parser's own error is off by one
    /// column.
    static func firstInvalidByte(of text: [UInt8], file: Int) -> SourceRange? {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: text.span)
            return nil
        } catch {
            return range(of: error.byteOffsets.lowerBound, in: text, file: file)
        }
    }

    /// Returns the location of a byte.
    static func range(of offset: Int, in text: [UInt8], file: Int) -> SourceRange {
        let before = text.prefix(offset)
        let line = before[lineStart(before)...]
        return SourceRange(
            file: file, line: before.count { $0 == newline } + 1,
            column: String(decoding: line, as: UTF8.self).unicodeScalars.count + 1)
    }

    /// Returns the value that lacks quotes, as in `id = ok` or `gap = 300ms`, if a syntax error is at its first character,
    /// inside it, or directly after it.
    static func textWithoutQuotes(in text: [UInt8], at place: SourceRange) -> (range: SourceRange, word: String)? {
        guard let bytes = line(place.line, of: text) else { return nil }
        let line = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        guard
            let end = [place.column - 1, place.column - 2].first(where: {
                line.indices.contains($0) && isOfWord(line[$0])
            })
        else { return nil }
        let start = (line[...end].lastIndex { !isOfWord($0) } ?? -1) + 1
        let word = String(String.UnicodeScalarView(line[start...].prefix { isOfWord($0) }))
        let before = line[..<start]
        let isInString = before.count { $0 == "\"" || $0 == "'" } % 2 == 1
        guard let sign = before.last(where: { $0 != " " && $0 != "\t" }), ["=", "[", ","].contains(sign),
            !isInString, before.contains(where: { !["[", " ", "\t"].contains($0) }),
            word.unicodeScalars.contains(where: { $0.properties.isAlphabetic || $0 == "%" })
        else { return nil }
        let range = SourceRange(
            file: place.file, line: place.line, column: start + 1, length: word.unicodeScalars.count)
        return (range, word)
    }

    private static let newline = UInt8(ascii: "\n")

    /// Returns a line, counted from 1. A list of all lines would take far more memory than a text of empty lines.
    private static func line(_ number: Int, of text: [UInt8]) -> ArraySlice<UInt8>? {
        guard number > 0 else { return nil }
        var rest = text[...]
        for _ in 1..<number {
            guard let end = rest.firstIndex(of: newline) else { return nil }
            rest = rest[(end + 1)...]
        }
        return rest.prefix { $0 != newline }
    }

    private static func lineStart(_ text: ArraySlice<UInt8>) -> Int {
        text.lastIndex(of: newline).map { $0 + 1 } ?? text.startIndex
    }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.properties.isWhitespace && !["=", "[", "]", "{", "}", ",", "\"", "'", "#"].contains(scalar)
    }
}
