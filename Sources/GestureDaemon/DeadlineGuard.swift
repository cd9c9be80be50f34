// SPDX-License-Identifier: MIT

/// Keeps a deadline that stays where it is, though it was fired, from being fired for ever: a mistake of ours,
/// which must not hang the daemon. Times are microseconds. Pure.
struct DeadlineGuard {
    /// The last that stayed.
    private(set) var stuck: Int64?

    /// The deadline, if it is one to wait for.
    func passed(_ deadline: Int64?) -> Int64? {
        guard let deadline, let stuck else { return deadline }
        return deadline > stuck ? deadline : nil
    }

    /// Takes what the next deadline is after one was fired.
    /// - Returns: whether this is the first that stays.
    mutating func fired(_ deadline: Int64, next: Int64?) -> Bool {
        guard let next, next <= deadline else { return false }
        defer { stuck = deadline }
        return stuck == nil
    }
}
