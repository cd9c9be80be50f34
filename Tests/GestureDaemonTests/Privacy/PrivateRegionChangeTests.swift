// SPDX-License-Identifier: MIT
import GestureTestSupport
import Glibc
import Testing

/// Clients without access to private regions cannot change them, and receive nothing about touches in them.
@Suite(
    "Daemon: changes of private regions", .enabled(if: getuid() == 0, "only root can change the user"))
struct PrivateRegionChangeTests {
    /// A private pad inside a list. The stranger has all rights except access to private regions.
    private static let configuration =
        TestConfiguration.button + """
            [[region]]
            id = "list"
            shape = { rect = ["50%", "0%", "50%", "100%"] }
            gestures = ["press", "tap"]
            [[region]]
            id = "pad"
            parent = "list"
            shape = { rect = ["0%", "0%", "100%", "50%"] }
            gestures = ["press"]
            private = true
            [access]
            control_uids = [65534]
            raw_uids = [65534]

            """

    private static let square = #""shape":{"rect":[500,0,524,524]},"gestures":["press","tap"]"#

    /// The `gesture` lines that the stranger receives while the pad is pressed.
    private func gesturesOfStranger(after requests: [String]) throws -> [String] {
        let harness = try StrangerHarness(Self.configuration)
        for request in requests { _ = try harness.ask(request) }
        let (panel, client) = (harness.panel.panel, harness.panel.client)
        try panel.land(0, id: 1, x: 3000, y: 1000)
        try client.wait(for: "gesture press begin pad")
        try panel.lift(0)
        try client.wait(for: "gesture press end pad")
        // Events come before the reply to a later request.
        _ = try harness.ask(#"{"cmd":"ping"}"#)
        return harness.stranger.output.transcript.filter { $0.contains(#""event":"gesture""#) }
    }

    @Test(
        "its touches stay its own, whatever others do",
        arguments: [
            [],
            [#"{"cmd":"set_region","region":"pad","enabled":false}"#],
            [#"{"cmd":"set_region","region":"*","enabled":false}"#],
            [#"{"cmd":"set_region","region":"list","enabled":false}"#],
            [#"{"cmd":"cancel","region":"*"}"#],
            [#"{"cmd":"put_region","lease":true,"region":{"id":"cover","z":9,\#(square)}}"#],
            [#"{"cmd":"put_region","region":{"id":"cover","z":9,"pass":true,\#(square)}}"#],
            [#"{"cmd":"put_region","region":{"id":"pad","z":9,\#(square)}}"#],
            [
                #"{"cmd":"define_regions","regions":[{"id":"pad","z":9,\#(square)},{"id":"key","parent":"pad","shape":"full","gestures":["press"]}]}"#,
                #"{"cmd":"set_region","region":"pad","enabled":false}"#,
                #"{"cmd":"set_region","region":"pad","enabled":true}"#,
            ],
        ])
    func ownTouches(requests: [String]) throws {
        #expect(try gesturesOfStranger(after: requests).isEmpty)
    }

    @Test("its id is free for others, whose region of that name is hidden from those who see the private one")
    func sameName() throws {
        let harness = try StrangerHarness(Self.configuration)
        let (panel, client) = (harness.panel.panel, harness.panel.client)
        let put = #"{"cmd":"put_region","region":{"id":"pad","shape":{"rect":[0,0,300,300]},"gestures":["press"]}}"#
        #expect(try harness.ask(put).flag("ok") == true)
        func ids(_ reply: JSONLine) -> [String] { reply.objects("regions").compactMap { $0["region"] } }
        #expect(ids(try harness.ask(#"{"cmd":"regions"}"#)) == ["ok", "list", "pad"])
        #expect(ids(try client.request(#"{"cmd":"regions"}"#)) == ["ok", "list", "pad"])
        #expect(try harness.ask(#"{"cmd":"at","x":10,"y":10}"#)["owner"] == "pad")
        #expect(try client.request(#"{"cmd":"at","x":10,"y":10}"#).description.contains(#""owner":null"#))
        // Touches in the private region belong only to it.
        try panel.land(0, id: 1, x: 100, y: 100)
        #expect(try harness.receive("gesture")["region"] == "pad")
        try panel.lift(0)
        #expect(try harness.receive("gesture")["phase"] == "end")
        // Each client switches its own region.
        #expect(try harness.ask(#"{"cmd":"set_region","region":"pad","enabled":false}"#).flag("enabled") == false)
        func isOn(_ reply: JSONLine) -> Bool? { reply.objects("regions").first?.flag("enabled") }
        #expect(isOn(try client.request(#"{"cmd":"regions","region":"pad"}"#)) == true)
        #expect(try harness.ask(#"{"cmd":"set_region","region":"pad","enabled":true}"#).flag("enabled") == true)
        #expect(try client.request(#"{"cmd":"set_region","region":"pad","enabled":false}"#).flag("enabled") == false)
        #expect(isOn(try harness.ask(#"{"cmd":"regions","region":"pad"}"#)) == true)
        // Without the private region, all clients see the other one with its id.
        try harness.panel.daemon.configure(Self.configuration.replacing("\"pad\"", with: "\"safe\""))
        #expect(try client.request(#"{"cmd":"reload"}"#).flag("ok") == true)
        #expect(ids(try client.request(#"{"cmd":"regions"}"#)) == ["ok", "list", "safe", "pad"])
        #expect(ids(try harness.ask(#"{"cmd":"regions"}"#)) == ["ok", "list", "pad"])
    }

    @Test("a region that enters or leaves the view of clients with access to private regions does so with a state")
    func newState() throws {
        let files = TestConfiguration.button + "[access]\ncontrol_uids = [65534]\n"
        let harness = try StrangerHarness(files)
        let (panel, client) = (harness.panel.panel, harness.panel.client)
        let put = #"{"cmd":"put_region","region":{"id":"pad",\#(Self.square)}}"#
        #expect(try harness.ask(put).flag("ok") == true)
        // The verifier would report this state as a contradiction. It does not do so for a client that filters events.
        try client.request(#"{"cmd":"subscribe","phases":["begin","end","cancel"]}"#)
        try panel.land(0, id: 1, x: 3000, y: 1000)
        try client.wait(for: "gesture press begin pad")
        #expect(try harness.receive("gesture")["region"] == "pad")
        func active(with more: String) throws -> Int {
            try harness.panel.daemon.configure(files + more)
            harness.panel.daemon.program.signal(SIGHUP)
            return try client.wait(for: "state") { $0["event"] == "state" }.objects("active").count
        }
        #expect(try active(with: "[[region]]\nid = \"pad\"\nshape = { rect = [0, 0, 9, 9] }\nprivate = true\n") == 0)
        #expect(try active(with: "") == 1)
        try panel.lift(0)
        try client.wait(for: "gesture press end pad")
        // Clients without access receive their gesture as usual, but no `state` line.
        #expect(try harness.receive("gesture")["region"] == "pad")
        let events = harness.stranger.output.transcript.filter { $0.hasPrefix("{\"event\":\"") }
        #expect(events.count { $0.hasPrefix("{\"event\":\"state\"") } == 1)
    }

    @Test("definitions by clients with the right leave the others their full number of regions")
    func limits() throws {
        let harness = try StrangerHarness(TestConfiguration.button + "[access]\ndefine_uids = [65534]\n")
        func define(_ set: Int, isLease: Bool, by client: SocketClient) throws {
            // Sixteen of these sets reach the maximum number of regions.
            let regions = (0..<125).map { #"{"id":"r\#(set).\#($0)","shape":{"rect":[\#($0),\#(set),1,1]}}"# }
            let list = regions.joined(separator: ",")
            try client.request(#"{"cmd":"define_regions","lease":\#(isLease),"regions":[\#(list)]}"#)
        }
        let client = harness.panel.client
        var others: [SocketClient] = []
        try define(0, isLease: false, by: client)
        try define(1, isLease: true, by: client)
        for set in 2..<16 {
            others.append(try harness.panel.daemon.connect(toPanel: "panel"))
            try define(set, isLease: true, by: others[set - 2])
        }
        let one = #"{"cmd":"put_region","lease":true,"region":{"id":"app.one","shape":"full"}}"#
        #expect(try client.request(one).object("error")?["code"] == "busy")
        #expect(try harness.ask(one).flag("ok") == true)
    }

    @Test("a client without the right cannot make a region private, or put one into a region of others")
    func makes() throws {
        let harness = try StrangerHarness(Self.configuration)
        let hidden = try harness.ask(
            #"{"cmd":"put_region","region":{"id":"mine","private":true,"shape":"full"}}"#)
        #expect(hidden.description.contains("private_uids"))
        let open = #"{"cmd":"put_region","region":{"id":"mine","shape":"full"}}"#
        #expect(try harness.ask(open).flag("ok") == true)
        let inside = #"{"cmd":"put_region","lease":true,"region":{"id":"key","parent":"mine","shape":"full"}}"#
        #expect(try harness.panel.client.request(inside).description.contains("must not be in"))
        // When the parent of a region becomes private, other clients no longer see the region, because its
        // parent is hidden from them.
        let child = #"{"cmd":"put_region","region":{"id":"child","parent":"list","shape":"full"}}"#
        #expect(try harness.ask(child).flag("ok") == true)
        try harness.panel.daemon.configure(
            Self.configuration.replacing(
                "\"tap\"]\n[[region]]\nid = \"pad\"", with: "\"tap\"]\nprivate = true\n[[region]]\nid = \"pad\""))
        #expect(try harness.panel.client.request(#"{"cmd":"reload"}"#).flag("ok") == true)
        for client in [try harness.ask(#"{"cmd":"regions"}"#), try harness.panel.client.request(#"{"cmd":"regions"}"#)]
        {
            #expect(!client.description.contains("child"))
        }
    }

    @Test("files with an error that may concern private regions are not quoted")
    func quotes() throws {
        let access = "[access]\ncontrol_uids = [65534]\n"
        let harness = try StrangerHarness(TestConfiguration.button + access)
        // The daemon has no valid configuration yet.
        try harness.panel.daemon.configure(
            Self.configuration.replacing("parent = \"list\"", with: "parent = \"lsit\""))
        let reply = try harness.ask(#"{"cmd":"reload"}"#)
        #expect(reply.object("error")?["code"] == "config_invalid")
        #expect(!reply.description.contains("pad") && !reply.description.contains("lsit"))
        #expect(try harness.ask(#"{"cmd":"status"}"#).object("config")?["state"] == "rejected")
        #expect(try harness.ask(#"{"cmd":"status"}"#).object("config")?.number("errors") == 0)
        #expect(try harness.panel.client.request(#"{"cmd":"reload"}"#).description.contains("lsit"))
        let event = try #require(harness.stranger.output.transcript.first { $0.contains("rejected") })
        #expect(event.contains(#""diagnostics":[]"#))
    }

    @Test("a reply warns about rules that cannot cross the border of a region that the client may see")
    func warnings() throws {
        let harness = try StrangerHarness(Self.configuration)
        func put(_ id: String) -> String {
            let steps = #"["tap ok","press pad"]"#
            let members = #""shape":{"rect":[0,600,9,9]},"gestures":[{"type":"pattern","steps":\#(steps)}]"#
            return #"{"cmd":"put_region","region":{"id":"\#(id)",\#(members)}}"#
        }
        func messages(_ reply: JSONLine) -> [String] { reply.objects("diagnostics").compactMap { $0["message"] } }
        #expect(try messages(harness.ask(put("a"))) == [#"a step of "pattern": no region is named "pad""#])
        #expect(
            try messages(harness.panel.client.request(put("b")))
                == [#"a step of "pattern" can never be done: region "pad" is private, and "b" is not"#])
    }

    @Test("the globs and losses of clients with access to private regions are hidden from others")
    func clients() throws {
        let harness = try StrangerHarness(Self.configuration)
        try harness.panel.client.request(#"{"cmd":"subscribe","regions":["pad*"]}"#)
        let reply = try harness.ask(#"{"cmd":"clients"}"#)
        #expect(!reply.description.contains("pad"))
        let other = try #require(reply.objects("clients").first { $0.flag("self") == false })
        #expect(other.number("uid") != nil && other.number("dropped") == nil && other.number("queued_bytes") == nil)
    }
}
