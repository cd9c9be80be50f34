// SPDX-License-Identifier: MIT
import GestureEngine

/// A slot: its state as reported by the device, and the state of its contact.
struct TrackedSlot: Sendable {
    /// The state of the contact, with these transitions:
    ///
    ///     none ──lands──▶ shown ──lifts──▶ none
    ///       │               │ palm, size, storm, age, cancelAll
    ///       └──palm, mask──▶ ignored ──lifts──▶ none
    enum Phase: Hashable, Sendable {
        case none
        /// The contact is shown to the engine.
        case shown
        /// The contact is hidden from the engine until it lifts. The filter is `nil` if there is another reason.
        case ignored(by: ContactFilter?)
    }

    var state = SlotState()
    private(set) var phase = Phase.none
    /// The contact. Valid while the phase is `shown`, and right after the lift.
    var contact = TrackedContact()

    /// Whether the contact landed while the display was off, or before a wake had ended. Always `false` without a
    /// `WakeGuard`.
    var isDark = false
    /// Whether events have changed the slot since the last frame.
    var isChanged = false
    /// Whether events have set a position, even to the same value. Frames in a file may repeat positions.
    var isPositioned = false
    /// The contact that ended in this slot since the last frame. A contact may end and another one may begin within the
    /// same frame.
    var ended: ContactChange?

    /// Changes the phase.
    /// - Returns: the change in the number of shown contacts: 1, 0 or -1.
    mutating func setPhase(_ new: Phase) -> Int {
        defer { phase = new }
        return (new == .shown ? 1 : 0) - (phase == .shown ? 1 : 0)
    }

    mutating func set(_ code: UInt16, _ value: Int32, isPosition: Bool) {
        guard state.set(code, value) else { return }
        isChanged = true
        if isPosition { isPositioned = true }
    }
}

/// A contact that is shown to the engine.
struct TrackedContact: Sendable, BitwiseCopyable {
    var id = ContactID(0)
    var landed = Timestamp(microseconds: 0)
    /// The time at which the contact is hidden because of its size. Set if the size in the first report was too large,
    /// and cleared if it is not too large in the second.
    var sizeCounts: Timestamp?
    /// The coordinates last passed to the engine, in device units and as a position.
    var shownX: Int32 = 0
    var shownY: Int32 = 0
    var position = Point.zero

    /// The time at which the contact becomes too old, or is hidden because of its size.
    func deadline(maxAge: Interval?) -> Timestamp? {
        let tooOld = maxAge.map { landed + $0 }
        guard let sizeCounts else { return tooOld }
        return min(tooOld ?? sizeCounts, sizeCounts)
    }

    mutating func move(to state: SlotState, at position: Point) {
        shownX = state.x
        shownY = state.y
        self.position = position
    }
}
