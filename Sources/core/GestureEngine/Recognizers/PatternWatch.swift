// SPDX-License-Identifier: MIT

/// The patterns of a panel. They observe the events of all regions. Patterns of private regions observe only events of
/// private regions, and other patterns only events of other regions.
struct PatternWatch: Hashable, Sendable {
    private var patterns: [PatternRecognizer] = []
    /// The last event that each pattern observed. When the pattern is complete, its own event copies the position and the
    /// sequence number from it.
    private var latest: [GestureEvent?] = []
    private var hasSecret = false
    private var absent = AbsentPatterns()
    /// The number of changes of `wrongSteps` so far.
    private(set) var revision = 0

    init(_ regions: [Region]) {
        add(regions)
    }

    var isIdle: Bool { patterns.allSatisfy { $0.isIdle } }

    /// Calls `body` with the region of each pattern that is in progress or locked out.
    func forEachBusyRegion(_ body: (RegionIndex) -> Void) {
        for pattern in patterns where !pattern.isIdle { body(pattern.region) }
    }

    var nextDeadline: Timestamp? {
        guard !patterns.isEmpty else { return nil }
        var next = Timestamp.never
        for pattern in patterns { next = min(next, pattern.deadline ?? .never) }
        return next == .never ? nil : next
    }

    // MARK: Frames

    /// Looks at the contacts that are down. Call this after the changes of a frame, before `watch`.
    mutating func follow(_ contacts: ContactTable, _ engines: [RegionUnit]) {
        guard hasSecret else { return }
        for p in patterns.indices where patterns[p].isSecret { patterns[p].crowd.follow(contacts, engines) }
    }

    /// Ends a frame. Call this after `watch`.
    mutating func endFrame(_ regions: [Region], _ context: EngineContext) {
        guard hasSecret else { return }
        for p in patterns.indices where patterns[p].isSecret {
            let next = context.identifiers.sequences[isPrivate: regions[patterns[p].region].isPrivate]
            patterns[p].crowd.endFrame(next &- 1)
        }
    }

    /// Observes the events from `first` on, which belong to one frame or deadline, and appends the events of patterns.
    mutating func watch(from first: Int, _ regions: [Region], _ context: EngineContext) {
        guard !patterns.isEmpty, first < context.events.count else { return }
        let frame = first..<context.events.count
        // The time since which steps belong to a secret that is recognized now.
        var recognized = Sides<Timestamp?>(nil)
        for p in patterns.indices where regions[patterns[p].region].isEnabled {
            guard let seen = look(at: frame, p, regions, context) else { continue }
            let event = context.events[seen.place]
            let wrong = patterns[p].wrong
            latest[p] = event
            let answer =
                seen.isRight
                ? patterns[p].step(at: event.time) : patterns[p].miss(at: event.time, begins: seen.isFirst)
            if case .recognize = answer, patterns[p].isSecret {
                let isPrivate = regions[event.region].isPrivate
                recognized[isPrivate: isPrivate] = min(recognized[isPrivate: isPrivate] ?? .never, patterns[p].first)
            }
            tell(answer, p, at: event.time, context)
            if patterns[p].wrong != wrong { revision &+= 1 }
        }
        for isPrivate in [false, true] {
            if let since = recognized[isPrivate: isPrivate] { forgive(since: since, isPrivate: isPrivate, regions) }
        }
    }

    /// Takes back the wrong steps that patterns have seen in the steps of a secret that is recognized.
    private mutating func forgive(since time: Timestamp, isPrivate: Bool, _ regions: [Region]) {
        for p in patterns.indices where regions[patterns[p].region].isPrivate == isPrivate {
            patterns[p].forgive(since: time)
        }
        revision &+= 1
    }

    /// The step of a pattern in one frame.
    private struct SeenStep {
        /// The index of its event.
        var place: Int
        var isRight: Bool
        /// Whether it is the first step of another attempt.
        var isFirst: Bool
    }

