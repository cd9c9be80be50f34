// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

/// Clients change scenes, switches and definitions while the daemon runs.
@Suite("Daemon: changes by clients")
struct RuntimeTests {
    /// Two buttons and a region inside the first, each in a scene of its own.
    private static let scenes =
        TestConfiguration.twoButtons + """
            [[region]]
            id = "ok.inner"
            parent = "ok"
            shape = { rect = ["0%", "50%", "100%", "50%"] }
            gestures = ["press"]
            [[scene]]
            id = "right"
            regions = ["no"]
            [[scene]]
            id = "inside"
            regions = ["*.inner"]

            """

    /// Points in the upper left, the lower left and the right part of the panel.
    private static let (ok, inner, no) = ((x: 100, y: 100), (x: 100, y: 3000), (x: 3000, y: 100))

    private func enabled(_ client: SocketClient) throws -> [String] {
        try client.request(#"{"cmd":"regions","id":4}"#).objects("regions")
            .filter { $0.flag("enabled") == true }.compactMap { $0["region"] }
    }

    @Test("a scene has the regions that it lists, whatever their parents")
    func scene() throws {
        let harness = try PanelHarness(Self.scenes)
        #expect(try harness.client.request(#"{"cmd":"state","id":1}"#)["scene"] == "default")
        #expect(try enabled(harness.client) == ["ok", "no", "ok.inner"])
        #expect(try harness.client.request(#"{"cmd":"set_scene","id":1,"scene":"right"}"#).flag("ok") == true)
        #expect(try harness.client.request(#"{"cmd":"state","id":1}"#)["scene"] == "right")
        #expect(try enabled(harness.client) == ["no"])
        #expect(try harness.client.request(#"{"cmd":"set_scene","id":1,"scene":"inside"}"#).flag("ok") == true)
        #expect(try enabled(harness.client) == ["ok.inner"])
        try harness.panel.land(0, id: 1, x: Self.ok.x, y: Self.ok.y)
        try harness.panel.land(1, id: 2, x: Self.inner.x, y: Self.inner.y)
        // The first landing belonged to no region; otherwise this would be its gesture.
        let gesture = try harness.client.wait(for: "gesture") { $0["event"] == "gesture" }
        #expect(gesture.summary == "gesture press begin ok.inner")
        #expect(try harness.daemon.connect(toPanel: "panel").request(#"{"cmd":"state","id":2}"#)["scene"] == "inside")
    }

    @Test("gestures in regions that are not in the new scene are cancelled with the reason disabled")
    func sceneCancels() throws {
        let harness = try PanelHarness(Self.scenes)
        try harness.press(x: Self.ok.x, y: Self.ok.y)
        try harness.press(1, id: 2, x: Self.no.x, y: Self.no.y, on: "no")
        try harness.client.send(#"{"cmd":"set_scene","id":1,"scene":"right"}"#)
        let cancel = try harness.client.wait(for: "cancel") { $0["event"] == "gesture" }
        #expect(cancel.summary == "gesture press cancel disabled ok")
        let notice = try harness.client.wait(for: "config event") { $0["event"] == "config" }
        #expect((notice["change"], notice["scene"]) == ("scene", "right"))
        try harness.panel.lift(0)
        try harness.panel.lift(1)
        #expect(try harness.client.wait(for: "gesture") { $0["event"] == "gesture" }.summary == "gesture tap no")
        try harness.client.wait(for: "gesture press end no")
    }

    @Test(
        "unknown names have no effect",
        arguments: [
            (#"{"cmd":"set_scene","id":1,"scene":"rihgt"}"#, "not_found", "right"),
            (#"{"cmd":"set_region","id":1,"region":"on","enabled":false}"#, "not_found", "ok"),
            (#"{"cmd":"cancel","id":1,"region":"on"}"#, "not_found", "ok"),
        ])
    func notFound(request: String, code: String, suggestion: String) throws {
        let harness = try PanelHarness(Self.scenes)
        let reply = try harness.client.request(request)
        #expect(reply.flag("ok") == false)
        #expect(reply.object("error")?["code"] == code)
        #expect(reply.object("error")?["suggestion"] == suggestion)
        #expect(try enabled(harness.client) == ["ok", "no", "ok.inner"])
    }

    @Test("the error for a name without a similar one lists the ids, even if no panel is ready")
    func listed() throws {
        let harness = try PanelHarness(Self.scenes)
        try harness.panel.remove()
        for command in [#""set_region","enabled":false"#, #""cancel""#] {
            let error = try harness.client.request(#"{"cmd":\#(command),"id":1,"region":"nonsense"}"#).object("error")
            #expect(error?["message"] == #"no region "nonsense"; there are ok, no, ok.inner"#)
        }
    }

    @Test("several regions and globs are switched together, or not at all")
    func together() throws {
        let harness = try PanelHarness(Self.scenes)
        func set(_ regions: String, _ enabled: Bool) throws -> Bool? {
            try harness.client.request(#"{"cmd":"set_region","id":1,"region":\#(regions),"enabled":\#(enabled)}"#).flag(
                "ok")
        }
        #expect(try set(#"["no","ok.inner"]"#, false) == true)
        #expect(try enabled(harness.client) == ["ok"])
        #expect(try set(#"["no","nope"]"#, true) == false)
        #expect(try enabled(harness.client) == ["ok"])
        #expect(try set(#""*""#, true) == true)
        #expect(try enabled(harness.client) == ["ok", "no", "ok.inner"])
        #expect(try set("[]", true) == false)
        #expect(try set(#"["ok",1]"#, false) == false)
        #expect(try enabled(harness.client) == ["ok", "no", "ok.inner"])
    }

    @Test("a region that is switched off takes its children along, in every scene")
    func switches() throws {
        let harness = try PanelHarness(Self.scenes)
        func set(_ enabled: Bool) throws -> Bool? {
            try harness.client.request(#"{"cmd":"set_region","id":1,"region":"ok","enabled":\#(enabled)}"#).flag(
                "enabled")
        }
        try harness.press(x: Self.inner.x, y: Self.inner.y, on: "ok.inner")
        try harness.client.send(#"{"cmd":"set_region","id":1,"region":"ok","enabled":false}"#)
        try harness.client.wait(for: "gesture press cancel disabled ok.inner")
        #expect(try harness.client.wait(for: "reply") { $0["reply"] == "set_region" }.flag("enabled") == false)
        #expect(try enabled(harness.client) == ["no"])
        try harness.client.request(#"{"cmd":"set_scene","id":1,"scene":"inside"}"#)
        #expect(try enabled(harness.client) == [])
        // The region is enabled again, but the current scene does not contain it.
        #expect(try set(true) == false)
        #expect(try enabled(harness.client) == ["ok.inner"])
        try harness.client.request(#"{"cmd":"set_scene","id":1,"scene":"default"}"#)
        #expect(try set(true) == true)
    }

    private static func define(_ regions: String, lease: Bool = true) -> String {
        #"{"cmd":"define_regions","id":12,"lease":\#(lease),"regions":[\#(regions)]}"#
    }

    private static let button = #"{"id":"btn","shape":{"rect":[512,0,"50%",80]},"gestures":["press"]}"#

    @Test("defined regions lie above those of the files; a lease ends with its connection, with the reason client")
    func lease() throws {
        let harness = try PanelHarness(Self.scenes)
        var owner: SocketClient? = try harness.daemon.connect(toPanel: "panel")
        let reply = try owner?.request(Self.define(Self.button))
        #expect(reply?.flag("ok") == true)
        #expect(reply?.number("regions") == 1)
        #expect(try harness.client.wait(for: "config event") { $0["event"] == "config" }["change"] == "regions")
        // Defined regions are part of every scene.
        try harness.client.request(#"{"cmd":"set_scene","id":1,"scene":"inside"}"#)
        #expect(try enabled(harness.client) == ["ok.inner", "btn"])
        try harness.press(x: Self.no.x, y: Self.no.y, on: "btn")
        owner = nil
        try harness.client.wait(for: "gesture press cancel client btn")
        _ = try harness.client.wait(for: "config event") { $0["event"] == "config" }
        #expect(try enabled(harness.client) == ["ok.inner"])
    }

    @Test("without a lease they stay; a new definition replaces the whole set, and unchanged regions go on")
    func lasting() throws {
        let harness = try PanelHarness()
        let other = #"{"id":"other","shape":"full","z":-1,"gestures":["tap"]}"#
        var definer: SocketClient? = try harness.daemon.connect(toPanel: "panel")
        #expect(try definer?.request(Self.define(Self.button + "," + other, lease: false)).flag("ok") == true)
        definer = nil
        #expect(try enabled(harness.client) == ["other", "ok", "btn"])
        try harness.press(x: Self.no.x, y: Self.no.y, on: "btn")
        #expect(try harness.client.request(Self.define(Self.button, lease: false)).flag("ok") == true)
        #expect(try enabled(harness.client) == ["ok", "btn"])
        try harness.panel.lift(0)
        #expect(try harness.client.wait(for: "gesture") { $0["event"] == "gesture" }.summary == "gesture press end btn")
        #expect(try harness.client.request(Self.define("", lease: false)).number("regions") == 0)
        #expect(try enabled(harness.client) == ["ok"])
    }

    @Test("a definition with a mistake has no effect, and the reply names the position")
    func mistakes() throws {
        let harness = try PanelHarness()
        try harness.client.request(Self.define(Self.button))
        let wrong = #"{"id":"ok","shape":"full"},{"id":"b","shape":{"rect":[0,0,0,1]},"gestures":["tpa"]}"#
        let reply = try harness.client.request(Self.define(wrong))
        let error = try #require(reply.object("error"))
        #expect(error["code"] == "config_invalid")
        #expect(error["message"] == "3 errors")
        let diagnostics = error.objects("diagnostics")
        #expect(diagnostics.map { $0["file"] } == ["regions[0]", "regions[1]", "regions[1]"])
        #expect(diagnostics.map { $0["code"] } == ["duplicate_id", "out_of_range", "bad_value"])
        #expect(diagnostics.map { $0.number("line") } == [0, 0, 0])
        #expect(diagnostics.last?["suggestion"] == "tap")
        #expect(try enabled(harness.client) == ["ok", "btn"])
    }

    @Test("the reply to a definition contains its warnings")
    func warnings() throws {
        let harness = try PanelHarness()
        let odd = #"{"id":"b","shape":{"rect":[1000,0,48,10]},"gestures":["tap"]}"#
        let diagnostics = try harness.client.request(Self.define(odd)).objects("diagnostics")
        #expect(diagnostics.map { $0["code"] } == ["outside"])
        #expect(diagnostics.map { $0["severity"] } == ["warning"])
    }

    @Test("cancel: gestures in the regions end, and these fingers cause no others")
    func cancel() throws {
        let harness = try PanelHarness(TestConfiguration.twoButtons)
        try harness.press(x: Self.ok.x, y: Self.ok.y)
        try harness.press(1, id: 2, x: Self.no.x, y: Self.no.y, on: "no")
        try harness.client.send(#"{"cmd":"cancel","id":1,"region":"o*"}"#)
        try harness.client.wait(for: "gesture press cancel client ok")
        try harness.panel.lift(0)
        try harness.panel.lift(1)
        #expect(try harness.client.wait(for: "gesture") { $0["event"] == "gesture" }.summary == "gesture tap no")
        try harness.press(id: 3, x: Self.ok.x, y: Self.ok.y)
    }

    @Test("a reload keeps the scene if the files still have it, and the definitions of clients")
    func reload() throws {
        let harness = try PanelHarness(Self.scenes)
        try harness.client.request(#"{"cmd":"set_scene","id":1,"scene":"inside"}"#)
        try harness.client.request(#"{"cmd":"set_region","id":1,"region":"no","enabled":false}"#)
        try harness.client.request(Self.define(Self.button))
        try harness.daemon.configure(
            Self.scenes.replacing("\"50%\", \"100%\", \"50%\"", with: "\"60%\", \"100%\", \"40%\""))
        try harness.client.request(#"{"cmd":"reload","id":9}"#)
        #expect(try enabled(harness.client) == ["ok.inner", "btn"])
        try harness.daemon.configure(TestConfiguration.twoButtons)
        try harness.client.request(#"{"cmd":"reload","id":9}"#)
        #expect(try harness.client.request(#"{"cmd":"state","id":1}"#)["scene"] == "default")
        #expect(try enabled(harness.client) == ["ok", "btn"])
        let warning = "scene \"inside\" no longer exists; switched to \"default\": all regions are on"
        #expect(harness.daemon.log.contains(warning))
    }
}
