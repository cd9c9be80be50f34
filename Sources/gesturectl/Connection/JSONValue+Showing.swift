// SPDX-License-Identifier: MIT
import GestureProtocol

extension JSONValue {
    /// - Parameter bytes: one line without its end.
    /// - Returns: nil when it is no JSON.
    init?(parsing bytes: [UInt8]) {
        let document = bytes.withUnsafeBufferPointer { try? JSONDocument.read($0) }
        guard let document else { return nil }
        self = document.root
    }

    /// Of an object, in the order in which they stand.
    var members: [(key: String, value: JSONValue)] {
        keys.compactMap { key in self[key].map { (key, $0) } }
    }

    /// Of an array; empty for everything else.
    var elements: [JSONValue] { array ?? [] }

    /// A scalar as text for a person; empty for lists and objects.
    var text: String {
        if let string { return string }
        if let integer { return "\(integer)" }
        if let number { return "\(number)" }
        if let bool { return bool ? "yes" : "no" }
        return isNull ? "none" : ""
    }
}
