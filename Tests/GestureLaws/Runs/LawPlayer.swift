// SPDX-License-Identifier: MIT
import GestureEngine

/// Plays a run on an engine, and checks its events against the laws.
package struct LawPlayer: ~Copyable {
    /// Settings that override those of the run.
    struct Habits {
        var reportsUpdates: Bool?
        var reportsFailures: Bool?
        /// Whether the laws for a single run are checked; `false` for the second of two plays.
        var isChecked = true
    }

    private(set) var events: [GestureEvent] = []
    private(set) var laws: EventLaws
    private var arbitration = ArbitrationLaws()
    private var order = OrderLaws()
    private var world: LawWorld
    private var engine: GestureEngine
    private let habits: Habits
    private var down: [(id: ContactID, position: Point)] = []
    private var time = Timestamp(microseconds: 0)
    /// The number of events that were checked.
    private var checked = 0
    /// The engine's time, which never decreases.
    private var clock = Timestamp(microseconds: .min)

    /// The first law that a run violates, alone or compared with its variation; `nil` if there is none. Adds the
    /// number of events of each kind to `counts`.
    static func violation(
        of run: LawRun, _ variation: Variation?, _ counts: inout [GestureKind: Int]
    ) -> LawViolation? {
        var player = LawPlayer(run, Habits())
        player.play(run)
        for kind in GestureKind.allCases { counts[kind, default: 0] += player.laws.counts[Int(kind.rawValue)] }
        if let violation = player.laws.violation { return violation }
        return variation?.violation(run, events: player.events)
    }

    /// Plays a run without checks and returns the engine's events.
    static func events(of run: LawRun, reportsUpdates: Bool? = nil, reportsFailures: Bool? = nil) -> [GestureEvent] {
        var player = LawPlayer(
            run, Habits(reportsUpdates: reportsUpdates, reportsFailures: reportsFailures, isChecked: false))
        player.play(run)
        return player.events
    }

    private init(_ run: LawRun, _ habits: Habits) {
        self.habits = habits
        laws = EventLaws(run)
        world = run.worlds[0]
        engine = GestureEngine(
            run.worlds[0].regions, arbitration: run.worlds[0].arbitration,
            bounds: Rectangle(minX: 0, minY: 0, maxX: run.size.dx, maxY: run.size.dy))
        engine.reportsUpdates = habits.reportsUpdates ?? true
        engine.reportsFailures = habits.reportsFailures ?? false
        engine.recordsTransitions = habits.isChecked
    }

    private mutating func play(_ run: LawRun) {
        for step in run.steps {
            switch step {
            case .wait(let microseconds):
                time = time + Interval(microseconds: microseconds)
                continue
            case .updates(let isOn):
                advance()
                engine.reportsUpdates = habits.reportsUpdates ?? isOn
            case .failures(let isOn):
                // Events that are already due are reported with the previous setting.
                advance()
                engine.reportsFailures = habits.reportsFailures ?? isOn
            case .advance: advance()
            case .reload(let world): reload(run.worlds[min(max(world, 0), run.worlds.count - 1)])
            case .frame(let changes): play(changes)
            }
            check()
        }
        finish()
    }

    private mutating func advance() {
        clock = max(clock, time)
        engine.advance(to: time, into: &events)
        check()
    }

    private mutating func reload(_ world: LawWorld) {
        clock = max(clock, time)
        engine.replaceRegions(world.regions, arbitration: world.arbitration, at: time, into: &events)
        // These events refer to the previous regions.
        check()
        self.world = world
        if habits.isChecked { laws.enter(world) }
    }

    private mutating func play(_ changes: [ContactChange]) {
        clock = max(clock, time)
        var isQuiet = habits.isChecked && !changes.isEmpty
        for change in changes {
            if case .cancelled = change.kind { continue }
            isQuiet = false
        }
        if habits.isChecked {
            // Events that are due by this time are not caused by the frame. In the second of two plays, the frame
            // itself fires the deadlines.
            engine.advance(to: time, into: &events)
            check()
            order.prepare(changes, down: down.map(\.id), engine)
        }
        // The empty glass is recorded before the next frame, so that the events of the last lift are checked before it.
        if down.isEmpty { laws.noteEmptyGlass(isIdle: engine.isIdle) }
        follow(changes)
        let before = engine.tells
        engine.process(TouchFrame(time: time, changes: changes), into: &events)
        if habits.isChecked { checkTells(engine.tells - before, contacts: down.count + changes.count) }
        if habits.isChecked, let problem = order.problem(events[checked...], world, engine) {
            laws.fail("order", problem)
        }
        let mayRelease = changes.contains { $0.kind == .cancelled(.palm) || $0.kind == .cancelled(.rest) }
        check(isQuiet: isQuiet, mayRelease: mayRelease)
    }

    /// Checks that the work for a frame is bounded: each change passes at most two inputs to a recognizer, and a claim
    /// passes two more for each contact that it takes. A gesture that waits is announced or fails only once.
    private mutating func checkTells(_ tells: Int, contacts: Int) {
        let recognizers = world.regions.reduce(0) { $0 + ($1.gestures.count + 1) * ($1.contacts == .together ? 1 : 16) }
        // The maximum in a million frames is 1.7 per recognizer and contact.
        let limit = 4 * recognizers * (contacts + 1)
        guard tells > limit else { return }
        laws.fail("comes-to-an-end", "\(tells) inputs in a frame of \(contacts) contacts; the limit is \(limit)")
    }

    /// Records the contacts that are down, and the regions that are touched.
    private mutating func follow(_ changes: [ContactChange]) {
        for change in changes {
            if habits.isChecked { laws.note(change, at: clock) }
            let known = down.firstIndex { $0.id == change.id }
            switch (change.kind, known) {
            case (.landed, nil):
                down.append((change.id, change.position))
                if habits.isChecked { laws.touch(change.position, isLanding: true) }
            case (.moved, let i?), (.resynchronized, let i?):
                down[i].position = change.position
                if habits.isChecked { laws.touch(change.position, isLanding: false) }
            case (.lifted, let i?): down.remove(at: i)
            case (.cancelled, let i?):
                down.remove(at: i)
                laws.noteCancel()
            case (.landed, _?), (_, nil): break
            }
        }
    }

    private mutating func check(isQuiet: Bool = false, mayRelease: Bool = false) {
        guard habits.isChecked else { return }
        laws.check(
            events[checked...], now: clock, isQuiet: isQuiet, mayRelease: mayRelease,
            reportsFailures: engine.reportsFailures)
        checked = events.count
        for transition in engine.takeTransitions() {
            if let problem = arbitration.check(transition, world.regions) { laws.fail("decided-once", problem) }
        }
        if world.arbitration.simultaneous.isEmpty,
            let problem = ArbitrationLaws.checkClaims(engine, contacts: down.count)
        {
            laws.fail("claimed-once", problem)
        }
        if let deadline = engine.nextDeadline, deadline <= clock {
            laws.fail("deadlines", "\(deadline.microseconds) is pending at \(clock.microseconds)")
        }
        if engine.isIdle, engine.nextDeadline != nil { laws.fail("idle", "idle with a deadline") }
    }

    /// Lifts all contacts, and lets time pass until nothing is pending.
    private mutating func finish() {
        clock = max(clock, time)
        down.sort { $0.id < $1.id }
        play(down.map { ContactChange(id: $0.id, kind: .lifted, position: $0.position) })
        var turns = 0
        while let deadline = engine.nextDeadline, turns < 100_000 {
            clock = max(clock, deadline)
            engine.advance(to: deadline, into: &events)
            turns += 1
        }
        if turns == 100_000 { laws.fail("deadlines", "there is always another deadline") }
        check()
        if habits.isChecked {
            laws.checkEnd()
            if let problem = arbitration.checkEnd() { laws.fail("decided-once", problem) }
        }
        if !engine.isIdle { laws.fail("idle", "the engine is not idle after the last lift") }
    }
}
