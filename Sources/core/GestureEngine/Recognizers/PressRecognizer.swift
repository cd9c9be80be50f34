// SPDX-License-Identifier: MIT

/// The settings of a press.
package struct PressSettings: Hashable, Sendable {
    /// The interval of progress updates while the press is held (timed press); `nil`: no updates.
    package var progress: Interval?
    /// The number of one-finger taps that must directly precede the press. Default 0: no requirement.
    package var taps = 0
    /// Whether a second contact in the region cancels the press. Default false.
    package var isSingle = false

    package init(progress: Interval? = nil) {
        self.progress = progress
    }
}

extension PressSettings {
    package static let keys: [Setting] = [
        .oneOrAny("fingers", \Self.isSingle),
        .time("progress", \Self.progress, atLeast: .milliseconds(10)),
        .taps("taps", \Self.taps),
    ]
}

extension PressSettings: RecognizerSettings {
    var fingers: Int { 1 }
    var watchesInside: Bool { true }
    var decision: Decision { .landing() }
    var latestFailure: LatestFailure { .never }
    var demand: Demand { .touch() }

    func makeRecognizer(_ contacts: RegionContacts, in region: Region, isAwaited: Bool) -> Recognizer? {
        PressRecognizer(self, contacts)
    }
}

/// Recognizes the states of a button: down, left, returned, released.
///
///     ready ──landing──▶ down ──last lift──▶ over (end) ──end of sequence──▶ ready
///                          └──cancel──▶ over
final class PressRecognizer: Recognizer {
    private enum State {
        case ready
        case down(since: Timestamp, inside: Bool, progressAt: Timestamp?)
        /// Ended or cancelled; waits for the end of the sequence.
        case over
    }

    /// The longest time for which progress is reported. It also bounds the number of updates when a clock jumps
    /// ahead.
    private static let longestProgress = Interval.milliseconds(3_600_000)

    private let settings: PressSettings
    private var state = State.ready

    init(_ settings: PressSettings, _ contacts: RegionContacts) {
        self.settings = settings
        super.init(contacts)
    }

    override var progress: RecognizerProgress {
        switch state {
        case .ready: .waiting
        case .down: .active
        case .over: .over
        }
    }

    /// The time of the next progress update.
    override var deadline: Timestamp? {
        if case .down(_, _, let progressAt) = state { progressAt } else { nil }
    }

    override func handle(_ input: RecognizerInput) -> RecognizerAnswer? {
        switch input {
        // A contact that has just landed is inside.
        case .landed: return isCrowded ? cancel(.multiTouch) : begin(inside: true)
        case .wake: return isCrowded ? cancel(.multiTouch) : begin(inside: contacts.group.isInside)
        case .begin: return announce()
        case .moved, .regrouped: return insideChanged()
        case .lifts(let lift): return lift.isLast ? end() : nil
        case .deadline: return reportProgress()
        case .refuse(let failure): return fail(failure)
        case .cancel(let reason): return cancel(reason)
        case .reset: state = .ready
        // A press lasts as long as any of its contacts is down.
        case .gone, .forget: break
        }
        return nil
    }

    private var isCrowded: Bool { settings.isSingle && contacts.group.members.count > 1 }

    private func begin(inside: Bool) -> RecognizerAnswer? {
        guard case .ready = state else { return nil }
        let now = contacts.now
        state = .down(since: now, inside: inside, progressAt: settings.progress.map { now + $0 })
        return announce()
    }

    private func announce() -> RecognizerAnswer? {
        guard case .down(_, let inside, _) = state else { return nil }
        return .begin(.press(inside: inside, held: nil))
    }

    private func insideChanged() -> RecognizerAnswer? {
        let inside = contacts.group.isInside
        guard case .down(let since, let wasInside, let progressAt) = state, inside != wasInside else { return nil }
        state = .down(since: since, inside: inside, progressAt: progressAt)
        return .update(.press(inside: inside, held: nil))
    }

    private func reportProgress() -> RecognizerAnswer? {
        guard case .down(let since, let inside, let due?) = state, due <= contacts.now,
            let progress = settings.progress
        else { return nil }
        let next = due + max(progress, .milliseconds(1))
        let isOver = next - since > Self.longestProgress
        state = .down(since: since, inside: inside, progressAt: isOver ? nil : next)
        return .update(.press(inside: inside, held: due - since))
    }

    private func end() -> RecognizerAnswer? {
        guard case .down(let since, let inside, _) = state else { return nil }
        state = .over
        return .end(.press(inside: inside, held: contacts.now - since))
    }

    private func cancel(_ reason: CancelReason) -> RecognizerAnswer? {
        guard case .down(let since, let inside, _) = state else { return fail(GestureFailure(.cancelled(reason))) }
        state = .over
        return .cancel(.press(inside: inside, held: contacts.now - since), reason)
    }

    private func fail(_ failure: GestureFailure) -> RecognizerAnswer? {
        guard case .ready = state else { return nil }
        state = .over
        return .fail(failure)
    }
}
