// SPDX-License-Identifier: MIT

/// The latest numbers of sequences or contacts. The numbers of private regions are negative and count down
/// independently of the others.
struct LatestNumbers {
    private var hidden: UInt64 = 0
    private var open: UInt64 = 0

    /// Whether a number is not later than the latest one on its side.
    func covers(_ number: Int64) -> Bool { number.magnitude <= (number < 0 ? hidden : open) }

    mutating func note(_ number: Int64) {
        if number < 0 { hidden = max(hidden, number.magnitude) } else { open = max(open, number.magnitude) }
    }

    /// Returns these numbers, each reduced by `count` but not below 0.
    func before(_ count: UInt64) -> Self {
        var result = self
        result.hidden -= min(hidden, count)
        result.open -= min(open, count)
        return result
    }
}

/// The contacts that were down in the last line of a device, and the latest numbers of contacts so far.
struct ContactRecord {
    private var down: [Int64]?
    private var latest = LatestNumbers()

    /// Processes the contacts of the device's next line.
    /// - Returns: descriptions of the violations.
    mutating func take(_ ids: [Int64]) -> [String] {
        var mistakes: [String] = []
        var last = LatestNumbers()
        for id in ids {
            if last.covers(id) { mistakes.append("contact \(id) is out of order") }
            if let down, !down.contains(id), latest.covers(id) { mistakes.append("contact \(id) comes back") }
            last.note(id)
        }
        for id in ids { latest.note(id) }
        down = ids
        return mistakes
    }
}
