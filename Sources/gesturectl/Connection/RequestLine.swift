// SPDX-License-Identifier: MIT

/// One request, its keys in the order in which they were added.
struct RequestLine {
    private var object = JSONObject()

    init(_ command: String, id: Int) {
        object.add("cmd", command)
        object.add("id", Int64(id))
    }

    mutating func add(_ key: String, _ value: String) { object.add(key, value) }

    mutating func add(_ key: String, _ values: [String]) { object.add(key, values) }

    mutating func add(_ key: String, _ value: Bool) { object.add(key, value) }

    /// - Parameter value: a finite number.
    mutating func add(_ key: String, _ value: Double) { object.add(key, value) }

    /// The request with its end.
    var line: String { object.text + "\n" }
}
