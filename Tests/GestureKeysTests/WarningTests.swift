// SPDX-License-Identifier: MIT
import GestureClient
import GestureConfiguration
import GestureProtocol
import Testing

@testable import GestureKeys

@Suite("Bindings that no gesture can trigger")
struct WarningTests {
    private func warnings(
        _ text: String, privateRegions: KeysSettings.PrivateRegions = .hidden
    ) throws -> [String] {
        let lines = [
            #"{"region":"edge.left","device":"panel","gestures":[{"gesture":"swipe","name":"back"}]}"#,
            #"{"region":"map","device":"panel","gestures":[{"gesture":"drag","name":"scroll"},{"gesture":"tap","name":"tap"}]}"#,
            #"{"region":"staff","device":"panel","private":true,"gestures":[{"gesture":"pattern","name":"unlock"}]}"#,
        ]
        let regions = try lines.map { GestureClient.Region(try #require(JSONValue(parsing: Array($0.utf8)))) }
        let settings = try #require(read(text).settings)
        return settings.warnings(regions: regions, scenes: ["default", "shop"], privateRegions: privateRegions).map {
            $0.headline.replacing("keys.toml:", with: "").replacing("warning: this binding never applies: ", with: "")
        }
    }

    static let cases: [(binding: String, warning: String?)] = [
        ("gesture = \"back\"\nkeys = \"a\"", nil),
        ("gesture = \"swipe\"\nregion = \"edge.*\"\nkeys = \"a\"", nil),
        (
            "gesture = \"bakc\"\nkeys = \"a\"",
            "2:1: no gesture of its regions has the name or the kind \"bakc\"; did you mean \"back\"?"
        ),
        (
            "gesture = \"back\"\nregion = \"map\"\nkeys = \"a\"",
            "2:1: no gesture of its regions has the name or the kind \"back\""
        ),
        (
            "gesture = \"tap\"\nregion = \"mpa\"\nkeys = \"a\"",
            "2:1: there is no region \"mpa\"; a private region needs the right private (private_uids); "
                + "did you mean \"map\"?"
        ),
        (
            "gesture = \"tap\"\ndevice = \"other\"\nkeys = \"a\"",
            "2:1: there is no region of its panels; a private region needs the right private (private_uids)"
        ),
        (
            "gesture = \"tap\"\nscene = \"shup\"\nkeys = \"a\"",
            "2:1: there is no scene \"shup\"; did you mean \"shop\"?"
        ),
        ("gesture = \"tap\"\nscene = \"s*\"\nkeys = \"a\"", nil),
        ("gesture = \"tap\"\nwheel = { y = true }", "2:1: wheel needs a drag; use keys for other gestures"),
        ("gesture = [\"tap\", \"scroll\"]\nwheel = { y = true }", nil),
        (
            "gesture = \"unlock\"\nkeys = \"a\"",
            "2:1: its regions are private; add \"gestured-keys\" to private_uids of [access] in the daemon's configuration"
        ),
        (
            "gesture = \"t*\"\nkeys = \"a\"\n[[binding]]\ngesture = \"tap\"\nkeys = \"b\"",
            "5:1: an earlier binding applies to all of its gestures"
        ),
        (
            "gesture = \"t*\"\nscene = \"shop\"\nkeys = \"a\"\n[[binding]]\ngesture = \"tap\"\nkeys = \"b\"", nil
        ),
    ]

    @Test("Each of them has a warning with a remedy", arguments: cases)
    func warning(binding: String, warning: String?) throws {
        #expect(try warnings("[[binding]]\n" + binding) == (warning.map { [$0] } ?? []))
    }

    @Test(
        "A private region is no problem for a user that may see it",
        arguments: [.seen, .unknown] as [KeysSettings.PrivateRegions])
    func privateRegions(seen: KeysSettings.PrivateRegions) throws {
        #expect(try warnings("[[binding]]\ngesture = \"unlock\"\nkeys = \"a\"", privateRegions: seen) == [])
    }
}
