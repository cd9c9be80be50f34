// SPDX-License-Identifier: MIT
import GestureTestSupport
import Glibc
import Testing

/// The rights that the lists in `[access]` grant to users.
@Suite("Daemon: rights", .enabled(if: getuid() == 0, "only root can change the user"))
struct AccessTests {
    private static func configuration(_ access: String) -> String {
        TestConfiguration.button + """
            [[region]]
            id = "pad"
            shape = { rect = ["75%", "0%", "25%", "25%"] }
            private = true
            [[region]]
            id = "web"
            shape = { rect = ["50%", "50%", "50%", "50%"] }
            [access]

            """ + access
    }

    private static func lease(_ members: String) -> String {
        #"{"cmd":"define_regions","lease":true,"regions":[{\#(members)}]}"#
    }

    private static let square = #""shape":{"rect":[600,600,50,50]},"gestures":["press"]"#

    @Test(
        "each list gives one right, to users and to groups",
        arguments: [
            ("control_uids = [65534]", "control"), ("define_uids = [\"nobody\"]", "define"),
            ("raw_uids = [\"@65534\"]", "raw"), ("private_uids = [\"@nogroup\"]", "private"), ("", ""),
        ])
    func lists(access: String, right: String) throws {
        let harness = try StrangerHarness(Self.configuration(access), group: 65_534)
        let hello = try #require(harness.stranger.output.transcript.first)
        #expect(hello.contains("\"rights\":[\(right.isEmpty ? "" : "\"\(right)\"")]"))
        func isAllowed(_ request: String) throws -> Bool {
            let reply = try harness.ask(request)
            if reply.flag("ok") == true { return true }
            let error = try #require(reply.object("error"))
            #expect(error["code"] == "permission_denied" && error["message"]?.contains("_uids") == true)
            let place = " in [access] of \(harness.panel.folder("gestured.toml")), then run, as root: gesturectl reload"
            #expect(error["message"]?.hasSuffix(place) == true, "\(error)")
            // Without a lease, the right to define would help only with activity.
            if !request.contains("lease"), !request.contains("activity") {
                #expect(error["message"]?.contains("define_uids") == false, "\(error)")
            }
            return false
        }
        #expect(try isAllowed(#"{"cmd":"set_scene","scene":"default"}"#) == (right == "control"))
        // It would move the pad, which needs both rights.
        #expect(try isAllowed(#"{"cmd":"set_output","rotation":90}"#) == false)
        #expect(try isAllowed(#"{"cmd":"set_profile","profile":"slow"}"#) == (right == "control"))
        #expect(try isAllowed(#"{"cmd":"define_regions","regions":[]}"#) == (right == "control"))
        #expect(try isAllowed(#"{"cmd":"activity"}"#) == ["control", "define"].contains(right))
        #expect(
            try isAllowed(#"{"cmd":"define_regions","lease":true,"regions":[]}"#)
                == ["control", "define"].contains(right))
        #expect(try isAllowed(#"{"cmd":"subscribe","events":["touches"]}"#) == false)
        let regions = try harness.ask(#"{"cmd":"regions"}"#).objects("regions").compactMap { $0["region"] }
        #expect(regions.contains("pad") == (right == "private"))
        let others = try harness.ask(#"{"cmd":"clients"}"#).objects("clients").filter { $0.flag("self") == false }
        #expect(others.count == 1)
        #expect(others.allSatisfy { ($0.number("uid") != nil && $0.number("pid") != nil) == (right == "control") })
    }

    @Test("a supplementary group counts")
    func supplementary() throws {
        let harness = try StrangerHarness(
            Self.configuration("raw_uids = [\"@4242\"]"), group: 65_533, groups: [77, 4242])
        #expect(harness.stranger.output.transcript.first?.contains("\"rights\":[\"raw\"]") == true)
    }

    @Test(
        "a user who may only define cannot change regions of others",
        arguments: [
            (#""id":"ok2","# + square, "define_prefix"),
            (#""id":"app.a","pass":true,"# + square, "must not have pass"),
            (#""id":"app.a","private":true,"# + square, "private_uids"),
            (#""id":"app.a","parent":"ok","# + square, "define_parent"),
            (#""id":"app.a","parent":"pad","# + square, "define_parent"),
        ])
    func confined(members: String, message: String) throws {
        let harness = try StrangerHarness(
            Self.configuration("define_uids = [65534]\ndefine_parent = \"web\"\ndefine_limit = 2\n"))
        let reply = try harness.ask(Self.lease(members))
        #expect(reply.object("error")?["code"] == "config_invalid")
        #expect(reply.description.contains(message), "\(reply)")
        #expect(try harness.panel.client.request(#"{"cmd":"status"}"#).number("regions") == 3)
    }

    @Test("a client's definitions belong to it, and end with its connection")
    func own() throws {
        let harness = try StrangerHarness(
            Self.configuration("define_uids = [65534]\ndefine_parent = \"web\"\ndefine_limit = 2\n"))
        let client = harness.panel.client
        #expect(try harness.ask(Self.lease(#""id":"app.a","# + Self.square)).flag("ok") == true)
        let region = try #require(
            client.request(#"{"cmd":"regions","region":"app.a"}"#).objects("regions").first)
        #expect(region["parent"] == "web")
        let definitions = try client.request(#"{"cmd":"describe"}"#).objects("definitions")
        #expect(definitions.map { [$0["id"], $0["parent"]] } == [["app.a", "web"]])
        // The client may switch its own regions, but no others.
        #expect(try harness.ask(#"{"cmd":"set_region","region":"*","enabled":false}"#).flag("enabled") == false)
        func enabled() throws -> [String] {
            try client.request(#"{"cmd":"regions"}"#).objects("regions").filter { $0.flag("enabled") == true }
                .compactMap { $0["region"] }
        }
        #expect(try enabled() == ["ok", "pad", "web"])
        for request in [#"{"cmd":"set_region","region":"ok","enabled":false}"#, #"{"cmd":"cancel","region":"ok"}"#] {
            #expect(try harness.ask(request).object("error")?["code"] == "not_found")
        }
        #expect(try harness.ask(#"{"cmd":"cancel","region":"app.*"}"#).flag("ok") == true)
        // A region that is defined again keeps its on/off state.
        #expect(try harness.ask(Self.lease(#""id":"app.a","z":1,"# + Self.square)).flag("ok") == true)
        #expect(try enabled() == ["ok", "pad", "web"])
        // A client with the right `control` may switch all regions.
        #expect(try client.request(#"{"cmd":"set_region","region":"app.a","enabled":true}"#).flag("enabled") == true)
        let three = (0..<3).map { #"{"id":"app.\#($0)",\#(Self.square)}"# }.joined(separator: ",")
        let tooMany = try harness.ask(#"{"cmd":"define_regions","lease":true,"regions":[\#(three)]}"#)
        #expect(tooMany.object("error")?["message"]?.contains("define_limit") == true)
        #expect(try harness.ask(#"{"cmd":"set_region","region":"app.a","enabled":false}"#).flag("ok") == true)
        harness.stranger.signal(SIGTERM)
        _ = try client.wait(for: "the lease to end") { line in
            let regions = try? client.request(#"{"cmd":"regions"}"#).objects("regions")
            return line["change"] == "regions" && regions?.count == 3
        }
        // Removing a region also removes its on/off state: a later region with the same id is enabled.
        let again = #"{"cmd":"define_regions","regions":[{"id":"app.a",\#(Self.square)}]}"#
        #expect(try client.request(again).flag("ok") == true)
        #expect(try enabled().contains("app.a"))
    }

    @Test("a contact that lands in a private region belongs to it, even below a region of a guest")
    func above() throws {
        let harness = try StrangerHarness(Self.configuration("define_uids = [65534]\n"))
        let client = harness.panel.client
        let cover = #""id":"app.cover","shape":{"rect":[700,200,200,200]},"gestures":["tap"]"#
        #expect(try harness.ask(Self.lease(cover)).objects("diagnostics").isEmpty)
        #expect(try client.request(#"{"cmd":"at","x":800,"y":230}"#)["owner"] == "pad")
        #expect(try client.request(#"{"cmd":"at","x":800,"y":300}"#)["owner"] == "app.cover")
        // The reply does not reveal the pad to the guest.
        #expect(try harness.ask(#"{"cmd":"at","x":800,"y":230}"#)["owner"] == "app.cover")
        let beside = #""id":"app.beside","shape":{"rect":[600,100,100,100]},"gestures":["tap"]"#
        #expect(try harness.ask(Self.lease(beside)).objects("diagnostics").isEmpty)
        #expect(try client.request(#"{"cmd":"at","x":650,"y":150}"#)["owner"] == "app.beside")
        let larger = Self.configuration("define_uids = [65534]\n").replacing("\"75%\"", with: "\"55%\"")
        try harness.panel.daemon.configure(larger)
        #expect(try client.request(#"{"cmd":"reload"}"#).flag("ok") == true)
        #expect(try client.request(#"{"cmd":"at","x":650,"y":150}"#)["owner"] == "pad")
    }
}
