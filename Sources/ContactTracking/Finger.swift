// SPDX-License-Identifier: MIT
import GestureEngine

/// What has been made of the finger in one slot. What the device says of it is its `SlotState`.
struct Finger: Hashable, Sendable, BitwiseCopyable {
    /// What becomes of the finger in a slot.
    ///
    ///     empty ──lands──▶ live ──lifts──▶ empty
    ///       │               │ palm, storm, age, cancelAll
    ///       └──palm, mask──▶ muted ──lifts──▶ empty
    enum Phase: UInt8, Sendable, BitwiseCopyable {
        case empty
        /// Shown to the engine.
        case live
        /// Not shown, until it lifts.
        case muted
    }

    var phase = Phase.empty
    /// The contact that it is while live.
    var contact = ContactID(0)
    var landed = Timestamp(microseconds: 0)
    /// The device units that the engine was told last, and what they are on the glass.
    var shownX: Int32 = 0
    var shownY: Int32 = 0
    var position = Point.zero

    init() {}

    /// - Returns: whether it is elsewhere now.
    @inline(__always)
    mutating func move(to state: SlotState, _ mapping: AxisMapping) -> Bool {
        guard state.x != shownX || state.y != shownY else { return false }
        shownX = state.x
        shownY = state.y
        position = mapping.point(x: state.x, y: state.y)
        return true
    }
}
