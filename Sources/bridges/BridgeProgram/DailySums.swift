// SPDX-License-Identifier: MIT
package import GestureProtocol
import LinuxSystem

/// The sums of a day, which `gestured-report` writes to a file after each quarter of an hour, and others pass on.
package struct DailySums: Hashable, Sendable {
    package static let standardFile = "/run/gestured-report/today.json"
    private static let longestFile = 65_536

    /// The date, such as `2026-11-30`.
    package var day: String
    package var sessions: Int
    package var touches: Int
    /// The touches that were meant for a gesture and did nothing.
    package var failed: Int
    package var triedTwice: Int
    /// The touches where nothing is.
    package var nothingThere: Int
    /// The time that all sessions lasted.
    package var seconds: Int
    /// The health of the glass, from 0 to 100.
    package var health: Int
    /// The word of the worst trouble of the glass, such as `dead_cell`, or `none`.
    package var trouble: String
    /// A sentence about it.
    package var reason: String

    package init(
        day: String, sessions: Int, touches: Int, failed: Int, triedTwice: Int, nothingThere: Int, seconds: Int,
        health: Int, trouble: String, reason: String
    ) {
        (self.day, self.sessions, self.touches, self.failed) = (day, sessions, touches, failed)
        (self.triedTwice, self.nothingThere, self.seconds) = (triedTwice, nothingThere, seconds)
        (self.health, self.trouble, self.reason) = (health, trouble, reason)
    }

    /// - Parameter path: the file. Without one, the service does not run.
    package static func read(_ path: String) -> DailySums? {
        guard let bytes = try? StateFile(path).read(limit: longestFile), let json = JSONValue(parsing: bytes),
            json.isObject
        else { return nil }
        func count(_ key: String) -> Int { min(max(0, json.whole(key)), 1 << 50) }
        return DailySums(
            day: json.text("day"), sessions: count("sessions"), touches: count("touches"), failed: count("failed"),
            triedTwice: count("tried_twice"), nothingThere: count("nothing_there"), seconds: count("seconds"),
            health: min(count("health"), 100), trouble: json.text("trouble"), reason: json.text("reason"))
    }

    package func write(into json: inout JSONWriter) {
        json.member("day", day)
        json.member("sessions", sessions)
        json.member("touches", touches)
        json.member("failed", failed)
        json.member("tried_twice", triedTwice)
        json.member("nothing_there", nothingThere)
        json.member("seconds", seconds)
        json.member("health", health)
        json.member("trouble", trouble)
        json.member("reason", reason)
    }
}
