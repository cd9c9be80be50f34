// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

@Suite("Daemon: lines of selected panels")
struct PanelFilterTests {
    /// The region exists only on the left panel.
    private static let configuration = TestConfiguration.twinButtons + "device = \"left\"\n"

    @Test("devices: gestures, touches, frames and removals of the named panels")
    func filter() throws {
        let harness = try PanelHarness(twinsOf: Self.configuration)
        let (panel, client) = (harness.panel, harness.client)
        let events = #"["gesture","touches","frame","device"]"#
        try client.request(#"{"cmd":"subscribe","events":\#(events),"devices":["l*"]}"#)
        try panel.command("select 1")
        try panel.land(id: 1, x: 100, y: 100)
        try panel.command("select 0")
        try panel.land(id: 1, x: 100, y: 100)
        var devices: [String?] = []
        var seen: Set<String> = []
        while !seen.isSuperset(of: ["gesture", "touches", "frame"]) {
            let line = try client.wait(for: "a line of a panel") { $0["device"] != nil }
            devices.append(line["device"])
            seen.insert(line["event"] ?? "")
        }
        #expect(Set(devices) == ["left"])
        let state = try client.request(#"{"cmd":"state","id":1}"#)
        #expect(state.objects("active").map { $0["device"] } == ["left"])
        try panel.remove(1)
        try panel.remove(0)
        #expect(try client.wait(for: "device") { $0["event"] == "device" }["device"] == "left")
    }

    @Test("a region that names a panel exists on that panel only")
    func region() throws {
        let harness = try PanelHarness(twinsOf: Self.configuration)
        let (panel, client) = (harness.panel, harness.client)
        let regions = try client.request(#"{"cmd":"regions","id":4}"#).objects("regions")
        #expect(regions.map { "\($0["region"] ?? "") \($0["device"] ?? "")" } == ["ok left"])
        try panel.command("select 1")
        try panel.land(id: 1, x: 100, y: 100)
        try panel.command("select 0")
        try panel.land(id: 1, x: 100, y: 100)
        #expect(try client.wait(for: "gesture") { $0["event"] == "gesture" }["device"] == "left")
    }
}
