// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

@testable import GestureReport

@Suite("what a listener counts")
struct HearingTests {
    static let kiosk = """
        version = 1
        [[device]]
        id = "panel"
        match = { name = "*" }
        output = { size = [1000, 600], size_mm = [200, 120] }
        [[region]]
        id = "screen"
        shape = "full"
        gestures = ["tap"]
        [[region]]
        id = "list"
        shape = { rect = [100, 100, 300, 300] }
        z = 1
        gestures = ["swipe"]
        [[region]]
        id = "ok"
        parent = "list"
        shape = { rect = [50, 50, 100, 100] }
        gestures = ["press", { type = "tap", max_time = "100ms" }]
        [[region]]
        id = "pin"
        private = true
        z = 2
        shape = { rect = [600, 100, 200, 200] }
        gestures = ["tap"]

        """

    let folder: ScratchFolder
    let panel: HeardPanel

    init() throws {
        folder = try ScratchFolder()
        panel = try HeardPanel(Self.kiosk, in: folder, background: ["screen"])
    }

    private func region(_ name: String, _ data: ReportData) throws -> ReportData.Region {
        try #require(data.regions.first { $0.name == name })
    }

    @Test("a pause of the idle time ends a session, whose start is known to a quarter of an hour")
    func sessions() throws {
        panel.wait(until: 1_000_000_000)
        try panel.play("down a 200,200; +80ms; up a; +30s; down a 200,200; +80ms; up a")
        panel.wait(until: 1_100_000_000)
        try panel.play("down a 200,200; +80ms; up a")
        panel.end()
        let data = try panel.data()
        #expect(data.sessions == 2 && data.touches == 3)
        #expect(data.lengths.map { $0.seconds } == [0, 30] && data.lengths.map { $0.count } == [1, 1])
        #expect(data.days.map { $0.day.number } == [HeardPanel.firstDay])
        #expect(data.hours.firstIndex(of: 2) == 0)
        #expect(data.scenes.map { $0.count } == [30])
        let ok = try region("ok", data)
        #expect(ok.use == .init(touches: 3, failed: 0, twice: 0, nothing: 0))
        #expect(ok.gestures == [.init(name: "press", count: 3), .init(name: "tap", count: 3)])
        // The list got the same contacts. They were one touch each.
        #expect(try region("list", data).use == .init(touches: 3, failed: 0, twice: 0, nothing: 0))
        #expect(data.panels.reduce(0) { $0 + $1.use.heard } == 3)
        #expect(data.panels.reduce(0) { $0 + $1.use.contacts } == 3)
    }

    @Test("a touch that does nothing belongs to the limit that it missed least, and two in a row are told")
    func failures() throws {
        try panel.play(
            "down a 200,200; +140ms; up a; +3s; down a 200,200; +150ms; up a; +3s; down a 200,200; +50ms; up a")
        try panel.play("+3s; swipe left from list")
        panel.end()
        let data = try panel.data()
        #expect(try region("ok", data).use == .init(touches: 3, failed: 2, twice: 1, nothing: 0))
        let limit = try #require(data.limits.first { $0.key.region == "ok" && $0.key.key == "max_time" })
        #expect(limit.key.gesture == "tap" && limit.key.code == "too_long" && limit.key.limit == 10_000)
        #expect(limit.misses.meant.total == 2)
        // The list's swipe missed its limits, too, but nobody meant it.
        #expect(try region("list", data).use.failed == 0)
        let advice = try #require(RegionAdvice.worst(3, of: data).first)
        #expect(advice.region.name == "ok" && advice.limit?.setting == "\"160ms\"" && advice.limit?.wrong == 0)
    }

    @Test("touches of a background region are touches where nothing is, with the region beside them")
    func nothing() throws {
        try panel.play("swipe left from list; +2s")
        for _ in 0..<12 { try panel.play("down a 430,250; +80ms; up a; +2s; down a 900,550; +80ms; up a; +2s") }
        panel.end()
        var data = try panel.data()
        #expect(try region("screen", data).use == .init(touches: 24, failed: 0, twice: 0, nothing: 24))
        #expect(NearMiss.all(in: data) == [NearMiss(region: "list", side: .right, count: 12)])
        let map = try #require(data.maps.first { $0.kind == .nothing })
        #expect(map.grid == CellGrid(columns: 40, rows: 24, cell: 50))
        #expect(map.counts.sorted.map { $0.place } == [10 * 40 + 17, 22 * 40 + 36])
        // A region that nobody has touched may be one of long ago.
        data.regions.removeAll { $0.name == "list" }
        #expect(NearMiss.all(in: data).isEmpty)
    }

    @Test("contacts at a place that is named as noise make no session, and are no touch of one")
    func ghosts() throws {
        let trouble = GlassFinding(device: "panel", trouble: .noisyCell(x: 425, y: 425), reason: "")
        panel.take(GlassHealth([trouble]))
        try panel.play("down a 212,212; +80ms; up a")
        panel.wait(until: 200_000_000)
        try panel.play("down a 160,160; +80ms; up a; +2s; down a 212,212; +80ms; up a")
        panel.end()
        let data = try panel.data()
        #expect(data.sessions == 1 && data.touches == 1)
        #expect(try region("ok", data).use.touches == 3)
    }

