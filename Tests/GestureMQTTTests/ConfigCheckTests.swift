// SPDX-License-Identifier: MIT
#if MQTT
import Foundation
import GestureConfiguration
import GestureTestSupport
import LinuxSystem
import Testing

@testable import GestureMQTT

/// Configurations that the broker may apply, and the replies to refused ones.
@Suite("A configuration from the broker")
struct ConfigCheckTests {
    private static let machine = """
        version = 1
        [access]
        control_uids = ["gestured-mqtt"]
        [[device]]
        id = "panel"
        match = { name = "*" }
        output = { size = [1000, 1000], size_mm = [200, 200] }
        [[region]]
        id = "screen"
        shape = "full"
        gestures = ["swipe"]
        [[region]]
        id = "vault_keypad"
        shape = { rect = [400, 400, 200, 200] }
        private = true
        gestures = ["tap"]
        [[region]]
        id = "vault_key"
        parent = "vault_keypad"
        shape = { rect = ["0%", "0%", "50%", "50%"] }
        gestures = ["tap"]
        [[region]]
        id = "menu"
        shape = { rect = [0, 0, 100, 100] }
        gestures = ["tap"]
        [[scene]]
        id = "night"
        regions = ["screen", "menu"]
        """

    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func fault(
        _ text: String, now: String = "", machine: String = Self.machine
    ) throws -> ConfigCheck.Change.Fault? {
        try folder.write(machine, to: "gestured.toml")
        try folder.write(now, to: "fleet.toml")
        return ConfigCheck.Change(
            text: Array(text.utf8), file: folder("fleet.toml"), paths: [folder("gestured.toml"), folder("fleet.toml")]
        ).fault()
    }

    private static func region(_ id: String, _ rest: String) -> String { "[[region]]\nid = \"\(id)\"\n\(rest)\n" }

    static let allowedTexts = [
        "", region("new", "shape = { rect = [700, 0, 100, 100] }\ngestures = [\"tap\"]"),
        region("menu", "shape = { rect = [0, 0, 200, 100] }"), region("menu", "gestures = [\"press\"]"),
        region("menu", "enabled = false"), region("screen", "gestures = [\"drag\"]"),
        region("under", "shape = \"full\"\nz = -1"), region("around", "shape = \"full\"\npass = true"),
        "[defaults]\nswipe = { min_distance = \"30mm\" }",
        "[[scene]]\nid = \"day\"\nregions = [\"screen\", \"vault*\", \"menu\"]",
        "[[scene]]\nid = \"dark\"\nregions = [\"menu\"]", "[[idle]]\nafter = \"60s\"",
    ]

