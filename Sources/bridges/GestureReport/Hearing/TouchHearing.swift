// SPDX-License-Identifier: MIT
package import GestureClient
package import GestureProtocol

/// Turns what a listener hears into the tally of a quarter of an hour. It has no clock and no files: the caller says which
/// quarter it is.
package struct TouchHearing {
    /// The time after the last line of a touch after which no other line of it comes, in microseconds.
    private static let patience: Int64 = 1_500_000
    /// The most touches that are followed at the same time.
    private static let mostTouches = 64
    /// The number of sequences that are remembered after their touch, so that a late line does not begin another one.
    private static let mostFinished = 64
    /// The most names of regions and gestures in a quarter, because clients may choose names.
    private static let mostNames = 2000

    private let takesLeased: Bool
    private var facts: PanelFacts
    private var sessions: SessionWatch
    private var touches: [HeardTouch] = []
    private var finished: [(part: HeardTouch.Part, isGhost: Bool)] = []
    private var scene = "default"
    /// Places of contacts without hands. They make no session.
    package var ghosts: [GhostPlace] = []
    package private(set) var tally: QuarterTally

    /// - Parameters:
    ///   - idle: the pause that ends a session, in microseconds.
    ///   - background: globs for regions that stand for the empty screen.
    ///   - leased: whether regions that clients have defined count.
    package init(idle: Int64, background: [String], leased: Bool, quarter: LocalQuarter) {
        takesLeased = leased
        facts = PanelFacts(background: background, leased: leased)
        sessions = SessionWatch(idle: idle)
        tally = QuarterTally(quarter)
    }

    /// Whether something is under way that time will end.
    package var isWaiting: Bool { !touches.isEmpty || sessions.isOpen }
    /// Whether the open quarter has nothing that would be lost.
    package var isEmpty: Bool { tally.isEmpty && !isWaiting }

    var boxes: Set<PanelFacts.Box> { facts.boxes }
    package var readyPanels: Set<String> { facts.ready }

    package mutating func take(devices reply: JSONValue) { facts.take(devices: reply) }
    package mutating func take(regions reply: JSONValue) { facts.take(regions: reply) }

    // MARK: events

    /// - Parameter now: the time on the monotonic clock in microseconds.
    package mutating func take(_ event: GestureClient.Event, now: Int64) {
        switch event {
        case .state(let state): scene = state.scene
        case .configuration(let change): if let scene = change.scene { self.scene = scene }
        case .gesture(let gesture): take(gesture, now: now)
        case .failed(let failure): take(failure, now: now)
        case .overflow: endTouches()
        case .disconnected:
            endTouches()
            // Another run of the daemon counts sequences from one.
            finished = []
        default: break
        }
    }

    private mutating func take(_ gesture: GestureClient.Gesture, now: Int64) {
        guard !gesture.isAdded, takesLeased || !gesture.isLeased, let device = gesture.device else { return }
        let time = gesture.time.map { Int64($0) } ?? now
        guard gesture.phase != .update else { return noteMotion(gesture, on: device, at: time) }
        let key = QuarterTally.GestureKey(region: gesture.region, gesture: gesture.name)
        if gesture.phase == nil || gesture.phase == .begin {
            if tally.gestures[key] != nil || tally.gestures.count < Self.mostNames {
                tally.gestures[key, default: 0] += 1
            }
        }
        let part = HeardTouch.Part(device: device, sequence: gesture.sequence, region: gesture.region)
        let isHeld = isHeld
        guard let place = touch(of: part, at: time) else { return }
        touches[place].take(gesture, at: time)
        noteMaker(of: place, at: time, isHeld: isHeld)
        if gesture.phase != nil { noteMotion(gesture, on: device, at: time) }
    }

    /// Measures the panel where one finger drags.
    private mutating func noteMotion(_ gesture: GestureClient.Gesture, on device: String, at time: Int64) {
        let part = HeardTouch.Part(device: device, sequence: gesture.sequence, region: gesture.region)
        guard gesture.kind == .drag, gesture.fingers == 1, let position = gesture.position,
            let index = touches.lastIndex(where: { $0.parts.contains(part) }), touches[index].maker != .ghost,
            let place = facts.place(position, on: device, at: time)
        else { return }
        guard let (region, name, earlier) = touches[index].motion else {
            return touches[index].motion = (gesture.region, gesture.name, DragMotion(at: place))
        }
        guard region == gesture.region, name == gesture.name else { return }
        guard gesture.coalesced == 0 else {
            // A line that stands for several says nothing about reports.
            return touches[index].motion = (region, name, DragMotion(at: place))
        }
        var motion = earlier
        let use = motion.take(place)
        touches[index].motion = (region, name, motion)
        if !use.isEmpty { tally.panels[device, default: .init()].add(use) }
    }

    private mutating func take(_ failure: GestureClient.Failure, now: Int64) {
        guard takesLeased || !failure.isLeased else { return }
        let time = failure.time > 0 ? Int64(failure.time) : now
        let key = QuarterTally.FailureKey(region: failure.region, gesture: failure.name, code: failure.code)
        if tally.failures[key] != nil || tally.failures.count < Self.mostNames { tally.failures[key, default: 0] += 1 }
        let part = HeardTouch.Part(device: failure.device, sequence: failure.sequence, region: failure.region)
        let isHeld = isHeld
        guard let place = touch(of: part, at: time) else { return }
        touches[place].take(failure, at: time)
        noteMaker(of: place, at: time, isHeld: isHeld)
    }

    /// Finds the touch to which a line belongs, or begins one.
    /// - Returns: its place; `nil` if the touch is over, and this line came late.
    private mutating func touch(of part: HeardTouch.Part, at time: Int64) -> Int? {
        finishTouches(before: time - Self.patience)
        let known = touches.lastIndex { $0.parts.contains(part) }
        if known == nil, let late = finished.last(where: { $0.part == part }) {
            if !late.isGhost { noteHand(at: time, isLanding: false, isHeld: isHeld) }
            return nil
        }
        if let place = known ?? touches.lastIndex(where: { $0.isOf(part, at: time) }) {
            touches[place].add(part)
            return place
        }
        if touches.count >= Self.mostTouches { finish(touches.removeFirst()) }
        tally.panels[part.device, default: .init()].heard += 1
        touches.append(HeardTouch(part, at: time, scene: scene))
        return touches.count - 1
    }

    /// Whether a hand is known to be on a panel, or may turn out to have been there just now.
    private var isHeld: Bool {
        touches.contains { $0.maker == .unknown || ($0.maker == .hand && $0.open > 0) }
    }

    /// Notes a line of a touch in the session, unless no hand makes it.
    private mutating func noteMaker(of place: Int, at time: Int64, isHeld: Bool) {
        let touch = touches[place]
        if touch.maker == .unknown, let position = touch.position {
            touches[place].maker = isGhost(at: position, on: touch.device) ? .ghost : .hand
            if touches[place].maker == .hand { noteHand(at: touch.first, isLanding: true, isHeld: isHeld) }
        }
        if touches[place].maker == .hand { noteHand(at: time, isLanding: false, isHeld: isHeld) }
    }

    private func isGhost(at position: GestureClient.Point, on device: String) -> Bool {
        guard let (grid, cell) = facts.cell(position, on: device) else { return false }
        return ghosts.contains { $0.isNear(cell, grid, device) }
    }

    private mutating func noteHand(at time: Int64, isLanding: Bool, isHeld: Bool) {
        let passed = sessions.note(at: time, isLanding: isLanding, isHeld: isHeld, tally.quarter, into: &tally)
        if passed > 0 { tally.scenes[scene, default: 0] += Int(passed / 1000) }
    }

    // MARK: time

    /// Ends what has ended by now.
    package mutating func advance(to now: Int64) {
        finishTouches(before: now - Self.patience)
        if !isHeld { sessions.close(before: now, into: &tally) }
    }

    /// Begins another quarter of an hour.
    /// - Returns: what was counted in the one that has ended.
    package mutating func begin(_ quarter: LocalQuarter) -> QuarterTally {
        var ended = tally
        ended.noteLonelyPlaces()
        tally = QuarterTally(quarter)
        return ended
    }

    /// Ends what is under way, because nothing more will be heard of it.
    package mutating func end() {
        endTouches()
        sessions.closeNow(into: &tally)
    }

    /// Forgets the open quarter.
    package mutating func forget() {
        (touches, finished) = ([], [])
        sessions.forget()
        tally = QuarterTally(tally.quarter)
    }

    package mutating func add(_ use: QuarterTally.PanelUse, on device: String) {
        tally.panels[device, default: .init()].add(use)
    }

    /// - Parameter dark: the seconds of them in which the display was off.
    package mutating func noteListened(seconds: Int, dark: Int = 0) {
        tally.listened += seconds
        tally.dark += dark
    }

    // MARK: what became of a touch

    private mutating func endTouches() {
        let all = touches
        touches = []
        for touch in all { finish(touch) }
    }

    private mutating func finishTouches(before time: Int64) {
        guard touches.contains(where: { $0.open == 0 && $0.last < time }) else { return }
        let over = touches.filter { $0.open == 0 && $0.last < time }
        touches.removeAll { $0.open == 0 && $0.last < time }
        for touch in over { finish(touch) }
    }

    private mutating func finish(_ touch: HeardTouch) {
        if touch.maker == .unknown {
            // A touch that never told its place is a hand's.
            noteHand(at: touch.first, isLanding: true, isHeld: isHeld)
            noteHand(at: touch.last, isLanding: false, isHeld: isHeld)
        }
        finished += touch.parts.sorted { ($0.region, $0.sequence) < ($1.region, $1.sequence) }
            .map { ($0, touch.maker == .ghost) }
        finished.removeFirst(max(0, finished.count - Self.mostFinished))
        var touch = touch
        let device = touch.device
        touch.complete { facts.distance($0, $1, on: device) }
        let meant = touch.meant
        let isNothing = isOnNothing(touch)
        countUses(touch, meant, isNothing)
        countMisses(touch, meant)
        guard let position = touch.position, let (grid, cell) = facts.cell(position, on: touch.device) else { return }
        for kind in isNothing ? [QuarterTally.MapKind.all, .nothing] : [.all] {
            let key = QuarterTally.MapKey(device: touch.device, scene: touch.scene, kind: kind, grid: grid)
            tally.maps[key, default: .init()].add(at: cell)
        }
    }

    /// Whether a touch landed where nothing is: in a region that stands for the empty screen, and in no other one that does
    /// not let touches through or that recognized something.
    private func isOnNothing(_ touch: HeardTouch) -> Bool {
        touch.parts.contains { facts.isNothing($0.region) }
            && touch.parts.allSatisfy { facts.isNothing($0.region) || facts.passes($0.region) }
            && touch.recognized.allSatisfy { facts.isNothing($0) }
    }

    private mutating func countUses(_ touch: HeardTouch, _ meant: HeardTouch.Miss?, _ isNothing: Bool) {
        let isHand = touch.maker != .ghost
        for region in Set(touch.parts.map { $0.region }) {
            guard tally.uses[region] != nil || tally.uses.count < Self.mostNames else { continue }
            var use = tally.uses[region] ?? .init()
            use.touches += 1
            if facts.isNothing(region) {
                if isNothing { use.nothing += 1 }
            } else if let meant, meant.region == region {
                use.failed += 1
                if isHand, sessions.noteFailure(in: region) { use.twice += 1 }
            } else if isHand, touch.recognized.contains(region) {
                sessions.noteSuccess(in: region)
            }
            tally.uses[region] = use
        }
    }

    private mutating func countMisses(_ touch: HeardTouch, _ meant: HeardTouch.Miss?) {
        var isMeantCounted = false
        for miss in touch.misses {
            guard let (key, step) = miss.step, tally.limits[key] != nil || tally.limits.count < Self.mostNames else {
                continue
            }
            let isMeant =
                !isMeantCounted && meant.map { $0.region == miss.region && $0.failure == miss.failure } == true
            if isMeant {
                isMeantCounted = true
                tally.limits[key, default: .init()].meant.add(at: step)
            } else {
                tally.limits[key, default: .init()].other.add(at: step)
            }
        }
    }
}
