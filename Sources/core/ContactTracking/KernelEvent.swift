// SPDX-License-Identifier: MIT
public import GestureEngine

/// An event in the kernel's form, read from a device or from a recording.
public struct KernelEvent: Hashable, Sendable, BitwiseCopyable {
    public var time: Timestamp
    /// `EV_*`
    public var type: UInt16
    /// `ABS_*`, `BTN_*` or `SYN_*`, depending on `type`.
    public var code: UInt16
    public var value: Int32

    @inlinable public init(time: Timestamp, type: UInt16, code: UInt16, value: Int32) {
        self.time = time
        self.type = type
        self.code = code
        self.value = value
    }

    /// An event of `EV_ABS`.
    @inlinable public static func axis(_ code: UInt16, _ value: Int32, at time: Timestamp) -> KernelEvent {
        KernelEvent(time: time, type: EventCode.evAbs, code: code, value: value)
    }

    /// `SYN_REPORT`
    @inlinable public static func report(at time: Timestamp) -> KernelEvent {
        KernelEvent(time: time, type: EventCode.evSyn, code: EventCode.synReport, value: 0)
    }

    /// Whether this is a `SYN_REPORT`, the end of a frame.
    @inlinable public var endsFrame: Bool { type == EventCode.evSyn && code == EventCode.synReport }

    /// Converts an event of a device without multitouch axes (`BTN_TOUCH`, `ABS_X` and `ABS_Y` of its only contact)
    /// to an event of a device with slots. `EV_SYN` is unchanged; `nil` for other events.
    @inlinable public var fromSingleTouch: KernelEvent? {
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

/// Types and codes of kernel input events, named as in `linux/input-event-codes.h`.
///
/// They are defined here so that this module, which also handles recordings from other machines, needs no C header.
public enum EventCode {
    public static let evSyn: UInt16 = 0x00
    public static let evKey: UInt16 = 0x01
    public static let evAbs: UInt16 = 0x03

    public static let synReport: UInt16 = 0
    public static let synMTReport: UInt16 = 2
    public static let synDropped: UInt16 = 3

    /// Pens, fingers and `BTN_TOUCH` (`BTN_DIGI`).
    public static let digitizerKeys: ClosedRange<UInt16> = 0x140...0x14f
    public static let btnMouse: UInt16 = 0x110
    public static let btnJoystick: UInt16 = 0x120
    public static let btnToolPen: UInt16 = 0x140
    public static let btnToolFinger: UInt16 = 0x145
    public static let btnTouch: UInt16 = 0x14a
    public static let btnStylus: UInt16 = 0x14b

    public static let absX: UInt16 = 0x00
    public static let absY: UInt16 = 0x01
    public static let absZ: UInt16 = 0x02
    /// `ABS_MT_TOOL_Y`, the last of the axes that each contact has.
    public static let absMTLast: UInt16 = 0x3d
    /// `ABS_RESERVED`, the code before `ABS_MT_SLOT`; no touch device has it.
    public static let absReserved: UInt16 = 0x2e
    public static let absMTSlot: UInt16 = 0x2f
    public static let absMTTouchMajor: UInt16 = 0x30
    public static let absMTPositionX: UInt16 = 0x35
    public static let absMTPositionY: UInt16 = 0x36
    public static let absMTToolType: UInt16 = 0x37
    public static let absMTTrackingID: UInt16 = 0x39
    public static let absMTDistance: UInt16 = 0x3b

    /// `MT_TOOL_FINGER`, a value of `ABS_MT_TOOL_TYPE`.
    public static let mtToolFinger: Int32 = 0
    /// `MT_TOOL_PALM`, a value of `ABS_MT_TOOL_TYPE`.
    public static let mtToolPalm: Int32 = 2

    static let inputPropDirect = 0x01
    static let inputPropSemiMT = 0x03
    static let inputPropAccelerometer = 0x06
}
