// SPDX-License-Identifier: MIT

/// The keys that gestures keep down on a keyboard. A key that several gestures hold is down until the last one ends.
struct HeldKeys {
    private var counts: [UInt16: Int] = [:]

    var isEmpty: Bool { counts.isEmpty }

    func contains(_ code: UInt16) -> Bool { counts[code] != nil }

    /// - Returns: the keys that were not down before, in the same order.
    mutating func hold(_ codes: [UInt16]) -> [UInt16] {
        codes.filter { code in
            counts[code, default: 0] += 1
            return counts[code] == 1
        }
    }

    /// - Returns: the keys that are no longer held, in the opposite order.
    mutating func release(_ codes: [UInt16]) -> [UInt16] {
        codes.reversed().filter { code in
            guard let count = counts[code] else { return false }
            counts[code] = count > 1 ? count - 1 : nil
            return count == 1
        }
    }

    /// All keys that are held, in descending order.
    var all: [UInt16] { counts.keys.sorted(by: >) }
}
