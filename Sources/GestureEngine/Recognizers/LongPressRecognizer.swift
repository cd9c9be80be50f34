// SPDX-License-Identifier: MIT

/// The numbers of a long press, in millimetres, degrees and times.
package struct LongPressSettings: Hashable, Sendable {
    /// Contacts that rest.
    package var fingers = 1
    /// Taps of one finger that must come right before. Default 0: any.
    package var taps = 0
    /// How long the contacts must rest. Default 500 ms: UIKit, Flutter.
    package var delay = Interval.milliseconds(500)
    /// Millimetres that a contact may stray meanwhile. Default 5: kiosk users stand and poke.
    package var slop = 5.0
    /// A contact that leaves the region meanwhile makes it fail. Default false.
    package var staysInside = false
    /// Millimetres that a contact may move once it has begun; farther away it is cancelled. `nil`: any distance.
    package var cancelSlop: Double?

    package init() {}
}

extension LongPressSettings: RecognizerSettings {
    func makeRecognizer(_ contacts: RegionContacts, in region: Region, isAwaited: Bool) -> Recognizer {
        LongPressRecognizer(self, contacts)
    }
}

/// Contacts that rest for a while.
///
///     ready ──n-th landing──▶ resting ──deadline──▶ held ──a lift──▶ over (end)
///                                │                     └──moves by `cancelSlop`──▶ over (cancel)
///                                └──strays, leaves, lifts, one contact more──▶ over
final class LongPressRecognizer: Recognizer {
    private enum State {
        /// Fewer contacts than it takes.
        case ready
        case resting(since: Timestamp)
        case held(since: Timestamp)
        /// Gave up or ended; waits for the sequence to end.
        case over
    }

    /// A contact that rests.
    private struct Resting {
        let id: ContactID
        /// Where it was when the long press began.
        var position: Point
    }

    private let settings: LongPressSettings
    private var state = State.ready
    /// The contacts that rest. One that has landed since has no part in this.
    private var resting: [Resting] = []
    /// Where its contacts were when what it comes after was recognized: from there they may not stray.
    private var anchor: Point?

    init(_ settings: LongPressSettings, _ contacts: RegionContacts) {
        self.settings = settings
        super.init(contacts)
    }

    override var isActive: Bool {
        if case .held = state { true } else { false }
    }

    override var deadline: Timestamp? {
        if case .resting(let since) = state { since + settings.delay } else { nil }
    }

    override var squaredSlop: Double? {
        if isActive, settings.cancelSlop != nil { return 0 }
        guard isWaiting else { return nil }
        return anchor == nil ? settings.slop * settings.slop : 0
    }

    override var outlastsClaims: Bool { isActive }
    override var ignoresClaimedContacts: Bool { true }
    override var watchesInside: Bool { settings.staysInside }
    override var retry: Retry { .whenOver }

    /// A contact that has landed since it began changes nothing.
    override func needs(_ id: ContactID) -> Bool { isActive ? resting.contains { $0.id == id } : true }

    override func handle(_ input: RecognizerInput) -> RecognizerAnswer? {
        switch input {
        case .contactLanded: return landed()
        case .woken:
            anchor = contacts.group.centroid
            return landed()
        case .contactsMoved: return moved()
        case .insideChanged: return isWaiting && hasLeft ? fail(GestureFailure(.leftRegion)) : nil
        case .deadline: return begin()
        case .announce: return isActive ? .begin(.longPress(held: nil)) : nil
        case .restEnds: return liftedEarly()
        case .restLacksContacts: return lacksContacts()
        case .contactLifted(let id): return end(id)
        case .refused(let failure): return fail(failure)
        case .contactClaimed: return fail(GestureFailure(.cancelled(.claimed)))
        case .cancel(let reason, _), .interrupted(let reason): return cancel(reason)
        case .sequenceEnded: reset()
        default: break
        }
        return nil
    }

    /// Neither begun nor given up.
    private var isWaiting: Bool {
        switch state {
        case .ready, .resting: true
        case .held, .over: false
        }
    }

    private func landed() -> RecognizerAnswer? {
        let group = contacts.group
        switch state {
        case .ready:
            if hasStrayed { return strayed() }
            if hasLeft { return fail(GestureFailure(.leftRegion)) }
            if group.count == settings.fingers {
                state = .resting(since: contacts.now)
                rest(group)
            }
            return group.count > settings.fingers ? fail(GestureFailure(.cancelled(.multiTouch))) : nil
        case .resting:
            return fail(GestureFailure(.cancelled(.multiTouch)))
        case .held, .over:
            return nil
        }
    }

    private func rest(_ group: ContactGroup) {
        // Taken out meanwhile, as in `RegionContacts.changeGroup`.
        var resting: [Resting] = []
        swap(&resting, &self.resting)
        resting.removeAll(keepingCapacity: true)
        for member in group.members where !member.isClaimed {
            resting.append(Resting(id: member.id, position: member.position))
        }
        swap(&resting, &self.resting)
    }

    private func begin() -> RecognizerAnswer? {
        guard case .resting(let since) = state, since + settings.delay <= contacts.now else { return nil }
        state = .held(since: since)
        resting = resting.map { Resting(id: $0.id, position: position($0)) }
        return .begin(.longPress(held: nil))
    }

    private func liftedEarly() -> RecognizerAnswer? {
        guard case .resting(let since) = state else { return nil }
        let held = (contacts.now - since).inMilliseconds
        return fail(GestureFailure(.liftedEarly, value: held, limit: settings.delay.inMilliseconds))
    }

    private func lacksContacts() -> RecognizerAnswer? {
        guard isWaiting else { return nil }
        let peak = Double(contacts.group.peak)
        defer { reset() }
        return fail(GestureFailure(.tooFewContacts, value: peak, limit: Double(settings.fingers)))
    }

    private func end(_ id: ContactID) -> RecognizerAnswer? {
        guard case .held(let since) = state, needs(id) else { return nil }
        state = .over
        return .end(.longPress(held: contacts.now - since))
    }

    private func cancel(_ reason: CancelReason) -> RecognizerAnswer? {
        guard case .held(let since) = state else { return fail(GestureFailure(.cancelled(reason))) }
        state = .over
        return .cancel(.longPress(held: contacts.now - since), reason)
    }

    private func fail(_ failure: GestureFailure) -> RecognizerAnswer? {
        guard isWaiting else { return nil }
        state = .over
        return .fail(failure)
    }

    private func reset() {
        state = .ready
        anchor = nil
    }

    private func moved() -> RecognizerAnswer? {
        if isWaiting { return hasStrayed ? strayed() : nil }
        guard isActive, let limit = settings.cancelSlop else { return nil }
        for contact in resting where (position(contact) - contact.position).length.exceeds(limit) {
            return cancel(.movement)
        }
        return nil
    }

    /// Where a contact is now.
    private func position(_ contact: Resting) -> Point {
        contacts.group.index(of: contact.id).map { contacts.group.members[$0].position } ?? contact.position
    }

    private var hasLeft: Bool { settings.staysInside && contacts.group.hasLeft() }

    private var hasStrayed: Bool {
        guard let anchor else {
            return contacts.squaredExcursion > settings.slop * settings.slop
                && contacts.group.excursion().exceeds(settings.slop)
        }
        return (contacts.group.centroid - anchor).length.exceeds(settings.slop)
    }

    private func strayed() -> RecognizerAnswer? {
        let distance = anchor.map { (contacts.group.centroid - $0).length } ?? contacts.group.excursion()
        return fail(GestureFailure(.moved, value: distance, limit: settings.slop))
    }
}
