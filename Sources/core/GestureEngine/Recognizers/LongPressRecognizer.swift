// SPDX-License-Identifier: MIT

/// The settings of a long press. Lengths are in millimetres.
package struct LongPressSettings: Hashable, Sendable {
    /// The number of contacts.
    package var fingers = 1
    /// The number of one-finger taps that must directly precede the long press. Default 0: no requirement.
    package var taps = 0
    /// The time for which the contacts must stay within `slop`. Default 500 ms, as in UIKit and Flutter.
    package var delay = Interval.milliseconds(500)
    /// The distance in millimetres that a contact may stray during `delay`. Default 5, because kiosk users stand and
    /// poke.
    package var slop = 5.0
    /// Whether the long press fails if a contact leaves the region during `delay`. Default false.
    package var staysInside = false
    /// The movement in millimetres above which a contact cancels a long press that has begun; `nil`: no limit.
    package var cancelSlop: Double?

    package init() {}
}

extension LongPressSettings {
    package static let keys: [Setting] = [
        .fingers("fingers", \Self.fingers).limits(.tooFewContacts),
        .taps("taps", \Self.taps),
        .time("delay", \Self.delay, atLeast: .shortest).limits(.liftedEarly, lenient: .below),
        .length("slop", \Self.slop).limits(.moved, lenient: .above),
        .flag("inside", \Self.staysInside).limits(.leftRegion),
        .length("cancel_slop", \Self.cancelSlop).limits(.cancelled(.movement)),
    ]
}

extension LongPressSettings: RecognizerSettings {
    var watchesInside: Bool { staysInside }
    var decision: Decision { .landing(after: delay) }
    /// Several fingers may be too few until they lift.
    var latestFailure: LatestFailure { fingers > 1 ? .lift : .after(delay) }
    var demand: Demand { .hold(delay) }

    func makeRecognizer(_ contacts: RegionContacts, in region: Region, isAwaited: Bool) -> Recognizer? {
        LongPressRecognizer(self, contacts)
    }
}

/// Recognizes contacts that stay in place for a while.
///
///     ready ──n-th landing──▶ staying ──deadline──▶ held ──a lift──▶ over (end)
///                                │                     └──moves by `cancelSlop`──▶ over (cancel)
///                                └──strays, leaves, lifts, deadline with another contact──▶ over
final class LongPressRecognizer: Recognizer {
    private enum State {
        /// Fewer contacts than required are down.
        case ready
        case staying(since: Timestamp)
        case held(since: Timestamp)
        /// Failed or ended; waits for the end of the sequence.
        case over
    }

    /// A contact of the long press. Contacts that land later do not belong to it.
    private struct Member {
        let id: ContactID
        /// The position when the long press began.
        let position: Point
    }

    private let settings: LongPressSettings
    private var state = State.ready
    /// The contacts of the long press. The storage is kept, so that a landing allocates nothing.
    private var members: [Member] = []
    /// The centroid when the gestures listed in `after` were recognized, from which the contacts may not stray. `nil`
    /// without `after`.
    private var anchor: Point?

    init(_ settings: LongPressSettings, _ contacts: RegionContacts) {
        self.settings = settings
        super.init(contacts)
    }

    override var progress: RecognizerProgress {
        switch state {
        case .ready, .staying: .waiting
        case .held: .active
        case .over: .over
        }
    }

    override var deadline: Timestamp? {
        if case .staying(let since) = state { since + settings.delay } else { nil }
    }

    override var stillLimit: Double {
        switch progress {
        case .waiting: anchor == nil ? settings.slop * settings.slop : 0
        case .active where settings.cancelSlop != nil: 0
        case .active, .ended, .over: .infinity
        }
    }

    /// A lift before the deadline is too early, and after the last lift the missing contacts can no longer land.
    override func isHopeless(after lift: ContactLift) -> Bool {
        switch state {
        case .staying: lift.isDecisive
        case .ready: lift.leavesNone
        case .held, .over: false
        }
    }

    override func handle(_ input: RecognizerInput) -> RecognizerAnswer? {
        switch input {
        case .landed: return gather()
        case .wake:
            anchor = contacts.group.centroid
            return gather()
        case .moved: return moved()
        case .regrouped: return regrouped()
        case .lifts(let lift): return lifted(lift)
        case .gone(let id, let loss): return gone(id, loss)
        case .deadline: return begin()
        case .begin: return progress == .active ? .begin(.longPress(held: nil)) : nil
        case .refuse(let failure): return fail(failure)
        case .cancel(let reason): return cancel(reason)
        case .reset: (state, anchor) = (.ready, nil)
        case .forget: break
        }
        return nil
    }

    /// Whether there are too many contacts.
    private var isExceeded: Bool {
        if case .staying = state { contacts.group.count > settings.fingers } else { false }
    }

