// SPDX-License-Identifier: MIT

extension JSONValue {
    /// - Parameter line: without its line feed.
    /// - Returns: `nil` when it is not JSON.
    package init?(parsing line: [UInt8]) {
        // More levels than the protocol has: a later daemon may need them.
        let document = line.withUnsafeBufferPointer { try? JSONDocument.read($0, depth: 64) }
        guard let document else { return nil }
        self = document.root
    }
}

/// Members of an object, with a default for what is missing or of another type: a client must not fail over
/// what a later daemon writes differently.
extension JSONValue {
    package func text(_ key: String) -> String { self[key]?.string ?? "" }
    package func whole(_ key: String) -> Int { wholeIfThere(key) ?? 0 }
    package func wholeIfThere(_ key: String) -> Int? { self[key]?.integer.flatMap { Int(exactly: $0) } }
    /// Microseconds, clamped to 0…2^52: 142 years. What a daemon sends may be added and subtracted then.
    package func time(_ key: String) -> Int? {
        self[key]?.integer.map { Int(clamping: min(max($0, 0), 1 << 52)) }
    }
    package func number(_ key: String) -> Double { self[key]?.number ?? 0 }
    package func flag(_ key: String) -> Bool { self[key]?.bool ?? false }
    package func list(_ key: String) -> [JSONValue] { self[key]?.array ?? [] }
    package func texts(_ key: String) -> [String] { list(key).compactMap { $0.string } }
}
