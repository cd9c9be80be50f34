// SPDX-License-Identifier: MIT
package import GestureEngine

/// One `input_event` as the kernel gave it.
package struct RawEvent: Hashable, Sendable, BitwiseCopyable {
    package var time: Timestamp
    /// `EV_*`
    package var type: UInt16
    /// `ABS_*`, `BTN_*`, `SYN_*`, as `type` says.
    package var code: UInt16
    package var value: Int32

    package init(time: Timestamp, type: UInt16, code: UInt16, value: Int32) {
        self.time = time
        self.type = type
        self.code = code
        self.value = value
    }

    /// The end of a frame: `EV_SYN`, `SYN_REPORT`.
    package var endsFrame: Bool { type == 0 && code == 0 }
}
