// SPDX-License-Identifier: MIT

/// The patterns of a panel. They observe the events of all regions. Patterns of private regions observe only events of
/// private regions, and other patterns only events of other regions.
struct PatternWatch: Hashable, Sendable {
    private var patterns: [PatternRecognizer] = []
    /// The last event that each pattern observed. When the pattern is complete, its own event copies the position and the
    /// sequence number from it.
    private var latest: [GestureEvent?] = []

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

    /// Observes the events from `first` on, which belong to one frame, and appends the events of patterns.
    mutating func watch(
        from first: Int, _ regions: [Region], _ context: EngineContext
    ) {
        guard !patterns.isEmpty, first < context.events.count else { return }
        let frame = first..<context.events.count
        for p in patterns.indices where regions[patterns[p].region].isEnabled {
            var missed: Int?
            var isRight = false
            for i in frame where context.events[i].isStep(in: regions) {
                let event = context.events[i]
                let region = regions[event.region]
                // Patterns of private regions ignore events of other regions, and vice versa.
                guard region.isPrivate == regions[patterns[p].region].isPrivate else { continue }
                // A client may have given its region the name of any step.
                guard !region.isLeased || regions[patterns[p].region].isLeased || patterns[p].takesLeased else {
                    continue
                }
                guard patterns[p].isNext(region.gestures[event.gesture], in: region.name) else {
                    if missed == nil { missed = i }
                    continue
                }
                isRight = true
                latest[p] = event
                tell(patterns[p].step(at: event.time), p, at: event.time, context)
            }
            // One touch may be the next step in one region and a different gesture in another.
            guard let missed, !isRight else { continue }
            let event = context.events[missed]
            let region = regions[event.region]
            let answer = patterns[p].miss(region.gestures[event.gesture], in: region.name, at: event.time)
            latest[p] = event
            tell(answer, p, at: event.time, context)
        }
    }

    mutating func fire(_ context: EngineContext) {
        let time = context.now
        for p in patterns.indices {
            if let deadline = patterns[p].deadline, deadline <= time {
                tell(patterns[p].fire(at: time), p, at: context.now, context)
            }
        }
    }

    /// Resets all patterns. Lockouts continue.
    mutating func interrupt(_ reason: CancelReason, _ context: EngineContext) {
        for p in patterns.indices { tell(patterns[p].interrupt(reason), p, at: context.now, context) }
    }

    /// Replaces the regions. Patterns of regions that stay keep their state.
    /// - Parameter traits: the union of the traits of `regions`.
    mutating func replace(_ regions: [Region], _ kept: [RegionIndex?], _ traits: Region.Traits) {
        guard !patterns.isEmpty || traits.contains(.hasPattern) else { return }
        let old = self
        patterns.removeAll()
        latest.removeAll()
        add(regions)
        if patterns.isEmpty { return }
        // Patterns are looked up by region, because there may be thousands of them. The patterns of one region are
        // adjacent.
        let starts = Dictionary(patterns.indices.map { (patterns[$0].region, $0) }) { first, _ in first }
        for (i, pattern) in old.patterns.enumerated() {
            guard let region = kept[pattern.region.raw], let start = starts[region],
                let successor = patterns[start...].firstIndex(where: {
                    $0.region == region && $0.gesture == pattern.gesture
                })
            else { continue }
            patterns[successor] = pattern
            patterns[successor].region = region
            latest[successor] = old.latest[i]
        }
    }

    private mutating func add(_ regions: [Region]) {
        for i in regions.regionIndices where regions[i].traits.contains(.hasPattern) {
            for (j, gesture) in regions[i].gestures.enumerated() {
                guard case .pattern(let settings) = gesture.settings else { continue }
                patterns.append(PatternRecognizer(settings, region: i, gesture: GestureIndex(raw: j)))
                latest.append(nil)
            }
        }
    }

    private func tell(
        _ answer: PatternRecognizer.Answer, _ pattern: Int, at time: Timestamp, _ context: EngineContext
    ) {
        guard var event = latest[pattern] else { return }
        switch answer {
        case .none: return
        case .recognize(let detail): event.detail = detail
        case .fail(let failure):
            guard context.reportsFailures else { return }
            event.detail = .failed(failure)
        }
        event.region = patterns[pattern].region
        event.gesture = patterns[pattern].gesture
        event.phase = nil
        event.time = time
        context.emit(event)
    }
}

extension GestureEvent {
    /// Whether the event may be a step of a pattern: a discrete gesture, or the `begin` of a continuous one.
    fileprivate func isStep(in regions: [Region]) -> Bool {
        if case .failed = detail { return false }
        return (phase == nil || phase == .begin) && regions[region].gestures[gesture].settings.kind.traits.isStep
    }
}
