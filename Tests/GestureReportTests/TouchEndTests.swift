// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

@testable import GestureReport

@Suite("the beginnings and ends of touches and sessions")
struct TouchEndTests {
    private func panel(_ more: String = "", idle: Int64 = 60) throws -> HeardPanel {
        try HeardPanel(HearingTests.kiosk + more, in: ScratchFolder(), idle: idle, background: ["screen"])
    }

    @Test("contacts at a place that is named as noise neither open a session nor keep it open")
    func ghosts() throws {
        let panel = try panel()
        panel.take(GlassHealth([GlassFinding(device: "panel", trouble: .noisyCell(x: 425, y: 425), reason: "")]))
        try panel.play("down a 160,160; +80ms; up a")
        for time in [30, 60, 90] as [Int64] {
            panel.wait(until: time * 1_000_000)
            try panel.play("down a 212,212; +80ms; up a")
        }
        panel.wait(until: 100_000_000)
        try panel.play("down a 160,160; +80ms; up a")
        panel.wait(until: 130_000_000)
        try panel.play("down a 212,212; +80ms; up a")
        panel.end()
        let data = try panel.data()
        #expect(data.sessions == 2 && data.touches == 2)
        #expect(data.lengths.map { $0.seconds } == [0])
    }

    @Test("a finger that stays longer than the idle time is one session")
    func held() throws {
        let panel = try panel(idle: 5)
        try panel.play("down a 200,200; +8s; up a")
        panel.wait(until: 30_000_000)
        panel.end()
        let data = try panel.data()
        #expect(data.sessions == 1 && data.touches == 1)
        #expect(data.lengths.map { $0.seconds } == [8])
    }

    @Test("touches after a restart of the daemon are no late lines")
    func restart() throws {
        let panel = try panel()
        for _ in 0..<2 {
            try panel.play("down a 200,200; +80ms; up a; +3s")
            panel.restart()
        }
        panel.end()
        let data = try panel.data()
        #expect(data.touches == 2)
        #expect(data.regions.first { $0.name == "ok" }?.use.touches == 2)
    }

    @Test("a touch is on the map of the scene in which it began")
    func scene() throws {
        let panel = try panel()
        try panel.play("down a 200,200; +80ms; up a")
        panel.show(scene: "menu")
        panel.wait(until: 10_000_000)
        panel.end()
        #expect(try panel.data().maps.map { $0.scene } == ["default"])
    }

    @Test("touches whose ends were lost end, so that nothing waits for them")
    func overflow() throws {
        let panel = try panel()
        panel.take(
            line:
                "{\"event\":\"gesture\",\"seq\":1,\"gesture\":\"press\",\"name\":\"press\",\"region\":\"ok\",\"sequence\":1,\"phase\":\"begin\",\"device\":\"panel\",\"x\":200,\"y\":200,\"time_us\":1000}"
        )
        panel.wait(until: 100_000_000)
        #expect(panel.hearing.isWaiting)
        panel.take(line: "{\"event\":\"overflow\",\"seq\":2,\"dropped\":1,\"since_ms\":5}")
        panel.wait(until: 200_000_000)
        #expect(!panel.hearing.isWaiting)
    }

    @Test("a gesture of a region that lets touches through is a touch of something")
    func passing() throws {
        let swipes = """
            [[region]]
            id = "pages"
            shape = "full"
            pass = true
            z = 5
            gestures = ["swipe"]

            """
        let panel = try panel(swipes)
        try panel.play("swipe left from 950,500; +2s; down a 900,550; +80ms; up a")
        panel.end()
        let data = try panel.data()
        #expect(data.regions.first { $0.name == "pages" }?.gestures == [.init(name: "swipe", count: 1)])
        #expect(data.maps.filter { $0.kind == .nothing }.reduce(0) { $0 + $1.counts.total } == 1)
    }
}
