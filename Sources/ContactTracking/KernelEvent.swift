// SPDX-License-Identifier: MIT
package import GestureEngine

/// One event as the kernel reports it, live or recorded.
@frozen
package struct KernelEvent: Hashable, Sendable, BitwiseCopyable {
    package var time: Timestamp
    package var type: UInt16
    package var code: UInt16
    package var value: Int32

    @inlinable
    package init(time: Timestamp, type: UInt16, code: UInt16, value: Int32) {
        self.time = time
        self.type = type
        self.code = code
        self.value = value
    }
}

extension SlotTracker {
    /// Takes one kernel event; see `feed(type:code:value:time:)`.
    @inlinable
    @inline(__always)
    package mutating func feed(_ event: KernelEvent) -> Bool {
        feed(type: event.type, code: event.code, value: event.value, time: event.time)
    }
}
