// SPDX-License-Identifier: MIT
import GestureEngine

/// A variation that passes the same touches to the engine in another form; the events must be the same.
package enum Variation: String, Hashable, Sendable, CaseIterable {
    /// The run is repeated unchanged.
    case again
    /// Updates are off, which must not change other events.
    case withoutUpdates
    /// Failures are off, which must not change other events.
    case withoutFailures
    /// The run is played some days later.
    case later
    /// Contacts have other ids, in the same order.
    case renumbered
    /// The loop wakes up unnecessarily, and the panel sends frames without a change.
    case interrupted
    /// An unchanged configuration is reloaded.
    case reloaded
    /// The world is rotated or mirrored.
    case rotated, mirrored
    /// Each movement is split into two halves at the same time.
    case split

    /// The variations that can be applied to the run with this number.
    package static func fitting(seed: UInt64, isCoarse: Bool) -> [Variation] {
        if RandomRun.isPlain(seed) { return [.split, .split, .again, .rotated, .mirrored] }
        return allCases.filter { $0 != .split && !(isCoarse && ($0 == .rotated || $0 == .mirrored)) }
    }

    /// Plays the variation and compares its events with those of the run; `nil` if there is no relevant difference.
    func violation(_ run: LawRun, events: [GestureEvent]) -> LawViolation? {
        switch self {
        case .again: return difference(events, LawPlayer.events(of: run))
        case .withoutUpdates:
            let others = LawPlayer.events(of: run, reportsUpdates: false)
            return difference(events.filter { $0.phase != .update }, others.filter { $0.phase != .update })
        case .withoutFailures:
            let loud = LawPlayer.events(of: run, reportsFailures: true).filter { !$0.isFailure }
            return difference(loud, LawPlayer.events(of: run, reportsFailures: false))
        case .later:
            let shift = Interval(microseconds: 777_777_777_777)
            var later = run
            later.steps.insert(.wait(shift.microseconds), at: 0)
            let shifted = LawPlayer.events(of: later).map { event in
                var event = event
                event.time = Timestamp(microseconds: event.time.microseconds - shift.microseconds)
                return event
            }
            return difference(events, shifted)
        case .renumbered:
            return difference(events, LawPlayer.events(of: run.mapChanges { $0.renumbered }))
        case .interrupted: return difference(events, LawPlayer.events(of: run.interrupted))
        case .reloaded: return difference(events, LawPlayer.events(of: run.reloaded))
        case .rotated: return alike(events, LawPlayer.events(of: run.turned(.rotated)), .rotated)
        case .mirrored: return alike(events, LawPlayer.events(of: run.turned(.mirrored)), .mirrored)
        case .split:
            return alike(
                events.filter { $0.phase == nil }, LawPlayer.events(of: run.split).filter { $0.phase == nil }, nil)
        }
    }

    /// Compares the events exactly; `nil` if they are equal in every bit.
    private func difference(_ a: [GestureEvent], _ b: [GestureEvent]) -> LawViolation? {
        for i in 0..<max(a.count, b.count) {
            let left = i < a.count ? a[i] : nil
            let right = i < b.count ? b[i] : nil
            if left != right { return describe(left, right) }
        }
        return nil
    }

    /// Compares gestures and times, ignoring updates and failures. Other numbers may differ in the last bits. A swipe on the
    /// border of two directions ends the comparison of a turn, because the horizontal direction wins before and after it.
    private func alike(_ a: [GestureEvent], _ b: [GestureEvent], _ turn: Turn?) -> LawViolation? {
        let a = a.filter { $0.phase != .update && !$0.isFailure }
        let b = b.filter { $0.phase != .update && !$0.isFailure }
        for i in 0..<max(a.count, b.count) {
            if turn != nil, i < a.count && a[i].isOnBorder || i < b.count && b[i].isOnBorder { return nil }
            guard i < a.count, i < b.count else { return describe(i < a.count ? a[i] : nil, i < b.count ? b[i] : nil) }
            let isSame =
                a[i].time == b[i].time && a[i].region == b[i].region && a[i].gesture == b[i].gesture
                && a[i].phase == b[i].phase && a[i].sequence == b[i].sequence && a[i].fingers == b[i].fingers
                && a[i].direction.map { turn?.direction($0) ?? $0 } == b[i].direction
            if !isSame { return describe(a[i], b[i]) }
        }
        return nil
    }

    private func describe(_ a: GestureEvent?, _ b: GestureEvent?) -> LawViolation {
        LawViolation(rawValue, "\(Self.text(a)) became \(Self.text(b))")
    }

    static func text(_ event: GestureEvent?) -> String {
        guard let event else { return "nothing" }
        let phase = event.phase.map { " \($0)" } ?? ""
        return "\(event.time.microseconds) r\(event.region.raw).g\(event.gesture.raw) \(event.detail)\(phase)"
            + " #\(event.sequence.rawValue) \(event.fingers) \(event.position)"
    }
}

extension GestureEvent {
    var isFailure: Bool { if case .failed = detail { true } else { false } }

    /// The direction of a swipe; `nil` for other events.
    var direction: SwipeDirection? { if case .swipe(let swipe) = detail { swipe.direction } else { nil } }

    /// Whether the event is a swipe on the border of two sectors of 90° or 45°. Lengths are compared with a tolerance of
    /// 0.001 mm, which is 0.02° of a swipe of 4 mm.
    var isOnBorder: Bool {
        guard case .swipe(let swipe) = detail else { return false }
        let quarter = (swipe.angle - 45).remainder(dividingBy: 90)
        let eighth = (swipe.angle - 22.5).remainder(dividingBy: 45)
        return min(quarter.magnitude, eighth.magnitude) < 0.02
    }
}