    /// Starts the delay once all contacts are down.
    private func gather() -> RecognizerAnswer? {
        guard case .ready = state else { return nil }
        if hasStrayed { return strayed() }
        if hasLeft { return fail(GestureFailure(.leftRegion)) }
        let group = contacts.group
        if group.count > settings.fingers { return fail(GestureFailure(.cancelled(.multiTouch))) }
        if group.count == settings.fingers { state = .staying(since: contacts.now) }
        return nil
    }

    private func isMember(_ id: ContactID) -> Bool {
        for member in members where member.id == id { return true }
        return false
    }

    private func begin() -> RecognizerAnswer? {
        guard case .staying(let since) = state, since + settings.delay <= contacts.now else { return nil }
        if isExceeded { return fail(GestureFailure(.cancelled(.multiTouch))) }
        state = .held(since: since)
        members.removeAll(keepingCapacity: true)
        for member in contacts.group.members where !member.isClaimed {
            members.append(Member(id: member.id, position: member.position))
        }
        return .begin(.longPress(held: nil))
    }

    private func lifted(_ lift: ContactLift) -> RecognizerAnswer? {
        switch state {
        case .ready where lift.leavesNone:
            let peak = Double(contacts.group.peak)
            return fail(GestureFailure(.tooFewContacts, value: peak, limit: Double(settings.fingers)))
        case .staying(let since) where lift.isDecisive:
            let held = (contacts.liftTime - since).inMilliseconds
            return fail(GestureFailure(.liftedEarly, value: held, limit: settings.delay.inMilliseconds))
        case .held(let since) where isMember(lift.id):
            state = .over
            return .end(.longPress(held: contacts.now - since))
        case .ready, .staying, .held, .over: return nil
        }
    }

    /// A long press that has begun keeps contacts that another region claims.
    private func gone(_ id: ContactID, _ loss: ContactLoss) -> RecognizerAnswer? {
        switch state {
        case .ready, .staying:
            guard contacts.group.isFree(id) else { return nil }
            // With `after`, the centroid of all contacts is measured.
            return loss.reason.isNoFinger && anchor == nil ? nil : fail(GestureFailure(.cancelled(loss.reason)))
        case .held:
            return !loss.isClaim && isMember(id) ? cancel(loss.reason) : nil
        case .over: return nil
        }
    }

    private func cancel(_ reason: CancelReason) -> RecognizerAnswer? {
        guard case .held(let since) = state else { return fail(GestureFailure(.cancelled(reason))) }
        state = .over
        return .cancel(.longPress(held: contacts.now - since), reason)
    }

    /// Fails for the given reason. If there are too many contacts, that is reported instead.
    private func fail(_ failure: GestureFailure) -> RecognizerAnswer? {
        guard progress == .waiting else { return nil }
        let reason = isExceeded ? GestureFailure(.cancelled(.multiTouch)) : failure
        state = .over
        return .fail(reason)
    }

    /// Contacts have joined or left. If one has left before the delay was over, it was no finger, and the delay is that of
    /// the others.
    private func regrouped() -> RecognizerAnswer? {
        guard progress == .waiting else { return nil }
        if case .staying = state, anchor == nil {
            state = contacts.group.landing(ofNumber: settings.fingers).map { .staying(since: $0) } ?? .ready
        }
        if contacts.isThinning { return nil }
        if anchor == nil, hasStrayed { return strayed() }
        return hasLeft ? fail(GestureFailure(.leftRegion)) : nil
    }

    private func moved() -> RecognizerAnswer? {
        switch state {
        case .ready, .staying:
            if hasStrayed { return strayed() }
            return hasLeft ? fail(GestureFailure(.leftRegion)) : nil
        case .held:
            guard let limit = settings.cancelSlop else { return nil }
            let hasMoved = members.contains { (position($0) - $0.position).length.exceeds(limit) }
            return hasMoved ? cancel(.movement) : nil
        case .over: return nil
        }
    }

    private func position(_ member: Member) -> Point {
        contacts.group.index(of: member.id).map { contacts.group.members[$0].position } ?? member.position
    }

    private var hasLeft: Bool {
        guard settings.staysInside else { return false }
        if isExceeded { return staying < settings.fingers }
        // With `after`, a contact may have left the region and returned before the delay began, so only contacts that
        // are outside now are considered.
        return anchor == nil ? contacts.group.hasLeft() : contacts.group.isAnyOutside
    }

    /// The number of contacts that have stayed in place.
    private var staying: Int { contacts.group.staying(within: settings.slop, inside: settings.staysInside) }

    /// Whether a contact has moved too far; if there are too many contacts, whether too few have stayed in place.
    private var hasStrayed: Bool {
        guard let anchor else {
            guard contacts.squaredExcursion > settings.slop * settings.slop else { return false }
            return isExceeded ? staying < settings.fingers : contacts.group.excursion().exceeds(settings.slop)
        }
        if isExceeded { return false }
        return (contacts.group.centroid - anchor).length.exceeds(settings.slop)
    }

    private func strayed() -> RecognizerAnswer? {
        let distance = anchor.map { (contacts.group.centroid - $0).length } ?? contacts.group.excursion()
        return fail(GestureFailure(.moved, value: distance, limit: settings.slop))
    }
}
