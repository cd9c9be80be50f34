// SPDX-License-Identifier: MIT
import CJansson

/// Parsed JSON.
///
/// Strict: one value and nothing after it, valid UTF-8, no key twice, no `\u0000`, no number that
/// a 64-bit integer or a finite double cannot hold, at most `maximumDepth` levels.
package final class JSONDocument {
    /// Levels of nested objects and arrays; the protocol's own lines need five.
    package static let maximumDepth = 8

    private let top: UnsafeMutablePointer<json_t>

    private init(_ top: UnsafeMutablePointer<json_t>) {
        self.top = top
    }

    deinit { json_decref(top) }

    /// The outermost value.
    package var root: JSONValue { JSONValue(document: self, pointer: top) }

    /// - Parameters:
    ///   - bytes: one line, with or without its line feed; not kept.
    ///   - depth: the most levels: larger only for files.
    ///   - separators: the most commas and colons, which bounds the memory: a value takes up to 80 bytes for each of its
    ///     own.
    package static func read(
        _ bytes: UnsafeBufferPointer<UInt8>, depth: Int = maximumDepth, separators: Int = .max
    ) throws(JSONError) -> JSONDocument {
        // Checked first, for the parser recurses up to 2048 levels.
        if let excess = firstExcess(bytes, depth: depth, separators: separators) { throw excess }
        var error = json_error_t()
        let flags = Int(JSON_REJECT_DUPLICATES | JSON_DECODE_ANY)
        let parsed = bytes.withMemoryRebound(to: CChar.self) { text in
            text.baseAddress.flatMap { json_loadb($0, text.count, flags, &error) }
        }
        guard let parsed else { throw JSONError(error) }
        return JSONDocument(parsed)
    }

    package static func read(_ text: String, depth: Int = maximumDepth) throws(JSONError) -> JSONDocument {
        try read(Array(text.utf8), depth: depth)
    }

    package static func read(
        _ bytes: [UInt8], depth: Int = maximumDepth, separators: Int = .max
    ) throws(JSONError) -> JSONDocument {
        try bytes.withUnsafeBufferPointer { bytes throws(JSONError) in
            try read(bytes, depth: depth, separators: separators)
        }
    }

    /// The first bracket that opens one level too many, or the first comma or colon too many.
    private static func firstExcess(
        _ bytes: UnsafeBufferPointer<UInt8>, depth mostLevels: Int, separators mostSeparators: Int
    ) -> JSONError? {
        var (depth, separators) = (0, 0)
        var isInString = false
        var isEscaped = false
        var column = 0
        for byte in bytes {
            if byte & 0xC0 != 0x80 { column += 1 }
            if isEscaped {
                isEscaped = false
            } else if isInString {
                if byte == UInt8(ascii: "\\") { isEscaped = true }
                if byte == UInt8(ascii: "\"") { isInString = false }
            } else {
                switch byte {
                case UInt8(ascii: "\""): isInString = true
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    depth += 1
                    if depth > mostLevels {
                        return JSONError(column: column, message: "more than \(mostLevels) levels")
                    }
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                case UInt8(ascii: ","), UInt8(ascii: ":"):
                    separators += 1
                    if separators > mostSeparators {
                        return JSONError(column: column, message: "more than \(mostSeparators) commas and colons")
                    }
                default: break
                }
            }
        }
        return nil
    }
}

/// Why a text is not JSON, and where.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// In characters from 1; 0: the text as a whole.
    package var column: Int
    package var message: String

    package var description: String { column > 0 ? "column \(column): \(message)" : message }
}

extension JSONError {
    /// The parser's message, without its quotation of the text after the error.
    init(_ error: json_error_t) {
        var text = error.text
        let words = withUnsafeBytes(of: &text) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        column = max(0, Int(error.column))
        message = words.isEmpty ? "no JSON" : Self.reworded(words)
    }

    /// `':' expected near '1'` becomes `expected ':'`.
    private static func reworded(_ words: String) -> String {
        let parts = words.split(separator: " ", omittingEmptySubsequences: false)
        let kept = parts.prefix { $0 != "near" && $0 != "without" }
        if kept.count == 2, kept[1] == "expected" { return "expected \(kept[0])" }
        return kept.joined(separator: " ")
    }
}
