// SPDX-License-Identifier: MIT
import GestureTestSupport
import Glibc
import Testing

/// Requests that add, replace or remove a single region: `put_region`, `remove_region`.
@Suite("Daemon: changes of single regions")
struct RegionChangeTests {
    /// A point in the left half and one in the right half of the panel.
    private static let (left, right) = ((x: 100, y: 100), (x: 3000, y: 100))

    private static func region(_ id: String, x: Int = 0, _ more: String = "") -> String {
        #"{"id":"\#(id)","shape":{"rect":[\#(x),0,512,600]},"gestures":["press"]\#(more)}"#
    }

    private static func put(_ region: String, _ more: String = "") -> String {
        #"{"cmd":"put_region","id":14,"lease":true,"region":\#(region)\#(more)}"#
    }

    private static func remove(_ id: String, _ more: String = "") -> String {
        #"{"cmd":"remove_region","id":15,"lease":true,"region":"\#(id)"\#(more)}"#
    }

    private static let wait = #","wait":true"#

    private func ids(_ client: SocketClient) throws -> [String] {
        try client.request(#"{"cmd":"regions","id":4}"#).objects("regions").compactMap { $0["region"] }
    }

    private func gesture(_ client: SocketClient) throws -> String {
        try client.wait(for: "gesture") { $0["event"] == "gesture" }.summary
    }

    @Test("a new region lies on top of its set or under another one; a replaced one keeps its position")
    func order() throws {
        let harness = try PanelHarness()
        for id in ["a", "b"] {
            let reply = try harness.client.request(Self.put(Self.region(id)))
            #expect((reply.flag("ok"), reply.flag("waiting")) == (true, false))
        }
        try harness.client.request(Self.put(Self.region("c"), #","below":"b","wait":true"#))
        #expect(try ids(harness.client) == ["ok", "a", "c", "b"])
        try harness.client.request(Self.put(Self.region("a", x: 512)))
        #expect(try ids(harness.client) == ["ok", "a", "c", "b"])
        try harness.client.request(Self.put(Self.region("b"), #","below":"a""#))
        #expect(try ids(harness.client) == ["ok", "b", "a", "c"])
        try harness.client.request(Self.remove("a"))
        #expect(try ids(harness.client) == ["ok", "b", "c"])
        // `define_regions` replaces the whole set, including regions that `put_region` added.
        try harness.client.request(#"{"cmd":"define_regions","lease":true,"regions":[\#(Self.region("d"))]}"#)
        #expect(try ids(harness.client) == ["ok", "d"])
    }

    @Test("a region with a device is only on that panel")
    func device() throws {
        let harness = try PanelHarness(twinsOf: TestConfiguration.twins)
        let region = Self.region("a", #","device":"right""#)
        for request in [Self.put(region), #"{"cmd":"define_regions","lease":true,"regions":[\#(region)]}"#] {
            #expect(try harness.client.request(request).flag("ok") == true)
            let regions = try harness.client.request(#"{"cmd":"regions","id":4}"#).objects("regions")
            #expect(regions.map { $0["device"] } == ["right"])
        }
    }

    @Test("a change cancels the gestures in its region, and no others")
    func atOnce() throws {
        let harness = try PanelHarness()
        try harness.client.request(Self.put(Self.region("a")))
        try harness.client.request(Self.put(Self.region("b", x: 512)))
        try harness.press(x: Self.left.x, y: Self.left.y, on: "a")
        try harness.press(1, id: 2, x: Self.right.x, y: Self.right.y, on: "b")
        try harness.client.send(Self.put(Self.region("a", x: 1)))
        #expect(try gesture(harness.client) == "gesture press cancel reload a")
        try harness.panel.lift(0)
        try harness.panel.lift(1)
        #expect(try gesture(harness.client) == "gesture press end b")
    }

    @Test("with wait nothing is cancelled: the change takes effect when the region is idle")
    func waits() throws {
        let harness = try PanelHarness()
        try harness.client.request(Self.put(Self.region("a")))
        try harness.client.request(Self.put(Self.region("b", x: 512)))
        try harness.press(x: Self.left.x, y: Self.left.y, on: "a")
        #expect(try harness.client.request(Self.put(Self.region("a", x: 1), Self.wait)).flag("waiting") == true)
        // Changes to an untouched region and a new region take effect at once.
        #expect(try harness.client.request(Self.put(Self.region("b", x: 511), Self.wait)).flag("waiting") == false)
        #expect(try harness.client.request(Self.put(Self.region("c"), Self.wait)).flag("waiting") == false)
        // A later change replaces the waiting one.
        #expect(try harness.client.request(Self.remove("a", Self.wait)).flag("waiting") == true)
        #expect(try ids(harness.client) == ["ok", "a", "b", "c"])
        try harness.panel.lift(0)
        #expect(try gesture(harness.client) == "gesture press end a")
        _ = try harness.client.wait(for: "config event") { $0["event"] == "config" && $0["change"] == "regions" }
        #expect(try ids(harness.client) == ["ok", "b", "c"])
    }

    @Test("a change waits for gestures inside its region, and is dropped with its lease or by a definition of its set")
    func inside() throws {
        let harness = try PanelHarness()
        try harness.client.request(Self.put(Self.region("a")))
        try harness.client.request(Self.put(#"{"id":"in","parent":"a","shape":"full","gestures":["press"]}"#))
        var owner: SocketClient? = try harness.daemon.connect(toPanel: "panel")
        try owner?.request(Self.put(Self.region("b", x: 512)))
        try harness.press(x: Self.left.x, y: Self.left.y, on: "in")
        try harness.press(1, id: 2, x: Self.right.x, y: Self.right.y, on: "b")
        #expect(try harness.client.request(Self.remove("a", Self.wait)).flag("waiting") == true)
        #expect(try owner?.request(Self.put(Self.region("b", x: 600), Self.wait)).flag("waiting") == true)
        owner = nil
        try harness.client.wait(for: "gesture press cancel client b")
        let both = Self.region("a") + #",{"id":"in","parent":"a","shape":"full","gestures":["press"]}"#
        try harness.client.request(#"{"cmd":"define_regions","lease":true,"regions":[\#(both)]}"#)
        try harness.panel.lift(0)
        try harness.panel.lift(1)
        #expect(try gesture(harness.client) == "gesture press end in")
        #expect(try ids(harness.client) == ["ok", "a", "in"])
    }

    @Test("a definition of a set with wait leaves touched regions unchanged until they are idle")
    func define() throws {
        let harness = try PanelHarness()
        func define(_ regions: String...) throws -> JSONLine {
            try harness.client.request(
                #"{"cmd":"define_regions","id":13,"lease":true,"regions":[\#(regions.joined(separator: ","))],"wait":true}"#
            )
        }
        #expect(try define(Self.region("a"), Self.region("b", x: 512), Self.region("c")).number("waiting") == 0)
        try harness.press(x: Self.left.x, y: Self.left.y, on: "c")
        try harness.press(1, id: 2, x: Self.right.x, y: Self.right.y, on: "b")
        #expect(try define(Self.region("d"), Self.region("b", x: 511)).number("waiting") == 2)
        #expect(try ids(harness.client) == ["ok", "d", "b", "c"])
        try harness.panel.lift(0)
        #expect(try gesture(harness.client) == "gesture press end c")
        try harness.panel.lift(1)
        #expect(try gesture(harness.client) == "gesture press end b")
        try harness.client.request(#"{"cmd":"ping"}"#)
        #expect(try ids(harness.client) == ["ok", "d", "b"])
        // The first region is removed and lies below the second one, which changes.
        #expect(try define(Self.region("a"), Self.region("b", x: 512)).number("waiting") == 0)
        try harness.press(id: 3, x: Self.left.x, y: Self.left.y, on: "a")
        try harness.press(1, id: 4, x: Self.right.x, y: Self.right.y, on: "b")
        #expect(try define(Self.region("c"), Self.region("b", x: 511)).number("waiting") == 2)
        #expect(try ids(harness.client) == ["ok", "a", "c", "b"])
    }

    @Test("children of a removed region are disabled until it exists again")
    func parent() throws {
        let harness = try PanelHarness()
        try harness.client.request(Self.put(Self.region("a")))
        let inner = #"{"id":"in","parent":"a","shape":"full","gestures":["press"]}"#
        try harness.client.request(Self.put(inner))
        try harness.client.request(Self.remove("a"))
        #expect(try ids(harness.client) == ["ok"])
        #expect(try harness.client.request(Self.put(inner)).object("error")?["code"] == "config_invalid")
        try harness.client.request(Self.put(Self.region("a")))
        #expect(try ids(harness.client) == ["ok", "a", "in"])
        let circle = try harness.client.request(Self.put(Self.region("a", #","parent":"in""#)))
        #expect(circle.object("error")?["code"] == "config_invalid")
        #expect(try ids(harness.client) == ["ok", "a", "in"])
    }

    @Test("a change with a mistake has no effect, and the reply names the position")
    func mistakes() throws {
        let harness = try PanelHarness()
        try harness.client.request(Self.put(Self.region("a")))
        func error(_ request: String) throws -> [String?] {
            let error = try harness.client.request(request).object("error")
            return [error?["code"], error?["suggestion"] ?? error?.objects("diagnostics").first?["file"]]
        }
        #expect(try error(Self.put(Self.region("ok"))) == ["config_invalid", "region"])
        #expect(try error(Self.put(Self.region("b"), #","below":"ab""#)) == ["not_found", "a"])
        #expect(try error(Self.put(Self.region("b"), #","below":"b""#)) == ["bad_value", nil])
        #expect(try error(Self.remove("ab")) == ["not_found", "a"])
        #expect(try ids(harness.client) == ["ok", "a"])
        let odd = try harness.client.request(Self.put(#"{"id":"b","shape":{"rect":[1000,0,48,10]}}"#))
        #expect(odd.objects("diagnostics").map { $0["code"] } == ["outside"])
    }

    @Test(
        "a change reveals no private region to clients without access", .enabled(if: getuid() == 0))
    func privateRegions() throws {
        let harness = try StrangerHarness(TestConfiguration.button + "[access]\ncontrol_uids = [65534]\n")
        func shared(_ region: String) -> String {
            #"{"cmd":"put_region","region":\#(region),"wait":true}"#
        }
        let (client, panel) = (harness.panel.client, harness.panel.panel)
        let open = #"{"id":"open","shape":"full","gestures":["press"]}"#
        try client.request(shared(open))
        let key = #"{"id":"key","parent":"open","private":true,"shape":{"rect":[0,0,512,600]},"gestures":["press"]"#
        try client.request(shared(key + "}"))
        try panel.land(0, id: 1, x: Self.left.x, y: Self.left.y)
        try client.wait(for: "gesture press begin key")
        // To a stranger the key does not exist, so the finger on it does not show in the reply.
        let removal = try harness.ask(#"{"cmd":"remove_region","region":"key","wait":true}"#)
        #expect(removal.object("error")?["code"] == "not_found")
        #expect(removal.object("error")?["suggestion"] == nil)
        #expect(try client.request(shared(key + #","z":1}"#)).flag("waiting") == true)
        let count = harness.stranger.output.transcript.count
        try panel.lift(0)
        try client.wait(for: "gesture press end key")
        _ = try client.wait(for: "config event") { $0["event"] == "config" && $0["change"] == "regions" }
        #expect(try harness.ask(#"{"cmd":"ping"}"#).flag("ok") == true)
        #expect(harness.stranger.output.transcript.count == count + 1)
        try panel.land(0, id: 2, x: Self.left.x, y: Self.left.y)
        try client.wait(for: "gesture press begin key")
        // A stranger cannot change the key by moving its parent, either.
        let wider = try harness.ask(shared(open.replacing("\"full\"", with: "{\"rect\":[0,0,1000,600]}")))
        #expect(wider.object("error")?.objects("diagnostics").first?["code"] == "duplicate_id")
        #expect(try harness.ask(#"{"cmd":"define_regions","regions":[]}"#).flag("ok") == true)
        #expect(try ids(client) == ["ok", "open", "key"])
        try panel.lift(0)
        try client.wait(for: "gesture press end key")
        #expect(!harness.stranger.output.transcript.contains { $0.contains("\"region\":\"key\"") })
    }
}
