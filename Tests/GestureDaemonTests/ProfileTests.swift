// SPDX-License-Identifier: MIT
import GestureTestSupport
import Glibc
import Testing

@Suite("Daemon: profiles")
struct ProfileTests {
    /// With `patient`, a press begins with the landing as before, and a tap may take an hour.
    private static let patient =
        TestConfiguration.twoButtons + """
            [[profile]]
            id = "patient"
            defaults = { tap = { max_time = "1h", min_gap = "0ms" } }

            """

    private static func set(_ profile: String, _ more: String = "") -> String {
        #"{"cmd":"set_profile","id":19,"profile":"\#(profile)"\#(more)}"#
    }

    private static let lease = #","lease":true"#

    /// The profile that the daemon tells a new client.
    private func profile(_ harness: PanelHarness) throws -> String {
        try harness.client.request(#"{"cmd":"state","id":5}"#)["profile"] ?? "default"
    }

    @Test("every client learns of a change, and the replies say which profile is in force")
    func told() throws {
        let harness = try PanelHarness(Self.patient)
        #expect(try harness.client.request(#"{"cmd":"state","id":5}"#)["profile"] == nil)
        try harness.client.send(Self.set("patient"))
        let change = try harness.client.wait(for: "profile") { $0["change"] == "profile" }
        #expect((change["scene"], change["profile"]) == ("default", "patient"))
        #expect(try harness.client.wait(for: "reply") { $0["reply"] == "set_profile" }.flag("ok") == true)
        let status = try harness.client.request(#"{"cmd":"status","id":2}"#)
        #expect(status["profile"] == "patient")
        #expect(status.description.contains(#""profiles":["default","steady","slow","patient"]"#))
        let first = try harness.daemon.connect(toPanel: "panel").lines.transcript.first { $0.contains("state") }
        #expect(first?.contains(#""profile":"patient""#) == true)
        try harness.client.send(Self.set("default"))
        #expect(try harness.client.wait(for: "profile") { $0["change"] == "profile" }["profile"] == "default")
        #expect(harness.daemon.log.contains("profile: \"patient\""))
    }

    @Test("gestures in progress go on, and the next touch has the profile")
    func goesOn() throws {
        let harness = try PanelHarness(Self.patient)
        try harness.press()
        try harness.client.request(Self.set("patient"))
        try harness.press(1, id: 2, x: 3000, on: "no")
        try harness.panel.lift(0)
        try harness.panel.lift(1)
        var seen: [String] = []
        while !seen.contains("gesture press end no") || !seen.contains("gesture press end ok") {
            seen.append(try harness.client.wait(for: "gesture") { $0["event"] == "gesture" }.summary)
        }
        #expect(!seen.contains { $0.contains("cancel") }, "\(seen)")
    }

    @Test("a profile that does not exist is refused, with a suggestion")
    func unknown() throws {
        let harness = try PanelHarness(Self.patient)
        let error = try #require(try harness.client.request(Self.set("stedy")).object("error"))
        #expect((error["code"], error["suggestion"]) == ("not_found", "steady"))
        #expect(try profile(harness) == "default")
    }

    @Test("the last one that was set is in force; one with a lease ends with its connection")
    func leases() throws {
        let harness = try PanelHarness(Self.patient)
        try harness.client.request(Self.set("slow"))
        var first: SocketClient? = try harness.daemon.connect(toPanel: "panel")
        try first?.request(Self.set("steady", Self.lease))
        var second: SocketClient? = try harness.daemon.connect(toPanel: "panel")
        try second?.request(Self.set("patient", Self.lease))
        #expect(try profile(harness) == "patient")
        first = nil
        #expect(try profile(harness) == "patient")
        second = nil
        _ = try harness.client.wait(for: "slow") { $0["change"] == "profile" && $0["profile"] == "slow" }
        #expect(try profile(harness) == "slow")
    }

    @Test("a reload keeps the profile, and falls back with a warning if the files lack it")
    func reload() throws {
        let harness = try PanelHarness(Self.patient)
        try harness.client.request(Self.set("slow"))
        try harness.client.request(Self.set("patient", Self.lease))
        try harness.daemon.configure(Self.patient + "[[scene]]\nid = \"night\"\nregions = [\"*\"]\n")
        #expect(try harness.client.request(#"{"cmd":"reload","id":9}"#).number("warnings") == 0)
        #expect(try profile(harness) == "patient")
        try harness.daemon.configure(TestConfiguration.twoButtons)
        let reply = try harness.client.request(#"{"cmd":"reload","id":9}"#)
        #expect(
            reply.objects("diagnostics").map { $0["message"] } == [
                "profile \"patient\" no longer exists; switched to \"slow\""
            ])
        #expect(try profile(harness) == "slow")
        let lines = harness.client.lines.transcript.filter { $0.contains(#""change":"profile""#) }
        #expect(lines.map { $0.contains(#""profile":"slow""#) } == [true, false, true])
    }

    @Test("panels that are plugged in later have the profile")
    func pluggedIn() throws {
        let harness = try PanelHarness(Self.patient)
        #expect(try !recognizesSlowTap(harness))
        try harness.client.request(Self.set("patient"))
        #expect(try recognizesSlowTap(harness))
        try harness.panel.remove()
        _ = try harness.client.wait(for: "removal") { $0["change"] == "removed" }
        try harness.panel.add()
        _ = try harness.client.wait(for: "addition") { $0["change"] == "added" }
        #expect(try recognizesSlowTap(harness))
    }

    /// Taps for two seconds, in the time of the panel.
    private func recognizesSlowTap(_ harness: PanelHarness) throws -> Bool {
        func taps() -> Int { harness.client.lines.transcript.count { $0.contains(#""gesture":"tap""#) } }
        let (before, now) = (taps(), try harness.panel.now())
        try harness.press()
        try harness.panel.at(now + 2_000_000)
        try harness.release()
        try harness.panel.at(nil)
        // The tap and the end of the press come before this reply.
        try harness.client.request(#"{"cmd":"ping","id":6}"#)
        return taps() > before
    }

    @Test("a client without the right to control needs a lease", .enabled(if: getuid() == 0, "needs root"))
    func rights() throws {
        let harness = try StrangerHarness(TestConfiguration.button + "[access]\ndefine_uids = [\"nobody\"]\n")
        let error = try #require(try harness.ask(Self.set("steady")).object("error"))
        #expect(error["code"] == "permission_denied")
        #expect(error["message"]?.contains("\"set_profile\" without \"lease\"") == true)
        #expect(try harness.ask(Self.set("steady", Self.lease)).flag("ok") == true)
    }
}
