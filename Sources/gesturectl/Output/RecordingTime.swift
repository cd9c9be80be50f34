// SPDX-License-Identifier: MIT

/// The time of a recording, in seconds as its lines have it: `5.084000`.
enum RecordingTime {
    /// - Parameter microseconds: not below zero.
    static func text(_ microseconds: Int64) -> String {
        let fraction = "\(microseconds % 1_000_000)"
        return "\(microseconds / 1_000_000)." + String(repeating: "0", count: max(0, 6 - fraction.utf8.count))
            + fraction
    }
}
