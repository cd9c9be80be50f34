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
/// A wake begins with a contact that lands while the display is off. It ends when all contacts of the wake have lifted
/// and `quiet` has passed since.
package struct WakeGuard {
    /// The kind of source that says that the display is off. The raw value is the name on the wire.
    package enum Reason: String, Hashable, Sendable {
        case display, scene
    }

    private let quiet: Interval
    /// Reads why the display is off; `nil` if it is on. This may read files.
    private let reason: () -> Reason?
    /// Switches the display on, at the time of a wake.
    let wakes: (Timestamp) -> Void
    /// Whether a contact of the wake is down.
    fileprivate var isTouched = false
    /// The time of the last landing in the wake.
    private var lastLanding = Timestamp(microseconds: 0)
    /// The time before which a landing belongs to the last wake.
    private var end: Timestamp?
    /// The reason for the last wake, until `SlotTracker.takeWake` has returned it.
    var begun: Reason?

    package init(
        _ settings: WakeSettings, reason: @escaping () -> Reason?, wakes: @escaping (Timestamp) -> Void = { _ in }
    ) {
        quiet = settings.quiet
        self.reason = reason
        self.wakes = wakes
    }

    /// Records, at the end of a frame, whether a contact of the wake is down.
    mutating func follow(isTouched: Bool, at time: Timestamp) {
        if self.isTouched, !isTouched { end = time + quiet }
        self.isTouched = isTouched
    }

    /// Handles a landing.
    /// - Parameters:
    ///   - isFirst: whether gestures have no other contact. Only then is the display looked at.
    ///   - maxAge: the time after which a contact that is still down no longer counts.
    ///   - filter: returns the filter that hides the contact anyway. Such a contact begins no wake.
    /// - Returns: the filter that hides the contact from everybody; `nil` if the display is on.
    mutating func filter(
        landingAt time: Timestamp, isFirst: Bool, maxAge: Interval?, filter: () -> ContactFilter?
    ) -> ContactFilter? {
        let isWaking = isTouched && maxAge.map { time < lastLanding + $0 } ?? true
        if !isWaking, end.map({ time >= $0 }) ?? true {
            guard isFirst, let reason = reason() else { return nil }
            if let filter = filter() { return filter }
            begun = reason
        }
        (isTouched, lastLanding) = (true, time)
        return .wake
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
        let isFirst = contactCount == 0
        let (settings, time) = (filter, frame.time)
        return wake?.filter(landingAt: time, isFirst: isFirst, maxAge: settings.maxContactAge) {
            if let filter = settings.filter(landing: state, at: position) { return filter }
            return storms[isPrivate: isPrivate]?.isStorm(landingAt: time) == true ? .storm : nil
        }
    }

    mutating func followWake() {
        guard wake?.isTouched == true else { return }
        wake?.follow(isTouched: slots.contains { $0.phase == .ignored(by: .wake) }, at: frame.time)
    }
}
