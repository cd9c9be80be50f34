// SPDX-License-Identifier: MIT

/// The settings of a chain of swipes. Lengths are in millimetres.
package struct ChainSettings: Hashable, Sendable {
    /// The directions of the segments, in order. Two directions in a row differ.
    package var path: [SwipeDirection] = []
    /// The shortest length of a segment in millimetres. Default 10, as for a swipe.
    package var minSegment = 10.0
    /// The longest time from the landing to the recognition. Default 4 s.
    package var maxTime = Interval.milliseconds(4000)
    /// The moment at which the chain is judged. Default lift.
    package var when = SwipeSettings.Moment.lift

    package init() {}
}

extension ChainSettings {
    package static let keys: [Setting] = [
        .path("path", \Self.path, atMost: 8).required.limits(.wrongStep),
        .length("min_segment", \Self.minSegment).limits(.tooShort, lenient: .below),
        .time("max_time", \Self.maxTime, atLeast: .shortest).limits(.tooSlow, lenient: .above),
        .word("when", \Self.when),
    ]
}

extension ChainSettings: RecognizerSettings {
    var fingers: Int { 1 }
    var swipeDirections: [SwipeDirection] { path }
    var decision: Decision { when == .threshold ? .movement : .lift }
    var latestFailure: LatestFailure { .after(maxTime) }
    var demand: Demand { .path }
    var leastMovement: Double { minSegment }

    func makeRecognizer(_ contacts: RegionContacts, in region: Region, isAwaited: Bool) -> Recognizer? {
        ChainRecognizer(self, SwipeSectors(path, of: .chain, in: region), isAwaited: isAwaited, contacts)
    }
}

/// Recognizes the segments that one finger draws. The chain is judged when the finger lifts, or as soon as the last
/// segment is long enough. A wrong segment makes it fail at once, unless there are several contacts.
///
///     ready ──landing──▶ tracking ──lift──▶ over (recognized or not)
///                           └──wrong segment──▶ over
final class ChainRecognizer: Recognizer {
    private struct Finger {
        let id: ContactID
        let since: Timestamp
        let start: Point
        var trace: ChainTrace
    }

    /// The result of checking all limits.
    private enum Verdict {
        case accept(GestureEvent.Detail)
        case reject(GestureFailure)

        var isAccepted: Bool {
            if case .accept = self { true } else { false }
        }
    }

    private let settings: ChainSettings
    private let sectors: SwipeSectors
    /// Whether another gesture waits for this one to fail. If so, it fails as soon as it is too late for a chain.
    private let isAwaited: Bool
    /// The contacts that no other region has claimed, in the order of their landing. There may be several of them,
    /// because all but one may rest, or may still turn out to be palms.
    private var fingers: [Finger] = []
    /// The recognition of a chain that was complete (`when = "threshold"`) while a gesture listed in `unless` was still
    /// possible; `nil` if there is none.
    private var met: RecognizerAnswer?
    private var isOver = false

    init(_ settings: ChainSettings, _ sectors: SwipeSectors, isAwaited: Bool, _ contacts: RegionContacts) {
        self.settings = settings
        self.sectors = sectors
        self.isAwaited = isAwaited
        super.init(contacts)
    }

    override var progress: RecognizerProgress { isOver ? .over : .waiting }

    override func wants(_ moment: RecognizerMoment) -> Bool {
        if met != nil { return !isOver }
        guard !isOver, var finger = drawing else { return false }
        switch moment {
        case .now:
            // A movement completes at most one segment.
            guard settings.when == .threshold, finger.trace.drawn.count + 1 >= settings.path.count else { return false }
            if let position = position(of: finger) { finger.trace.follow(position) }
        case .lift(let id): guard !contacts.group.isBesideDrawer(id) else { return false }
        }
        return verdict(finger).isAccepted
    }

    override func isHopeless(after lift: ContactLift) -> Bool {
        !isOver && lift.isDecisive && !contacts.group.isBesideDrawer(lift.id) && !wants(.lift(lift.id))
    }

    /// The first moment at which the chain is too slow.
    override var deadline: Timestamp? {
        guard isAwaited, !isOver, met == nil, let finger = drawing ?? fingers.last else { return nil }
        return finger.since + settings.maxTime + Interval(microseconds: 1)
    }

    /// The position of the finger that draws, if there are other contacts.
    override var focus: Point? { fingers.count > 1 ? contacts.group.drawer?.position : nil }

    /// The finger that draws; `nil` if there is none, or if it is not clear which one does.
    private var drawing: Finger? {
        if fingers.count == 1 { return fingers[0] }
        guard let drawer = contacts.group.drawer else { return nil }
        for finger in fingers where finger.id == drawer.id { return finger }
        return nil
    }

