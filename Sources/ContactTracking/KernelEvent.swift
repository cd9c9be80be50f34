// SPDX-License-Identifier: MIT
package import GestureEngine

/// One event as the kernel reports it, read from a device or from a recording.
package struct KernelEvent: Hashable, Sendable, BitwiseCopyable {
    package var time: Timestamp
    /// `EV_*`
    package var type: UInt16
    /// `ABS_*`, `BTN_*` or `SYN_*`, depending on `type`.
    package var code: UInt16
    package var value: Int32

    package init(time: Timestamp, type: UInt16, code: UInt16, value: Int32) {
        self.time = time
        self.type = type
        self.code = code
        self.value = value
    }

    /// An event of `EV_ABS`.
    package static func axis(_ code: UInt16, _ value: Int32, at time: Timestamp) -> KernelEvent {
        KernelEvent(time: time, type: EventCode.evAbs, code: code, value: value)
    }

    /// `SYN_REPORT`
    package static func report(at time: Timestamp) -> KernelEvent {
        KernelEvent(time: time, type: EventCode.evSyn, code: EventCode.synReport, value: 0)
    }

    /// Whether this is a `SYN_REPORT`, the end of a frame.
    package var endsFrame: Bool { type == EventCode.evSyn && code == EventCode.synReport }

    /// What a device without multitouch axes reports of its only contact with `BTN_TOUCH`, `ABS_X` and `ABS_Y`,
    /// as the event of a device with slots. `EV_SYN` stays as it is; `nil` for everything else.
    var fromSingleTouch: KernelEvent? {
        switch (type, code) {
        case (EventCode.evSyn, _): self
        case (EventCode.evAbs, EventCode.absX): .axis(EventCode.absMTPositionX, value, at: time)
        case (EventCode.evAbs, EventCode.absY): .axis(EventCode.absMTPositionY, value, at: time)
        // The value 2 is the autorepeat of a key.
        case (EventCode.evKey, EventCode.btnTouch) where value != 2:
            .axis(EventCode.absMTTrackingID, value == 0 ? -1 : 0, at: time)
        default: nil
        }
    }
}
