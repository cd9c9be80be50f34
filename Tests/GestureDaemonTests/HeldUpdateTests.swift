// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

/// The server holds back an update for a client with `max_rate_hz`. Meanwhile a change of regions or an unplugged
/// panel changes the index of the region under the finger.
@Suite("Daemon: a held update comes before the end")
struct HeldUpdateTests {
    enum Change: String, CaseIterable, CustomTestStringConvertible {
        case reload, lease, putRegion, endedLease, unpluggedPanel

        var testDescription: String { rawValue }
    }

    private static func region(_ id: String, _ place: String, gesture: String = "tap") -> String {
        #"{"id":"\#(id)","shape":{"rect":[\#(place)]},"gestures":["\#(gesture)"]}"#
    }

    private static func lease(_ regions: [String]) -> String {
        #"{"cmd":"define_regions","id":1,"lease":true,"regions":[\#(regions.joined(separator: ","))]}"#
    }

    private static let written = """
        [[region]]
        id = "file"
        shape = { rect = [512, 0, 100, 100] }
        gestures = ["tap"]

        """
    private static let twins = """
        version = 1
        [[device]]
        id = "other"
        match = { name = "Other*" }
        [[device]]
        id = "panel"
        match = { name = "Fake Panel" }
        output = { size = [1024, 1024], size_mm = [200, 200] }

        """

    @Test(arguments: Change.allCases)
    func held(beside change: Change) throws {
        let harness = try PanelHarness(Self.twins + Self.written) {
            try $0.command("name Other Panel")
            try $0.add(0)
            try $0.command("name Fake Panel")
            try $0.add(1)
        }
        let (first, second) = (try harness.daemon.connect(toPanel: "other"), try harness.daemon.connect())
        try first.request(Self.lease([Self.region("a", "700,0,50,50")]))
        try second.request(Self.lease([Self.region("map", "0,0,500,1000", gesture: "drag")]))
        try harness.client.request(#"{"cmd":"subscribe","id":2,"max_rate_hz":0.1}"#)
        try harness.panel.command("select 1")
        try harness.panel.land(0, id: 1, x: 200, y: 200)
        for step in 1...4 { try harness.panel.move(0, x: 200 + 100 * step, y: 200) }
        try harness.client.wait(for: "gesture drag update map")
        switch change {
        case .reload:
            try harness.daemon.configure(Self.twins + Self.written.replacingFile + Self.written)
            try first.request(#"{"cmd":"reload","id":3}"#)
        case .lease: try first.request(Self.lease(["a", "b", "c"].map { Self.region($0, "700,0,50,50") }))
        case .putRegion:
            let region = Self.region("b", "700,0,50,50")
            try first.request(#"{"cmd":"put_region","id":3,"lease":true,"region":\#(region),"below":"a"}"#)
        case .endedLease: try first.request(Self.lease([]))
        case .unpluggedPanel: try harness.panel.remove(0)
        }
        let isPlugging = change == .unpluggedPanel
        _ = try harness.client.wait(for: "change") { $0["event"] == (isPlugging ? "device" : "config") }
        try harness.panel.command("select 1")
        try harness.panel.lift(0)
        let lines = try harness.client.summaries(to: "gesture drag end map")
        #expect(lines.filter { $0.hasPrefix("gesture") } == ["gesture drag update map", "gesture drag end map"])
    }
}

extension String {
    /// The configuration with a different id for each region.
    fileprivate var replacingFile: String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("id = ") ? "id = \"before\"" : String($0) }.joined(separator: "\n")
    }
}
