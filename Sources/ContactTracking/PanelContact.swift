// SPDX-License-Identifier: MIT
package import GestureEngine

/// A contact that is down now.
package struct PanelContact: Hashable, Sendable, BitwiseCopyable {
    package var id: ContactID
    package var slot: Int
    package var position: Point
    /// The width of the touch in millimetres; `nil` where the panel does not say, or its size is not known.
    package var major: Double?

    package init(id: ContactID, slot: Int, position: Point, major: Double?) {
        self.id = id
        self.slot = slot
        self.position = position
        self.major = major
    }
}

/// What the tracker has made of the contact in one slot. `SlotState` holds what the device says of it.
struct TrackedContact: Sendable {
    /// The diagram shows all transitions.
    ///
    ///     none ──lands──▶ shown ──lifts──▶ none
    ///       │               │ palm, storm, age, cancelAll
    ///       └──palm, mask──▶ ignored ──lifts──▶ none
    enum Phase: Sendable {
        case none
        /// The engine follows it.
        case shown
        /// The engine does not see it, until it lifts.
        case ignored
    }

    var phase = Phase.none
    /// The rest holds while `shown`.
    var id = ContactID(0)
    var landed = Timestamp(microseconds: 0)
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
}
