// SPDX-License-Identifier: MIT

/// The types and codes of kernel input events that this project looks at, after their names in
/// `linux/input-event-codes.h`. Here so that tracking needs no C header: recordings of other
/// machines are replayed with it.
package enum EventCode {
    @inlinable package static var evSyn: UInt16 { 0x00 }
    @inlinable package static var evKey: UInt16 { 0x01 }
    @inlinable package static var evAbs: UInt16 { 0x03 }

    @inlinable package static var synReport: UInt16 { 0 }
    @inlinable package static var synMTReport: UInt16 { 2 }
    @inlinable package static var synDropped: UInt16 { 3 }

    @inlinable package static var btnTouch: UInt16 { 0x14a }

    @inlinable package static var absX: UInt16 { 0x00 }
    @inlinable package static var absY: UInt16 { 0x01 }
    @inlinable package static var absMTSlot: UInt16 { 0x2f }
    @inlinable package static var absMTTouchMajor: UInt16 { 0x30 }
    @inlinable package static var absMTPositionX: UInt16 { 0x35 }
    @inlinable package static var absMTPositionY: UInt16 { 0x36 }
    @inlinable package static var absMTToolType: UInt16 { 0x37 }
    @inlinable package static var absMTTrackingID: UInt16 { 0x39 }
    @inlinable package static var absMTDistance: UInt16 { 0x3b }

    /// `ABS_MT_TOOL_TYPE`: what the panel calls a palm.
    @inlinable package static var mtToolPalm: Int32 { 2 }

    static let inputPropDirect = 0x01
    static let inputPropSemiMT = 0x03
    static let inputPropAccelerometer = 0x06
    static let absZ = 0x02
    /// `ABS_MT_SLOT - 1`, which no real touch device has.
    static let absReserved = 0x2e
    static let btnMouse = 0x110
    static let btnJoystick = 0x120
    static let btnToolPen = 0x140
    static let btnToolFinger = 0x145
    static let btnStylus = 0x14b
}
