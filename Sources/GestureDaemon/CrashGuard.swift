// SPDX-License-Identifier: MIT
import CLinux
import LinuxSystem

/// Remembers starts that did not end well. A daemon that crashes again and again starts ever more slowly, so that the machine
/// has time for something else, and does not keep the panels from applications.
///
/// systemd's `RestartSteps=` would not do: it counts all restarts since the last manual one, so that a daemon which crashes
/// once a month would start late in the end, and systemd before 254 does not know it.
///
/// The starts are in the service's `RuntimeDirectory=`, which goes when the service stops. Without that folder nothing is
/// remembered.
final class CrashGuard {
    /// So many crashes within so many microseconds are too many.
    private static let mostCrashes = 3
    private static let window: Int64 = 30_000_000
    /// Microseconds. A start must then be over within `TimeoutStartSec=`.
    private static let firstPause: Int64 = 1_000_000
    private static let longestPause: Int64 = 5_000_000

    private let starts: StateFile?
    /// It is there while no panel may be shared; `gesturectl share --enable` removes it.
    private let off: StateFile?
    private var crashes = 0
    private var isRefusalNoted = false

    /// - Parameters:
    ///   - folder: which survives a crash.
    ///   - sharingFolder: which the next boot empties, as does `gesturectl share --enable`.
    init(
        folder: String? = Environment.runtimeFolder("gestured-contacts"),
        sharingFolder: String? = Environment.runtimeFolder("gestured-share")
    ) {
        starts = folder.map { StateFile($0 + "/starts") }
        off = sharingFolder.map { StateFile($0 + "/off") }
    }

    /// Notes this start. To be called before anything that may crash, and while signals still end the process.
    /// - Returns: microseconds to wait, and why; `nil`: none.
    func begin() -> (pause: Int64, reason: String)? {
        guard let starts else { return nil }
        let now = MonotonicClock.now()
        let recent = recentStarts(starts, now)
        crashes = recent.count
        let text = (recent + [now]).map { "\($0)\n" }.joined()
        // Where that is not possible, the service is worth more than counting.
        try? starts.replace(with: Array(text.utf8))
        guard crashes >= Self.mostCrashes else { return nil }
        // No more are within the window when each has waited for the longest pause.
        let doublings = min(crashes - Self.mostCrashes, 3)
        let pause = min(Self.firstPause << doublings, Self.longestPause)
        return (pause, "\(crashes) crashes within \(Self.window / 1_000_000) s")
    }

    /// To be called when the daemon stops as it should.
    func end() {
        try? starts?.remove()
    }

    /// To be called before a panel is shared.
    /// - Returns: why no panel may be shared; `nil`: they may.
    func refusal() -> String? {
        guard let off else { return nil }
        if crashes >= Self.mostCrashes, !isRefusalNoted {
            isRefusalNoted = true
            try? off.replace(with: [])
        }
        guard access(off.path, F_OK) == 0 else { return nil }
        return "the daemon has crashed \(Self.mostCrashes) times within \(Self.window / 1_000_000) s; "
            + "gesturectl share --enable, as root, switches sharing on again"
    }

    private func recentStarts(_ starts: StateFile, _ now: Int64) -> [Int64] {
        guard let bytes = try? starts.read(limit: 4096) else { return [] }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.split(separator: "\n").compactMap { Int64($0) }.filter { (now - Self.window...now).contains($0) }
    }
}
