// SPDX-License-Identifier: MIT

extension JSONValue {
    /// Parses a line; `nil` if it is not JSON.
    /// - Parameter line: a line without its line feed.
    package init?(parsing line: [UInt8]) {
        // Accepts more levels than the protocol has, because a later daemon may use them.
        let document = line.withUnsafeBufferPointer { try? JSONDocument.read($0, depth: 64) }
        guard let document else { return nil }
        self = document.root
    }
}

/// Accessors for the members of an object. They return a default for a member that is missing or has another type, so
/// that a client accepts the lines of a later daemon.
extension JSONValue {
    package func text(_ key: String) -> String { self[key]?.string ?? "" }
    package func whole(_ key: String) -> Int { wholeIfThere(key) ?? 0 }
    package func wholeIfThere(_ key: String) -> Int? { self[key]?.integer.flatMap { Int(exactly: $0) } }
    /// Microseconds, clamped to 0…2^52 (142 years), so that sums and differences of a daemon's times cannot overflow.
    package func time(_ key: String) -> Int? {
        self[key]?.integer.map { Int(clamping: min(max($0, 0), 1 << 52)) }
    }
    package func number(_ key: String) -> Double { self[key]?.number ?? 0 }
    package func flag(_ key: String) -> Bool { self[key]?.bool ?? false }
    package func list(_ key: String) -> [JSONValue] { self[key]?.array ?? [] }
    package func texts(_ key: String) -> [String] { list(key).compactMap { $0.string } }
    /// The profile in force; lines leave it out while it is `default`.
    package var profile: String { self["profile"]?.string ?? "default" }
}
