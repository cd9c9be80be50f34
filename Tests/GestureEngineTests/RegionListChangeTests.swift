// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// An engine whose regions were changed answers as one that was made with them.
@Suite("Changes of a list of regions")
struct RegionListChangeTests {
    private static let bounds = Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100)

    private struct List {
        var random: SeededRandom
        var regions: [Region] = []
        private var nextID = 0

        init(seed: UInt64) {
            random = SeededRandom(seed)
            for _ in 0..<200 { regions.append(region()) }
        }

        private mutating func region() -> Region {
            nextID += 1
            let isLarge = Int.random(in: 0..<20, using: &random) == 0
            let (width, height) = isLarge ? (180.0, 80.0) : (12, 8)
            let x = Double.random(in: -5..<195, using: &random)
            let y = Double.random(in: -5..<95, using: &random)
            let box = Rectangle(minX: x, minY: y, maxX: x + width, maxY: y + height)
            return Region(
                id: "r\(nextID)", shape: .rectangle(box), bounds: box, clip: RegionListChangeTests.bounds,
                z: Int.random(in: -1...1, using: &random),
                margin: Int.random(in: 0..<4, using: &random) == 0 ? 3 : 0,
                pass: Int.random(in: 0..<10, using: &random) == 0, gestures: [Gesture(press)])
        }

        /// A few regions are replaced, added, removed, moved, or switched.
        mutating func change() {
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: regions.indices, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0:
                    let new = region()
                    regions[place].shape = new.shape
                    regions[place].bounds = new.bounds
                case 1: regions.insert(region(), at: place)
                case 2: regions.remove(at: place)
                case 3: regions[place].isEnabled.toggle()
                default:
                    guard Int.random(in: 0..<10, using: &random) == 0 else { continue }
                    regions.swapAt(place, 0)
                }
            }
        }

        mutating func point() -> Point {
            Point(x: .random(in: 0..<200, using: &random), y: .random(in: 0..<100, using: &random))
        }
    }

    @Test("every point belongs to the same regions", arguments: 0..<6)
    func routes(seed: UInt64) {
        var list = List(seed: seed)
        var engine = GestureEngine(list.regions, bounds: Self.bounds)
        var events: [GestureEvent] = []
        var owned = 0
        for step in 1...60 {
            list.change()
            engine.replaceRegions(
                list.regions, at: Timestamp(microseconds: Int64(step) * 1000), into: &events)
            let fresh = GestureEngine(list.regions, bounds: Self.bounds)
            for _ in 0..<100 {
                let point = list.point()
                let (found, expected) = (engine.route(at: point), fresh.route(at: point))
                #expect(found.owner == expected.owner && found.route == expected.route)
                if expected.owner != nil { owned += 1 }
            }
        }
        #expect(owned > 1000)
    }

    @Test("a name is found wherever it is, also after many searches")
    func names() {
        let names = (0..<50).map { "n\($0)" }
        var search = NameSearch(count: names.count) { names[$0] }
        for round in 0..<3 {
            for place in names.indices { #expect(search.find(names[place], near: place + round) == place) }
            #expect(search.find("none", near: 60) == nil)
        }
    }
}
