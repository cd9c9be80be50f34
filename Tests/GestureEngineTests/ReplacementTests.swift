// SPDX-License-Identifier: MIT
import GestureEngine
import GestureLaws
import GestureTestSupport
import Testing

/// A new set of regions between two frames: a reload, a scene, or a client's definitions.
@Suite("New regions")
struct ReplacementTests {
    private let all: [GestureSettings] = [
        press, longPress { $0.slop = 90 }, repeating { $0.interval = .milliseconds(1000) }, drag(),
        tap { $0.slop = 90 },
    ]

    private func off(_ region: Region) -> Region {
        var region = region
        region.isEnabled = false
        return region
    }

    private func with(_ gesture: GestureSettings, _ region: Region) -> Region {
        var region = region
        region.gestures.append(Gesture(gesture, name: "new"))
        return region
    }

    @Test("gestures of unchanged regions continue undisturbed", arguments: ["+10ms", "+500ms", "+700ms; move a 30,10"])
    func untouched(moment: String) {
        let a = region("a", (0, 0, 50, 100), all)
        let b = region("b", (50, 0, 50, 100), all)
        // Other regions are added, removed and reordered, which gives `a` another index.
        let others = [region("new", (150, 0, 50, 100), all), b, a]
        let rest = "+200ms; move a 40,10; +600ms; up a; +100ms; down b 10,10; +50ms; up b"
        let expected = simulate([a, b], "down a 10,10; \(moment); \(rest)")
        #expect(simulate([a, b], "down a 10,10; \(moment); reload 1; \(rest)", others: [others]) == expected)
        #expect(expected.contains("a.press begin"))
    }

    @Test("a streak, a tap that waits and a bounce continue")
    func streaks() {
        let regions = [region([tap(wait: true), tap(count: 2)])]
        for script in [
            "down a 10,10; +50ms; up a; RELOAD", "down a 10,10; +50ms; up a; +100ms; RELOAD; down b 10,10; +50ms; up b",
            "down a 10,10; +50ms; up a; +20ms; RELOAD; down b 10,10; +50ms; up b; +50ms; down c 10,10; +50ms; up c",
        ] {
            let reloaded = simulate(regions, script.replacing("RELOAD", with: "reload 1"), others: [regions])
            #expect(reloaded == simulate(regions, script.replacing("RELOAD", with: "+0ms")), "\(script)")
            #expect(reloaded.contains("tap"))
        }
    }

    @Test("a pattern continues if its own region is unchanged, and starts over otherwise")
    func patterns() {
        let a = region("a", (0, 0, 50, 100), [tap()])
        let service = region("service", pass: true, [pattern(["tap a", "tap a"])])
        let script = "down a 10,10; +50ms; up a; +100ms; reload 1; down b 10,10; +50ms; up b"
        let expected = "50 a.tap after 50\n200 a.tap after 50\n200 service.pattern 2 steps in 150"
        #expect(simulate([a, service], script, others: [[service, a]]) == expected)
        #expect(simulate([a, service], script, others: [[a, with(press, service)]]).contains("pattern") == false)
        #expect(simulate([a, service], script, others: [[a, off(service)]]).contains("pattern") == false)
    }

