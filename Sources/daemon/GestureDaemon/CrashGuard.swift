// SPDX-License-Identifier: MIT
import LinuxSystem

/// Records each start to detect repeated crashes. A daemon that keeps crashing waits longer before each start, to leave
/// time for other work. It also stops sharing panels, so that applications read them directly.
///
/// systemd's `RestartSteps=` is not suitable. It counts all restarts since the last manual one, so a daemon that
/// crashes once a month would eventually start late. Also, systemd before 254 does not support it.
///
/// Without a folder for these files, nothing is recorded.
final class CrashGuard {
    /// After this number of crashes within `window` microseconds, the daemon waits before it starts and shares no
    /// panels.
    private static let mostCrashes = 3
    private static let window: Int64 = 30_000_000
    /// The pauses are in microseconds, and short enough for a start to stay within `TimeoutStartSec=`.
    private static let firstPause: Int64 = 1_000_000
    private static let longestPause: Int64 = 5_000_000

    private let starts = KeptFile(.starts)
    /// `gesturectl share --enable` removes this file.
    private let off = KeptFile(.off)
    private var crashes = 0
    private var isRefusalNoted = false

    /// Records this start. Call this before anything that may crash, while signals still terminate the process.
    /// - Returns: the microseconds to wait and the reason; `nil` if there is no need to wait.
    func begin() -> (pause: Int64, reason: String)? {
        guard let starts else { return nil }
        let now = MonotonicClock.now()
        let recent = recentStarts(starts, now)
        crashes = recent.count
        let text = (recent + [now]).map { "\($0)\n" }.joined()
        // If the file cannot be written, the service still starts without counting.
        try? starts.keep(Array(text.utf8))
        guard crashes >= Self.mostCrashes else { return nil }
        // With the longest pause, no more crashes fit into the window.
        let doublings = min(crashes - Self.mostCrashes, 3)
        let pause = min(Self.firstPause << doublings, Self.longestPause)
        return (pause, "\(crashes) crashes within \(Self.window / 1_000_000) s")
    }

    /// Records an orderly stop.
    func end() {
        try? starts?.keep(nil)
    }

    /// Checks whether panels may be shared. Call this before a panel is shared.
    /// - Returns: the reason why no panel may be shared; `nil` if panels may be shared.
    func refusal() -> String? {
        guard let off else { return nil }
        if crashes >= Self.mostCrashes, !isRefusalNoted {
            isRefusalNoted = true
            try? off.keep([])
        }
        guard off.exists else { return nil }
        return "the daemon has crashed \(Self.mostCrashes) times within \(Self.window / 1_000_000) s; "
            + "to share again, run gesturectl share --enable as root"
    }

    private func recentStarts(_ starts: KeptFile, _ now: Int64) -> [Int64] {
        guard let bytes = try? starts.read() else { return [] }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.split(separator: "\n").compactMap { Int64($0) }.filter { (now - Self.window...now).contains($0) }
    }
}
