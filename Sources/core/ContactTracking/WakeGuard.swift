// SPDX-License-Identifier: MIT
package import GestureEngine

/// The treatment of touches that wake the display (`wake` of a `[[device]]`).
package struct WakeSettings: Hashable, Sendable {
    /// The file that says whether the display is off; `nil`: the kernel's own lists of displays do.
    package var display: String?
    /// The time after the last lift within which a contact still belongs to the wake.
    package var quiet = Interval.milliseconds(300)
    /// The key that a virtual keyboard presses; `nil`: none.
    package var key: WakeKey? = .wakeup
    /// The time after the first hidden contact at which the guard gives up; `nil`: never.
    package var patience: Interval? = Self.usualPatience
    /// Televisions and projectors take up to 20 s to show a picture.
    package static let usualPatience = Interval.milliseconds(30_000)

    package init() {}
}

/// A key that wakes displays. The raw value is the kernel's code, and the name is the kernel's without `KEY_`.
package enum WakeKey: UInt16, Hashable, Sendable, CaseIterable {
    case wakeup = 143
    case leftshift = 42
    case f24 = 194
}

/// Keeps contacts from gestures and applications while the display is off, and until it is on again.
///
/// A wake begins with a contact that lands while the display is off, wherever others are down. It ends when all contacts of
/// the wake have lifted and `quiet` has passed since, but at the latest when `patience` has passed since it began: the panel
/// may have missed a lift. If the display is said to be off until then, the guard gives up until the display has been on,
/// because what says so may be wrong.
package struct WakeGuard {
    /// The kind of source that says that the display is off. The raw value is the name on the wire.
    package enum Reason: String, Hashable, Sendable {
        case display, scene
    }

    /// A period in which the display is said to be off although a contact should have woken it.
    package struct Darkness: Hashable, Sendable {
        /// The time of the first hidden contact.
        package var since: Timestamp
        /// Whether the display should have come on by now.
        package var isLong = false
    }

    /// The interval between looks at the display after a wake, which find out whether it comes on.
    private static let lookInterval = Interval.milliseconds(1000)

    private let quiet: Interval
    private let patience: Interval?
    /// Reads why the display is off; `nil` if it is on. This may read files.
    private let reason: () -> Reason?
    /// Switches the display on, at the time of a wake.
    let wakes: (Timestamp) -> Void
    /// Called when the darkness becomes a long one, and with `nil` when a long one has ended.
    private let report: (Darkness?) -> Void
    /// Whether a contact of the wake is down.
    fileprivate var isTouched = false
    /// The time from which `patience` counts for the last wake.
    private var start: Timestamp?
    /// The time of the last landing in the wake.
    private var lastLanding = Timestamp(microseconds: 0)
    /// The time before which a landing belongs to the last wake.
    private var end: Timestamp?
    /// The reason for the last wake, until `SlotTracker.takeWake` has returned it.
    var begun: Reason?
    /// `nil` if the display has been on since the last wake.
    package private(set) var darkness: Darkness?
    /// The time at which `look(at:)` must next be called; `.never` if there is no need to.
    private(set) var nextLook = Timestamp.never

    package init(
        _ settings: WakeSettings, reason: @escaping () -> Reason?, wakes: @escaping (Timestamp) -> Void = { _ in },
        report: @escaping (Darkness?) -> Void = { _ in }
    ) {
        (quiet, patience) = (settings.quiet, settings.patience)
        (self.reason, self.wakes, self.report) = (reason, wakes, report)
    }

    /// Whether the guard hides nothing until the display has been on.
    package var hasGivenUp: Bool { patience != nil && darkness?.isLong == true }

    /// Looks at the display.
    /// - Returns: why a contact that lands now must wake it; `nil` if it is on, or if the guard has given up.
    @discardableResult
    mutating func look(at time: Timestamp) -> Reason? {
        let reason = reason()
        guard reason == .display, let since = darkness?.since else {
            if reason != .display { end(darkness) }
            return reason
        }
        let longest = patience ?? WakeSettings.usualPatience
        if darkness?.isLong == false, time >= since + longest {
            darkness?.isLong = true
            report(darkness)
        }
        nextLook = darkness?.isLong == true ? .never : min(time + Self.lookInterval, since + longest)
        return hasGivenUp ? nil : reason
    }

    private mutating func end(_ ended: Darkness?) {
        (darkness, nextLook) = (nil, .never)
        if ended?.isLong == true { report(nil) }
    }

    /// Records, at the end of a frame, whether a contact of the wake is down.
    mutating func follow(isTouched: Bool, at time: Timestamp) {
        if self.isTouched, !isTouched { end = time + quiet }
        self.isTouched = isTouched
    }

    /// Handles a landing.
    /// - Parameters:
    ///   - maxAge: the time after which a contact that is still down no longer counts.
    ///   - filter: returns the filter that hides the contact anyway. Such a contact begins no wake.
    /// - Returns: the filter that hides the contact from everybody; `nil` if the contact counts.
    mutating func filter(
        landingAt time: Timestamp, maxAge: Interval?, filter: () -> ContactFilter?
    ) -> ContactFilter? {
        if !isWaking(at: time, maxAge) {
            guard let reason = look(at: time) else { return nil }
            if let filter = filter() { return filter }
            begin(reason, at: time)
        }
        (isTouched, lastLanding) = (true, time)
        return .wake
    }

    private func isWaking(at time: Timestamp, _ maxAge: Interval?) -> Bool {
        guard let start, patience.map({ time < start + $0 }) ?? true else { return false }
        if isTouched, maxAge.map({ time < lastLanding + $0 }) ?? true { return true }
        return end.map { time < $0 } ?? false
    }

    private mutating func begin(_ reason: Reason, at time: Timestamp) {
        (begun, start, end) = (reason, time, nil)
        guard reason == .display else { return }
        if darkness == nil { (darkness, nextLook) = (Darkness(since: time), time + Self.lookInterval) }
        start = darkness?.since
    }
}

extension SlotTracker {
    /// Switches the display on if a wake has begun since the last call.
    /// - Returns: the reason for the wake; `nil` if none has begun.
    package mutating func takeWake() -> WakeGuard.Reason? {
        guard let reason = wake?.begun else { return nil }
        wake?.begun = nil
        wake?.wakes(frame.time)
        return reason
    }

    /// Whether the contact in a slot landed while the display was off, or before a wake had ended.
    package func isDark(_ slot: Int) -> Bool { slots.indices.contains(slot) && slots[slot].isDark }

    /// Handles a landing on a panel with a guard.
    /// - Returns: the filter that hides the contact from everybody because the display is off.
    mutating func wakeFilter(
        landing state: SlotState, at position: Point, _ isPrivate: Bool
    ) -> ContactFilter? {
        let (settings, time) = (filter, frame.time)
        defer { nextLook = wake?.nextLook ?? .never }
        return wake?.filter(landingAt: time, maxAge: settings.maxContactAge) {
            if let filter = settings.filter(landing: state, at: position) { return filter }
            return storms[isPrivate: isPrivate]?.isStorm(landingAt: time) == true ? .storm : nil
        }
    }

    /// Looks whether the display has come on since the last wake. Call this at `nextLook`, and now and then.
    package mutating func lookAtDisplay(at time: Timestamp) {
        guard wake?.darkness != nil else { return }
        wake?.look(at: time)
        nextLook = wake?.nextLook ?? .never
    }

    mutating func followWake() {
        guard wake?.isTouched == true else { return }
        wake?.follow(isTouched: slots.contains { $0.phase == .ignored(by: .wake) }, at: frame.time)
    }
}
