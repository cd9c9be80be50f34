// SPDX-License-Identifier: MIT
package import GestureEngine

/// One event as the kernel reports it, live or recorded.
@frozen
package struct KernelEvent: Hashable, Sendable, BitwiseCopyable {
    package var time: Timestamp
    /// `EV_*`
    package var type: UInt16
    /// `ABS_*`, `BTN_*`, `SYN_*`, as `type` says.
    package var code: UInt16
    package var value: Int32

    @inlinable
    package init(time: Timestamp, type: UInt16, code: UInt16, value: Int32) {
        self.time = time
        self.type = type
        self.code = code
        self.value = value
    }

    /// The end of a frame: `EV_SYN`, `SYN_REPORT`.
    package var endsFrame: Bool { type == EventCode.evSyn && code == EventCode.synReport }
}

extension SlotTracker {
    /// Takes one kernel event; see `feed(type:code:value:time:)`.
    @inlinable
    @inline(__always)
    package mutating func feed(_ event: KernelEvent) -> Bool {
        feed(type: event.type, code: event.code, value: event.value, time: event.time)
    }

    /// Takes events from `position` on, until one completes a `frame` with changes or none is
    /// left; `position` is the next one then. For whole reads: one access to a tracker in a
    /// class for each frame, not for each event.
    /// - Returns: `true` when a frame was completed.
    @inlinable
    package mutating func feed(_ events: UnsafeBufferPointer<KernelEvent>, from position: inout Int) -> Bool {
        while position < events.count {
            let event = events[position]
            position += 1
            if feed(event) { return true }
        }
        return false
    }
}
