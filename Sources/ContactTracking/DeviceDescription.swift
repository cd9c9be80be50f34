// SPDX-License-Identifier: MIT

/// What a device says about itself, and udev about it. The same for a live one and a recording.
package struct DeviceDescription: Hashable, Sendable {
    package var name: String
    package var phys: String
    package var uniq: String
    /// `BUS_*`.
    package var bus: UInt16
    package var vendor: UInt16
    package var product: UInt16
    package var version: UInt16
    /// `INPUT_PROP_*`.
    package var properties: Set<Int>
    /// `KEY_*` and `BTN_*`.
    package var keys: Set<Int>
    /// By `ABS_*` code.
    package var axes: [Int: AxisRange]
    /// `ID_PATH`, `ID_SEAT`, `ID_INPUT_*`, `LIBINPUT_CALIBRATION_MATRIX`, …; empty for a
    /// recording that does not hold them.
    package var udev: [String: String]

    package init(
        name: String = "", phys: String = "", uniq: String = "", bus: UInt16 = 0, vendor: UInt16 = 0,
        product: UInt16 = 0, version: UInt16 = 0, properties: Set<Int> = [], keys: Set<Int> = [],
        axes: [Int: AxisRange] = [:], udev: [String: String] = [:]
    ) {
        self.name = name
        self.phys = phys
        self.uniq = uniq
        self.bus = bus
        self.vendor = vendor
        self.product = product
        self.version = version
        self.properties = properties
        self.keys = keys
        self.axes = axes
        self.udev = udev
    }

    /// The axis with an `ABS_*` code.
    package func axis(_ code: UInt16) -> AxisRange? { axes[Int(code)] }

    package func hasKey(_ code: UInt16) -> Bool { keys.contains(Int(code)) }

    /// Whether several contacts have positions of their own. As udev sees it: a device with all
    /// axes there are is no multitouch device.
    package var hasMultitouchPositions: Bool {
        axis(EventCode.absMTPositionX) != nil && axis(EventCode.absMTPositionY) != nil
            && !(axis(EventCode.absMTSlot) != nil && axes[EventCode.absReserved] != nil)
    }

    /// The axes that positions come from: the multitouch ones, else `ABS_X` and `ABS_Y`.
    package var positionCodes: [UInt16] {
        hasMultitouchPositions
            ? [EventCode.absMTPositionX, EventCode.absMTPositionY] : [EventCode.absX, EventCode.absY]
    }

    /// Those axes, if the device has both.
    package var positionAxes: (x: AxisRange, y: AxisRange)? {
        let codes = positionCodes
        guard let x = axis(codes[0]), let y = axis(codes[1]) else { return nil }
        return (x, y)
    }
}
