// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureServer
import TouchSharing

/// Two runs of a whole panel, from kernel events to the lines of a client without the right `private`. The runs
/// differ only in private regions: in the contacts that land there, in their positions, and in the requests of
/// clients that have the right. The lines must be equal, byte for byte, and so must all counts that the client can
/// query.
package struct PanelPrivacyPair {
    /// Plays the pair with this number.
    /// - Parameter hides: whether the panels treat private regions as private; if not, the two runs may differ.
    package static func play(seed: UInt64, frames: Int = 60, hides: Bool = true) -> PrivacyPair.Outcome {
        var random = RunRandom(seed &+ 0x15_1a_4d)
        var run = RandomRun.make(seed: seed, frames: frames)
        run.hideSome(&random)
        var outcome = PrivacyPair.Outcome()
        guard var setup = PanelPlayer.setup(nil) else {
            outcome.violation = LawViolation("setup", "the panel cannot be set up")
            return outcome
        }
        if seed % 3 == 1 { setup.filter.bridge = KernelWriter.bridge }
        let runs = PrivateTouches.varied(run, setup, random, &outcome)
        let writers = runs.map { KernelWriter($0, seed: seed, variant: nil) }
        // A panel without a free slot reports no new contact in any region, so the runs would differ everywhere.
        guard writers.allSatisfy({ !$0.wasFull }) else { return PrivacyPair.Outcome() }
        let isShared = random.chance(50)
        let sharing = isShared ? seed : nil
        var first = PrivacyLife(setup, hides: hides, sharing: sharing, isFirst: true)
        var second = PrivacyLife(setup, hides: hides, sharing: sharing, isFirst: false)
        first.replace(run.worlds[0], at: Timestamp(microseconds: 0))
        second.replace(run.worlds[0], at: Timestamp(microseconds: 0))
        for (step, other) in zip(writers[0].steps, writers[1].steps) {
            let extra = PrivacyLife.Extra(&random, run.worlds[0].regions)
            first.play(step, then: extra)
            second.play(other, then: extra)
        }
        let lines = first.finish()
        outcome.events = lines.count
        outcome.violation = difference(lines, second.finish())
        return outcome
    }

    private static func difference(_ lines: [String], _ others: [String]) -> LawViolation? {
        for place in 0..<max(lines.count, others.count) {
            let line = place < lines.count ? lines[place] : "nothing"
            let other = place < others.count ? others[place] : "nothing"
            if line != other { return LawViolation("private", "\(line) became \(other)") }
        }
        return nil
    }
}

extension LawRun {
    fileprivate mutating func hideSome(_ random: inout RunRandom) {
        let ids = (0..<12).map { "r\($0)" }
        let hidden = Set(ids.filter { _ in random.chance(20) } + [ids[random.below(3)]])
        let slides = random.chance(50)
        let yielding = Set(ids.filter { _ in random.chance(30) })
        for i in worlds.indices { worlds[i].hide(hidden, slides: slides, yielding: yielding) }
    }
}

/// Turns a run into two that differ in the contacts that land in private regions.
private struct PrivateTouches {
    private let setup: PanelSetup
    private let worlds: [LawWorld]
    private var regions: [Region]
    private var isPrivate: ((Point) -> Bool)?
    private var random: RunRandom
    private var down: Set<ContactID> = []
    private var varied: Set<ContactID> = []
    /// Contacts that are left out of the second run.
    private var dropped: Set<ContactID> = []

    static func varied(
        _ run: LawRun, _ setup: PanelSetup, _ random: RunRandom, _ outcome: inout PrivacyPair.Outcome
    ) -> [LawRun] {
        var touches = Self(setup, run, random)
        var runs = [run, run]
        for place in run.steps.indices {
            switch run.steps[place] {
            case .reload(let world): touches.enter(run.worlds[min(max(world, 0), run.worlds.count - 1)])
            case .frame(let changes):
                let (first, second) = touches.vary(changes, &outcome)
                (runs[0].steps[place], runs[1].steps[place]) = (.frame(first), .frame(second))
            case .wait, .advance, .updates, .failures: break
            }
        }
        return runs
    }

    private init(_ setup: PanelSetup, _ run: LawRun, _ random: RunRandom) {
        (self.setup, worlds, self.random) = (setup, run.worlds, random)
        regions = []
        enter(run.worlds[0])
    }

