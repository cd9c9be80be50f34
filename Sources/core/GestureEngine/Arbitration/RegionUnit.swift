// SPDX-License-Identifier: MIT

/// The arbiter of one region: its gestures, the decisions about them, and their current sequence.
///
/// Contacts come from `GestureEngine`, which arbitrates between regions. Each change of a contact is one step here:
///
/// 1. Each recognizer handles the input once, in an order that `RegionRules` declares (`tell`).
/// 2. Its answer takes effect before the next recognizer runs: `apply` turns it into events.
/// 3. An accepted gesture may end others and wake others. Ending (`close`) never begins a gesture, and woken gestures
///    are queued until the answer has been applied, so no step re-enters itself.
/// 4. Events that waited for a failure are emitted when the step ends (`settle`).
///
/// `RegionUnit+Steps.swift` and `RegionUnit+Losses.swift` contain the steps, `RegionUnit+Answers.swift` the effects of
/// answers.
final class RegionUnit {
    /// The index into the engine's regions.
    private(set) var index: RegionIndex
    let contacts: RegionContacts
    let context: EngineContext
    /// Candidates by gesture index, then the tap counter if there is one.
    let candidates: [Candidate]
    var rules: RegionRules
    /// The recognizer that counts taps before gestures with `taps`.
    let counter: TapRecognizer?
    /// Discrete gestures that have been recognized but not emitted yet.
    var deferred: [DeferredEvent] = []
    /// Gestures for which everything listed in `after` has been accepted, and which have not received `.wake` yet.
    var woken: [Candidate] = []
    /// The earliest deadline of all recognizers; `nil` while none is pending.
    private(set) var nextDeadline: Timestamp?
    /// The square of a distance from the landing, in mm². Gestures that do not compete need no `.moved` input while
    /// every contact has stayed within this distance.
    private(set) var stillLimit = Double.infinity

    /// - Parameter lifts: the last lifts in all units of the region; `nil` if this is its only unit.
    init(
        _ region: Region, index: RegionIndex, priority: [GestureKind], _ context: EngineContext,
        lifts: SharedLifts? = nil
    ) {
        self.index = index
        self.context = context
        let contacts = RegionContacts(region, context, lifts)
        self.contacts = contacts
        counter = TapRecognizer.counter(of: region, contacts)
        var candidates = region.gestures.enumerated().map {
            Candidate($0.element, GestureIndex(raw: $0.offset), in: region, contacts)
        }
        if let counter { candidates.append(Candidate(counter: counter, GestureIndex(raw: candidates.count))) }
        self.candidates = candidates
        rules = RegionRules(candidates, priority: priority)
        let settings = region.gestures.map { $0.settings }
        contacts.keepsHistory = settings.contains { $0.kind.traits.weighsMotions && $0.fingers > 1 }
        contacts.watchesInside = counter?.watchesInside == true || settings.contains { $0.common.watchesInside }
    }

    /// Whether no contact is down and nothing from an earlier sequence is pending.
    var isIdle: Bool {
        guard contacts.sequence == nil, deferred.isEmpty else { return false }
        for candidate in candidates where !candidate.recognizer.isIdle { return false }
        return true
    }

    /// Sets this region's index in a new list of regions.
    func renumber(_ index: RegionIndex) {
        self.index = index
        for place in deferred.indices { deferred[place].event.region = index }
    }

    /// Calls `body` with each continuous gesture that has begun and not ended.
    func forEachActive(_ body: (_ gesture: GestureIndex, _ sequence: SequenceID) -> Void) {
        guard let sequence = contacts.sequence else { return }
        for candidate in candidates where candidate.isActive { body(candidate.index, sequence) }
    }

    // MARK: Permission to be recognized

    /// Whether a gesture may be recognized now or, with a lift, once others have failed because of it.
    func permits(_ candidate: Candidate, after lift: ContactLift? = nil) -> Bool {
        switch candidate.state {
        case .dormant, .rejected: false
        case .possible, .deferred, .accepted: !waits(candidate, after: lift)
        }
    }

    /// Whether a gesture listed in `unless` is still possible, also after a lift if there is one.
    func waits(_ candidate: Candidate, after lift: ContactLift? = nil) -> Bool {
        for other in candidate.unless {
            if isPossible(candidates[other]), lift.map({ isHopeless(candidates[other], after: $0) }) != true {
                return true
            }
            if candidate.kind == .tap, awaitsLanding(candidates[other]) { return true }
        }
        return false
    }

    /// Whether an event must still wait. If it is from an earlier sequence, only gestures that span sequences and may
    /// include the event are considered.
    private func waits(_ event: GestureEvent) -> Bool {
        if event.sequence == contacts.sequence { return waits(candidates[event.gesture]) }
        for other in candidates[event.gesture].unless {
            if mayContain(event.sequence, candidates[other]) { return true }
            for rival in deferred where rival.event.gesture == other && rival.event.sequence >= event.sequence {
                return true
            }
        }
        return false
    }

    private func isPossible(_ candidate: Candidate) -> Bool {
        for waiting in deferred where waiting.event.gesture == candidate.index { return true }
        if candidate.recognizer.continuesStreak { return true }
        guard contacts.sequence != nil else { return false }
        switch candidate.state {
        case .dormant, .deferred: return true
        case .accepted, .rejected: return false
        // A failed gesture that may be retried is still possible.
        case .possible: return candidate.traits.retry == .whenOver || candidate.recognizer.progress != .over
        }
    }

