// SPDX-License-Identifier: MIT
import Foundation

/// One line of the socket, for tests that read single keys.
package struct JSONLine: CustomStringConvertible {
    package let description: String
    private let object: [String: Any]

    /// Returns `nil` if the text is not a JSON object.
    package init?(_ text: String) {
        guard let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
            return nil
        }
        description = text
        self.object = object
    }

    /// The value of a key; `nil` if it is missing or not a string.
    package subscript(key: String) -> String? { object[key] as? String }
    package func number(_ key: String) -> Double? { (object[key] as? NSNumber)?.doubleValue }
    package func flag(_ key: String) -> Bool? { object[key] as? Bool }
    package func object(_ key: String) -> JSONLine? { Self.line(object[key]) }
    /// The objects in the list of a key; empty if the key is missing or its value is not a list.
    package func objects(_ key: String) -> [JSONLine] { (object[key] as? [Any] ?? []).compactMap { Self.line($0) } }

    /// The value of `event` and the values that distinguish such lines, as in `gesture press begin ok`.
    package var summary: String {
        let keys = ["event", "reply", "gesture", "phase", "reason", "direction", "change", "region"]
        return keys.compactMap { self[$0] }.joined(separator: " ")
    }

    /// Whether the line has all keys of `part` with the same values; `false` if `part` has no keys.
    package func contains(_ part: JSONLine) -> Bool {
        !part.object.isEmpty
            && part.object.allSatisfy { key, value in (object[key] as? NSObject) == (value as? NSObject) }
    }

    private static func line(_ value: Any?) -> JSONLine? {
        guard let value = value as? [String: Any],
            let data = try? JSONSerialization.data(withJSONObject: value, options: .sortedKeys)
        else { return nil }
        return JSONLine(String(decoding: data, as: UTF8.self))
    }
}
