// SPDX-License-Identifier: MIT
package import GestureConfiguration
package import GestureEngine
import LinuxSystem

/// The settings in `report.toml`: what `gestured-report` keeps, and for how long. `docs/report.md` explains the keys.
package struct ReportSettings: BridgeSettings, Hashable, Sendable {
    package static let standardFile = "/etc/gestured/report.toml"
    /// The greatest number of days that can be kept: ten years.
    private static let mostDays: Int64 = 3660

    /// The daemon's socket.
    package var socket = InstalledFiles.socket
    /// The folder of the database, which only the user of this program may read.
    package var state = "/var/lib/gestured-report"
    /// The file with the sums of the day, which all users may read.
    package var today = DailySums.standardFile
    /// The time without a touch that ends a session.
    package var idle = Interval.milliseconds(60_000)
    /// The number of days after which what was counted is deleted.
    package var keepDays = 365
    /// Globs for regions that stand for the empty screen: a touch there is one where nothing is.
    package var background: [String] = []
    /// Where it says that a clock or somebody has switched the display off: the path of a file, or `kernelDisplays`. `nil`:
    /// nowhere, and then hours without a contact are silent whether it is on or off.
    package var display: String?
    package static let kernelDisplays = "auto"
    /// Whether regions that clients have defined count, too. Clients choose the names of such regions.
    package var leased = false

    package init() {}

    package static let keys: [Key<ReportSettings>] = [
        Key("socket", \.socket) { $0.path() },
        Key("state", \.state) { $0.path() },
        Key("today", \.today) { $0.path() },
        Key("idle", \.idle) { $0.interval(atLeast: .milliseconds(5000), atMost: .milliseconds(3_600_000)) },
        Key("keep_days", \.keepDays) { $0.integer(1...mostDays) },
        Key("background", \.background) { $0.globs() },
        Key("display", \.display) { $0.file(orAuto: kernelDisplays) { $0 } },
        Key("leased", \.leased) { $0.boolean() },
    ]

    /// The path of the database.
    package var database: String { state + "/report.sqlite" }
}
