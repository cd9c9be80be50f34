// SPDX-License-Identifier: MIT
import GestureClient
import GestureConfiguration
import GestureProtocol
import Testing

@testable import GestureKeys

@Suite("Bindings that no gesture can trigger")
struct WarningTests {
    private func warnings(
        _ text: String, scene: String = "default", rights: [String] = ["private"],
        privateRegions: BindingContext.PrivateRegions = .hidden
    ) throws -> [String] {
        let lines = [
            #"{"region":"edge.left","device":"panel","gestures":[{"gesture":"swipe","name":"back"}]}"#,
            #"{"region":"map","device":"panel","gestures":[{"gesture":"drag","name":"scroll"},{"gesture":"tap","name":"tap"}]}"#,
            #"{"region":"staff","device":"panel","private":true,"gestures":[{"gesture":"pattern","name":"unlock"}]}"#,
            #"{"region":"list","device":"left","enabled":false,"gestures":[{"gesture":"press","name":"press"}]}"#,
            #"{"region":"app.a","device":"panel","leased":true,"gestures":[{"gesture":"tap","name":"tap"}]}"#,
        ]
        let devices = [
            #"{"device":"panel","state":"ready"}"#, #"{"device":"left","state":"ready"}"#,
            #"{"device":"old","state":"ignored","reason":"ignore = true in [[device]] \"old\""}"#,
        ]
        func values(_ texts: [String]) throws -> [JSONValue] {
            try texts.map { try #require(JSONValue(parsing: Array($0.utf8))) }
        }
        let context = BindingContext(
            regions: try values(lines).map { GestureClient.Region($0) },
            devices: try values(devices).map { GestureClient.Device($0) }, scenes: ["default", "shop"], scene: scene,
            rights: rights, privateRegions: privateRegions)
        return try #require(read(text).settings).warnings(in: context).map {
            $0.headline.replacing("keys.toml:", with: "").replacing(
                "warning: no gesture triggers this binding: ", with: "")
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
            "2:1: there is no region \"mpa\"; did you mean \"map\"?"
        ),
        ("gesture = \"tap\"\ndevice = \"other\"\nkeys = \"a\"", "2:1: there is no connected panel \"other\""),
        (
            "gesture = \"tap\"\ndevice = \"pannel\"\nkeys = \"a\"",
            "2:1: there is no connected panel \"pannel\"; did you mean \"panel\"?"
        ),
        (
            "gesture = \"tap\"\ndevice = \"old\"\nkeys = \"a\"",
            "2:1: panel \"old\" cannot be used: ignore = true in [[device]] \"old\""
        ),
        ("gesture = \"tap\"\ndevice = [\"old\", \"panel\"]\nkeys = \"a\"", nil),
        (
            "gesture = \"tap\"\nregion = [\"map\", \"staff\"]\ndevice = \"left\"\nkeys = \"a\"",
            "2:1: region \"map\" or \"staff\" is only on panel \"panel\""
        ),
        ("gesture = \"press\"\nscene = \"default\"\nkeys = \"a\"", "2:1: region \"list\" is off in scene \"default\""),
        ("gesture = \"press\"\nscene = \"shop\"\nkeys = \"a\"", nil),
        ("gesture = \"press\"\nkeys = \"a\"", nil),
        (
            "gesture = [\"tap\", \"swipe\"]\nhold = \"a\"",
            "2:1: warning: hold of this binding presses and releases at once, because none of its gestures has a duration; "
                + "use keys"
        ),
        (
            "gesture = \"tap\"\nscene = \"shup\"\nkeys = \"a\"",
            "2:1: there is no scene \"shup\"; did you mean \"shop\"?"
        ),
        ("gesture = \"tap\"\nscene = \"s*\"\nkeys = \"a\"", nil),
        (
            "gesture = \"tap\"\nregion = \"app.*\"\nkeys = \"a\"",
            "2:1: a client has defined region \"app.a\"; add leased = true if its name may be trusted"
        ),
        ("gesture = \"tap\"\nregion = \"app.*\"\nleased = true\nkeys = \"a\"", nil),
        (
            "gesture = \"tap\"\nkeys = \"a\"\n[[binding]]\ngesture = \"tap\"\nregion = \"app.*\"\nleased = true\nkeys = \"b\"",
            nil
        ),
        ("gesture = \"tap\"\nwheel = { y = true }", "2:1: wheel needs a drag; use keys for other gestures"),
        ("gesture = \"tap\"\nsteps = { cw = \"a\" }", "2:1: steps needs a dial; use keys for other gestures"),
        ("gesture = [\"tap\", \"scroll\"]\nwheel = { y = true }", nil),
        (
            "gesture = \"scroll\"\nwheel = { y = true, momentum = 3 }",
            "2:1: warning: a finger that lands does not stop the wheel: no region of panel \"panel\" has a press; add one with "
                + "shape = \"full\" and pass = true"
        ),
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
        (
            "gesture = \"tap\"\nscene = \"shop\"\nkeys = \"a\"\n[[binding]]\ngesture = \"tap\"\nscene = \"d*\"\nkeys = \"b\"\n"
                + "[[binding]]\ngesture = \"tap\"\nkeys = \"c\"",
            "10:1: an earlier binding applies to all of its gestures"
        ),
        (
            "gesture = \"drag\"\nkeys = \"a\"\n[[binding]]\ngesture = [\"tap\", \"drag\"]\nwheel = { y = true }",
            "5:1: wheel needs a drag; use keys for other gestures"
        ),
    ]

    @Test("Each of them has a warning with a remedy", arguments: cases)
    func warning(binding: String, warning: String?) throws {
        #expect(try warnings("[[binding]]\n" + binding) == (warning.map { [$0] } ?? []))
    }

    @Test(
        "A private region is no problem for a user that may see it",
        arguments: [.seen, .unknown] as [BindingContext.PrivateRegions])
    func privateRegions(seen: BindingContext.PrivateRegions) throws {
        #expect(try warnings("[[binding]]\ngesture = \"unlock\"\nkeys = \"a\"", privateRegions: seen) == [])
    }

    @Test("Who does not see private regions learns that a region may be one of them")
    func unseen() throws {
        let binding = "[[binding]]\ngesture = \"tap\"\nregion = \"vault\"\nkeys = \"a\""
        #expect(try warnings(binding) == ["2:1: there is no region \"vault\""])
        #expect(
            try warnings(binding, rights: ["raw"]) == [
                "2:1: there is no region \"vault\"; a private region is listed only with the right private (private_uids)"
            ])
    }

    @Test("In another scene than the current one a region may be on")
    func scenes() throws {
        let binding = "[[binding]]\ngesture = \"press\"\nscene = \"default\"\nkeys = \"a\""
        #expect(try warnings(binding, scene: "shop") == [])
    }
}
