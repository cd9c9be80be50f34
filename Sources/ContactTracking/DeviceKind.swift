// SPDX-License-Identifier: MIT

/// What udev takes a device for.
package enum DeviceKind: String, Hashable, Sendable {
    case touchscreen, touchpad, tablet, mouse
    case accelerometer, other

    /// What udev said; where it is silent (a recording of another machine), what it would say.
    package init(_ description: DeviceDescription) {
        let udev = description.udev
        let known: [(String, DeviceKind)] = [
            ("ID_INPUT_TOUCHSCREEN", .touchscreen), ("ID_INPUT_TOUCHPAD", .touchpad), ("ID_INPUT_TABLET", .tablet),
            ("ID_INPUT_MOUSE", .mouse), ("ID_INPUT_ACCELEROMETER", .accelerometer),
        ]
        if let found = known.first(where: { udev[$0.0] == "1" }) {
            self = found.1
        } else if udev.keys.contains(where: { $0.hasPrefix("ID_INPUT") }) {
            self = .other
        } else {
            self = Self.derived(from: description)
        }
    }

    /// The rules of udev's `input_id` for devices with absolute axes, in its order.
    private static func derived(from device: DeviceDescription) -> DeviceKind {
        let hasPositions = device.axis(EventCode.absX) != nil && device.axis(EventCode.absY) != nil
        let isAccelerometer =
            device.properties.contains(EventCode.inputPropAccelerometer)
            || (device.keys.isEmpty && hasPositions && device.axes[EventCode.absZ] != nil)
        if isAccelerometer { return .accelerometer }
        guard hasPositions || device.hasMultitouchPositions else { return .other }

        let hasPen = device.keys.contains(EventCode.btnToolPen)
        let isDirect = device.properties.contains(EventCode.inputPropDirect)
        let hasMouseButton = device.keys.contains { $0 >= EventCode.btnMouse && $0 < EventCode.btnJoystick }
        if hasPen || device.keys.contains(EventCode.btnStylus) { return .tablet }
        if device.keys.contains(EventCode.btnToolFinger) && !isDirect { return .touchpad }
        if hasPositions && hasMouseButton && !device.hasMultitouchPositions { return .mouse }
        return isDirect || device.hasKey(EventCode.btnTouch) ? .touchscreen : .other
    }
}
