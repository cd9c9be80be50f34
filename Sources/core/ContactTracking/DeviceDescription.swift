// SPDX-License-Identifier: MIT

/// An absolute axis as described by the device (`struct input_absinfo`).
///
/// The values are untrusted: ranges may be empty or reversed, and resolutions absurd.
package struct AxisRange: Hashable, Sendable, BitwiseCopyable {
    package var minimum: Int32
    package var maximum: Int32
    package var fuzz: Int32
    package var flat: Int32
    /// Units per millimetre; 0 if unknown.
    package var resolution: Int32
    /// The value at the time of the description.
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

    /// The number of values of the axis, at least 1.
    package var count: Int64 { max(1, Int64(maximum) - Int64(minimum) + 1) }
}

/// The description of a device, as reported by the device and by udev, or as read from a recording.
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
    /// Axes by `ABS_*` code.
    package var axes: [Int: AxisRange]
    /// The device's udev properties (`ID_PATH`, `ID_SEAT`, `ID_INPUT_*`, `LIBINPUT_CALIBRATION_MATRIX`, …); empty for a
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

    /// The prefix of a twin's `phys`.
    package static let twinPrefix = "gestured/"

    /// Whether the device is the twin of a panel, created by this or another daemon.
    package var isTwin: Bool { phys.hasPrefix(Self.twinPrefix) }

    /// Distinguishes devices, and stays the same when a device has another node: the ids, the place and the name. It is
    /// no id of a `[[device]]`, because it contains spaces.
    package var identity: String {
        let ids = [bus, vendor, product].map { String($0, radix: 16) }.joined(separator: ":")
        return "\(ids) \(udev["ID_PATH"] ?? phys) \(name)"
    }

    /// The axis with an `ABS_*` code.
    package func axis(_ code: UInt16) -> AxisRange? { axes[Int(code)] }

    package func hasKey(_ code: UInt16) -> Bool { keys.contains(Int(code)) }

    /// Whether each contact has its own position. Like udev, this excludes devices that claim to have every axis, even
    /// the reserved one before `ABS_MT_SLOT`.
    package var hasMultitouchPositions: Bool {
        axis(EventCode.absMTPositionX) != nil && axis(EventCode.absMTPositionY) != nil
            && !(axis(EventCode.absMTSlot) != nil && axis(EventCode.absReserved) != nil)
    }

    /// The codes of the x and y axes: the multitouch axes if there are any, otherwise `ABS_X` and `ABS_Y`.
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
