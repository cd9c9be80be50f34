// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

@Suite("Regions in which each contact has its own sequence")
struct EachContactTests {
    private func each(_ gestures: [GestureSettings], id: String = "r") -> Region {
        var region = region(id, gestures)
        region.contacts = .each
        return region
    }

    @Test("two people double-tap at the same time")
    func doubleTaps() {
        #expect(
            simulate(
                [each([tap(count: 2)])],
                """
                down a 20,50; +20ms; down b 150,50; +30ms; up a; +20ms; up b; +50ms; down c 151,50; +20ms; down d 21,50
                +50ms; up c; +10ms; up d
                """)
                == "190 double_tap after 70\n200 double_tap after 60")
    }

    @Test("a tap elsewhere is not the second of two, and does not end a streak")
    func elsewhere() {
        #expect(
            simulate(
                [each([tap(count: 2)])],
                """
                down a 20,50; +50ms; up a; +50ms; down b 150,50; +50ms; up b; +50ms; down c 20,50; +50ms; up c
                """) == "250 double_tap after 50")
    }

    @Test("a bounce is recognized with other contacts on the glass")
    func bounce() {
        #expect(
            simulate(
                [each([tap()])],
                "down b 150,50; +10ms; down a 20,50; +50ms; up a; +20ms; down c 21,50; +10ms; up c; +10ms; up b")
                == "60 tap after 50\n100 tap after 100")
    }

    @Test("each contact has its own press, drag, swipe and long press")
    func kinds() {
        for (settings, path) in [
            (press, "+10ms"), (drag(), "+10ms; move a 40,50 & move b 130,50"),
            (longPress(), "+600ms"),
        ] as [(GestureSettings, String)] {
            let lines = simulate([each([settings])], "down a 20,50; down b 150,50; \(path); +10ms; up a; +10ms; up b")
                .split(separator: "\n")
            #expect(lines.count { $0.contains(" begin") } == 2)
            #expect(lines.count { $0.contains(" end") } == 2)
        }
        #expect(
            simulate(
                [each([swipe()])],
                "down a 20,50; down b 150,50; +20ms; move a 40,50 & move b 130,50; +10ms; up a & up b")
                == "30 swipe right 20.0 mm\n30 swipe left 20.0 mm")
    }

    @Test("contacts beyond the limit are ignored")
    func limit() {
        let landings = (0..<20).map { "down c\($0) \(5 + $0 * 9),50" }.joined(separator: " & ")
        let lifts = (0..<20).map { "up c\($0)" }.joined(separator: " & ")
        let lines = simulate([each([tap()])], "\(landings); +50ms; \(lifts)").split(separator: "\n")
        #expect(lines.count == 16)
    }

    @Test("a list around it receives both contacts, and claims one")
    func nested() {
        let regions = [
            region("list", [drag { $0.axis = .vertical }]), each([press, drag { $0.axis = .horizontal }], id: "keys"),
        ]
        var child = regions
        child[1].parent = 0
        #expect(
            simulate(
                child,
                "down a 20,50; +10ms; down b 150,50; +10ms; move a 30,50; +10ms; move b 150,60; +10ms; up a; up b")
                    == """
                    0 keys.press begin
                    10 keys.press begin
                    20 keys.drag begin 0.0,0.0
                    30 keys.press cancel claimed inside held 20
                    30 list.drag begin 0.0,0.0
                    40 keys.drag end 7.0,0.0
                    40 keys.press end inside held 40
                    40 list.drag end 0.0,7.0
                    """)
    }

    @Test("a reload of unchanged regions changes nothing; other regions cancel each gesture")
    func reload() {
        let regions = [each([press])]
        #expect(
            simulate(
                regions, "down a 20,50; down b 150,50; reload 0; +10ms; up a; +10ms; reload 1; up b",
                others: [[each([press, tap()])]])
                    == """
                    0 press begin
                    0 press begin
                    10 press end inside held 10
                    20 press cancel reload inside held 20
                    """)
    }

    @Test("the engine is idle at the end")
    func idle() {
        var engine = GestureEngine(
            [each([press, tap(count: 2), drag()])], bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
        _ = simulate(&engine, "down a 20,50; down b 150,50; +10ms; move a 40,50; up a; up b")
        let isIdle = engine.isIdle
        #expect(isIdle)
    }
}