    /// Finds the step of a pattern in a frame, which has at most one; `nil` if it has none.
    ///
    /// One touch may be the next step in one region and a different gesture in another. But gestures of several contacts
    /// are a wrong step, whatever they are, and so is one of a crowd.
    private func look(
        at frame: Range<Int>, _ p: Int, _ regions: [Region], _ context: EngineContext
    ) -> SeenStep? {
        let pattern = patterns[p]
        if !pattern.mindsWrongSteps, !hasNext(frame, p, regions, context) { return nil }
        var step: SeenStep?
        var isJoint = false
        for i in frame where isStep(context.events[i], of: p, regions) {
            let event = context.events[i]
            let gesture = regions[event.region].gestures[event.gesture]
            let isRight = pattern.isNext(gesture, in: regions[event.region].name)
            guard isRight || pattern.isNamed(gesture) else { continue }
            let isFirst = pattern.isFirst(gesture, in: regions[event.region].name)
            guard let before = step else {
                step = SeenStep(place: i, isRight: isRight, isFirst: isFirst)
                continue
            }
            // The gestures of one contact have one position, and two contacts are not at the same point.
            isJoint = isJoint || event.position != context.events[before.place].position
            if isRight, !before.isRight { step?.place = i }
            step?.isRight = before.isRight || isRight
            step?.isFirst = before.isFirst || isFirst
        }
        guard let found = step else { return nil }
        let isCrowded = pattern.isSecret && pattern.crowd.includes(context.events[found.place])
        return isJoint || isCrowded ? SeenStep(place: found.place, isRight: false, isFirst: false) : found
    }

    private func hasNext(_ frame: Range<Int>, _ p: Int, _ regions: [Region], _ context: EngineContext) -> Bool {
        frame.contains { i in
            let event = context.events[i]
            return isStep(event, of: p, regions)
                && patterns[p].isNext(
                    regions[event.region].gestures[event.gesture], in: regions[event.region].name)
        }
    }

    /// Whether an event may be a step of a pattern: a discrete gesture, or the `begin` of a continuous one.
    private func isStep(_ event: GestureEvent, of p: Int, _ regions: [Region]) -> Bool {
        if case .failed = event.detail { return false }
        let region = regions[event.region]
        return (event.phase == nil || event.phase == .begin)
            && patterns[p].observes(region, from: regions[patterns[p].region])
            && region.gestures[event.gesture].settings.kind.traits.isStep
    }

    mutating func fire(_ context: EngineContext) {
        let time = context.now
        for p in patterns.indices {
            guard let deadline = patterns[p].deadline, deadline <= time else { continue }
            let wrong = patterns[p].wrong
            tell(patterns[p].fire(at: time), p, at: time, context)
            if patterns[p].wrong != wrong { revision &+= 1 }
        }
    }

    /// Resets all patterns. Lockouts continue.
    mutating func interrupt(_ reason: CancelReason, _ context: EngineContext) {
        for p in patterns.indices { tell(patterns[p].interrupt(reason), p, at: context.now, context) }
    }

    private func tell(
        _ answer: PatternRecognizer.Answer, _ p: Int, at time: Timestamp, _ context: EngineContext
    ) {
        guard var event = latest[p] else { return }
        switch answer {
        case .none: return
        case .recognize(let detail): event.detail = detail
        case .fail(let failure):
            guard context.reportsFailures else { return }
            event.detail = .failed(failure)
        }
        event.region = patterns[p].region
        event.gesture = patterns[p].gesture
        event.phase = nil
        event.time = time
        context.emit(event)
    }

    // MARK: What outlives regions

    /// The wrong steps that are not forgotten yet, also of patterns whose regions are gone.
    func wrongSteps(_ regions: [Region], at time: Timestamp) -> [PatternKey: WrongSteps] {
        var all = absent.steps
        for pattern in patterns where pattern.wrong.count > 0 { all[key(of: pattern, regions)] = pattern.wrong }
        return all.filter { $0.value.end > time }
    }

