// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline

/// Generates panels for the fuzzers: ordinary ones, unusual ones, and some from random bytes.
struct DeviceMaker {
    private static let configurations: [Configuration] = [
        "version = 1",
        "version = 1\n[filter]\nmax_contact_age = \"off\"\npalm = \"ignore\"\nmax_touch = \"off\"\nstorm = \"off\"",
        """
        version = 1
        [filter]
        max_contact_age = "1s"
        max_touch = "20mm"
        mask = [["0%", "0%", "10%", "100%"]]
        storm = { contacts_per_second = 4, quiet = "300ms" }
        bridge = "80ms"
        """,
        "version = 1\n[[device]]\nid = \"p\"\nmatch = { name = \"*\" }\noutput = { size = [1080, 1920], rotation = 90 }",
    ].compactMap { ConfigurationReader.read($0).configuration }

    /// Returns the panel that the bytes describe, without regions; `nil` if the daemon would refuse it.
    ///
    /// - Parameter isUnslotted: whether a multitouch panel uses protocol A.
    static func setup(_ bytes: inout FuzzBytes, isUnslotted: Bool = false) -> PanelSetup? {
        var description = description(&bytes)
        if isUnslotted {
            description.axes[Int(EventCode.absMTSlot)] = nil
            // About half of the panels of protocol A have tracking ids.
            if bytes.flip() { description.axes[Int(EventCode.absMTTrackingID)] = nil }
        }
        let configuration = configurations.isEmpty ? Configuration() : bytes.pick(configurations)
        guard case .ready(let setup) = PanelDecision(description, configuration, fallbackName: "panel") else {
            return nil
        }
        return setup
    }

    private static func description(_ bytes: inout FuzzBytes) -> DeviceDescription {
        var device = DeviceDescription(name: "Fuzzed Panel", properties: [1])
        let kind = bytes.below(8)
        switch kind {
        case 5:
            device.keys = [Int(EventCode.btnTouch)]
            set(EventCode.absX, in: &device, AxisRange(minimum: 0, maximum: 1999, resolution: 10))
            set(EventCode.absY, in: &device, AxisRange(minimum: 0, maximum: 999, resolution: 10))
        case 6:
            multitouch(&device, slots: 64, AxisRange(minimum: .min, maximum: .max, resolution: .max))
        case 7:
            for code in [0x00, 0x01, 0x2F, 0x30, 0x35, 0x36, 0x37, 0x39, 0x3B] where bytes.flip() {
                device.axes[code] = AxisRange(
                    minimum: bytes.int32(), maximum: bytes.int32(), resolution: bytes.int32(), value: bytes.int32())
            }
            if bytes.flip() { device.keys = [Int(EventCode.btnTouch)] }
        default:
            multitouch(&device, slots: [10, 10, 10, 2, 5][kind], AxisRange(minimum: 0, maximum: 1999, resolution: 10))
            set(EventCode.absMTPositionY, in: &device, AxisRange(minimum: 0, maximum: 999, resolution: 10))
        }
        return device
    }

    private static func multitouch(_ device: inout DeviceDescription, slots: Int32, _ position: AxisRange) {
        set(EventCode.absMTSlot, in: &device, AxisRange(minimum: 0, maximum: slots - 1))
        set(EventCode.absMTTrackingID, in: &device, AxisRange(minimum: 0, maximum: 65535))
        set(EventCode.absMTPositionX, in: &device, position)
        set(EventCode.absMTPositionY, in: &device, position)
        set(EventCode.absMTTouchMajor, in: &device, AxisRange(minimum: 0, maximum: 255))
        set(EventCode.absMTToolType, in: &device, AxisRange(minimum: 0, maximum: 2))
        set(EventCode.absMTDistance, in: &device, AxisRange(minimum: 0, maximum: 255))
    }

    private static func set(_ code: UInt16, in device: inout DeviceDescription, _ axis: AxisRange) {
        device.axes[Int(code)] = axis
    }
}
