// SPDX-License-Identifier: MIT
import GestureEngine

/// One slot: what the device said last, and what has been made of it.
@usableFromInline
struct Slot: Hashable, Sendable, BitwiseCopyable {
    /// What becomes of the finger in a slot.
    ///
    ///     empty ──lands──▶ live ──lifts──▶ empty
    ///       │               │ palm, storm, age, cancelAll
    ///       └──palm, mask──▶ muted ──lifts──▶ empty
    @usableFromInline
    enum Phase: UInt8, Sendable, BitwiseCopyable {
        case empty
        /// Shown to the engine.
        case live
        /// Not shown, until it lifts.
        case muted
    }

    // As the device says it.
    @usableFromInline var trackingID: Int32 = -1
    @usableFromInline var x: Int32 = 0
    @usableFromInline var y: Int32 = 0
    @usableFromInline var major: Int32 = 0
    @usableFromInline var tool: Int32 = 0
    @usableFromInline var distance: Int32 = 0

    // As the engine knows it.
    var shownX: Int32 = 0
    var shownY: Int32 = 0
    var contact = ContactID(0)
    var landed = Timestamp(microseconds: 0)
    var position = Point.zero
    var phase = Phase.empty

    /// The contact that ended within the frame that is being collected: a slot may end and
    /// begin again in one frame.
    var ended: ContactChange?

    init() {}

    /// Whether a finger touches the glass: one that hovers has a tracking id, too.
    var isTouching: Bool { trackingID >= 0 && distance <= 0 }

    mutating func take(_ state: SlotState) {
        x = state.x
        y = state.y
        major = state.major
        tool = state.tool
        distance = state.distance
    }
}
