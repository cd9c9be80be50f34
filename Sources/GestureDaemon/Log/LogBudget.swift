// SPDX-License-Identifier: MIT

/// Limits the lines about one subject: five in 30 s, then only their number.
///
/// A panel with a loose plug, or a client in a loop, must not push everything else out of the journal.
struct LogBudget {
    /// Lines within a window that are written; further ones are counted.
    static let burst = 5
    /// The length of a window in microseconds.
    static let window: Int64 = 30_000_000
    /// Further subjects share one budget: they come from outside.
    static let mostSubjects = 64

    private struct Entry {
        let since: Int64
        var count = 0

        var suppressed: Int { max(0, count - LogBudget.burst) }
    }

    private var entries: [String: Entry] = [:]
    /// When the first window with suppressed lines ends, in microseconds, or a little earlier; `nil`: there is none. So
    /// that a turn of the loop need not look at all entries.
    private(set) var due: Int64?
    /// How often all entries were searched.
    private(set) var searches = 0

    var hasSuppressed: Bool { due != nil }

    /// The subject of a line: its label, and for a device also its node. Without the colon.
    static func subject(of line: String) -> String {
        let words = line.split(separator: " ", maxSplits: 2).map { $0.last == ":" ? $0.dropLast() : $0 }
        guard words.count > 1, words[0] == "device" else { return words.first.map { String($0) } ?? "" }
        return "device: " + words[1]
    }

    /// Counts a line.
    /// - Returns: whether it may be written.
    mutating func allows(_ subject: String, at time: Int64) -> Bool {
        if entries[subject] == nil, entries.count >= Self.mostSubjects {
            entries = entries.filter { time - $0.value.since <= Self.window || $0.value.suppressed > 0 }
        }
        let isRoom = entries[subject] != nil || entries.count < Self.mostSubjects
        let key = isRoom ? subject : "others"
        var entry = entries[key] ?? Entry(since: time)
        if time - entry.since > Self.window { entry = Entry(since: time) }
        entry.count += 1
        entries[key] = entry
        if entry.suppressed > 0 { due = min(due ?? .max, entry.since + Self.window) }
        return entry.count <= Self.burst
    }

    /// Removes a window that is over and returns how many of its lines were suppressed; `nil` when there is none.
    mutating func takeSuppressed(at time: Int64) -> (subject: String, count: Int)? {
        guard let due, time > due else { return nil }
        searches += 1
        let found = entries.first { $0.value.suppressed > 0 && time - $0.value.since > Self.window }
        if let found { entries[found.key] = nil }
        self.due = entries.values.filter { $0.suppressed > 0 }.map { $0.since + Self.window }.min()
        return found.map { ($0.key, $0.value.suppressed) }
    }
}