    /// Adds wrong steps from before these regions existed.
    mutating func restore(_ steps: [PatternKey: WrongSteps], _ regions: [Region]) {
        for (key, wrong) in steps { absent.add(wrong, of: key) }
        adopt(regions)
    }

    /// Replaces the regions.
    /// - Parameters:
    ///   - kept: the new index of each region whose patterns keep attempts that are under way.
    ///   - heirs: the new index of each region with the same id. Its patterns keep their wrong steps.
    ///   - traits: the union of the traits of `new`.
    mutating func replace(
        _ old: [Region], with new: [Region], _ kept: [RegionIndex?], _ heirs: [RegionIndex?], _ traits: Region.Traits,
        _ context: EngineContext
    ) {
        guard !patterns.isEmpty || traits.contains(.hasPattern) else { return }
        let former = self
        patterns.removeAll()
        latest.removeAll()
        add(new)
        // Patterns are looked up by region, because there may be thousands of them. The patterns of one region are
        // adjacent.
        let starts = Dictionary(patterns.indices.map { (patterns[$0].region, $0) }) { first, _ in first }
        for (i, pattern) in former.patterns.enumerated() where !pattern.isFresh {
            let key = key(of: pattern, old)
            guard let heir = heirs[pattern.region.raw], let start = starts[heir],
                let successor = patterns[start...].prefix(while: { $0.region == heir })
                    .firstIndex(where: { new[heir].gestures[$0.gesture].name == key.gesture })
            else {
                absent.add(pattern.wrong, of: key)
                continue
            }
            let goesOn = kept[pattern.region.raw] == heir
            patterns[successor].follow(pattern, goesOn: goesOn)
            if goesOn { latest[successor] = former.latest[i] }
        }
        adopt(new)
        // A lockout may have ended while its region was gone.
        for p in patterns.indices { patterns[p].endLockout(at: context.now) }
    }

    /// Gives patterns the wrong steps that they had before their regions were gone.
    private mutating func adopt(_ regions: [Region]) {
        guard !absent.steps.isEmpty else { return }
        for p in patterns.indices {
            if let wrong = absent.take(key(of: patterns[p], regions)) { patterns[p].remember(wrong) }
        }
    }

    private func key(of pattern: PatternRecognizer, _ regions: [Region]) -> PatternKey {
        let region = regions[pattern.region]
        return PatternKey(region: region.id, gesture: region.gestures[pattern.gesture].name)
    }

    private mutating func add(_ regions: [Region]) {
        hasSecret = false
        // Most panels have no pattern, and the regions may be thousands.
        var byName: [String: [RegionIndex]]?
        for i in regions.regionIndices where regions[i].traits.contains(.hasPattern) {
            for (j, gesture) in regions[i].gestures.enumerated() {
                guard case .pattern(let settings) = gesture.settings else { continue }
                var pattern = PatternRecognizer(settings, region: i, gesture: GestureIndex(raw: j))
                if settings.isSecret {
                    let named = byName ?? Dictionary(grouping: regions.regionIndices) { regions[$0].name }
                    (byName, hasSecret) = (named, true)
                    let places = settings.steps.prefix(PatternSettings.mostSteps).flatMap { named[$0.region] ?? [] }
                    pattern.crowd = PatternCrowd(places.filter { pattern.observes(regions[$0], from: regions[i]) })
                }
                patterns.append(pattern)
                latest.append(nil)
            }
        }
    }
}

/// The wrong steps of patterns whose regions are gone for the moment.
private struct AbsentPatterns: Hashable, Sendable {
    /// The maximum number of patterns. It is more than a panel has secrets.
    private static let most = 64

    private(set) var steps: [PatternKey: WrongSteps] = [:]

    mutating func add(_ wrong: WrongSteps, of key: PatternKey) {
        guard wrong.count > 0 else { return }
        steps[key] = wrong
        guard steps.count > Self.most, let first = steps.min(by: { $0.value.end < $1.value.end }) else { return }
        steps[first.key] = nil
    }

    mutating func take(_ key: PatternKey) -> WrongSteps? { steps.removeValue(forKey: key) }
}
