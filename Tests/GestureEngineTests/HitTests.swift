// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// The region that owns a point.
@Suite("Hit testing")
struct HitTests {
    private static let bounds = Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100)

    private func shaped(_ id: String, _ shape: Shape, margin: Double = 0) -> Region {
        Region(
            id: id, shape: shape, bounds: shape.boundingBox, clip: Self.bounds, margin: margin,
            gestures: [Gesture(press)])
    }

    /// The id of the region that owns a point.
    private func owner(_ regions: [Region], _ x: Double, _ y: Double) -> String? {
        let engine = GestureEngine(regions, bounds: Self.bounds)
        return engine.route(at: Point(x: x, y: y)).owner.map { regions[$0].id }
    }

    @Test(
        "shapes are half-open: of two abutting shapes, exactly one owns each point",
        arguments: [
            (40.0, 40.0, "a"), (49.999, 40, "a"), (50, 40, "b"), (40, 49.999, "a"), (40, 50, "c"),
            (49.999, 49.999, "a"),
            (50, 50, "d"), (30, 30, "a"), (29.999, 30, nil), (30, 29.999, nil), (70, 40, nil), (69.999, 69.999, "d"),
        ] as [(Double, Double, String?)])
    func rectangles(x: Double, y: Double, id: String?) {
        let regions = [("a", 30.0, 30.0), ("b", 50, 30), ("c", 30, 50), ("d", 50, 50)].map {
            region($0.0, ($0.1, $0.2, 20, 20), [press])
        }
        #expect(owner(regions, x, y) == id)
    }

    @Test(
        "a circle ends before its radius",
        arguments: [
            (59.999, 50.0, true), (60, 50, false), (50, 40, false), (50, 40.001, true), (57, 57, true),
            (57.1, 57.1, false),
        ])
    func circles(x: Double, y: Double, isHit: Bool) {
        let circle = shaped("c", .circle(center: Point(x: 50, y: 50), radius: 10))
        #expect((owner([circle], x, y) != nil) == isHit)
    }

    @Test("two triangles that form a square have no common point and leave none out")
    func polygons() {
        let corners = [Point(x: 20, y: 20), Point(x: 60, y: 20), Point(x: 60, y: 60), Point(x: 20, y: 60)]
        let lower = shaped("lower", .polygon([corners[0], corners[2], corners[3]]))
        let upper = shaped("upper", .polygon([corners[0], corners[1], corners[2]]))
        for step in 0..<40 {
            let x = 20 + Double(step)
            #expect(owner([lower, upper], x, x) != nil)
            let alone = [owner([lower], x, x), owner([upper], x, x)]
            #expect(alone.filter { $0 != nil }.count == 1, "\(x)")
        }
        #expect(owner([lower, upper], 60, 40) == nil)
        #expect(owner([lower, upper], 40, 60) == nil)
        #expect(owner([lower], 21, 59) == "lower")
        #expect(owner([upper], 59, 21) == "upper")
        // By the even-odd rule, the middle of a star is a hole.
        let star = [(50.0, 10.0), (73, 81), (13, 37), (87, 37), (27, 81)].map { Point(x: $0.0, y: $0.1) }
        #expect(owner([shaped("star", .polygon(star))], 50, 45) == nil)
        #expect(owner([shaped("star", .polygon(star))], 50, 25) == "star")
        #expect(owner([shaped("none", .polygon([]))], 0, 0) == nil)
    }

    @Test(
        "a margin, around corners and curves",
        arguments: [
            ("r", 48.0, 30.0, true), ("r", 47.999, 30, false), ("r", 48.6, 18.6, true), ("r", 48.5, 18.5, false),
            ("c", 112, 50, true), ("c", 112.001, 50, false), ("p", 148, 50, true), ("p", 147.9, 50, false),
        ])
    func margins(id: String, x: Double, y: Double, isHit: Bool) {
        let corners = [Point(x: 150, y: 20), Point(x: 180, y: 50), Point(x: 150, y: 80)]
        let regions = [
            shaped("r", .rectangle(Rectangle(minX: 50, minY: 20, maxX: 70, maxY: 40)), margin: 2),
            shaped("c", .circle(center: Point(x: 100, y: 50), radius: 10), margin: 2),
            shaped("p", .polygon(corners), margin: 2),
        ]
        #expect(owner(regions, x, y) == (isHit ? id : nil))
    }

    @Test("the topmost of two margins wins, but never over a drawn shape")
    func overlappingMargins() {
        var left = region("left", (0, 0, 50, 100), [press])
        left.margin = 10
        var right = region("right", (60, 0, 50, 100), [press])
        right.margin = 10
        #expect(owner([left, right], 55, 10) == "right")
        #expect(owner([right, left], 55, 10) == "left")
        #expect(owner([left, right], 49.9, 10) == "left")
        #expect(owner([right, left], 60, 10) == "right")
    }

    @Test("higher z first, then later in the list; a child is above its parent, and moves up with it")
    func height() {
        let low = region("low", (0, 0, 100, 100), [press])
        var high = region("high", (0, 0, 100, 100), [press])
        high.z = 1
        let child = region("child", (0, 0, 50, 100), parent: 0, [press])
        #expect(owner([low, region("late", (0, 0, 100, 100), [press])], 10, 10) == "late")
        #expect(owner([high, low], 10, 10) == "high")
        #expect(owner([high, child, low], 10, 10) == "child")
        #expect(owner([high, child, low], 60, 10) == "high")
        var sunk = child
        sunk.z = -5
        #expect(owner([high, sunk, low], 10, 10) == "child")
    }

    @Test("the grid finds the same owner as a search of all regions")
    func grid() {
        var random = SeededRandom(7)
        var regions: [Region] = []
        for i in 0..<400 {
            let (x, y) = (Double.random(in: -5...195, using: &random), Double.random(in: -5...95, using: &random))
            let side = Double.random(in: 0.5...20, using: &random)
            let shape: Shape =
                i % 3 == 0
                ? .circle(center: Point(x: x, y: y), radius: side)
                : .rectangle(Rectangle(minX: x, minY: y, maxX: x + side, maxY: y + side / 2))
            regions.append(shaped("\(i)", shape, margin: i % 5 == 0 ? 2 : 0))
            regions[i].z = i % 4
        }
        let engine = GestureEngine(regions, bounds: Self.bounds)
        let order = RegionOrder.lowestFirst(regions).reversed()
        var hits = 0
        for _ in 0..<4000 {
            let point = Point(x: .random(in: 0..<200, using: &random), y: .random(in: 0..<100, using: &random))
            let drawn = order.first { regions[$0].shape.contains(point) }
            let near = order.first {
                regions[$0].margin > 0 && regions[$0].shape.distance(to: point) <= regions[$0].margin
            }
            #expect(engine.route(at: point).owner == drawn ?? near)
            hits += drawn == nil ? 0 : 1
        }
        #expect(hits > 1000 && hits < 3900)
    }

    @Test("a contact outside all regions causes no event, even if it is cancelled")
    func nowhere() {
        let regions = [region("r", (0, 0, 50, 50), [press, tap(fingers: 2)])]
        #expect(simulate(regions, "down a 90,90; +50ms; move a 10,10; +50ms; up a") == "")
        #expect(simulate(regions, "down a 90,90; cancel a palm") == "")
        #expect(
            simulate(regions, "down a 90,90 & down b 10,10; +50ms; up a & up b")
                == "0 press begin\n50 press end inside held 50")
    }

    // MARK: pass

    @Test("a region that passes neither claims contacts nor loses them to claims")
    func pass() {
        let glass = region("glass", pass: true, [press, longPress { $0.slop = 90 }, drag()])
        let below = region("below", (0, 0, 100, 100), [press, drag { $0.axis = .vertical }])
        #expect(
            simulate([below, glass], "down a 10,10; +10ms; move a 10,20; +590ms; up a")
                == """
                0 below.press begin
                0 glass.press begin
                10 below.drag begin 0.0,0.0
                10 glass.drag begin 0.0,0.0
                500 glass.long_press begin
                600 below.drag end 0.0,7.0
                600 below.press end inside held 600
                600 glass.drag end 0.0,7.0
                600 glass.long_press end held 600
                600 glass.press end inside held 600
                """)
    }

    @Test("a region that passes shadows no gesture; its multi-finger gestures count all contacts")
    func passShadows() {
        let glass = region("glass", pass: true, [tap(), tap(fingers: 2)])
        let below = region("below", (0, 0, 100, 100), [tap()])
        #expect(
            simulate([below, glass], "down a 10,10; +10ms; up a") == "10 below.tap after 10\n10 glass.tap after 10")
        #expect(
            simulate([below, glass], "down a 10,10 & down b 150,10; +10ms; up a & up b")
                == "10 below.tap after 10\n10 glass.2-finger tap after 10")
        // The margin of a region that passes receives no contacts.
        var small = region("small", (0, 0, 20, 20), pass: true, [tap()])
        small.margin = 5
        #expect(simulate([small], "down a 19.9,10; +10ms; up a") == "10 tap after 10")
        #expect(simulate([small], "down a 20,10; +10ms; up a") == "")
    }

    @Test(
        "a margin takes points from the regions around its own only, and not from regions above",
        arguments: [
            // Points in the button, in its margin inside and outside the row, and in the row.
            (20.0, 30.0, "ok"), (17, 30, "ok"), (16.9, 30, "row"), (25, 17, "ok"), (25, 16.9, nil),
            // Points in the button next to it, in the margin, in the row, and in the region on top.
            (42, 30, "no"), (40.5, 30, "ok"), (25, 42, "ok"), (25, 44, "row"), (35, 42, "cover"),
        ] as [(Double, Double, String?)])
    func marginInParent(x: Double, y: Double, id: String?) {
        var ok = region("ok", (20, 20, 20, 20), parent: 1, [press])
        ok.margin = 3
        let regions = [
            region("other", (150, 0, 50, 50), [press]), region("row", (10, 17, 100, 40), [press]), ok,
            region("no", (41, 20, 20, 20), parent: 1, [press]), region("cover", (30, 41, 20, 10), [press]),
        ]
        #expect(owner(regions, x, y) == id)
    }

    @Test("a margin takes points from the grandparent too, and the topmost margin wins")
    func margins() {
        var low = region("low", (20, 20, 20, 20), parent: 1, [press])
        var high = region("high", (44, 20, 20, 20), parent: 1, [press])
        (low.margin, high.margin) = (30, 3)
        let regions = [region("page", [press]), region("row", (15, 15, 60, 30), parent: 0, [press]), low, high]
        #expect(owner(regions, 42, 30) == "high")
        #expect(owner(regions, 40.5, 30) == "low")
        #expect(owner(regions, 10, 30) == "low")
        #expect(owner(regions, 42, 60) == "low")
    }
}