    override func handle(_ input: RecognizerInput) -> RecognizerAnswer? {
        guard !isOver else {
            if case .reset = input { reset() }
            return nil
        }
        switch input {
        case .landed(let id, _): for member in contacts.group.members where member.id == id { track(member) }
        case .wake: for member in contacts.group.members where !member.isClaimed { track(member) }
        case .moved: return moved()
        case .lifts(let lift): return lifts(lift)
        case .begin:
            follow()
            return judge()
        case .deadline: return expire()
        case .gone(let id, let loss):
            guard contacts.group.isFree(id) else { return nil }
            guard loss.reason.isNoFinger else { return fail(GestureFailure(.cancelled(loss.reason))) }
            fingers.removeAll { $0.id == id }
            return expire()
        case .refuse(let failure): return fail(failure)
        case .cancel(let reason): return fail(GestureFailure(.cancelled(reason)))
        case .reset: reset()
        case .regrouped, .forget: break
        }
        return nil
    }

    private func reset() {
        fingers.removeAll(keepingCapacity: true)
        met = nil
        isOver = false
    }

    /// Tracks a contact from its current position.
    private func track(_ member: ContactGroup.Member) {
        fingers.append(
            Finger(
                id: member.id, since: contacts.now, start: member.position,
                trace: ChainTrace(at: member.position, sectors, minSegment: settings.minSegment)))
    }

    private func follow() {
        for index in fingers.indices where mayMatch(fingers[index]) {
            if let position = position(of: fingers[index]) { fingers[index].trace.follow(position) }
        }
    }

    /// Whether every segment drawn so far is right.
    private func mayMatch(_ finger: Finger) -> Bool { settings.path.starts(with: finger.trace.drawn) }

    /// The current position, unless the contact has jumped there, which may be an error of the panel.
    private func position(of finger: Finger) -> Point? {
        guard let place = contacts.group.index(of: finger.id), !contacts.group.members[place].hasJumped else {
            return nil
        }
        return contacts.group.members[place].position
    }

    private func moved() -> RecognizerAnswer? {
        guard met == nil else { return nil }
        follow()
        if let late = expire() { return late }
        guard let finger = drawing else { return nil }
        if fingers.count == 1, !mayMatch(finger) { return fail(wrongPath(finger.trace)) }
        // If it could be recognized now, it would already be.
        if settings.when == .threshold, case .accept(let detail) = verdict(finger) {
            met = .recognizeEarlier(
                detail, fingers: 1, position: focus ?? contacts.group.centroid, waits: false)
        }
        return nil
    }

    private func lifts(_ lift: ContactLift) -> RecognizerAnswer? {
        guard lift.isDecisive else { return nil }
        guard contacts.group.isBesideDrawer(lift.id) else { return judge() }
        fingers.removeAll { $0.id == lift.id }
        return expire()
    }

    private func judge() -> RecognizerAnswer? {
        if let met {
            isOver = true
            return met
        }
        switch drawing.map(verdict) ?? .reject(wrongNumber) {
        case .accept(let detail):
            isOver = true
            return .recognize(detail)
        case .reject(let failure): return fail(failure)
        }
    }

    /// The result at this moment.
    private func verdict(_ finger: Finger) -> Verdict {
        guard finger.trace.drawn.elementsEqual(settings.path) else { return .reject(wrongPath(finger.trace)) }
        let duration = contacts.liftTime - finger.since
        guard duration <= settings.maxTime else { return .reject(slowness(duration.inMilliseconds)) }
        return .accept(.chain(duration: duration, start: finger.start))
    }

    /// Fails if it is too late for the finger that draws. That may be clear only when another contact moves, lifts or is
    /// taken away.
    private func expire() -> RecognizerAnswer? {
        guard let deadline, deadline <= contacts.now, let finger = drawing ?? fingers.last else { return nil }
        return fail(slowness((contacts.now - finger.since).inMilliseconds.rounded(.up)))
    }

    /// Fails for the given reason. If it is not clear which contact draws, that is reported instead.
    private func fail(_ failure: GestureFailure) -> RecognizerAnswer {
        let reason = fingers.count > 1 && drawing == nil ? wrongNumber : failure
        isOver = true
        return .fail(reason)
    }

    private var wrongNumber: GestureFailure {
        GestureFailure(
            fingers.isEmpty ? .tooFewContacts : .tooManyContacts, value: Double(fingers.count), limit: 1)
    }

    private func slowness(_ milliseconds: Double) -> GestureFailure {
        GestureFailure(.tooSlow, value: milliseconds, limit: settings.maxTime.inMilliseconds)
    }

    /// The failure of a movement that is not the path. If nothing was drawn, or only the first or the last segment is
    /// missing and at least half of it was drawn, a segment was too short.
    private func wrongPath(_ trace: ChainTrace) -> GestureFailure {
        let drawn = trace.drawn
        var length = drawn.isEmpty ? trace.longest : 0
        if let last = settings.path.last, drawn.elementsEqual(settings.path.dropLast()) {
            length = max(length, trace.length(towards: last))
        }
        if let first = settings.path.first, !drawn.isEmpty, settings.path.dropFirst().starts(with: drawn) {
            length = max(length, trace.lead.component(along: first.unit))
        }
        if settings.minSegment.exceeds(length), drawn.isEmpty || 2 * length >= settings.minSegment {
            return GestureFailure(.tooShort, value: length, limit: settings.minSegment)
        }
        let right = zip(drawn, settings.path).prefix { $0 == $1 }.count
        return GestureFailure(
            .wrongStep, value: Double(right), limit: Double(settings.path.count), drawn: drawn)
    }
}
