// SPDX-License-Identifier: MIT

/// Limits the lines about one subject to five in 30 s. Lines beyond that are only counted.
///
/// Otherwise, a panel with a loose plug or a client in a loop could push everything else out of the journal.
struct LogBudget {
    /// The maximum number of lines about a subject that are written in one window.
    static let burst = 5
    /// The length of a window in microseconds.
    static let window: Int64 = 30_000_000
    /// The maximum number of subjects with a budget of their own. All others share one budget. There must be a limit,
    /// because subjects come from outside the daemon.
    static let mostSubjects = 64

    private struct Entry {
        let since: Int64
        var count = 0

        var suppressed: Int { max(0, count - LogBudget.burst) }
    }

    private var entries: [String: Entry] = [:]
    /// The end of the first window with suppressed lines in microseconds, or a slightly earlier time; `nil` if no lines
    /// are suppressed. Stored so that the loop does not have to search all entries in each turn.
    private(set) var due: Int64?
    /// The number of searches of all entries.
    private(set) var searches = 0

    var hasSuppressed: Bool { due != nil }

    /// The subject of a line: its label without the colon. For a device, the subject also includes the device's node.
    static func subject(of line: String) -> String {
        let words = line.split(separator: " ", maxSplits: 2).map { $0.last == ":" ? $0.dropLast() : $0 }
        guard words.count > 1, words[0] == "device" else { return words.first.map { String($0) } ?? "" }
        return "device: " + words[1]
    }

    /// Counts a line.
    /// - Returns: whether the line may be written.
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

    /// Removes a window that has ended, and returns the number of its suppressed lines; `nil` if there is no such
    /// window.
    mutating func takeSuppressed(at time: Int64) -> (subject: String, count: Int)? {
        guard let due, time > due else { return nil }
        searches += 1
        let found = entries.first { $0.value.suppressed > 0 && time - $0.value.since > Self.window }
        if let found { entries[found.key] = nil }
        self.due = entries.values.filter { $0.suppressed > 0 }.map { $0.since + Self.window }.min()
        return found.map { ($0.key, $0.value.suppressed) }
    }
}
