// SPDX-License-Identifier: MIT

/// The arbiter of one region: its gestures, what has been decided about them, and the sequence that they are in.
///
/// Contacts come in from above (`GestureEngine`), which decides who may have a contact for itself. Each thing that a
/// contact does is one step here:
///
/// 1. Recognizers are *told*, one after the other, in an order that `RegionRules` declares. Each is told once.
/// 2. An answer is *applied* at once, before the next recognizer is told: `apply` makes lines of it.
/// 3. An accepted gesture may end others: they are *closed*, which makes nothing begin. It may wake others: they are put
///    into a list, and told when the answer has been applied. So nothing here calls itself.
/// 4. What waited for a failure comes when the step has *settled*.
///
/// `RegionUnit+Steps.swift` has the steps, and `RegionUnit+Answers.swift` what becomes of answers.
final class RegionUnit {
    /// Index into the engine's regions.
    private(set) var index: Int
    let contacts: RegionContacts
    let context: EngineContext
    /// By gesture; then the machine that counts taps, if there is one.
    let candidates: [Candidate]
    var rules: RegionRules
    /// Counts the taps before gestures with `taps`.
    let counter: TapRecognizer?
    /// Discrete gestures that have happened and are not announced.
    var deferred: [DeferredEvent] = []
    /// Gestures that come after what has just been accepted, and have not been told.
    var woken: [Candidate] = []
    /// When something is next due.
    private(set) var nextDeadline: Timestamp?
    /// While no contact has strayed further than this from where it landed, nothing that rests
    /// need be told. Squared millimetres.
    private(set) var stillLimit = Double.infinity

    init(_ region: Region, index: Int, priority: [GestureKind], _ context: EngineContext) {
        self.index = index
        self.context = context
        let contacts = RegionContacts(region, context)
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

    /// Nothing is down, and nothing waits for a deadline.
    var isIdle: Bool {
        guard contacts.sequence == nil, deferred.isEmpty else { return false }
        for candidate in candidates where !candidate.recognizer.isIdle { return false }
        return true
    }

    /// Takes over which place among the regions this one has from now on.
    func renumber(_ index: Int) {
        self.index = index
        for place in deferred.indices { deferred[place].event.region = index }
    }

    /// Calls `body` with each continuous gesture that has begun and not ended.
    func forEachActive(_ body: (_ gesture: GestureIndex, _ sequence: SequenceID) -> Void) {
        guard let sequence = contacts.sequence else { return }
        for candidate in candidates where candidate.isActive { body(candidate.index, sequence) }
    }

    // MARK: What may be recognized

    /// Whether a gesture may be recognized now.
    func permits(_ candidate: Candidate) -> Bool {
        switch candidate.state {
        case .dormant, .rejected: false
        case .possible, .deferred, .accepted: !waits(candidate)
        }
    }

    /// A gesture that this one requires to fail is still possible.
    func waits(_ candidate: Candidate) -> Bool {
        for other in candidate.unless {
            if isPossible(candidates[other]) { return true }
            if candidate.kind == .tap, awaitsLanding(candidates[other]) { return true }
        }
        return false
    }

    /// The same for what has happened in a sequence that may be over: then only what outlives a
    /// sequence, and of which it may become a part.
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
        // What may be tried again once it has failed counts as possible from then on.
        case .possible: return candidate.traits.retry == .whenOver || candidate.recognizer.progress != .over
        }
    }

    /// The taps so far may be those that come before a gesture, which lands after them.
    private func awaitsLanding(_ candidate: Candidate) -> Bool {
        candidate.taps > 0 && counter?.mayReach(candidate.taps) == true
    }

    /// A gesture may still be recognized of which something of an earlier sequence is a part: a tap of its streak, or one
    /// of the taps before it.
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

    /// The sequence in which began what a gesture is recognized with, if that is an earlier one.
    func streakStart(_ candidate: Candidate) -> SequenceID? {
        candidate.recognizer.streakStart ?? (candidate.taps > 0 ? counter?.streakStart : nil)
    }

    // MARK: What this region would begin

    /// A drag, pinch or rotation is under way: contacts that land join it.
    var holdsClaim: Bool { rules.competitors.contains { $0.recognizer.progress == .active } }

    /// The gesture that would begin, or be recognized, where the contacts are now; of several the
    /// one that comes first.
    func accepting() -> Candidate? {
        // By place, because a list that is held costs more than what is done here.
        for place in rules.competitors.indices {
            let candidate = rules.competitors[place]
            guard candidate.recognizer.wants(.now) else { continue }
            if permits(candidate) { return candidate }
            if !candidate.isDormant { candidate.wasHeldBack = true }
        }
        return nil
    }

    /// The gesture that competes and would be recognized if this contact lifted now.
    func accepting(liftOf id: ContactID) -> Candidate? {
        guard contacts.group.isFree(id) else { return nil }
        return rules.competitors.first { $0.recognizer.wants(.lift(id)) && permits($0) }
    }

    /// Begins, or recognizes, what has won its contacts.
    func begin(_ candidate: Candidate) {
        tell(candidate, .begin(late: candidate.wasHeldBack))
        settle()
    }

    // MARK: Telling

    /// Tells one gesture, and applies its answer. Then tells gestures which that has woken.
    func tell(_ candidate: Candidate, _ input: RecognizerInput) {
        ask(candidate, input)
        if !woken.isEmpty { wakeAll() }
    }

    /// Tells gestures one after the other, but for those that are dormant when it is their turn.
    func tell(_ order: [Candidate], _ input: RecognizerInput) {
        for candidate in order where !candidate.isDormant { tell(candidate, input) }
    }

    /// Tells one gesture, and applies its answer. What that has woken waits.
    func ask(_ candidate: Candidate, _ input: RecognizerInput) {
        context.tells += 1
        if let answer = candidate.recognizer.handle(input) { apply(answer, candidate) }
    }

    /// For gestures whose `after` have all been accepted, the contacts land now. That may wake others.
    private func wakeAll() {
        while !woken.isEmpty {
            let candidate = woken.removeFirst()
            guard candidate.isDormant else { continue }
            decide(candidate, .possible)
            if contacts.group.count == 0, candidate.traits.competes {
                // All contacts are other regions' by now.
                reject(candidate, GestureFailure(.cancelled(.claimed)))
            } else {
                ask(candidate, .wake)
            }
        }
    }

    // MARK: Settling

    /// Ends a step: announces what waited, and notes when something is next due.
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

    /// Announces what waited, now that what it waited for has failed, until nothing changes.
    func announceAll() {
        guard !deferred.isEmpty || rules.hasUnless else { return }
        while announceEvent() || announceBegin() {}
    }

    /// - Returns: whether a discrete gesture that has happened was announced, or came to nothing.
    private func announceEvent() -> Bool {
        for (place, waiting) in deferred.enumerated() {
            var event = waiting.event
            var fate = StreakFate.due
            if waiting.cause == .wait { fate = candidates[event.gesture].recognizer.fate(of: event.sequence) }
            if fate == .pending || fate == .due && waits(event) { continue }
            deferred.remove(at: place)
            if fate == .due {
                event.time = contacts.now
                announce(event)
                wakeAll()
            }
            return true
        }
        return false
    }

    /// - Returns: whether a continuous gesture that has begun was announced.
    private func announceBegin() -> Bool {
        for candidate in candidates where candidate.state == .deferred && !waits(candidate) {
            tell(candidate, .begin(late: true))
            // Nothing is left to announce.
            if candidate.state == .deferred { reject(candidate, GestureFailure(.keptBack)) }
            return true
        }
        return false
    }
}
