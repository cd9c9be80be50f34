// SPDX-License-Identifier: MIT
import GestureTestSupport
import Glibc
import Testing

/// The replies to `counts` and `touch_map`: numbers of events, and where touches landed.
@Suite("Daemon: counts")
struct CountsTests {
    private static let counts = #"{"cmd":"counts","id":16}"#
    private static let map = #"{"cmd":"touch_map","id":17,"device":"panel"}"#

    private func tap(_ harness: PanelHarness, id: Int, x: Int = 100) throws {
        try harness.panel.land(0, id: id, x: x, y: 100)
        try harness.panel.lift(0)
        _ = try harness.client.wait(for: "tap") { $0["gesture"] == "press" && $0["phase"] == "end" }
    }

    @Test("gestures and failures by region, contacts by panel; reloads and replugging keep the counts")
    func kept() throws {
        let harness = try PanelHarness(TestConfiguration.twoButtons)
        try tap(harness, id: 1)
        try tap(harness, id: 2, x: 3000)
        try harness.press(id: 3, x: 100, y: 3000)
        try harness.panel.move(0, x: 1000, y: 1000)
        try harness.release()
        let reply = try harness.client.request(Self.counts)
        #expect(
            reply.description.hasSuffix(
                #""devices":[{"device":"panel","contacts":3,"ignored":{},"storms":0,"flickers":0,"bridged":0,"exchanges":0}],"regions":["#
                    + #"{"region":"ok","gestures":{"press":2,"tap":1},"failed":{"moved":1}},"#
                    + #"{"region":"no","gestures":{"press":1,"tap":1},"failed":{}}]}"#))
        try harness.daemon.configure(
            TestConfiguration.twoButtons.replacing("\"ok\"", with: "\"yes\""))
        try harness.client.request(#"{"cmd":"reload","id":9}"#)
        #expect(try harness.client.request(Self.counts).objects("regions").map { $0["region"] } == ["no"])
        try harness.panel.remove()
        try harness.client.wait(for: "device removed")
        #expect(try harness.client.request(Self.counts).objects("devices").isEmpty)
        try harness.panel.add()
        try harness.client.wait(for: "device added")
        try tap(harness, id: 9, x: 3000)
        let again = try harness.client.request(Self.counts)
        #expect(again.objects("devices").map { $0.number("contacts") } == [4])
        #expect(again.objects("regions").map { $0.object("gestures")?.number("tap") } == [2])
    }

    @Test("a map counts landings from the first request until its connection ends")
    func map() throws {
        let harness = try PanelHarness()
        try tap(harness, id: 1)
        func counts(_ client: SocketClient) throws -> [Int] {
            let reply = try client.request(Self.map)
            let counts = reply.description.split(separator: "\"counts\":[").last?.dropLast(2)
            let numbers = (counts ?? "").split(separator: ",").compactMap { Int($0) }
            #expect(Double(numbers.count) == (reply.number("columns") ?? 0) * (reply.number("rows") ?? 0))
            return numbers
        }
        #expect(try counts(harness.client).allSatisfy { $0 == 0 })
        try tap(harness, id: 2)
        try tap(harness, id: 3)
        let second = try harness.daemon.connect(toPanel: "panel")
        #expect(try counts(second).allSatisfy { $0 == 0 })
        try tap(harness, id: 4)
        #expect(try counts(harness.client).filter { $0 > 0 } == [3])
        #expect(try counts(second).filter { $0 > 0 } == [1])
        #expect(
            try harness.client.request(#"{"cmd":"touch_map","device":"other"}"#).object("error")?["code"] == "not_found"
        )
    }

    @Test(
        "clients without access to private regions receive the numbers of events that they could see",
        .enabled(if: getuid() == 0))
    func privateRegions() throws {
        let secret = """
            [[region]]
            id = "pin"
            private = true
            shape = { rect = ["50%", "0%", "50%", "100%"] }
            gestures = ["press"]
            [access]
            raw_uids = [65534]

            """
        let harness = try StrangerHarness(TestConfiguration.button + secret)
        _ = try harness.ask(Self.map)
        try tap(harness.panel, id: 1, x: 3000)
        try tap(harness.panel, id: 2)
        let open = try harness.ask(Self.counts)
        #expect(
            open.description.hasSuffix(
                #""devices":[{"device":"panel","contacts":1,"ignored":{},"storms":0,"flickers":0,"bridged":0,"exchanges":0}],"regions":[{"region":"ok","gestures":{"press":1,"tap":1},"failed":{}}]}"#
            ))
        #expect(try harness.panel.client.request(Self.counts).objects("regions").map { $0["region"] } == ["ok", "pin"])
        let cells = try harness.ask(Self.map).description
        #expect(cells.contains("1") && !cells.contains("2,"))
        #expect(
            try harness.ask(Self.map).description.split(separator: "\"counts\":[").last?.filter { $0 == "1" } == "1")
    }
}