    /// Whether the taps so far may be the ones that must precede the gesture, whose contacts have not landed yet.
    private func awaitsLanding(_ candidate: Candidate) -> Bool {
        candidate.taps > 0 && counter?.mayReach(candidate.taps) == true
    }

    /// Whether a gesture that includes an event of an earlier sequence may still be recognized. The event is a tap of
    /// the gesture's streak or one of the taps that precede it.
    func mayContain(_ sequence: SequenceID, _ candidate: Candidate) -> Bool {
        if candidate.recognizer.fate(of: sequence) == .pending { return true }
        guard candidate.taps > 0, let start = counter?.streakStart, sequence >= start else { return false }
        if awaitsLanding(candidate) { return true }
        guard contacts.sequence != nil, candidate.recognizer.progress != .over else { return false }
        switch candidate.state {
        case .possible, .dormant, .deferred: return true
        case .accepted, .rejected: return false
        }
    }

    /// The sequence in which the streak of a gesture, or of the taps before it, began; `nil` for a gesture without
    /// streaks.
    func streakStart(_ candidate: Candidate) -> SequenceID? {
        candidate.recognizer.streakStart ?? (candidate.taps > 0 ? counter?.streakStart : nil)
    }

    // MARK: Gestures that are ready to begin

    /// Whether a drag, dial, pinch or rotation is active. Contacts that land join it.
    var holdsClaim: Bool { rules.competitors.contains { $0.recognizer.progress == .active } }

    /// The first competing gesture that would begin or be recognized at the current positions.
    func accepting() -> Candidate? {
        // Iterates by index, because retaining the array would cost more than the loop body.
        for place in rules.followers.indices {
            let candidate = rules.followers[place]
            guard candidate.mayBegin, candidate.recognizer.wants(.now) else { continue }
            if !waits(candidate) { return candidate }
            candidate.wasHeldBack = true
        }
        return nil
    }

    /// The first competing gesture that this lift would complete.
    func accepting(_ lift: ContactLift) -> Candidate? {
        guard lift.isFree else { return nil }
        return rules.competitors.first { $0.recognizer.wants(.lift(lift.id)) && permits($0, after: lift) }
    }

    /// Begins or recognizes a gesture that has won its contacts.
    func begin(_ candidate: Candidate) {
        tell(candidate, .begin(late: candidate.wasHeldBack))
        settle()
    }

    // MARK: Passing inputs

    /// Passes an input to one gesture, applies its answer, and then wakes the gestures that this enabled.
    func tell(_ candidate: Candidate, _ input: RecognizerInput) {
        ask(candidate, input)
        if !woken.isEmpty { wakeAll() }
    }

    /// Passes an input to gestures in order. Gestures that are dormant at their turn are skipped.
    func tell(_ order: [Candidate], _ input: RecognizerInput) {
        for candidate in order where !candidate.isDormant { tell(candidate, input) }
    }

    /// Passes an input to one gesture and applies its answer. Gestures that this enabled stay queued.
    func ask(_ candidate: Candidate, _ input: RecognizerInput) {
        context.tells += 1
        if let answer = candidate.recognizer.handle(input) { apply(answer, candidate) }
    }

    /// Wakes gestures for which all gestures listed in `after` have been accepted. They treat the contacts as if they
    /// had just landed. This may enable more gestures.
    private func wakeAll() {
        while !woken.isEmpty {
            let candidate = woken.removeFirst()
            guard candidate.isDormant else { continue }
            decide(candidate, .possible)
            contacts.settle()
            if contacts.group.count == 0, candidate.traits.competes {
                // By now other regions own all contacts.
                reject(candidate, GestureFailure(.cancelled(.claimed)))
            } else {
                ask(candidate, .wake)
            }
        }
    }

    // MARK: Settling

    /// Ends a step: emits events that waited, and updates the next deadline.
    func settle() {
        announceAll()
        var next = Timestamp.never
        var limit = Double.infinity
        for candidate in candidates {
            next = min(next, candidate.recognizer.deadline ?? .never)
            limit = min(limit, candidate.recognizer.stillLimit)
        }
        nextDeadline = next == .never ? nil : next
        stillLimit = limit
    }

    /// Emits events that waited for failures, until nothing changes.
    func announceAll() {
        guard !deferred.isEmpty || rules.hasUnless else { return }
        while announceEvent() || announceBegin() {}
    }

    /// - Returns: whether a deferred discrete gesture was emitted or dropped.
    private func announceEvent() -> Bool {
        for (place, waiting) in deferred.enumerated() {
            var event = waiting.event
            var fate = StreakFate.due
            if waiting.cause == .wait { fate = candidates[event.gesture].recognizer.fate(of: event.sequence) }
            if fate == .pending || fate == .due && waits(event) { continue }
            deferred.remove(at: place)
            if fate == .due {
                event.time = contacts.now
                announce(event, since: waiting.start)
                wakeAll()
            }
            return true
        }
        return false
    }

    /// - Returns: whether a deferred continuous gesture began or failed.
    private func announceBegin() -> Bool {
        for candidate in candidates where candidate.state == .deferred && !waits(candidate) {
            tell(candidate, .begin(late: true))
            // The recognizer could no longer begin.
            if candidate.state == .deferred { reject(candidate, GestureFailure(.keptBack)) }
            return true
        }
        return false
    }
}
