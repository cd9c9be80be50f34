// SPDX-License-Identifier: MIT
import GestureEngine

/// One slot: what the device says of it, and what the tracker has made of its contact.
struct TrackedSlot: Sendable {
    /// The diagram shows all transitions.
    ///
    ///     none ──lands──▶ shown ──lifts──▶ none
    ///       │               │ palm, size, storm, age, cancelAll
    ///       └──palm, mask──▶ ignored ──lifts──▶ none
    enum Phase: Hashable, Sendable {
        case none
        /// The engine follows it.
        case shown
        /// The engine does not see it, until it lifts; `nil`: no filter is the reason.
        case ignored(by: ContactFilter?)
    }

    var state = SlotState()
    private(set) var phase = Phase.none
    /// The rest holds while `shown`.
    var id = ContactID(0)
    var landed = Timestamp(microseconds: 0)
    /// It was too large when it landed: unless a second report says otherwise, it is a palm from then on.
    var sizeCounts: Timestamp?
    /// The device units that the engine was given last, and the position that they became.
    var shownX: Int32 = 0
    var shownY: Int32 = 0
    var position = Point.zero

    /// Whether events have said anything of the slot since the last frame.
    var isChanged = false
    /// Whether they have said a position, be it the one that it had: a frame of a file may repeat positions.
    var isPositioned = false
    /// The contact that ended in this slot since the last frame: a slot may end and begin again within one frame.
    var ended: ContactChange?

    /// - Returns: how many more contacts are shown than before: 1, 0 or -1.
    mutating func setPhase(_ new: Phase) -> Int {
        defer { phase = new }
        return (new == .shown ? 1 : 0) - (phase == .shown ? 1 : 0)
    }

    /// When its contact is too old, or its size counts.
    func deadline(maxAge: Interval?) -> Timestamp? {
        let tooOld = maxAge.map { landed + $0 }
        guard let sizeCounts else { return tooOld }
        return min(tooOld ?? sizeCounts, sizeCounts)
    }

    /// Takes what the device says of an axis.
    mutating func set(_ code: UInt16, _ value: Int32, isPosition: Bool) {
        guard state.set(code, value) else { return }
        isChanged = true
        if isPosition { isPositioned = true }
    }
}
