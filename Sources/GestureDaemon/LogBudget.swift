// SPDX-License-Identifier: MIT

/// How many lines about one thing a log takes: five in 30 s, then only their number.
///
/// A panel with a loose plug, or a client in a loop, must not push everything else out of the journal.
struct LogBudget {
    /// Lines within a window, before they are only counted.
    static let burst = 5
    /// Microseconds.
    static let window: Int64 = 30_000_000
    /// Subjects come from outside: the rest share one budget.
    static let mostSubjects = 64

    private struct Entry {
        let since: Int64
        var count = 0

        var suppressed: Int { max(0, count - LogBudget.burst) }
    }

    private var entries: [String: Entry] = [:]
    private(set) var hasSuppressed = false

    /// What a line is about: its first word, and for a device the second, its node.
    static func subject(of line: String) -> String {
        let words = line.split(separator: " ", maxSplits: 2)
        guard words.count > 1, words[0] == "device:" else { return words.first.map { String($0) } ?? "" }
        return "device: " + (words[1].last == ":" ? words[1].dropLast() : words[1])
    }

    /// Counts a line.
    /// - Returns: whether it may be written.
    mutating func allows(_ subject: String, at time: Int64) -> Bool {
        if entries[subject] == nil, entries.count >= Self.mostSubjects {
            entries = entries.filter { time - $0.value.since <= Self.window || $0.value.suppressed > 0 }
        }
        let isRoom = entries[subject] != nil || entries.count < Self.mostSubjects
        let key = isRoom ? subject : "others:"
        var entry = entries[key] ?? Entry(since: time)
        if time - entry.since > Self.window { entry = Entry(since: time) }
        entry.count += 1
        entries[key] = entry
        if entry.suppressed > 0 { hasSuppressed = true }
        return entry.count <= Self.burst
    }

    /// How many lines about this were left out, when their time is over; and forgets them.
    private mutating func takeSuppressed(_ subject: String, at time: Int64) -> Int? {
        guard let entry = entries[subject], entry.suppressed > 0, time - entry.since > Self.window else { return nil }
        entries[subject] = nil
        hasSuppressed = entries.values.contains { $0.suppressed > 0 }
        return entry.suppressed
    }

    /// The same for whatever it is about; `nil` when there is nothing to tell.
    mutating func takeSuppressed(at time: Int64) -> (subject: String, count: Int)? {
        guard hasSuppressed else { return nil }
        for subject in entries.keys {
            if let count = takeSuppressed(subject, at: time) { return (subject, count) }
        }
        return nil
    }
}