    @Test("may change regions that are not private", arguments: allowedTexts)
    func allowed(text: String) throws { #expect(try fault(text) == nil) }

    static let refusedTexts = [
        region("vault_keypad", "private = false"), region("vault_keypad", "enabled = false"),
        region("vault_keypad", "shape = { rect = [400, 400, 200, 100] }"),
        region("vault_keypad", "shape = { rect = [\"40%\", \"40%\", \"20%\", \"20%\"] }"),
        region("vault_keypad", "gestures = [\"press\"]"), region("vault_keypad", "z = -1"),
        region("vault_keypad", "margin = \"1mm\""), region("vault_keypad", "pass = true"),
        region("vault_keypad", "device = \"x\""), region("vault_key", "parent = \"screen\""),
        region("vault_key", "enabled = false"),
        region("above", "shape = { rect = [390, 390, 20, 20] }"), region("above", "shape = \"full\"\nz = 5"),
        region("above", "shape = { rect = [0, 0, 390, 1000] }\nmargin = \"5mm\""),
        region("child", "parent = \"screen\"\nshape = \"full\""),
        region("screen", "z = 3"), region("menu", "shape = { rect = [0, 0, 500, 500] }"),
        region("new", "private = true\nshape = { rect = [700, 0, 100, 100] }"), region("menu", "private = true"),
        "[defaults]\ntap = { slop = \"9mm\" }", "[[device]]\nid = \"panel\"\noutput = { size = [500, 1000] }",
        "[[device]]\nid = \"panel\"\noutput = { rotation = 90 }", "[[device]]\nid = \"panel\"\nignore = true",
        "[[device]]\nid = \"panel\"\ndefaults = { tap = { slop = \"9mm\" } }",
        "[[scene]]\nid = \"new\"\nregions = [\"screen\"]",
        "[[scene]]\nid = \"night\"\nregions = [\"screen\", \"over\"]\n"
            + region("over", "shape = \"full\"\nz = -1"),
        "[[idle]]\nafter = \"100ms\"\nscene = \"night\"", "[daemon]\nscene = \"night\"",
    ]

    @Test("may not change private regions, or regions that receive touches in their stead", arguments: refusedTexts)
    func refused(text: String) throws {
        let found = try #require(try fault(text))
        #expect(found.code == "permission_denied" && found.diagnostics.isEmpty)
        #expect(found.message.hasPrefix("private regions") && !found.message.contains("vault"))
    }

    static let otherChanges: [(text: String, part: String)] = [
        ("[access]\ncontrol_uids = [\"gestured-mqtt\", \"x\"]", "[access]"),
        ("[access]\nprivate_uids = [\"x\"]", "[access]"),
        ("[access]\ndefine_limit = 65", "[access]"),
        ("[[device]]\nid = \"panel\"\nshare = \"forward\"", "share"),
        ("[[device]]\nid = \"panel\"\ngrab = true", "share"),
        ("[[device]]\nid = \"b\"\nmatch = { name = \"b\" }\nshare = \"grab\"", "share"),
    ]

    @Test("may not change access and sharing, even without private regions", arguments: otherChanges, [true, false])
    func others(change: (text: String, part: String), isPrivate: Bool) throws {
        let machine = isPrivate ? Self.machine : Self.machine.replacingOccurrences(of: "private = true", with: "")
        let found = try #require(try fault(change.text, machine: machine))
        #expect(found.code == "permission_denied" && found.message.hasPrefix(change.part))
    }

    @Test("may not stop the sharing of a panel's touches")
    func shared() throws {
        let machine = Self.machine.replacingOccurrences(of: "private = true", with: "")
            .replacingOccurrences(of: "match = { name = \"*\" }", with: "match = { name = \"*\" }\nshare = \"grab\"")
        for text in ["share = \"listen\"", "ignore = true", "match = { name = \"x\" }", "enabled = false"] {
            #expect(
                try fault("[[device]]\nid = \"panel\"\n\(text)", machine: machine)?.message.hasPrefix("share") == true)
        }
        #expect(try fault("[[device]]\nid = \"b\"\nmatch = { name = \"b\" }", machine: machine) == nil)
    }

    private static let open = machine.replacingOccurrences(of: "private = true", with: "")
    private static let sharing = open.replacingOccurrences(
        of: "match = { name = \"*\" }", with: "match = { name = \"*\" }\nshare = \"forward\"")

    /// Texts that decide who gets the touches of a shared panel, with the beginning of the refusal.
    static let sharedTexts: [(text: String, refusal: String)] = [
        ("[[device]]\nid = \"panel\"\napplication = { max_contacts = 1 }", "application of [[device]]"),
        ("[[device]]\nid = \"panel\"\nfilter = { mask = [[0, 0, 500, 500]] }", "filter of [[device]]"),
        ("[filter]\nmask = [[0, 0, 500, 500]]", "mask of [filter]"),
        ("[filter]\nmax_touch = \"0.1mm\"", "max_touch of [filter]"),
        ("[[scene]]\nid = \"night\"\napplication = { max_contacts = 1 }", "application of [[scene]]"),
        ("[[scene]]\nid = \"night\"\ndark = true", "dark of [[scene]]"),
        ("[[profile]]\nid = \"steady\"\nfilter = { mask = [[0, 0, 500, 500]] }", "filter of [[profile]]"),
        ("[[profile]]\nid = \"slow\"\napplication = { filter = true }", "application of [[profile]]"),
    ]

    @Test("may not decide who gets the touches of a shared panel", arguments: sharedTexts)
    func sharedKeys(text: String, refusal: String) throws {
        let found = try #require(try fault(text, machine: Self.sharing))
        #expect(found.code == "permission_denied")
        let remedy = "may be changed on the machine only while a panel is shared; nothing has changed"
        #expect(found.message == "\(refusal) \(remedy)")
        #expect(try fault(text, machine: Self.open) == nil)
        // A value that is in force already may stay, wherever it was written.
        #expect(try fault(text, now: text, machine: Self.sharing) == nil)
        #expect(try fault("", now: text, machine: Self.sharing)?.code == "permission_denied")
    }

