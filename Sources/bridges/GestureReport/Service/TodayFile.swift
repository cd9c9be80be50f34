// SPDX-License-Identifier: MIT
import BridgeProgram
import GestureProtocol
import LinuxSystem
import LocalDatabase

/// The file with the sums of the day, which `gestured-mqtt` and `gestured-web` pass on.
struct TodayFile {
    private let settings: ReportSettings

    init(_ settings: ReportSettings) { self.settings = settings }

    /// Writes the sums of a day. Without a database or the folder there is no file.
    /// - Returns: the health of the panels; `nil` if it is not known.
    @discardableResult
    func write(_ day: LocalDay) -> GlassHealth? {
        guard let reader = try? ReportReader(path: settings.database),
            let data = try? reader.read(from: day, through: day), let history = try? reader.history(of: day)
        else { return nil }
        let health = GlassHealth(history)
        try? StateFile(settings.today, isPublic: true).replace(with: Self.line(data, health))
        return health
    }

    static func line(_ data: ReportData, _ health: GlassHealth) -> [UInt8] {
        let sums = DailySums(
            day: data.last.text, sessions: data.sessions, touches: data.touches, failed: data.failed,
            triedTwice: data.regions.reduce(0) { $0 + $1.use.twice }, nothingThere: data.nothing,
            seconds: data.days.reduce(0) { $0 + $1.seconds }, health: health.score,
            trouble: health.findings.first?.word ?? "none", reason: health.reason)
        return JSONWriter.line { sums.write(into: &$0) }
    }
}
