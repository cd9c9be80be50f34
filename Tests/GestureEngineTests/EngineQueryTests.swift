// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// Queries of the engine: the regions at a point, and the gestures in progress.
@Suite("Queries of the engine")
struct EngineQueryTests {
    private static let regions = [
        region("list", (0, 0, 100, 100), [press, drag { $0.axis = .vertical }]),
        region("button", (10, 10, 30, 30), parent: 0, [tap(), press, longPress()]),
        region("glass", pass: true, [pinch()]),
    ]

    private static func engine() -> GestureEngine {
        GestureEngine(regions, bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
    }

    /// Shapes are half-open: the button ends at 40 mm, and the point at 40 mm is outside it.
    @Test(
        "the route of a point: owner, ancestors, regions that pass",
        arguments: [
            (Point(x: 39.9, y: 20), 1, [1, 0, 2]), (Point(x: 40, y: 20), 0, [0, 2]),
            (Point(x: 100, y: 20), nil, [2]), (Point(x: 500, y: 20), nil, []),
        ] as [(Point, RegionIndex?, [RegionIndex])])
    func route(point: Point, owner: RegionIndex?, route: [RegionIndex]) {
        let answer = Self.engine().route(at: point)
        #expect(answer.owner == owner)
        #expect(answer.regions == route)
    }

    @Test("the route of a point without private regions, even after a change")
    func openRoute() {
        var safe = region("safe", (0, 0, 100, 100), [press])
        safe.isPrivate = true
        var pad = region("pad", (0, 0, 100, 50), parent: 1, [press])
        pad.isPrivate = true
        let list = region("list", (0, 0, 100, 100), [press])
        let point = Point(x: 20, y: 20)
        var engine = GestureEngine([list, safe, pad], bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
        #expect(engine.route(at: point).owner == 2)
        #expect(engine.route(at: point).regions == [2, 1])
        #expect(engine.route(at: point, seesPrivate: false).owner == 0)
        #expect(engine.route(at: point, seesPrivate: false).regions == [0])
        var events: [GestureEvent] = []
        var off = list
        off.isEnabled = false
        engine.replaceRegions([off, safe, pad], at: Timestamp(microseconds: 1), into: &events)
        #expect(engine.route(at: point, seesPrivate: false).owner == nil)
        engine.replaceRegions([safe, list], at: Timestamp(microseconds: 2), into: &events)
        #expect(engine.route(at: point, seesPrivate: false).owner == 1)
    }

    @Test("the gestures that have begun and not ended")
    func active() {
        var engine = Self.engine()
        #expect(Self.active(&engine) == [])
        Self.play(&engine, .landed, x: 20, at: 0)
        #expect(Self.active(&engine) == ["button.press 1"])
        var events: [GestureEvent] = []
        engine.advance(to: Timestamp(microseconds: 499_999), into: &events)
        #expect(Self.active(&engine) == ["button.press 1"])
        engine.advance(to: Timestamp(microseconds: 500_000), into: &events)
        #expect(Self.active(&engine) == ["button.press 1", "button.long_press 1"])
        Self.play(&engine, .lifted, x: 20, at: 600_000)
        #expect(Self.active(&engine) == [])
    }

    @Test("regions with a contact or with a gesture in progress, and the regions around them")
    func busy() {
        var engine = Self.engine()
        #expect(engine.busyRegions == [])
        Self.play(&engine, .landed, x: 20, at: 0)
        #expect(engine.busyRegions == [0, 1, 2])
        Self.play(&engine, .landed, id: 2, x: 60, at: 10_000)
        Self.play(&engine, .lifted, x: 20, at: 2_000_000)
        #expect(engine.busyRegions == [0, 2])
        Self.play(&engine, .lifted, id: 2, x: 60, at: 3_000_000)
        #expect(engine.busyRegions == [])
    }

    /// A client may have pending changes to this many regions, and each turn of the loop checks whether they are busy.
    @Test("a contact in 1000 nested regions")
    func busyChain() {
        var chain: [Region] = []
        for i in 0..<1000 { chain.append(region("r\(i)", (0, 0, 100, 100), parent: chain.regionIndices.last, [press])) }
        var engine = GestureEngine(chain, bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
        Self.play(&engine, .landed, x: 20, at: 0)
        var busy: Set<RegionIndex> = []
        let seconds = processorSeconds { busy = engine.busyRegions }
        #expect(busy == Set(chain.regionIndices))
        #expect(seconds < 0.1)
    }

    @Test("a drag and a pinch in progress at the same time")
    func motions() {
        var engine = GestureEngine(
            [region([drag { $0.start = 0 }]), region("glass", pass: true, [pinch { $0.start = 1 }])],
            bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100))
        Self.play(&engine, .landed, x: 50, at: 0)
        #expect(Self.active(&engine) == ["r.drag 1"])
        Self.play(&engine, .landed, id: 2, x: 80, at: 10_000)
        Self.play(&engine, .moved, id: 2, x: 100, at: 20_000)
        #expect(Self.active(&engine) == ["r.drag 1", "glass.pinch 2"])
    }

    private static func play(
        _ engine: inout GestureEngine, _ kind: ContactChange.Kind, id: Int64 = 1, x: Double, at time: Int64
    ) {
        var events: [GestureEvent] = []
        let change = ContactChange(id: ContactID(id), kind: kind, position: Point(x: x, y: 20))
        engine.process(TouchFrame(time: Timestamp(microseconds: time), changes: [change]), into: &events)
    }

    private static func active(_ engine: inout GestureEngine) -> [String] {
        let regions = engine.regions
        var result: [String] = []
        engine.forEachActive { region, gesture, sequence in
            result.append("\(regions[region].id).\(regions[region].gestures[gesture].name) \(sequence.rawValue)")
        }
        return result
    }
}
