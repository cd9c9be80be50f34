// SPDX-License-Identifier: MIT
import ContactTracking
import Foundation
import GestureTestSupport

/// Descriptions and event streams of real devices.
extension SharedData {
    static func json(_ name: String) throws -> Any? {
        try data(name).map { try JSONSerialization.jsonObject(with: $0) }
    }

    static func text(_ name: String) -> String? { data(name).map { String(decoding: $0, as: UTF8.self) } }

    /// Axes as `"ABS_X": [minimum, maximum, fuzz, flat, resolution]`.
    static func axes(_ object: [String: Any]) -> [Int: AxisRange] {
        var axes: [Int: AxisRange] = [:]
        for (name, value) in object {
            guard let code = codes[name], let numbers = value as? [Int], numbers.count >= 2 else { continue }
            let all = (numbers + [0, 0, 0]).map { Int32(clamping: $0) }
            axes[code] = AxisRange(
                minimum: all[0], maximum: all[1], fuzz: all[2], flat: all[3],
                resolution: numbers.count >= 5 ? all[4] : 0)
        }
        return axes
    }

    /// The names that matter for the tests.
    static let codes: [String: Int] = [
        "ABS_X": 0, "ABS_Y": 1, "ABS_Z": 2, "ABS_PRESSURE": 0x18, "ABS_MT_SLOT": 0x2f, "ABS_MT_TOUCH_MAJOR": 0x30,
        "ABS_MT_POSITION_X": 0x35, "ABS_MT_POSITION_Y": 0x36, "ABS_MT_TOOL_TYPE": 0x37, "ABS_MT_TRACKING_ID": 0x39,
        "ABS_MT_DISTANCE": 0x3b, "INPUT_PROP_POINTER": 0, "INPUT_PROP_DIRECT": 1, "INPUT_PROP_BUTTONPAD": 2,
        "INPUT_PROP_SEMI_MT": 3, "BTN_LEFT": 0x110, "BTN_RIGHT": 0x111, "BTN_MIDDLE": 0x112, "BTN_TOOL_PEN": 0x140,
        "BTN_TOOL_RUBBER": 0x141, "BTN_TOOL_FINGER": 0x145, "BTN_TOUCH": 0x14a, "BTN_STYLUS": 0x14b,
        "BTN_STYLUS2": 0x14c,
    ]
}
