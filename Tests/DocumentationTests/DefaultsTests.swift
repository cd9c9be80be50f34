// SPDX-License-Identifier: MIT
import ContactTracking
import Foundation
import GestureEngine
import GestureTestSupport
import Testing

@testable import GestureConfiguration

@Suite("The defaults in docs/configuration.md")
struct DefaultsTests {
    /// A table in docs/configuration.md, and the default values of its keys.
    struct Defaults: CustomTestStringConvertible {
        let table: String
        let values: KeyValuePairs<String, String>
        var testDescription: String { table }
    }

    @Test(
        "are those of the code",
        arguments: [leave, filter, storm, wake])
    func table(defaults: Defaults) throws {
        let page = try #require(Document("docs/configuration.md")).text
        let section = try #require(page.components(separatedBy: "\n### `\(defaults.table)`\n").last)
        let rows = section.components(separatedBy: "\n#")[0].split(separator: "\n")
        #expect(!defaults.values.isEmpty)
        for (key, value) in defaults.values {
            let row = try #require(rows.first { $0.hasPrefix("| `\(key)` |") }, "\(defaults.table) has no \(key)")
            #expect(row.filter { !"`\"".contains($0) }.hasSuffix(" | \(value) |"), "\(key): \(value)")
        }
    }

    private static var leave: Defaults {
        Defaults(table: "leave", values: ["outside": mm(ReadmeExample.regions.first?.leaveDistance)])
    }

    private static var filter: Defaults {
        let filter = FilterSettings()
        return Defaults(
            table: "[filter]",
            values: [
                "palm": filter.palmCancels ? "cancel" : "ignore", "max_touch": mm(filter.maxTouch),
                "max_contact_age": filter.maxContactAge.map(time) ?? "off", "storm": filter.storm == nil ? "off" : "on",
                "bridge": filter.bridge.map(time) ?? "off",
            ])
    }

    private static var storm: Defaults {
        let storm = FilterSettings().storm
        return Defaults(
            table: "storm",
            values: [
                "contacts_per_second": storm.map { "\($0.contactsPerSecond)" } ?? "off",
                "quiet": storm.map { time($0.quiet) } ?? "off",
            ])
    }

    private static var wake: Defaults {
        let wake = WakeSettings()
        return Defaults(
            table: "wake",
            values: [
                "display": wake.display ?? "auto", "guard": time(wake.quiet), "key": wake.key.map { "\($0)" } ?? "none",
                "give_up": wake.patience.map { time($0) } ?? "off",
            ])
    }

    private static func mm(_ length: Double?) -> String { length.map { "\(Int($0))mm" } ?? "off" }

    private static func time(_ interval: Interval) -> String {
        let milliseconds = interval.wholeMilliseconds
        return milliseconds >= 1000 && milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
    }
}
