// SPDX-License-Identifier: MIT
import GestureEngine

/// Two runs that differ only in where contacts are that landed in private regions: to those who may not see these
/// regions, both are the same in every bit.
package struct PrivacyPair: ~Copyable {
    /// What a pair has shown: one that shows nothing proves nothing.
    package struct Outcome: Hashable, Sendable {
        package var violation: LawViolation?
        /// Contacts in private regions.
        package var hidden = 0
        /// Of those, contacts that slid into them.
        package var entered = 0
        /// Events that those see who may not see private regions.
        package var events = 0

        package init() {}

        package mutating func add(_ other: Self) {
            hidden += other.hidden
            entered += other.entered
            events += other.events
            violation = violation ?? other.violation
        }
    }

    private var first: GestureEngine
    private var second: GestureEngine
    private var regions: [Region]
    private var random: RunRandom
    private var time = Timestamp(microseconds: 1_000_000)
    private var events: [GestureEvent] = []
    private var others: [GestureEvent] = []
    private var down: Set<ContactID> = []
    private var hidden: Set<ContactID> = []
    private var open: Set<[Int64]> = []
    private var outcome = Outcome()

    /// Plays the pair with this number.
    /// - Parameter hides: whether the engines hide private regions; without that, pairs differ.
    package static func play(seed: UInt64, frames: Int = 60, hides: Bool = true) -> Outcome {
        var random = RunRandom(seed &+ 0x5eed)
        var run = RandomRun.make(seed: seed, frames: frames)
        let ids = Set((0..<12).map { "r\($0)" }.filter { _ in random.chance(20) } + ["r\(random.below(3))"])
        let slides = random.chance(50)
        let yielding = Set((0..<12).map { "r\($0)" }.filter { _ in random.chance(30) })
        for i in run.worlds.indices { run.worlds[i].hide(ids, slides: slides, yielding: yielding) }
        var pair = PrivacyPair(run, random, hides: hides)
        for step in run.steps where pair.outcome.violation == nil { pair.play(step, run.worlds) }
        pair.finish()
        return pair.outcome
    }

    private init(_ run: LawRun, _ random: RunRandom, hides: Bool) {
        func engine() -> GestureEngine {
            GestureEngine(
                run.worlds[0].regions, arbitration: run.worlds[0].arbitration,
                bounds: Rectangle(minX: 0, minY: 0, maxX: run.size.dx, maxY: run.size.dy), hidesPrivate: hides)
        }
        first = engine()
        second = engine()
        regions = run.worlds[0].regions
        self.random = random
        first.reportsFailures = true
        second.reportsFailures = true
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
        case .reload(let index):
            let world = worlds[min(max(index, 0), worlds.count - 1)]
            first.replaceRegions(world.regions, arbitration: world.arbitration, at: time, into: &events)
            second.replaceRegions(world.regions, arbitration: world.arbitration, at: time, into: &others)
            compare()
            // A region that is another one now has ended what was under way.
            open.removeAll()
            first.forEachActive { open.insert([Int64($0), Int64($1), $2.rawValue]) }
            regions = world.regions
        case .frame(let changes): play(changes)
        }
    }

    private mutating func play(_ changes: [ContactChange]) {
        for change in changes where change.kind == .landed && down.insert(change.id).inserted {
            guard isHidden(first.route(at: change.position).route) else { continue }
            hidden.insert(change.id)
            outcome.hidden += 1
        }
        let known = Set(changes.filter { first.knows($0.id) }.map { $0.id })
        first.process(TouchFrame(time: time, changes: changes), into: &events)
        var moved = changes
        for i in moved.indices {
            let id = moved[i].id
            if hidden.contains(id) {
                let staysInside = moved[i].kind == .landed || random.chance(50)
                moved[i].position = staysInside ? hiddenPoint(moved[i].position) : point()
            } else if known.contains(id), !first.knows(id), moved[i].kind == .moved || moved[i].kind == .resynchronized
            {
                // Handed over: from this movement on it is in a private region.
                moved[i].position = hiddenPoint(moved[i].position, passes: false)
                hidden.insert(id)
                outcome.hidden += 1
                outcome.entered += 1
            }
        }
        second.process(TouchFrame(time: time, changes: moved), into: &others)
        for change in changes where change.kind.isLast {
            down.remove(change.id)
            hidden.remove(change.id)
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
        while let deadline = first.nextDeadline, outcome.violation == nil { advance(to: deadline) }
        if outcome.violation == nil, !first.isIdle || !open.isEmpty { fail("idle", "something is left") }
    }

    /// Both have said the same, and a `begin` has one end.
    private mutating func compare() {
        if let i = events.indices.first(where: { $0 >= others.count || events[$0] != others[$0] }) {
            fail("private", "\(events[i]) became \(i < others.count ? "\(others[i])" : "nothing")")
        } else if others.count > events.count {
            fail("private", "nothing became \(others[events.count])")
        }
        if first.nextSequence != second.nextSequence || first.nextDeadline != second.nextDeadline {
            fail("private", "sequences or deadlines differ")
        }
        for event in events {
            let key = [Int64(event.region), Int64(event.gesture), event.sequence.rawValue]
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

    private func isHidden(_ route: [Int], passes: Bool = true) -> Bool {
        route.contains { regions[$0].isPrivate && (passes || !regions[$0].pass) }
    }

    private mutating func point() -> Point { Point(x: random.number(0, 200), y: random.number(0, 100)) }

    /// Another point of a private region.
    /// - Parameter passes: also one that passes.
    private mutating func hiddenPoint(_ position: Point, passes: Bool = true) -> Point {
        guard regions.contains(where: { $0.isPrivate }) else { return position }
        for _ in 0..<20 {
            let box = random.pick(regions.filter { $0.isPrivate }.map { $0.bounds })
            let point = Point(x: random.number(box.minX, box.maxX), y: random.number(box.minY, box.maxY))
            if isHidden(first.route(at: point).route, passes: passes) { return point }
        }
        return position
    }
}

extension LawWorld {
    /// Makes regions private, and those in them.
    /// - Parameters:
    ///   - slides: contacts slide from each region into the others.
    ///   - yielding: regions that yield to private ones.
    fileprivate mutating func hide(_ ids: Set<String>, slides: Bool, yielding: Set<String>) {
        for i in regions.indices {
            regions[i].yields = yielding.contains(regions[i].id)
            if slides { regions[i].capture = .follow }
            regions[i].isPrivate =
                ids.contains(regions[i].id) || regions[i].parent.map { regions[$0].isPrivate } == true
        }
    }
}

extension ContactChange.Kind {
    fileprivate var isLast: Bool {
        switch self {
        case .lifted, .cancelled: true
        case .landed, .moved, .resynchronized: false
        }
    }
}