    @Test(
        "may never wake displays, or log touches",
        arguments: [
            ("[[device]]\nid = \"panel\"\nwake = { display = \"/etc/shadow\" }", "wake of [[device]]"),
            ("[[device]]\nid = \"b\"\nmatch = { name = \"b\" }\nwake = {}", "wake of [[device]]"),
            ("[daemon]\nlog_level = \"debug\"", "log_level of [daemon]"),
            ("[daemon]\nmax_clients = 1", "max_clients of [daemon]"),
        ])
    func never(text: String, refusal: String) throws {
        for machine in [Self.open, Self.sharing] {
            let found = try #require(try fault(text, machine: machine))
            #expect(found.message == "\(refusal) may be changed on the machine only; nothing has changed")
        }
    }

    @Test(
        "may not change what private regions recognize by other tables",
        arguments: [
            "[filter]\nmask = [[400, 400, 200, 200]]", "[arbitration]\npriority = [\"tap\"]",
            "[[profile]]\nid = \"slow\"\ndefaults = { tap = { max_time = \"1ms\" } }",
        ])
    func privateKeys(text: String) throws {
        let found = try #require(try fault(text))
        #expect(found.code == "permission_denied" && found.message.contains("while there are private regions"))
        #expect(try fault(text, machine: Self.open) == nil)
    }

    @Test(
        "does not reveal the names of private regions",
        arguments: [
            region("new", "parent = \"vault_keypa\"\nshape = \"full\""),
            region("new", "parent = \"vault_keypad\"\nshape = \"full\""),
            region("vault_keypad", "shap = 1"), region("vault_keypad", "parent = \"nowhere\""),
            region(
                "new",
                "shape = \"full\"\ngestures = [{ type = \"pattern\", steps = [\"vault_ke.tap\"], within = \"1s\" }]\nx = 1"
            ),
            "[daemon]\nscene = \"vault\"", "[[scene]]\nid = \"s\"\nregions = [\"vault_ke\"]\nx = 1",
        ])
    func names(text: String) throws {
        let found = try #require(try fault(text))
        let told = ([found.message] + found.diagnostics.flatMap { [$0.message, $0.suggestion ?? ""] }).joined(
            separator: " ")
        for name in ["vault_keypad", "vault_key"] where !text.contains(name) {
            #expect(!told.contains(name), "\(told)")
        }
    }

    @Test("gets the same reply for a private parent and for a missing one")
    func sameAnswer() throws {
        let texts = ["vault_keypad", "vault_nobody"].map { Self.region("new", "parent = \"\($0)\"\nshape = \"full\"") }
        let found = try texts.map { text in
            try #require(try fault(text)).diagnostics.map {
                "\($0.code) \($0.message.replacingOccurrences(of: "vault_keypad", with: "vault_nobody")) \($0.suggestion ?? "") \($0.line):\($0.column)"
            }
        }
        #expect(found[0] == found[1] && !found[0].isEmpty)
    }

    @Test("may correct an invalid file, and has no effect if the machine's files are invalid")
    func broken() throws {
        #expect(try fault(Self.region("new", "shape = { rect = [700, 0, 9, 9] }"), now: "[[") == nil)
        #expect(try fault("[access]\nraw_uids = [\"x\"]", now: "[[")?.code == "permission_denied")
        #expect(try #require(try fault("", machine: "version = 2")).message.contains("on the machine"))
        let unread = ConfigCheck.Change(text: [], file: folder("fleet.toml"), paths: [folder("nothing.toml")]).fault()
        #expect(try #require(unread).message.contains("cannot be read"))
    }

    @Test("gets the mistakes of its own text, in words of the protocol")
    func mistakes() throws {
        let found = try #require(try fault(Self.region("new", "shap = 1\nshape = \"full\"")))
        #expect(found.code == "config_invalid" && found.diagnostics.map { $0.code.rawValue } == ["unknown_key"])
        #expect(found.diagnostics.first?.suggestion == "shape")
        let many = try #require(try fault((0..<300).map { "k\($0) = 1\n" }.joined()))
        #expect(many.diagnostics.count == 50 && many.message.hasPrefix("300 errors"))
    }
}
#endif
