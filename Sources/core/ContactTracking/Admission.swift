// SPDX-License-Identifier: MIT

/// The protocol with which a device reports its contacts.
package enum TouchProtocol: Hashable, Sendable {
    /// Multitouch protocol B: each contact has a slot.
    case slots(count: Int)
    /// Multitouch protocol A: each frame lists all contacts, without slots.
    case unslotted
    /// `BTN_TOUCH` with `ABS_X` and `ABS_Y`: one contact.
    case singleTouch

    /// The maximum number of simultaneous contacts.
    package var slotCount: Int {
        switch self {
        case .slots(let count): count
        // The device does not announce a maximum. Two hands have fewer than 16 fingers.
        case .unslotted: 16
        case .singleTouch: 1
        }
    }
}

/// Whether a device is used, and if not, why.
package enum Admission: Hashable, Sendable {
    case accepted(TouchProtocol, warnings: [String])
    /// `reason` states the problem and a remedy.
    case refused(reason: String)

    /// The maximum number of slots that is accepted. No real panel has this many.
    package static let maximumSlots = 64

    /// Decides whether a device is used.
    /// - Parameter matchedByConfiguration: whether a `[[device]]` names this device. If so, touchpads and tablets are
    ///   accepted too, provided that their contacts can be tracked.
    package static func decide(_ device: DeviceDescription, matchedByConfiguration: Bool) -> Admission {
        guard !device.isTwin else { return .refused(reason: "it is a twin that gestured created for applications") }
        let kind = DeviceKind(device)
        guard kind == .touchscreen || matchedByConfiguration else {
            return .refused(
                reason: "it is \(kind.phrase), not a touchscreen; match it in a [[device]] to use it anyway")
        }
        guard let (x, y) = device.positionAxes else {
            // If a device has an absurd number of slots, its description contains only the slot axis.
            if device.axes.count == 1, let refusal = slotRefusal(device) { return refusal }
            return .refused(reason: "it has no pair of position axes, so fingers cannot be located")
        }
        for (name, axis) in [("x", x), ("y", y)] where axis.maximum <= axis.minimum {
            return .refused(
                reason: "its \(name) axis has the empty range \(axis.minimum) to \(axis.maximum); "
                    + "correct it with a udev hwdb entry (EVDEV_ABS)")
        }
        let warnings = kind == .touchscreen ? [] : ["it is \(kind.phrase), used because a [[device]] matches it"]
        return device.hasMultitouchPositions
            ? multitouch(device, warnings: warnings) : singleTouch(device, warnings: warnings)
    }

    private static func multitouch(_ device: DeviceDescription, warnings: [String]) -> Admission {
        guard let slot = device.axis(EventCode.absMTSlot) else { return .accepted(.unslotted, warnings: warnings) }
        if let refusal = slotRefusal(device) { return refusal }
        let count = slotCount(slot)
        var warnings = warnings
        if device.axis(EventCode.absMTTrackingID) == nil {
            warnings.append("it announces no tracking ids, so contacts may never be detected")
        }
        if device.properties.contains(EventCode.inputPropSemiMT) {
            warnings.append(
                "it reports only a box around several fingers, so positions of two or more fingers are inexact")
        }
        return .accepted(.slots(count: Int(count)), warnings: warnings)
    }

    /// Slots are numbered from 0 regardless of the axis minimum.
    private static func slotCount(_ axis: AxisRange) -> Int64 { Int64(axis.maximum) + 1 }

    /// - Returns: `nil` if the number of slots is supported, or if there are no slots.
    private static func slotRefusal(_ device: DeviceDescription) -> Admission? {
        guard let count = device.axis(EventCode.absMTSlot).map(slotCount), !(1...Int64(maximumSlots)).contains(count)
        else { return nil }
        return .refused(reason: "it announces \(count) slots; 1 to \(maximumSlots) are supported")
    }

    private static func singleTouch(_ device: DeviceDescription, warnings: [String]) -> Admission {
        guard device.hasKey(EventCode.btnTouch) else {
            return .refused(reason: "it has neither slots nor BTN_TOUCH, so touches cannot be detected")
        }
        return .accepted(.singleTouch, warnings: warnings)
    }
}

/// The classification of a device by udev.
package enum DeviceKind: String, CaseIterable, Hashable, Sendable {
    case touchscreen, touchpad, tablet, mouse
    case accelerometer, other

    /// Uses udev's classification. Without one, as in a recording from another machine, it applies udev's rules.
    package init(_ description: DeviceDescription) {
        let udev = description.udev
        if let found = Self.allCases.first(where: { $0.isSet(in: udev) }) {
            self = found
        } else if udev.keys.contains(where: { $0.hasPrefix("ID_INPUT") }) {
            self = .other
        } else {
            self = Self.derived(from: description)
        }
    }

    /// The property that udev sets for devices of this kind, such as `ID_INPUT_TOUCHSCREEN`; `nil` for other devices.
    package var property: String? { self == .other ? nil : "ID_INPUT_" + rawValue.uppercased() }

    /// Whether udev's properties say that a device is of this kind.
    package func isSet(in udev: [String: String]) -> Bool { property.flatMap { udev[$0] } == "1" }

    /// Applies the rules of udev's `input_id` for devices with absolute axes, in the same order.
    private static func derived(from device: DeviceDescription) -> DeviceKind {
        let hasPositions = device.axis(EventCode.absX) != nil && device.axis(EventCode.absY) != nil
        let isAccelerometer =
            device.properties.contains(EventCode.inputPropAccelerometer)
            || (device.keys.isEmpty && hasPositions && device.axis(EventCode.absZ) != nil)
        if isAccelerometer { return .accelerometer }
        guard hasPositions || device.hasMultitouchPositions else { return .other }

        let isDirect = device.properties.contains(EventCode.inputPropDirect)
        let hasMouseButton = (EventCode.btnMouse..<EventCode.btnJoystick).contains { device.hasKey($0) }
        if device.hasKey(EventCode.btnToolPen) || device.hasKey(EventCode.btnStylus) { return .tablet }
        if device.hasKey(EventCode.btnToolFinger) && !isDirect { return .touchpad }
        if hasPositions && hasMouseButton && !device.hasMultitouchPositions { return .mouse }
        return isDirect || device.hasKey(EventCode.btnTouch) ? .touchscreen : .other
    }

    /// The kind with its article, for messages.
    fileprivate var phrase: String {
        switch self {
        case .accelerometer: "an accelerometer"
        case .other: "another kind of device"
        case .touchscreen, .touchpad, .tablet, .mouse: "a " + rawValue
        }
    }
}
