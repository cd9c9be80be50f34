// SPDX-License-Identifier: MIT
import GestureProtocol

/// The text of a JSON object, its keys in the order in which they were added.
struct JSONObject {
    private var members = ""

    /// `{"key":value,…}`
    var text: String { "{" + members + "}" }

    mutating func add(_ key: String, _ value: String) { add(key, raw: Self.quote(value)) }

    mutating func add(_ key: String, _ values: [String]) {
        add(key, raw: "[" + values.map(Self.quote).joined(separator: ",") + "]")
    }

    mutating func add(_ key: String, _ value: Bool) { add(key, raw: value ? "true" : "false") }

    mutating func add(_ key: String, _ value: Int64) { add(key, raw: "\(value)") }

    /// - Parameter value: a finite number; whole ones are written without a point.
    mutating func add(_ key: String, _ value: Double) {
        add(key, raw: value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)")
    }

    /// - Parameter tenths: with one decimal, as the daemon writes lengths.
    mutating func add(_ key: String, tenths: Double) { add(key, raw: Self.tenths(tenths)) }

    mutating func add(_ key: String, tenths: [Double]) {
        add(key, raw: "[" + tenths.map(Self.tenths).joined(separator: ",") + "]")
    }

    mutating func add(_ key: String, _ object: JSONObject) { add(key, raw: object.text) }

    mutating func add(_ key: String, _ objects: [JSONObject]) {
        add(key, raw: "[" + objects.map(\.text).joined(separator: ",") + "]")
    }

    /// - Parameter raw: JSON.
    mutating func add(_ key: String, raw: String) {
        members += (members.isEmpty ? "" : ",") + Self.quote(key) + ":" + raw
    }

    private static func quote(_ text: String) -> String { written { $0.value(text) } }

    private static func tenths(_ number: Double) -> String { written { $0.value(tenths: number) } }

    private static func written(_ write: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        write(&json)
        return json.text
    }
}
