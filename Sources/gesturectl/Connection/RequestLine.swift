// SPDX-License-Identifier: MIT
import GestureProtocol

/// The text of one request, its keys in the order in which they were added.
struct RequestLine {
    private(set) var text: String

    init(_ command: String, id: Int) {
        text = "{\"cmd\":" + Self.quote(command) + ",\"id\":\(id)"
    }

    mutating func add(_ key: String, _ value: String) { add(key, raw: Self.quote(value)) }

    mutating func add(_ key: String, _ values: [String]) {
        add(key, raw: "[" + values.map(Self.quote).joined(separator: ",") + "]")
    }

    mutating func add(_ key: String, _ value: Bool) { add(key, raw: value ? "true" : "false") }

    /// - Parameter value: a finite number.
    mutating func add(_ key: String, _ value: Double) {
        add(key, raw: value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)")
    }

    private mutating func add(_ key: String, raw: String) { text += "," + Self.quote(key) + ":" + raw }

    /// The request with its end.
    var line: String { text + "}\n" }

    private static func quote(_ text: String) -> String {
        var buffer = LineBuffer()
        buffer.appendQuoted(text)
        return buffer.text
    }
}