    @Test("gestures of changed regions are cancelled with reload, and their contacts are ignored until they lift")
    func changed() {
        let a = region("a", (0, 0, 50, 100), [press, drag()])
        let b = region("b", (50, 0, 50, 100), [press])
        #expect(
            simulate(
                [a, b],
                """
                down a 10,10 & down b 60,10; +10ms; move a 20,10; +10ms; reload 1
                +10ms; move a 30,10; +10ms; up a & up b; +100ms; down c 10,10; +10ms; up c
                """, others: [[with(tap(), a), b]])
                    == """
                    0 a.press begin
                    0 b.press begin
                    10 a.drag begin 0.0,0.0
                    20 a.drag cancel reload 7.0,0.0
                    20 a.press cancel reload inside held 20
                    40 b.press end inside held 40
                    140 a.press begin
                    150 a.new after 10
                    150 a.press end inside held 10
                    """)
    }

    private static let small = Rectangle(minX: 0, minY: 0, maxX: 40, maxY: 40)
    private static let one = region("a", (0, 0, 50, 100), [press, tap()])

    private static func one(_ change: (inout Region) -> Void) -> Region {
        var region = one
        change(&region)
        return region
    }

    @Test(
        "a change of any property counts as a change of the region",
        arguments: [
            one { $0.margin = 1 }, one { $0.z = 1 }, one { $0.pass = true }, one { $0.leaveDistance = 5 },
            one { $0.capture = .follow }, one { $0.isPrivate = true }, one { $0.clip = small },
            one { $0.bounds = small },
            one { $0.shape = .rectangle(small) }, one { $0.gestures[0].name = "other" },
            one { $0.gestures[0].exclusive = true }, one { $0.gestures[0].after = ["tap"] },
            one { $0.gestures[0].unless = ["tap"] },
        ])
    func respects(changed: Region) {
        #expect(
            simulate([Self.one], "down a 10,10; +10ms; reload 1; +10ms; up a", others: [[changed]])
                == "0 press begin\n10 press cancel reload inside held 10")
    }

    @Test("a removed region is cancelled with reload, too; a region of the same name elsewhere counts as another one")
    func gone() {
        let a = region("a", (0, 0, 50, 100), [press])
        #expect(
            simulate([a], "down a 10,10; +10ms; reload 1; +10ms; up a", others: [[]])
                == "0 press begin\n10 press cancel reload inside held 10")
        let moved = region("a", (100, 0, 50, 100), [press])
        #expect(
            simulate([a], "down a 10,10; +10ms; reload 1; +10ms; up a; down b 110,10; up b", others: [[moved]])
                == "0 press begin\n10 press cancel reload inside held 10\n20 press begin\n20 press end inside held 0")
    }

    @Test("switched off: cancelled with disabled; switched on: it receives the next contact")
    func scenes() {
        let a = region("a", (0, 0, 50, 100), [press])
        let b = region("b", (50, 0, 50, 100), [press])
        #expect(
            simulate(
                [a, off(b)],
                """
                down a 10,10 & down b 60,10; +10ms; reload 1; +10ms; down c 10,10; up a & up b & up c
                +10ms; down d 60,10; +10ms; up d; +10ms; down e 10,10; up e
                """, others: [[off(a), b]])
                    == """
                    0 a.press begin
                    10 a.press cancel disabled inside held 10
                    30 b.press begin
                    40 b.press end inside held 10
                    """)
    }

    @Test("a contact keeps its owner, even if another region is placed on top of it")
    func owner() {
        let a = region("a", (0, 0, 100, 100), [press, tap()])
        let top = region("top", (0, 0, 50, 50), [press, tap()])
        #expect(
            simulate(
                [a], "down a 10,10; +10ms; reload 1; +10ms; up a; +100ms; down b 10,10; +10ms; up b",
                others: [[a, top]])
                    == """
                    0 press begin
                    20 a.tap after 20
                    20 a.press end inside held 20
                    120 top.press begin
                    130 top.tap after 10
                    130 top.press end inside held 10
                    """)
    }

    @Test("a change of the parent is a change of its children; switching the parent off is not")
    func families() {
        let list = region("list", [drag()])
        let item = region("item", (10, 10, 50, 50), parent: 0, [press])
        let script = "down a 20,20; +10ms; reload 1; +10ms; up a"
        #expect(
            simulate([list, item], script, others: [[with(tap(), list), item]])
                == "0 item.press begin\n10 item.press cancel reload inside held 10")
        #expect(
            simulate([list, item], script, others: [[off(list), item]])
                == "0 item.press begin\n20 item.press end inside held 20")
    }

    @Test("if the owner of one of several contacts is removed, the others continue: a list below a removed button")
    func childGone() {
        let list = region("list", [press, drag()])
        let item = region("item", (10, 10, 50, 50), parent: 0, [press])
        // The button's press shadows that of the list; the list still drags.
        #expect(
            simulate([list, item], "down a 20,20; +10ms; reload 1; +10ms; move a 40,20; +10ms; up a", others: [[list]])
                == """
                0 item.press begin
                10 item.press cancel reload inside held 10
                20 drag begin 0.0,0.0
                30 drag end 17.0,0.0
                """)
    }

    @Test("arbitration changes take effect at once")
    func arbitration() {
        let regions = [region("outer", [drag()]), region("inner", (50, 20, 100, 60), parent: 0, [drag()])]
        var engine = GestureEngine(regions, bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
        let script = "down a 90,50; +10ms; move a 110,50; +10ms; up a"
        #expect(!simulate(&engine, script).contains("outer"))
        var events: [GestureEvent] = []
        engine.replaceRegions(
            regions, arbitration: ArbitrationSettings(simultaneous: ["outer.drag & inner.drag"]),
            at: Timestamp(microseconds: 1_000_000), into: &events)
        #expect(events.isEmpty)
        #expect(simulate(&engine, script).contains("outer"))
    }

    @Test("deadlines up to the time of the change fire first")
    func deadlines() {
        let a = region("a", (0, 0, 50, 100), [longPress()])
        #expect(
            simulate([a], "down a 10,10; +500ms; reload 1; +10ms; up a", others: [[]])
                == "500 long_press begin\n500 long_press cancel reload held 500")
        #expect(simulate([a], "down a 10,10; +499.999ms; reload 1; +10ms; up a", others: [[]]) == "")
    }

    @Test("an external cancel ends the gestures in progress in its regions, and a tap that waits")
    func cancelled() {
        let regions = [
            region("a", (0, 0, 50, 100), [press, tap(wait: true), tap(count: 2)]),
            region("b", (50, 0, 50, 100), [press]),
        ]
        var engine = GestureEngine(regions, bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
        var events: [GestureEvent] = []
        let down = [10.0, 60].enumerated().map {
            ContactChange(id: ContactID(Int64($0) + 1), kind: .landed, position: Point(x: $1, y: 10))
        }
        engine.process(TouchFrame(time: Timestamp(microseconds: 0), changes: down), into: &events)
        events = []
        engine.cancel(.client, where: { $0 == 0 }, at: Timestamp(microseconds: 10_000), into: &events)
        #expect(events.map(\.region) == [0])
        #expect(events.map(\.phase) == [.cancel(.client)])
        events = []
        let up = down.map { ContactChange(id: $0.id, kind: .lifted, position: $0.position) }
        engine.process(TouchFrame(time: Timestamp(microseconds: 20_000), changes: up), into: &events)
        engine.advance(to: Timestamp(microseconds: 9_000_000), into: &events)
        #expect(events.map(\.region) == [1])
        #expect(events.map(\.phase) == [.end])
        let isIdle = engine.isIdle
        #expect(isIdle)
    }

    @Test("a bounce is still one after a reload")
    func bounce() {
        let world = LawWorld([region([tap()])])
        #expect(lawViolation([world], "down a 113,88; up a; down b 86,88", .engine(.reloaded)) == nil)
    }
}
