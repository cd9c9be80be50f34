// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GestureTestSupport
import Testing

/// Real devices are accepted or refused as expected, and positions of accepted devices can be mapped.
@Suite("Admission of real devices")
struct AdmissionTableTests {
    /// A row of `Tests/Cases/devices.txt`.
    struct RealDevice: Sendable, CustomTestStringConvertible {
        var description: DeviceDescription
        /// The kind that udev reports.
        var kind: String
        /// The kind of contacts: `slots 10`, `single`, `unslotted` or `none`.
        var contacts: String

        var testDescription: String { description.name }

        /// Returns `nil` if the row cannot be read.
        init?(_ row: [String]) {
            let verdict = CaseTable.list(row[4])
            guard let axes = DeviceNotation.axes(row[3]), verdict.count == 2 else { return nil }
            let (properties, udev) = DeviceNotation.properties(row[1])
            description = DeviceDescription(
                name: row[0], properties: properties, keys: DeviceNotation.keys(row[2]), axes: axes, udev: udev)
            (kind, contacts) = (verdict[0], verdict[1])
        }
    }

    static let devices = CaseTable.rows("devices.txt", columns: 6).compactMap(RealDevice.init)

    @Test func countOfDevices() {
        #expect(Self.devices.count == 130)
        #expect(Self.devices.count { $0.kind == "touchscreen" && $0.contacts != "none" } >= 80)
        #expect(Set(Self.devices.map(\.kind)).count >= 4)
    }

    @Test("matches the table", arguments: devices)
    func verdict(device: RealDevice) {
        #expect(DeviceKind(device.description).rawValue == device.kind)
        for isMatched in [false, true] {
            switch Admission.decide(device.description, matchedByConfiguration: isMatched) {
            case .accepted(let touchProtocol, _):
                #expect(isMatched || device.kind == "touchscreen")
                #expect(Self.words(touchProtocol) == device.contacts)
                check(device.description, touchProtocol)
            case .refused(let reason):
                #expect(device.contacts == "none" || device.kind != "touchscreen" && !isMatched)
                #expect(!reason.isEmpty && reason.utf8.count < 120 && !reason.contains("\n"))
            }
        }
    }

    private static func words(_ touchProtocol: TouchProtocol) -> String {
        switch touchProtocol {
        case .slots(let count): "slots \(count)"
        case .unslotted: "unslotted"
        case .singleTouch: "single"
        }
    }

    private func check(_ device: DeviceDescription, _ touchProtocol: TouchProtocol) {
        for rotation in OutputSettings.Rotation.allCases {
            let mapping = AxisMapping(device, output: OutputSettings(rotation: rotation))
            let size = mapping.panelSize
            #expect(size.widthMillimeters > 10 && size.widthMillimeters < 4000)
            #expect(size.heightMillimeters > 10 && size.heightMillimeters < 4000)
            var tracker = SlotTracker(device, protocol: touchProtocol, mapping: mapping, filter: FilterSettings())
            for value in [Int32.min, -1, 0, 1, 1000, .max] {
                #expect(size.bounds.contains(mapping.point(x: value, y: value)))
                let time = Timestamp(microseconds: 0)
                for code in UInt16(0)...0x3f { _ = tracker.feed(.axis(code, value, at: time)) }
                _ = tracker.feed(.report(at: time))
            }
        }
    }
}
