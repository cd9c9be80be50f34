// SPDX-License-Identifier: MIT
import GestureEngine
import GestureTestSupport
import Testing

/// An engine whose regions were changed behaves like one that was created with them.
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
            var region = Region(
                id: "r\(nextID)", shape: .rectangle(box), bounds: box, clip: RegionListChangeTests.bounds,
                z: Int.random(in: -1...1, using: &random),
                margin: Int.random(in: 0..<4, using: &random) == 0 ? 3 : 0,
                pass: Int.random(in: 0..<10, using: &random) == 0, gestures: [Gesture(press)])
            if Int.random(in: 0..<6, using: &random) == 0 {
                region.contacts = Bool.random(using: &random) ? .each : .near
            }
            region.isPrivate = Int.random(in: 0..<40, using: &random) == 0
            region.yields = Int.random(in: 0..<6, using: &random) == 0
            return region
        }

        /// Replaces, adds, removes or moves a few regions, or switches them on or off.
        mutating func change(parents: Bool = false) {
            if parents { changeParent() }
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: regions.indices, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0:
                    let new = region()
                    regions[place].shape = new.shape
                    regions[place].bounds = new.bounds
                case 1: insert(at: place)
                case 2: remove(at: place)
                case 3: regions[place].isEnabled.toggle()
                default:
                    guard Int.random(in: 0..<10, using: &random) == 0 else { continue }
                    guard !regions.contains(where: { $0.parent != nil }) else { continue }
                    regions.swapAt(place, 0)
                }
            }
        }

        /// Gives a region another parent, or removes its parent.
        private mutating func changeParent() {
            let place = Int.random(in: 1..<regions.count, using: &random)
            let isFree = Int.random(in: 0..<3, using: &random) == 0
            let near = max(0, place - 20)..<place
            regions[place].parent = isFree ? nil : RegionIndex(raw: .random(in: near, using: &random))
        }

        private mutating func insert(at place: Int) {
            for i in regions.indices {
                regions[i].parent = regions[i].parent.map { $0.raw >= place ? $0.advanced(by: 1) : $0 }
            }
            regions.insert(region(), at: place)
        }

        private mutating func remove(at place: Int) {
            regions.remove(at: place)
            for i in regions.indices {
                guard let parent = regions[i].parent else { continue }
                regions[i].parent = parent.raw == place ? nil : parent.raw > place ? parent.advanced(by: -1) : parent
            }
        }

        /// Whether this list still contains a region of an earlier list, with neither the region nor its ancestors
        /// changed.
        func has(_ place: RegionIndex, of before: [Region]) -> Bool {
            guard let now = regions.firstIndex(where: { $0.id == before[place].id }) else { return false }
            if before[place].isEnabled, !regions[now].isEnabled { return false }
            var (a, b) = (before[place], regions[now])
            (a.parent, b.parent, b.isEnabled) = (nil, nil, a.isEnabled)
            guard a == b else { return false }
            guard let parent = before[place].parent, let other = regions[now].parent else {
                return before[place].parent == regions[now].parent
            }
            // No contact is both in a private region and in one around it that is not private.
            let isAtBorder =
                a.isPrivate && b.isPrivate && !before[parent].isPrivate && !regions[other].isPrivate
            return before[parent].id == regions[other].id && (isAtBorder || hasBody(parent, of: before))
        }

        /// Like `has`, but ignores whether the region is switched off.
        private func hasBody(_ place: RegionIndex, of before: [Region]) -> Bool {
            var on = before
            on[place.raw].isEnabled = false
            return has(place, of: on)
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
                #expect(found.owner == expected.owner && found.regions == expected.regions)
                if expected.owner != nil { owned += 1 }
            }
        }
        #expect(owned > 1000)
    }

    @Test("a change cancels gestures only if their region or its parent has changed", arguments: 0..<6)
    func underWay(seed: UInt64) {
        var list = List(seed: seed)
        for _ in 0..<60 { list.change(parents: true) }
        var engine = GestureEngine(list.regions, bounds: Self.bounds)
        var (kept, cancelled) = (0, 0)
        for step in 1...200 {
            let time = Timestamp(microseconds: Int64(step) * 10_000)
            let contacts = (0..<12).map { ContactID(Int64(step * 20 + $0)) }
            var events: [GestureEvent] = []
            let landings = contacts.map { ContactChange(id: $0, kind: .landed, position: list.point()) }
            engine.process(TouchFrame(time: time, changes: landings), into: &events)
            let begun = regions(of: events) { $0 == .begin }.subtracting(regions(of: events, isCancel))
            events = []
            let before = list.regions
            list.change(parents: true)
            engine.replaceRegions(list.regions, at: time, into: &events)
            let expected = begun.filter { !list.has($0, of: before) }
            #expect(regions(of: events, isCancel) == expected)
            events = []
            let lifts = landings.map { ContactChange(id: $0.id, kind: .lifted, position: $0.position) }
            engine.process(TouchFrame(time: time + .milliseconds(5), changes: lifts), into: &events)
            // The other gestures continue until the lift and end with the new indices of their regions.
            let ended = Set(regions(of: events) { $0 == .end }.map { list.regions[$0].id })
            #expect(ended == Set(begun.subtracting(expected).map { before[$0].id }))
            kept += ended.count
            cancelled += expected.count
        }
        #expect(kept > 100 && cancelled > 10)
    }

    private func regions(of events: [GestureEvent], _ isMeant: (GestureEvent.Phase?) -> Bool) -> Set<RegionIndex> {
        Set(events.filter { isMeant($0.phase) }.map { $0.region })
    }

    private func isCancel(_ phase: GestureEvent.Phase?) -> Bool { if case .cancel = phase { true } else { false } }
}
