// SPDX-License-Identifier: MIT
import CLinux
import LinuxSystem

/// Remembers starts that did not end well, so that a daemon which crashes again and again does not keep the panels from
/// applications.
///
/// It keeps them in the service's `RuntimeDirectory=`, which the next boot empties, as does `gesturectl share --enable`.
/// Without that folder nothing is remembered.
final class CrashGuard {
    /// So many starts within so many microseconds are too many.
    private static let mostStarts = 3
    private static let window: Int64 = 30_000_000

    private let folder: String?
    private var isNoted = false

    init(folder: String? = Environment.runtimeFolder("gestured-share")) {
        self.folder = folder
    }

    /// To be called before a panel is shared. The first call notes this start.
    /// - Returns: why no panel may be shared; `nil`: they may.
    func refusal() -> String? {
        guard let folder else { return nil }
        if !isNoted {
            isNoted = true
            note(in: folder)
        }
        guard access(folder + "/off", F_OK) == 0 else { return nil }
        return "the daemon has crashed \(Self.mostStarts) times within \(Self.window / 1_000_000) s; "
            + "gesturectl share --enable, as root, switches sharing on again"
    }

    /// To be called when the daemon stops as it should.
    func end() {
        if let folder, isNoted { _ = unlink(folder + "/starts") }
    }

    private func note(in folder: String) {
        let now = MonotonicClock.now()
        var starts = recentStarts(in: folder, now)
        if starts.count >= Self.mostStarts { try? StateFile(folder + "/off").replace(with: []) }
        starts = Array((starts + [now]).suffix(Self.mostStarts))
        let text = starts.map { "\($0)\n" }.joined()
        // Where that is not possible, sharing is worth more than counting.
        try? StateFile(folder + "/starts").replace(with: Array(text.utf8))
    }

    private func recentStarts(in folder: String, _ now: Int64) -> [Int64] {
        guard let bytes = try? StateFile(folder + "/starts").read(limit: 4096) else { return [] }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.split(separator: "\n").compactMap { Int64($0) }.filter { (now - Self.window...now).contains($0) }
    }
}
