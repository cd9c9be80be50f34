// SPDX-License-Identifier: MIT
import CJansson

/// Where and why a line is no JSON.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// In characters from 1; 0 when it is the line as a whole.
    package var column: Int
    package var message: String

    package var description: String { column > 0 ? "column \(column): \(message)" : message }
}

extension JSONError {
    /// Takes over what the parser says, less what it quotes of the text behind the error.
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
