// SPDX-License-Identifier: MIT
import CJansson

/// A parsed JSON text.
///
/// Parsing is strict. The text must be a single value with nothing after it, in valid UTF-8, without duplicate keys,
/// without `\u0000`, without numbers outside the range of 64-bit integers or finite doubles, and with at most
/// `maximumDepth` levels.
package final class JSONDocument {
    /// The maximum depth of nested objects and arrays. The protocol's own lines need five levels.
    package static let maximumDepth = 8

    private let top: UnsafeMutablePointer<json_t>

    private init(_ top: UnsafeMutablePointer<json_t>) {
        self.top = top
    }

    deinit { json_decref(top) }

    /// The outermost value.
    package var root: JSONValue { JSONValue(document: self, pointer: top) }

    /// Parses a text.
    /// - Parameters:
    ///   - bytes: one line, with or without its line feed; not retained.
    ///   - depth: the maximum number of levels. Only files need more than the default.
    ///   - values: the maximum number of values. Each takes about 80 bytes of memory, however short it is.
    package static func read(
        _ bytes: UnsafeBufferPointer<UInt8>, depth: Int = maximumDepth, values: Int = .max
    ) throws(JSONError) -> JSONDocument {
        // This is checked first, because the parser recurses up to 2048 levels.
        if let error = firstExcess(bytes, depth: depth, values: values) { throw error }
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
        _ bytes: [UInt8], depth: Int = maximumDepth, values: Int = .max
    ) throws(JSONError) -> JSONDocument {
        try bytes.withUnsafeBufferPointer { bytes throws(JSONError) in
            try read(bytes, depth: depth, values: values)
        }
    }

    /// The error at the first bracket beyond the depth limit, or at the first bracket or comma beyond the maximum
    /// number of values.
    private static func firstExcess(
        _ bytes: UnsafeBufferPointer<UInt8>, depth limit: Int, values: Int
    ) -> JSONError? {
        var depth = 0
        var left = values
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
                    left -= 1
                    if depth > limit { return JSONError(column: column, message: "more than \(limit) levels") }
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                case UInt8(ascii: ","): left -= 1
                default: break
                }
                if left < 0 { return JSONError(column: column, message: "more than \(values) values") }
            }
        }
        return nil
    }
}

/// The reason why a text is not JSON, and the position of the error.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The column in characters, from 1; 0 for the text as a whole.
    package var column: Int
    package var message: String

    package var description: String { column > 0 ? "column \(column): \(message)" : message }
}

extension JSONError {
    /// Keeps the parser's message, except for the text that it quotes.
    init(_ error: json_error_t) {
        var text = error.text
        let words = withUnsafeBytes(of: &text) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        column = max(0, Int(error.column))
        message = words.isEmpty ? "no JSON" : Self.reworded(words)
    }

    /// Changes `':' expected near '1'` to `expected ':'`.
    private static func reworded(_ words: String) -> String {
        let parts = words.split(separator: " ", omittingEmptySubsequences: false)
        let kept = parts.prefix { $0 != "near" && $0 != "without" }
        if kept.count == 2, kept[1] == "expected" { return "expected \(kept[0])" }
        return kept.joined(separator: " ")
    }
}