    @Test("report rate and jitter are measured where one finger drags, and only there")
    func motion() throws {
        let map = """
            [[region]]
            id = "map"
            z = 3
            shape = { rect = [800, 300, 200, 300] }
            gestures = ["drag", { type = "drag", name = "pan", axis = "vertical" }]

            """
        let panel = try HeardPanel(Self.kiosk + map, in: folder)
        // A person of the scripts moves 54 mm in 360 ms, and the panel reports each 8 ms.
        for _ in 0..<10 { try panel.play("drag up 270px from 900,580 in 360ms; +1s") }
        // A pixel is 0.2 mm.
        try panel.play(
            "down a 900,580; +20ms; move a 900,500; +20ms; move a 900,450; +20s; move a 901,450; +20s; up a")
        try panel.play("+1s; drag up 180px from 430,580")
        panel.end()
        let use = try #require(try panel.data().glass.first?.use)
        #expect((300...500).contains(use.reports))
        #expect(abs(try #require(use.reportRate) - 125) < 2)
        #expect((38_000_000...40_000_000).contains(use.restTime) && use.wander == 200)
    }

    @Test("a line that stands for several says nothing about the report rate")
    func coalesced() throws {
        for index in 0..<300 {
            let phase = index == 0 ? "begin" : "update"
            let more = index % 20 == 0 ? ",\"coalesced\":4" : ""
            // After twenty reports 5 come as one.
            let time = index * 8000 + index / 20 * 32_000
            panel.take(
                line:
                    "{\"event\":\"gesture\",\"seq\":\(index + 1),\"gesture\":\"drag\",\"name\":\"drag\",\"phase\":\"\(phase)\",\"region\":\"list\",\"device\":\"panel\",\"sequence\":1,\"fingers\":1,\"x\":\(time / 1600),\"y\":100,\"time_us\":\(time + 1)\(more)}"
            )
        }
        panel.end()
        let use = try #require(try panel.data().glass.first?.use)
        let rate = try #require(use.reportRate)
        #expect(use.reports > 270 && abs(rate - 125) < 0.5, "\(use)")
    }

    @Test("a finger that moves slowly says nothing about the report rate, and one that comes and goes does not rest")
    func dragMotion() throws {
        func use(_ places: [(x: Double, milliseconds: Int64)]) -> QuarterTally.PanelUse {
            var motion = DragMotion(at: .init(x: 0, y: 0, time: 0))
            return places.reduce(into: .init()) {
                $0.add(motion.take(.init(x: $1.x, y: 0, time: $1.milliseconds * 1000)))
            }
        }
        let slow = use((1...1000).map { (Double($0) * 0.5, $0 * 10) })
        #expect(slow.isEmpty)
        let fast = use((1...300).map { (Double($0) * 1.5, $0 * 10) })
        #expect(fast.reports == 300 && fast.reportRate == 100)
        // A panel that has become slow has fewer reports, not none.
        #expect(use((1...300).map { (Double($0) * 12, $0 * 80) }).reportRate == 12.5)
        // After a pause, the first step says nothing.
        #expect(use([(0, 1), (30, 200), (60, 1000)]).reports == 1)
        let trembling = use((1...3000).map { (Double($0 % 2) * 0.05, $0 * 10) })
        #expect(trembling.reports == 0 && trembling.restTime == 29_700_000)
        #expect(abs(try #require(trembling.jitter) - 5) < 0.01)
        #expect(use((1...3000).map { (Double($0 % 2) * 3, $0 * 500) }).restTime == 0)
        // A panel reports nothing of a finger that does not move.
        #expect(use([(0.2, 30_000)]).restTime == 29_700_000)
    }

    @Test("nothing of private regions is counted")
    func privateRegions() throws {
        try panel.play("down a 700,200; +80ms; up a; +2s; down a 700,200; +80ms; up a")
        panel.end()
        let data = try panel.data()
        #expect(data.sessions == 0 && data.regions.isEmpty && data.maps.isEmpty && data.limits.isEmpty)
        #expect(!data.boxes.contains { $0.region == "pin" })
    }

    @Test("all forms name the region and what helps, and the page asks for nothing")
    func forms() throws {
        try panel.play("down a 200,200; +140ms; up a; +3s; down a 200,200; +150ms; up a")
        panel.end()
        let output = ReportOutput(try panel.data())
        for form in ReportOptions.Form.allCases {
            let text = String(decoding: output.bytes(form), as: UTF8.self)
            #expect(text.contains("160") && text.contains("ok"), "\(form)")
        }
        #expect(
            output.text.contains("1. ok\n   2 of 2 touches did nothing (100 %); once somebody tried twice in a row."))
        #expect(output.text.split(separator: "\n").allSatisfy { $0.count < 80 })
        let html = output.html
        for word in ["http:", "https:", "<script", "src=", "@import", "url("] { #expect(!html.contains(word)) }
        #expect(html.contains("prefers-color-scheme:dark"))
        #expect(output.csv.hasPrefix("what,subject,detail,value\r\nsessions,2026-11-02,,1\r\n"))
    }
}
