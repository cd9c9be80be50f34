// SPDX-License-Identifier: MIT

/// One absolute axis as the device describes it (`struct input_absinfo`).
///
/// Nothing in it can be trusted: ranges may be empty or reversed, resolutions absurd.
package struct AxisRange: Hashable, Sendable, BitwiseCopyable {
    package var minimum: Int32
    package var maximum: Int32
    package var fuzz: Int32
    package var flat: Int32
    /// Units per millimetre; 0 where the device does not say.
    package var resolution: Int32
    /// At the time of the description.
    package var value: Int32

    package init(
        minimum: Int32, maximum: Int32, fuzz: Int32 = 0, flat: Int32 = 0, resolution: Int32 = 0, value: Int32 = 0
    ) {
        self.minimum = minimum
        self.maximum = maximum
        self.fuzz = fuzz
        self.flat = flat
        self.resolution = resolution
        self.value = value
    }

    /// How many values the axis has, at least 1.
    package var count: Int64 { max(1, Int64(maximum) - Int64(minimum) + 1) }
}

/// What a device says about itself, and what udev knows about it; live or from a recording.
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
    /// udev's properties (`ID_PATH`, `ID_SEAT`, `ID_INPUT_*`, `LIBINPUT_CALIBRATION_MATRIX`, …); empty for a
    /// recording without them.
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

    /// The `phys` of a twin begins with it.
    package static let twinPrefix = "gestured/"

    /// The daemon, or another one, has made it of a panel.
    package var isTwin: Bool { phys.hasPrefix(Self.twinPrefix) }

    /// The axis with an `ABS_*` code.
    package func axis(_ code: UInt16) -> AxisRange? { axes[Int(code)] }

    package func hasKey(_ code: UInt16) -> Bool { keys.contains(Int(code)) }

    /// Whether each contact has a position of its own. As for udev, a device that claims all axes there are, even
    /// the reserved one before the slots, is no multitouch device.
    package var hasMultitouchPositions: Bool {
        axis(EventCode.absMTPositionX) != nil && axis(EventCode.absMTPositionY) != nil
            && !(axis(EventCode.absMTSlot) != nil && axis(EventCode.absReserved) != nil)
    }

    /// The codes of the axes for x and y: the multitouch ones, else `ABS_X` and `ABS_Y`.
    package var positionCodes: [UInt16] {
        hasMultitouchPositions
            ? [EventCode.absMTPositionX, EventCode.absMTPositionY] : [EventCode.absX, EventCode.absY]
    }

    /// The axes of `positionCodes`; `nil` unless the device has both.
    package var positionAxes: (x: AxisRange, y: AxisRange)? {
        let codes = positionCodes
        guard let x = axis(codes[0]), let y = axis(codes[1]) else { return nil }
        return (x, y)
    }
}
