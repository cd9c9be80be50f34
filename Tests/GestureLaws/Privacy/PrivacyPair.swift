// SPDX-License-Identifier: MIT
import GestureEngine

/// Two runs that differ only in the contacts that landed on one side of the border of private regions. On the other
/// side, their events must be equal in every bit, including the sequence numbers.
package struct PrivacyPair: ~Copyable {
    /// The result of a pair, with counts that show whether it tested anything.
    package struct Outcome: Hashable, Sendable {
        package var violation: LawViolation?
        /// The number of contacts that differ.
        package var varied = 0
        /// The number of movements of the other contacts over regions of the side that differs.
        package var crossed = 0
        /// The number of events on the other side.
        package var events = 0

        package init() {}

        package mutating func add(_ other: Self) {
            varied += other.varied
            crossed += other.crossed
            events += other.events
            violation = violation ?? other.violation
        }
    }

    private let variesPrivate: Bool
    private let hides: Bool
    private var first: GestureEngine
    private var second: GestureEngine
    private var regions: [Region]
    private var isPrivate: ((Point) -> Bool)?
    private var random: RunRandom
    private var time = Timestamp(microseconds: 1_000_000)
    private var events: [GestureEvent] = []
    private var others: [GestureEvent] = []
    private var down: Set<ContactID> = []
    private var varied: Set<ContactID> = []
    /// Contacts that are left out of the second run.
    private var dropped: Set<ContactID> = []
    private var open: Set<[Int64]> = []
    private var outcome = Outcome()

    /// Plays the pair with this number.
    /// - Parameters:
    ///   - variesPrivate: whether the contacts in private regions differ; otherwise the contacts in other regions do.
    ///   - hides: whether the engines treat private regions as private; if not, the two runs may differ.
    package static func play(
        seed: UInt64, frames: Int = 60, variesPrivate: Bool = true, hides: Bool = true
    ) -> Outcome {
        var random = RunRandom(seed &+ 0x5eed)
        var run = RandomRun.make(seed: seed, frames: frames)
        let ids = Set((0..<12).map { "r\($0)" }.filter { _ in random.chance(20) } + ["r\(random.below(3))"])
        let slides = random.chance(50)
        let yielding = Set((0..<12).map { "r\($0)" }.filter { _ in random.chance(30) })
        for i in run.worlds.indices { run.worlds[i].hide(ids, slides: slides, yielding: yielding) }
        var pair = PrivacyPair(run, random, variesPrivate: variesPrivate, hides: hides)
        for step in run.steps where pair.outcome.violation == nil { pair.play(step, run.worlds) }
        pair.finish()
        return pair.outcome
    }

    private init(_ run: LawRun, _ random: RunRandom, variesPrivate: Bool, hides: Bool) {
        let regions = run.worlds[0].regions
        func engine(_ regions: [Region]) -> GestureEngine {
            GestureEngine(
                regions, arbitration: run.worlds[0].arbitration,
                bounds: Rectangle(minX: 0, minY: 0, maxX: run.size.dx, maxY: run.size.dy))
        }
        first = engine(Self.known(regions, hides))
        second = engine(Self.known(regions, hides))
        isPrivate = engine(regions).isPrivate
        self.regions = regions
        self.variesPrivate = variesPrivate
        self.hides = hides
        self.random = random
        first.reportsFailures = true
        second.reportsFailures = true
    }

    /// The regions as they are passed to the engines.
    private static func known(_ regions: [Region], _ hides: Bool) -> [Region] {
        guard !hides else { return regions }
        return regions.map { region in
            var region = region
            region.isPrivate = false
            return region
        }
    }

    private mutating func play(_ step: LawRun.Step, _ worlds: [LawWorld]) {
        switch step {
        case .wait(let microseconds): time = time + Interval(microseconds: microseconds)
        case .advance: advance(to: time)
        case .updates(let isOn):
            advance(to: time)
            first.reportsUpdates = isOn
            second.reportsUpdates = isOn
        case .failures: advance(to: time)
        case .reload(let index): replace(worlds[min(max(index, 0), worlds.count - 1)])
        case .frame(let changes): play(changes)
        }
    }

    private mutating func replace(_ world: LawWorld) {
        let known = Self.known(world.regions, hides)
        first.replaceRegions(known, arbitration: world.arbitration, at: time, into: &events)
        second.replaceRegions(known, arbitration: world.arbitration, at: time, into: &others)
        compare()
        regions = world.regions
        isPrivate = GestureEngine(regions, bounds: Rectangle(minX: 0, minY: 0, maxX: 200, maxY: 100)).isPrivate
        // The gestures of regions that were replaced have ended.
        var open: Set<[Int64]> = []
        first.forEachActive { region, gesture, sequence in
            if regions[region].isPrivate != variesPrivate {
                open.insert([Int64(region.raw), Int64(gesture.raw), sequence.rawValue])
            }
        }
        self.open = open
    }

    private mutating func play(_ changes: [ContactChange]) {
        for change in changes where change.kind == .landed && down.insert(change.id).inserted {
            guard isVaried(change.position) else { continue }
            varied.insert(change.id)
            if random.chance(25) { dropped.insert(change.id) }
            outcome.varied += 1
        }
        for change in changes where change.kind == .moved && !varied.contains(change.id) && isVaried(change.position) {
            outcome.crossed += 1
        }
        first.process(TouchFrame(time: time, changes: changes), into: &events)
        var others = changes.filter { !dropped.contains($0.id) }
        for i in others.indices where varied.contains(others[i].id) {
            let staysInside = others[i].kind == .landed || random.chance(50)
            others[i].position = staysInside ? variedPoint(others[i].position) : point()
        }
        if others.isEmpty {
            second.advance(to: time, into: &self.others)
        } else {
            second.process(TouchFrame(time: time, changes: others), into: &self.others)
        }
        for change in changes where change.kind.isLast {
            down.remove(change.id)
            varied.remove(change.id)
            dropped.remove(change.id)
        }
        compare()
    }

    private mutating func advance(to time: Timestamp) {
        first.advance(to: time, into: &events)
        second.advance(to: time, into: &others)
        compare()
    }

    private mutating func finish() {
        play(down.sorted().map { ContactChange(id: $0, kind: .lifted, position: .zero) })
        while outcome.violation == nil {
            let deadline = min(first.nextDeadline ?? .never, second.nextDeadline ?? .never)
            guard deadline < .never else { break }
            advance(to: deadline)
        }
        if outcome.violation == nil, !first.isIdle || !second.isIdle || !open.isEmpty {
            fail("idle", "the engine is not idle at the end")
        }
    }

    /// Checks that both runs have equal events, and that each `begin` has one end.
    private mutating func compare() {
        events.removeAll { regions[$0.region].isPrivate == variesPrivate }
        others.removeAll { regions[$0.region].isPrivate == variesPrivate }
        if let i = events.indices.first(where: { $0 >= others.count || events[$0] != others[$0] }) {
            fail("private", "\(events[i]) became \(i < others.count ? "\(others[i])" : "nothing")")
        } else if others.count > events.count {
            fail("private", "nothing became \(others[events.count])")
        }
        for event in events {
            let key = [Int64(event.region.raw), Int64(event.gesture.raw), event.sequence.rawValue]
            switch event.phase {
            case .begin: if !open.insert(key).inserted { fail("begin-end", "\(event) has begun") }
            case .end, .cancel: if open.remove(key) == nil { fail("begin-end", "\(event) has not begun") }
            case .update: if !open.contains(key) { fail("begin-end", "\(event) has not begun") }
            case nil: break
            }
        }
        outcome.events += events.count
        events.removeAll(keepingCapacity: true)
        others.removeAll(keepingCapacity: true)
    }

    private mutating func fail(_ law: String, _ text: String) {
        if outcome.violation == nil { outcome.violation = LawViolation(law, text) }
    }

    /// Whether a contact that lands at this point differs between the runs.
    private func isVaried(_ point: Point) -> Bool { isPrivate?(point) ?? false == variesPrivate }

    private mutating func point() -> Point { Point(x: random.number(0, 200), y: random.number(0, 100)) }

    /// Another point on the side where the runs differ.
    private mutating func variedPoint(_ position: Point) -> Point {
        let boxes = regions.filter { $0.isPrivate == variesPrivate }.map { $0.bounds }
        guard !boxes.isEmpty else { return position }
        for _ in 0..<20 {
            let box = random.pick(boxes)
            let point = Point(x: random.number(box.minX, box.maxX), y: random.number(box.minY, box.maxY))
            if isVaried(point) { return point }
        }
        return position
    }
}

extension LawWorld {
    /// Makes these regions and the regions in them private.
    /// - Parameters:
    ///   - slides: whether contacts slide from each region into the others.
    ///   - yielding: the ids of regions that yield to private ones.
    mutating func hide(_ ids: Set<String>, slides: Bool, yielding: Set<String>) {
        for i in regions.indices {
            regions[i].yields = yielding.contains(regions[i].id)
            if slides { regions[i].capture = .follow }
            regions[i].isPrivate =
                ids.contains(regions[i].id) || regions[i].parent.map { regions[$0].isPrivate } == true
        }
    }
}

extension ContactChange.Kind {
    var isLast: Bool {
        switch self {
        case .lifted, .cancelled: true
        case .landed, .moved, .resynchronized: false
        }
    }
}
