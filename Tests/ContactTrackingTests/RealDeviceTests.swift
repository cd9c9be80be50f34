// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GestureTestSupport
import Testing

/// Descriptions of real touch devices: each is accepted or refused, and the accepted ones can be mapped.
@Suite("Real devices")
struct RealDeviceTests {
    @Test func everyDescriptorGetsAVerdict() throws {
        guard let devices = try SharedData.json("devices.json") as? [[String: Any]] else { return }
        #expect(devices.count >= 100)
        var accepted = 0
        var refusals: [String: Int] = [:]
        for object in devices {
            let device = try description(object)
            let flags = object["flags"] as? [String] ?? []
            for isMatched in [false, true] {
                switch Admission.decide(device, matchedByConfiguration: isMatched) {
                case .accepted(let touchProtocol, _):
                    accepted += isMatched ? 0 : 1
                    #expect((touchProtocol == .unslotted) == flags.contains("protocol_A"), "\(device.name)")
                    check(device, touchProtocol)
                case .refused(let reason):
                    #expect(!reason.isEmpty && reason.utf8.count < 120 && !reason.contains("\n"), "\(device.name)")
                    refusals[isMatched ? "matched" : String(reason.prefix { $0 != "," && $0 != ";" }), default: 0] += 1
                }
            }
            try checkKind(device, flags)
        }
        // 85 of them are plain touchscreens with INPUT_PROP_DIRECT.
        #expect(accepted >= 80)
        #expect(accepted + refusals.filter { $0.key != "matched" }.values.reduce(0, +) == devices.count)
        #expect(refusals.count >= 3, "\(refusals)")
    }

    private func checkKind(_ device: DeviceDescription, _ flags: [String]) throws {
        guard case .refused = Admission.decide(device, matchedByConfiguration: false) else {
            #expect(!device.properties.contains(0), "\(device.name) is a pointer")
            #expect(!flags.contains("pen"), "\(device.name) is a pen")
            #expect(!device.name.contains("TouchPad") && !device.name.contains("Touchpad"), "\(device.name)")
            return
        }
        let isPlain = device.properties == [1] && device.keys == [0x14a] && device.axes[0x2f] != nil
        #expect(!isPlain, "\(device.name) is a plain touchscreen")
    }

    private func check(_ device: DeviceDescription, _ touchProtocol: TouchProtocol) {
        for rotation in OutputSettings.Rotation.allCases {
            let mapping = AxisMapping(device, output: OutputSettings(rotation: rotation))
            let size = mapping.panelSize
            #expect(size.widthMillimeters > 10 && size.widthMillimeters < 4000, "\(device.name)")
            #expect(size.heightMillimeters > 10 && size.heightMillimeters < 4000, "\(device.name)")
            var tracker = SlotTracker(device, protocol: touchProtocol, mapping: mapping, filter: FilterSettings())
            for value in [Int32.min, -1, 0, 1, 1000, .max] {
                #expect(size.bounds.contains(mapping.point(x: value, y: value)))
                let time = Timestamp(microseconds: 0)
                for code in UInt16(0)...0x3f { _ = tracker.feed(.axis(code, value, at: time)) }
                _ = tracker.feed(.report(at: time))
            }
        }
    }

    private func description(_ object: [String: Any]) throws -> DeviceDescription {
        let udev = object["udev"] as? [[String]] ?? []
        return DeviceDescription(
            name: object["name"] as? String ?? "",
            properties: numbers(object["props"]), keys: numbers(object["keys"]),
            axes: SharedData.axes(try #require(object["abs"] as? [String: Any])),
            udev: Dictionary(udev.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 }))
    }

    private func numbers(_ names: Any?) -> Set<Int> {
        Set((names as? [String] ?? []).map { SharedData.codes[$0] ?? 0x1ff })
    }
}
