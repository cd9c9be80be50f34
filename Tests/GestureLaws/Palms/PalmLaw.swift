// SPDX-License-Identifier: MIT
package import GestureEngine

/// The law that a contact that turns out to be a palm counts as if it had not landed: without it, what is judged after it is
/// the same.
///
/// A touch is exempt if something was told while a palm was down, or would have been told without it, because what has
/// been decided stays.
package struct PalmLaw {
    /// The kinds of gestures for which the law holds. A press begins with its first contact, whatever that is, and a dial
    /// measures a straight line for the time until a palm went.
    package static let kinds = GestureKind.allCases.filter { kind in
        switch kind {
        case .tap, .longPress, .repeat, .drag, .swipe, .pinch, .rotate, .chain, .stroke: true
        case .press, .dial, .pattern: false
        }
    }
    /// The least time in microseconds between two touches that are compared alone.
    static let pause: Int64 = 3_000_000

    /// Touches after which nothing is pending.
    fileprivate struct Touch {
        let start: Timestamp
        var end = Timestamp.never
        /// The times at which the first palm landed, and at which the last one turned out to be one.
        var palms: (first: Timestamp, last: Timestamp)?
        /// Whether a finger was down each time that a palm was taken away. Otherwise the palm was a touch of its own.
        var isBesideFinger = true
    }

    /// Compares the events of a run with those of the run without its palms. Adds the number of gestures of each kind that
    /// are the same to `counts`.
    static func violation(of run: LawRun, _ counts: inout [GestureKind: Int]) -> LawViolation? {
        let (palms, regions) = (run.palms, run.worlds[0].regions)
        let beside = LawPlayer.events(of: run, reportsUpdates: false, reportsFailures: true)
        let alone = LawPlayer.events(
            of: palms.reduce(run) { $0.without($1) }, reportsUpdates: false, reportsFailures: true)
        for touch in touches(run, palms) {
            guard touch.isBesideFinger, let palms = touch.palms,
                let expected = judged(alone, touch, palms, in: regions, isAlone: true),
                let events = judged(beside, touch, palms, in: regions, isAlone: false)
            else { continue }
            for place in 0..<max(events.count, expected.count) {
                let (event, other) = (events.at(place), expected.at(place))
                guard event == other else {
                    return LawViolation("without-palms", "\(Variation.text(other)) became \(Variation.text(event))")
                }
                guard let event, !event.isFailure else { continue }
                counts[regions[event.region].gestures[event.gesture].settings.kind, default: 0] += 1
            }
        }
        return nil
    }

    /// The event without its sequence, and without what is not that of the fingers alone: how many contacts were too many or
    /// too few, and which of several tries of a drag is told. Of a failure of several fingers, only its existence is compared,
    /// because its numbers are the most that they have done. Angles, spans and what a failure measured are rounded, because
    /// they are sums of other steps.
    private static func comparable(_ event: GestureEvent, _ settings: GestureSettings) -> GestureEvent {
        var event = event
        event.sequence = SequenceID(0)
        switch event.detail {
        case .pinch(let scale): event.detail = .pinch(scale: rounded(scale))
        case .rotate(let rotation): event.detail = .rotate(rotation: rounded(rotation))
        case .failed where settings.isOfSeveral: event.detail = .failed(GestureFailure(.tooShort))
        case .failed(let failure) where [.tooManyContacts, .tooFewContacts, .tooShort].contains(failure.code):
            event.detail = .failed(GestureFailure(settings.kind == .drag ? .tooShort : failure.code))
        case .failed(var failure):
            (failure.value, failure.limit) = (rounded(failure.value), rounded(failure.limit))
            event.detail = .failed(failure)
        default: break
        }
        return event
    }

    private static func rounded(_ number: Double) -> Double { (number * 1e6).rounded() }

    /// The events of a touch after its last palm; `nil` if the touch is exempt.
    /// - Parameter isAlone: whether there were no palms. If there were, what they alone would have been fails as the last one
    ///   goes, and what they kept back begins. Only what they have been a part of is cancelled.
    private static func judged(
        _ events: [GestureEvent], _ touch: Touch, _ palms: (first: Timestamp, last: Timestamp), in regions: [Region],
        isAlone: Bool
    ) -> [GestureEvent]? {
        var open = 0
        var judged: [GestureEvent] = []
        for event in events where event.time >= touch.start && event.time < touch.end {
            if event.time < palms.first {
                open += event.phase == .begin ? 1 : event.phase == nil || event.phase == .update ? 0 : -1
            } else if event.time < palms.last || event.time == palms.last && (isAlone || event.isCancel) {
                return nil
            } else if event.time > palms.last {
                judged.append(comparable(event, regions[event.region].gestures[event.gesture].settings))
            }
        }
        return open == 0 ? judged : nil
    }

    private static func touches(_ run: LawRun, _ palms: [ContactID]) -> [Touch] {
        var time = Timestamp(microseconds: 0)
        var touches = [Touch(start: time)]
        var fingers: Set<ContactID> = []
        for step in run.steps {
            switch step {
            case .wait(let microseconds):
                time = time + Interval(microseconds: microseconds)
                guard microseconds >= pause else { continue }
                touches[touches.count - 1].end = time
                touches.append(Touch(start: time))
            case .frame(let changes):
                for change in changes {
                    touches[touches.count - 1].note(change, at: time, isPalm: palms.contains(change.id), &fingers)
                }
            case .advance, .reload, .updates, .failures: break
            }
        }
        return touches
    }
}

extension PalmLaw.Touch {
    fileprivate mutating func note(
        _ change: ContactChange, at time: Timestamp, isPalm: Bool, _ fingers: inout Set<ContactID>
    ) {
        switch change.kind {
        case .landed where isPalm: palms = (palms?.first ?? time, .never)
        case .cancelled where isPalm:
            palms = palms.map { ($0.first, time) }
            if fingers.isEmpty { isBesideFinger = false }
        case .landed: fingers.insert(change.id)
        case .lifted, .cancelled: fingers.remove(change.id)
        case .moved, .resynchronized: break
        }
    }
}

extension GestureEvent {
    fileprivate var isCancel: Bool { if case .cancel = phase { true } else { false } }
}

extension GestureSettings {
    /// Whether several fingers may make the gesture by a movement, of which there are several kinds.
    fileprivate var isOfSeveral: Bool {
        switch self {
        case .pinch, .rotate: true
        case .drag(let drag): drag.fingerRange.upperBound > 1
        default: false
        }
    }
}

extension LawRun {
    /// The contacts that turn out to be palms.
    var palms: [ContactID] {
        var palms: [ContactID] = []
        for case .frame(let changes) in steps {
            for change in changes where change.kind == .cancelled(.palm) { palms.append(change.id) }
        }
        return palms
    }
}

extension Array {
    fileprivate func at(_ place: Int) -> Element? { place < count ? self[place] : nil }
}
