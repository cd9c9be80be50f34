// SPDX-License-Identifier: MIT

/// One region's recognizers, and the sequence that they are in.
///
/// It is told of every contact that landed in the region or in one below it, and passes on to its
/// recognizers what happens, each input in one order of gestures (`RegionRules`). What they answer becomes events,
/// once the region's own rules have let it (`Arbitration/RegionEngine+Rules.swift`). Which region may have a contact
/// for itself is decided above (`Arbitration/GestureEngine+Claims.swift`).
final class RegionEngine {
    /// What contacts have done in this frame, and the recognizers have not been told.
    struct FrameChanges: OptionSet {
        let rawValue: UInt8
        /// A contact was reported where it was: no movement, but no pause either.
        static let rested = FrameChanges(rawValue: 1)
        /// A contact is elsewhere.
        static let moved = FrameChanges(rawValue: 2)
        /// So is one that no other region has claimed.
        static let travelled = FrameChanges(rawValue: 4)
        /// A contact has left the region or returned.
        static let crossed = FrameChanges(rawValue: 8)
    }

    /// Index into the engine's regions.
    var index: Int
    let shape: Shape
    let leaveDistance: Double
    let contacts: RegionContacts
    let context: EngineContext
    /// By gesture.
    let recognizers: [Recognizer]
    var rules: RegionRules
    /// Counts the taps before gestures with `taps`; `nil`: there are none.
    let tapCounter: TapRecognizer?
    /// Something cares whether contacts are inside the region.
    let watchesInside: Bool
    /// Recognized, and wait for gestures that are still possible (`unless`). Never changed in place, for the reason that
    /// `RegionContacts.changeGroup` gives: it is asked for often, and seldom has anything.
    var deferred: [GestureEvent] = []
    var changes: FrameChanges = []
    /// When something is next due.
    private(set) var nextDeadline: Timestamp?
    /// While no contact has strayed further than this from where it landed, nothing that rests
    /// need be asked. Squared millimetres.
    private(set) var restLimit = Double.infinity

    init(_ region: Region, index: Int, priority: [GestureKind], _ context: EngineContext) {
        self.index = index
        shape = region.shape
        leaveDistance = region.leaveDistance
        let contacts = RegionContacts(context)
        recognizers = region.gestures.map { gesture in
            let isAwaited = region.gestures.contains { $0.unless.contains(gesture.name) }
            return gesture.settings.common.makeRecognizer(contacts, in: region, isAwaited: isAwaited)
        }
        contacts.keepsHistory = recognizers.contains { $0.weighsMotions }
        self.contacts = contacts
        self.context = context
        tapCounter = Self.tapCounter(of: region, contacts)
        rules = RegionRules(region, recognizers, priority: priority)
        watchesInside = !rules.insideOrder.isEmpty || tapCounter?.watchesInside == true
    }

    /// Nothing is down, and nothing waits for a deadline.
    var isIdle: Bool {
        guard contacts.sequence == nil, deferred.isEmpty, tapCounter?.isIdle != false else { return false }
        for recognizer in recognizers where !recognizer.isIdle { return false }
        return true
    }

    /// Takes over which place among the regions this one has from now on.
    func renumber(_ index: Int) {
        self.index = index
        guard !deferred.isEmpty else { return }
        deferred = deferred.map { event in
            var event = event
            event.region = index
            return event
        }
    }

    // MARK: Inputs

    /// Tells one gesture, and does what it answers.
    func send(_ input: RecognizerInput, to gesture: Int) {
        if let answer = recognizers[gesture].handle(input) { perform(answer, gesture) }
    }

    /// Tells gestures one after the other, but for those that are dormant when it is their turn.
    func dispatch(_ input: RecognizerInput, in order: [Int]) {
        _ = tapCounter?.handle(input)
        for gesture in order where !isDormant(gesture) { send(input, to: gesture) }
    }

    /// Tells all gestures, also dormant ones, of what has no answer.
    func notifyAll(_ input: RecognizerInput) {
        _ = tapCounter?.handle(input)
        for recognizer in recognizers { _ = recognizer.handle(input) }
    }

    /// Tells all gestures that compete, also dormant ones, of what concerns no others and has no answer.
    func notifyCompetitors(_ input: RecognizerInput) {
        for gesture in rules.competitors { _ = recognizers[gesture].handle(input) }
    }

    /// Fires what is due, in the order of the configuration.
    func fire() {
        _ = tapCounter?.handle(.deadline(waitsForFailure: false))
        for gesture in recognizers.indices {
            send(.deadline(waitsForFailure: waitsForFailure(gesture)), to: gesture)
        }
        settle()
    }

    /// Notes when something is next due, and how far contacts may stray before something fails.
    func scheduleDeadline() {
        var next = tapCounter?.deadline ?? .never
        var limit = tapCounter?.squaredSlop ?? .infinity
        for recognizer in recognizers {
            next = min(next, recognizer.deadline ?? .never)
            limit = min(limit, recognizer.squaredSlop ?? .infinity)
        }
        nextDeadline = next == .never ? nil : next
        restLimit = limit
    }

    // MARK: Active gestures

    /// Calls `body` with each continuous gesture that has begun and not ended.
    func forEachActive(_ body: (_ gesture: Int, _ sequence: SequenceID) -> Void) {
        guard let sequence = contacts.sequence else { return }
        for gesture in recognizers.indices where isActive(gesture) { body(gesture, sequence) }
    }

    func isActive(_ gesture: Int) -> Bool {
        recognizers[gesture].disposition == .accepted && recognizers[gesture].isActive
    }
}