    private mutating func enter(_ world: LawWorld) {
        regions = world.regions
        isPrivate = GestureEngine(regions, bounds: setup.size.bounds).isPrivate
    }

    private func isHidden(_ point: Point) -> Bool {
        let (x, y) = KernelWriter.units(point)
        return isPrivate?(setup.mapping.point(x: x, y: y)) ?? false
    }

    /// Returns the changes of both runs. Lost events and cancels of the whole panel may come only from contacts that
    /// both runs have, so they are replaced in all others.
    private mutating func vary(
        _ changes: [ContactChange], _ outcome: inout PrivacyPair.Outcome
    ) -> (first: [ContactChange], second: [ContactChange]) {
        var (first, second) = ([ContactChange](), [ContactChange]())
        for var change in changes {
            guard change.kind == .landed ? down.insert(change.id).inserted : down.contains(change.id) else { continue }
            if change.kind == .landed, isHidden(change.position) {
                varied.insert(change.id)
                if random.chance(25) { dropped.insert(change.id) }
                outcome.varied += 1
            }
            let isVaried = varied.contains(change.id)
            if change.kind == .moved, !isVaried, isHidden(change.position) { outcome.crossed += 1 }
            if change.kind == .resynchronized, isVaried { change.kind = .moved }
            if case .cancelled(let reason) = change.kind, isVaried || reason != .syncLost {
                change.kind = .cancelled(.palm)
            }
            first.append(change)
            if !dropped.contains(change.id) {
                if isVaried { change.position = other(change) }
                second.append(change)
            }
            if change.kind.isLast { forget(change.id) }
        }
        return (first, second)
    }

    private mutating func forget(_ id: ContactID) {
        down.remove(id)
        varied.remove(id)
        dropped.remove(id)
    }

    /// The position that a differing contact has in the second run.
    private mutating func other(_ change: ContactChange) -> Point {
        if change.kind != .landed, random.chance(50) {
            return Point(x: random.number(0, 200), y: random.number(0, 100))
        }
        let boxes = regions.filter { $0.isPrivate }.map { $0.bounds }
        for _ in 0..<20 where !boxes.isEmpty {
            let box = random.pick(boxes).intersection(setup.size.bounds)
            guard !box.isEmpty else { continue }
            let point = Point(x: random.number(box.minX, box.maxX), y: random.number(box.minY, box.maxY))
            if isHidden(point) { return point }
        }
        return change.position
    }
}

/// One of the two runs, and the lines that a client without the right `private` receives.
private struct PrivacyLife: ~Copyable {
    /// Requests of clients after a step.
    struct Extra {
        var cancelled: String?
        var interrupts = false
        /// The region that a client with the right cancels, in the first run only.
        var hiddenCancelled: String?

        init(_ random: inout RunRandom, _ regions: [Region]) {
            if random.chance(2) { cancelled = regions.filter { !$0.isPrivate }.map { $0.id }.randomElement(&random) }
            if random.chance(1) { interrupts = true }
            if random.chance(4) {
                hiddenCancelled = regions.filter { $0.isPrivate }.map { $0.id }.randomElement(&random)
            }
        }
    }

    private final class Client {
        var lines: [String] = []
        let filter: LineFilter
        var subjects = SubjectList([])
        private var text = JSONWriter()

        init() {
            var request = SubscriptionRequest()
            request.events = [.gesture, .failed, .touches, .frame]
            filter = LineFilter(request, subjects: 0, rights: [.control, .define, .raw], hasPrivate: true)
        }

        func take(_ line: borrowing EventLine) {
            guard filter.passes(line, among: subjects) else { return }
            text.removeAll()
            line.write(number: Int64(lines.count + 1), into: &text)
            lines.append(text.text)
        }
    }

    private var pipeline: PanelPipeline
    private let client = Client()
    private let hides: Bool
    private let sharing: UInt64?
    private let isFirst: Bool
    private let tallies = RegionTallies()
    /// The number of worlds so far. The application's filter changes with the world.
    private var worlds: Int64 = 0
    private var last = Timestamp(microseconds: 0)

