// SPDX-License-Identifier: MIT

/// One row of the kernel's slot table, in device units.
@frozen
package struct SlotState: Hashable, Sendable, BitwiseCopyable {
    /// Negative: nothing touches in this slot. The positions are the last ones all the same.
    package var trackingID: Int32
    package var x: Int32
    package var y: Int32
    package var major: Int32
    package var tool: Int32
    package var distance: Int32

    package init(
        trackingID: Int32 = -1, x: Int32 = 0, y: Int32 = 0, major: Int32 = 0, tool: Int32 = 0, distance: Int32 = 0
    ) {
        self.trackingID = trackingID
        self.x = x
        self.y = y
        self.major = major
        self.tool = tool
        self.distance = distance
    }

    /// Takes an `ABS_MT_…` of `EventCode`; any other code changes nothing.
    package mutating func set(_ code: UInt16, _ value: Int32) {
        switch code {
        case EventCode.absMTTrackingID: trackingID = value
        case EventCode.absMTPositionX: x = value
        case EventCode.absMTPositionY: y = value
        case EventCode.absMTTouchMajor: major = value
        case EventCode.absMTToolType: tool = value
        case EventCode.absMTDistance: distance = value
        default: break
        }
    }

    /// Whether a finger touches the glass: one that hovers has a tracking id, too.
    var isTouching: Bool { trackingID >= 0 && distance <= 0 }
}
