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

/// Recognizes the segments that one finger draws. A wrong segment makes it fail at once, unless there are several contacts.
final class ChainRecognizer: JudgedRecognizer {
    private struct Finger {
        let id: ContactID
        let since: Timestamp
        let start: Point
        var trace: ChainTrace
    }

    private let settings: ChainSettings
    private let sectors: SwipeSectors
    /// The contacts that no other region has claimed, in the order of their landing.
    private var fingers: [Finger] = []

    init(_ settings: ChainSettings, _ sectors: SwipeSectors, isAwaited: Bool, _ contacts: RegionContacts) {
        self.settings = settings
        self.sectors = sectors
        super.init(contacts, maxTime: settings.maxTime, isAwaited: isAwaited)
    }

    override var since: Timestamp? { (drawing ?? fingers.last)?.since }

    override var crowd: GestureFailure? { fingers.count > 1 && drawing == nil ? wrongNumber(fingers.count) : nil }

    override func isBeside(_ id: ContactID) -> Bool { contacts.group.isBesideDrawer(id) }

    /// The position of the finger that draws, if there are other contacts.
    override var focus: Point? { fingers.count > 1 ? contacts.group.drawer?.position : nil }

    /// The finger that draws; `nil` if there is none, or if it is not clear which one does.
    private var drawing: Finger? {
        if fingers.count == 1 { return fingers[0] }
        guard let drawer = contacts.group.drawer else { return nil }
        for finger in fingers where finger.id == drawer.id { return finger }
        return nil
    }

    override func follow(_ input: RecognizerInput) -> RecognizerAnswer? {
        switch input {
        case .landed(let id, _): for member in contacts.group.members where member.id == id { track(member) }
        case .wake: for member in contacts.group.members where !member.isClaimed { track(member) }
        case .moved: return isMet ? nil : moved()
        default: break
        }
        return nil
    }

    override func leave(_ id: ContactID) { fingers.removeAll { $0.id == id } }

    override func restart() { fingers.removeAll(keepingCapacity: true) }

    /// Tracks a contact from its current position.
    private func track(_ member: ContactGroup.Member) {
        fingers.append(
            Finger(
                id: member.id, since: contacts.now, start: member.position,
                trace: ChainTrace(at: member.position, sectors, minSegment: settings.minSegment)))
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
        for index in fingers.indices where mayMatch(fingers[index]) {
            if let position = position(of: fingers[index]) { fingers[index].trace.follow(position) }
        }
        if let late = expire() { return late }
        guard let finger = drawing else { return nil }
        if fingers.count == 1, !mayMatch(finger) { return fail(wrongPath(finger.trace)) }
        if settings.when == .threshold, case .accept(let detail) = verdict(finger) { meet(detail, fingers: 1) }
        return nil
    }

    override func verdict(_ moment: RecognizerMoment) -> Verdict? {
        guard case .now = moment else { return drawing.map(verdict) ?? .reject(wrongNumber(fingers.count)) }
        // A movement completes at most one segment.
        guard settings.when == .threshold, var finger = drawing, finger.trace.drawn.count + 1 >= settings.path.count
        else {
            return nil
        }
        if let position = position(of: finger) { finger.trace.follow(position) }
        return verdict(finger)
    }

    /// The result of a finger at this moment.
    private func verdict(_ finger: Finger) -> Verdict {
        guard finger.trace.drawn.elementsEqual(settings.path) else { return .reject(wrongPath(finger.trace)) }
        let duration = contacts.liftTime - finger.since
        guard duration <= settings.maxTime else { return .reject(slowness(duration.inMilliseconds)) }
        return .accept(.chain(duration: duration, start: finger.start))
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
