// SPDX-License-Identifier: MIT

/// Whether a device is used, and if not, why.
package enum Admission: Hashable, Sendable {
    case accepted(TouchProtocol, warnings: [String])
    /// What is wrong, and what can be done about it.
    case refused(reason: String)

    /// More slots than this are refused: no panel has them, and one word must hold a bit for each.
    package static let maximumSlots = 64

    /// - Parameter matchedByConfiguration: a `[[device]]` asks for this very device: then it may
    ///   be a touchpad or a tablet too, if it can be followed at all.
    package static func decide(_ device: DeviceDescription, matchedByConfiguration: Bool) -> Admission {
        let kind = DeviceKind(device)
        guard kind == .touchscreen || matchedByConfiguration else {
            return .refused(reason: "\(kind.phrase), not a touchscreen; match it in a [[device]] to use it anyway")
        }
        guard let (x, y) = device.positionAxes else {
            return .refused(reason: "no pair of position axes; it cannot say where a finger is")
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
        // Slots are numbered from 0 whatever the minimum says.
        let count = Int64(slot.maximum) + 1
        guard count >= 1, count <= maximumSlots else {
            return .refused(reason: "it announces \(count) slots; 1 to \(maximumSlots) can be followed")
        }
        var warnings = warnings
        if device.axis(EventCode.absMTTrackingID) == nil {
            warnings.append("it announces no tracking ids: its contacts may never show")
        }
        if device.properties.contains(EventCode.inputPropSemiMT) {
            warnings.append("it reports only a box around several fingers: positions of two or more are inexact")
        }
        return .accepted(.slots(count: Int(count)), warnings: warnings)
    }

    private static func singleTouch(_ device: DeviceDescription, warnings: [String]) -> Admission {
        guard device.hasKey(EventCode.btnTouch) else {
            return .refused(reason: "it has neither slots nor BTN_TOUCH; it cannot say when a finger is down")
        }
        return .accepted(.singleTouch, warnings: warnings)
    }
}

extension DeviceKind {
    /// With its article, for messages.
    fileprivate var phrase: String {
        switch self {
        case .accelerometer: "an accelerometer"
        case .other: "another kind of device"
        case .touchscreen, .touchpad, .tablet, .mouse: "a " + rawValue
        }
    }
}
