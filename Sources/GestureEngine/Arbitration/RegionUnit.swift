// SPDX-License-Identifier: MIT

/// The arbiter of one region: its recognizers, what has been decided about them, and the sequence that they are in.
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
/// `RegionUnit+Steps.swift` has the steps. Here is what becomes of answers.
final class RegionUnit {
    /// Index into the engine's regions.
    private(set) var index: Int
    let contacts: RegionContacts
    let context: EngineContext
    /// By gesture; then the machine that counts taps, if there is one.
    let recognizers: [Recognizer]
    /// By gesture, as `recognizers`.
    let candidates: [Candidate]
    var rules: RegionRules
    /// Counts the taps before gestures with `taps`. It is the last of `recognizers`.
    let counter: TapRecognizer?
    /// Discrete gestures that have happened and are not announced. Never changed in place, for the reason that
    /// `RegionContacts.changeGroup` gives: it is asked for often, and seldom has anything.
    private(set) var deferred: [DeferredEvent] = []
    /// Gestures that come after what has just been accepted, and have not been told. Never changed in place, too.
    private var woken: [Int] = []
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
        let machines = region.gestures.map { gesture in
            let isAwaited = region.gestures.contains { $0.unless.contains(gesture.name) }
            return gesture.settings.common.makeRecognizer(contacts, in: region, isAwaited: isAwaited)
                ?? Recognizer(contacts)
        }
        recognizers = machines + (counter.map { [$0] } ?? [])
        rules = RegionRules(region, priority: priority, hasCounter: counter != nil)
        candidates = recognizers.map { _ in Candidate() }
        let settings = region.gestures.map { $0.settings }
        contacts.keepsHistory = settings.contains { $0.kind.traits.weighsMotions && $0.fingers > 1 }
        contacts.watchesInside = counter?.watchesInside == true || settings.contains { $0.common.watchesInside }
    }

    /// Nothing is down, and nothing waits for a deadline.
    var isIdle: Bool {
        guard contacts.sequence == nil, deferred.isEmpty else { return false }
        for recognizer in recognizers where !recognizer.isIdle { return false }
        return true
    }

    /// Takes over which place among the regions this one has from now on.
    func renumber(_ index: Int) {
        self.index = index
        deferred = deferred.map { waiting in
            var waiting = waiting
            waiting.event.region = index
            return waiting
        }
    }

    // MARK: What has been decided

    func isDormant(_ gesture: Int) -> Bool { candidates[gesture].state == .dormant }

    /// It is continuous, has begun for clients, and has not ended.
    func isActive(_ gesture: Int) -> Bool {
        candidates[gesture].state == .accepted && recognizers[gesture].progress == .active
    }

    /// Calls `body` with each continuous gesture that has begun and not ended.
    func forEachActive(_ body: (_ gesture: Int, _ sequence: SequenceID) -> Void) {
        guard let sequence = contacts.sequence else { return }
        for gesture in recognizers.indices where isActive(gesture) { body(gesture, sequence) }
    }

    /// Whether a gesture may be recognized now.
    func permits(_ gesture: Int) -> Bool {
        switch candidates[gesture].state {
        case .dormant, .rejected: false
        case .possible, .deferred, .accepted: !waits(gesture)
        }
    }

    /// A gesture that this one requires to fail is still possible.
    func waits(_ gesture: Int) -> Bool {
        for other in rules.gestures[gesture].unless {
            if isPossible(other) || (rules.gestures[gesture].kind == .tap && awaitsLanding(other)) { return true }
        }
        return false
    }

    /// The same for what has happened in a sequence that may be over: then only what outlives a
    /// sequence, and of which it may become a part.
    private func waits(_ event: GestureEvent) -> Bool {
        if event.sequence == contacts.sequence { return waits(event.gesture) }
        for other in rules.gestures[event.gesture].unless {
            if mayContain(event.sequence, other) { return true }
            for rival in deferred where rival.event.gesture == other && rival.event.sequence >= event.sequence {
                return true
            }
        }
        return false
    }

    private func isPossible(_ gesture: Int) -> Bool {
        for waiting in deferred where waiting.event.gesture == gesture { return true }
        if recognizers[gesture].continuesStreak { return true }
        guard contacts.sequence != nil else { return false }
        switch candidates[gesture].state {
        case .dormant, .deferred: return true
        case .accepted, .rejected: return false
        // What may be tried again once it has failed counts as possible from then on.
        case .possible:
            return rules.gestures[gesture].traits.retry == .whenOver || recognizers[gesture].progress != .over
        }
    }

    /// The taps so far may be those that come before a gesture, which lands after them.
    private func awaitsLanding(_ gesture: Int) -> Bool {
        let taps = rules.gestures[gesture].taps
        return taps > 0 && counter?.mayReach(taps) == true
    }

    /// A gesture may still be recognized of which something of an earlier sequence is a part: a tap of its streak, or one
    /// of the taps before it.
    func mayContain(_ sequence: SequenceID, _ gesture: Int) -> Bool {
        if recognizers[gesture].fate(of: sequence) == .pending { return true }
        guard rules.gestures[gesture].taps > 0, let start = counter?.streakStart, sequence >= start else {
            return false
        }
        if awaitsLanding(gesture) { return true }
        guard contacts.sequence != nil, recognizers[gesture].progress != .over else { return false }
        switch candidates[gesture].state {
        case .possible, .dormant, .deferred: return true
        case .accepted, .rejected: return false
        }
    }

    /// The sequence in which began what a gesture is recognized with, if that is an earlier one.
    func streakStart(_ gesture: Int) -> SequenceID? {
        recognizers[gesture].streakStart ?? (rules.gestures[gesture].taps > 0 ? counter?.streakStart : nil)
    }

    // MARK: Telling

    /// Tells one gesture, and applies its answer. Then tells gestures which that has woken.
    func tell(_ gesture: Int, _ input: RecognizerInput) {
        ask(gesture, input)
        if !woken.isEmpty { wakeAll() }
    }

    /// Tells gestures one after the other, but for those that are dormant when it is their turn.
    func tell(_ order: [Int], _ input: RecognizerInput) {
        for gesture in order where !isDormant(gesture) { tell(gesture, input) }
    }

    /// Tells one gesture, and applies its answer. What that has woken waits.
    func ask(_ gesture: Int, _ input: RecognizerInput) {
        context.tells += 1
        if let answer = recognizers[gesture].handle(input) { apply(answer, gesture) }
    }

    /// For gestures whose `after` have all been accepted, the contacts land now. That may wake others.
    private func wakeAll() {
        while let gesture = woken.first {
            woken = Array(woken.dropFirst())
            guard isDormant(gesture) else { continue }
            decide(gesture, .possible)
            if contacts.group.count == 0, rules.gestures[gesture].traits.competes {
                // All contacts are other regions' by now.
                reject(gesture, GestureFailure(.cancelled(.claimed)))
            } else {
                ask(gesture, .wake)
            }
        }
    }

    // MARK: Settling

    /// Ends a step: announces what waited, and notes when something is next due.
    func settle() {
        announceAll()
        var next = Timestamp.never
        var limit = Double.infinity
        for recognizer in recognizers {
            next = min(next, recognizer.deadline ?? .never)
            limit = min(limit, recognizer.stillLimit)
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
        for place in deferred.indices {
            let waiting = deferred[place]
            let fate =
                waiting.cause == .wait ? recognizers[waiting.event.gesture].fate(of: waiting.event.sequence) : .due
            switch fate {
            case .pending: continue
            case .void: break
            case .due where waits(waiting.event): continue
            case .due:
                removeDeferred(at: place)
                var event = waiting.event
                event.time = contacts.now
                announce(event)
                wakeAll()
                return true
            }
            removeDeferred(at: place)
            return true
        }
        return false
    }

    /// - Returns: whether a continuous gesture that has begun was announced.
    private func announceBegin() -> Bool {
        for gesture in recognizers.indices where candidates[gesture].state == .deferred && !waits(gesture) {
            tell(gesture, .begin(late: true))
            // Nothing is left to announce.
            if candidates[gesture].state == .deferred { reject(gesture, GestureFailure(.keptBack)) }
            return true
        }
        return false
    }

    // MARK: Deferred

    func hold(_ event: GestureEvent, _ cause: DeferredEvent.Cause) {
        deferred = deferred + [DeferredEvent(event: event, cause: cause)]
    }

    func wakeLater(_ gesture: Int) { woken = woken + [gesture] }

    private func removeDeferred(at place: Int) {
        var others = deferred
        others.remove(at: place)
        deferred = others
    }

    /// Taps that wait for a longer streak come to nothing: something else was made of them.
    func dropWaitingTaps(where isChosen: (GestureEvent) -> Bool) {
        guard !deferred.isEmpty else { return }
        deferred = deferred.filter { $0.cause != .wait || !isChosen($0.event) }
    }

    /// Nothing comes of what a gesture was deferred with.
    /// - Parameter keepsEarlierTaps: taps of earlier sequences that wait for a longer streak come now.
    func dropDeferred(of gesture: Int, _ reason: CancelReason, keepsEarlierTaps: Bool) {
        for waiting in deferred where waiting.event.gesture == gesture && waiting.cause == .unless {
            let sequence = waiting.event.sequence
            if sequence != contacts.sequence { report(gesture, GestureFailure(.cancelled(reason)), sequence) }
        }
        deferred = deferred.filter { waiting in
            guard waiting.event.gesture == gesture else { return true }
            return waiting.cause == .wait && keepsEarlierTaps && waiting.event.sequence != contacts.sequence
        }
    }

    /// A gesture was accepted: what was deferred for it, and might have become a part of it, does not come.
    func dropDeferred(waitingFor winner: GestureEvent) {
        guard !deferred.isEmpty else { return }
        let since = min(winner.sequence, streakStart(winner.gesture) ?? winner.sequence)
        let all = deferred
        func isDropped(_ waiting: DeferredEvent) -> Bool {
            waiting.cause == .unless && waiting.event.sequence >= since
                && rules.gestures[waiting.event.gesture].unless.contains(winner.gesture)
        }
        deferred = all.filter { !isDropped($0) }
        for waiting in all where isDropped(waiting) {
            if waiting.event.sequence == contacts.sequence {
                reject(waiting.event.gesture, GestureFailure(.unless))
            } else {
                report(waiting.event.gesture, GestureFailure(.unless), waiting.event.sequence)
            }
        }
    }
}