    init(_ setup: PanelSetup, hides: Bool, sharing: UInt64?, isFirst: Bool) {
        (self.hides, self.sharing, self.isFirst) = (hides, sharing, isFirst)
        var setup = setup
        setup.filter.storm = .init(contactsPerSecond: 4, quiet: .milliseconds(300))
        if sharing != nil { setup.share = .forward }
        pipeline = PanelPipeline(setup)
        // Other clients may subscribe to more events, which must not change the lines either.
        pipeline.interest = LineInterest(updates: true, touches: isFirst, frames: isFirst, failures: true)
        pipeline.tallies = tallies
        pipeline.touchMap = TouchMap(setup.size.bounds)
        // The map counts touches only after the first request.
        var reply = JSONWriter()
        pipeline.touchMap?.write(for: 1, into: &reply)
        if sharing != nil { pipeline.startSharing { _ in } }
    }

    /// Uses another world, or the first one.
    mutating func replace(_ world: LawWorld, at time: Timestamp) {
        var setup = pipeline.setup
        setup.regions = sharing.map { SharedWorld.share(world.regions, $0) } ?? world.regions
        if !hides { for i in setup.regions.indices { setup.regions[i].isPrivate = false } }
        setup.arbitration = world.arbitration
        if let sharing { setup.application = SharedWorld.filter(sharing, scene: worlds) }
        worlds += 1
        let client = client
        pipeline.replaceRegions(setup, at: time) { client.take($0) }
        pipeline.subjectBase = 1
        let index = pipeline.subjectIndex
        client.subjects = SubjectList(count: index.count + 1) { number in
            guard number > 0 else { return Subject(panel: "panel") }
            let (region, gesture) = index[number - 1]
            return Subject(
                device: "panel", region: region.name, gesture: gesture.word, name: gesture.name,
                isPrivate: region.isPrivate)
        }
        client.filter.forgetSubjects(count: client.subjects.count)
    }

    mutating func play(_ step: KernelStep, then extra: Extra) {
        let client = client
        switch step {
        case .events(let events):
            last = max(last, events.last?.time ?? last)
            pipeline.feed(events[...]) { client.take($0) }
        case .resynchronize(let table, let time): pipeline.resynchronize(table, at: time) { client.take($0) }
        case .advance(let time):
            last = max(last, time)
            pipeline.advance(to: time) { client.take($0) }
        case .replace(let world, let time): replace(world, at: time)
        case .cancelAll, .cancel, .scene, .displayOff, .suspend, .restart, .updates, .failures: break
        }
        if let id = extra.cancelled { cancel(id) }
        if extra.interrupts { pipeline.suspend(at: last) { client.take($0) } }
        if isFirst, let id = extra.hiddenCancelled { cancel(id) }
        guard sharing != nil else { return }
        // `to` and `kept` of a line `touches`.
        for contact in pipeline.tracker.contacts where !contact.id.isPrivate {
            client.lines.append("\(contact.id.number): \(pipeline.fate(of: contact.id))")
        }
        let counts = pipeline.shareCounts.sum(seesPrivate: false)
        client.lines.append("\(ApplicationFilter.Rule.allCases.map { counts[$0] })")
    }

    private mutating func cancel(_ id: String) {
        let client = client
        pipeline.cancel(.client, where: { $0.id == id }, at: last) { client.take($0) }
    }

    /// - Returns: all lines, followed by the counts that the client can query.
    mutating func finish() -> [String] {
        let client = client
        while let deadline = pipeline.nextDeadline { pipeline.advance(to: deadline) { client.take($0) } }
        var replies = JSONWriter()
        pipeline.touchMap?.write(for: 1, into: &replies)
        tallies.write(pipeline.setup.regions.lazy.filter { !$0.isPrivate }.map { ($0.id, false) }, into: &replies)
        var active = 0
        pipeline.forEachActive(seesPrivate: false) { _, _, _ in active += 1 }
        let identifiers = pipeline.identifiers
        // The number of contacts that are given late is left out, because it depends on the free slots, and therefore
        // on all contacts.
        let shared = pipeline.shareCounts.sum(seesPrivate: false)
        return client.lines + [
            replies.text, "\(pipeline.counts.sum(seesPrivate: false))",
            "\(pipeline.contactCounts.sum(seesPrivate: false))", "\(shared.captured) \(shared.held)",
            "\(pipeline.resynchronizationCount) \(active) \(pipeline.contactCount(seesPrivate: false))",
            "\(identifiers.contacts.open) \(identifiers.sequences.open)",
        ]
    }
}

extension [String] {
    fileprivate func randomElement(_ random: inout RunRandom) -> String? { isEmpty ? nil : random.pick(self) }
}
