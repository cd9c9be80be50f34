// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import Testing

@Suite("Admission")
struct AdmissionTests {
    static let range = AxisRange(minimum: 0, maximum: 999)
    static let slots = [0x2f: AxisRange(minimum: 0, maximum: 9), 0x35: range, 0x36: range, 0x39: range]

    private func verdict(
        axes: [Int: AxisRange], keys: Set<Int> = [0x14a], properties: Set<Int> = [1], udev: [String: String] = [:],
        matched: Bool = false
    ) -> String {
        let device = DeviceDescription(properties: properties, keys: keys, axes: axes, udev: udev)
        switch Admission.decide(device, matchedByConfiguration: matched) {
        case .accepted(.slots(let count), let warnings):
            return "slots \(count)" + String(repeating: "!", count: warnings.count)
        case .accepted(.unslotted, let warnings): return "A" + String(repeating: "!", count: warnings.count)
        case .accepted(.singleTouch, let warnings): return "single" + String(repeating: "!", count: warnings.count)
        case .refused(let reason): return reason
        }
    }

    @Test func protocols() {
        #expect(verdict(axes: Self.slots) == "slots 10")
        #expect(verdict(axes: Self.slots, keys: []) == "slots 10")
        #expect(verdict(axes: Self.slots, properties: []) == "slots 10")
        #expect(verdict(axes: [0: Self.range, 1: Self.range]) == "single")
        #expect(verdict(axes: [0x35: Self.range, 0x36: Self.range]) == "A")
        #expect(verdict(axes: [0: Self.range, 1: Self.range], keys: [], matched: true).contains("BTN_TOUCH"))
        #expect(verdict(axes: [0: Self.range], matched: true).contains("position axes"))
        #expect(verdict(axes: [0x35: Self.range, 0x2f: Self.range], matched: true).contains("position axes"))
        #expect(verdict(axes: Self.slots.filter { $0.key != 0x39 }) == "slots 10!")
    }

    @Test(
        arguments: [
            (0, "slots 1"), (63, "slots 64"), (64, "65 slots"), (-1, "0 slots"), (.max, "2147483648 slots"),
            (.min, "-2147483647 slots"),
        ] as [(Int32, String)])
    func slotCount(maximum: Int32, expected: String) {
        var axes = Self.slots
        axes[0x2f] = AxisRange(minimum: 0, maximum: maximum)
        #expect(verdict(axes: axes).contains(expected))
    }

    @Test(
        arguments: [(0, 1, true), (0, 0, false), (1, 0, false), (.max, .min, false), (.min, .max, true)]
            as [(Int32, Int32, Bool)])
    func range(minimum: Int32, maximum: Int32, isAccepted: Bool) {
        for code in [0x35, 0x36] {
            var axes = Self.slots
            axes[code] = AxisRange(minimum: minimum, maximum: maximum)
            #expect((verdict(axes: axes) == "slots 10") == isAccepted)
        }
    }

    /// udev's `ID_INPUT` properties decide the kind of a device. If it has none, rules like those of udev decide.
    @Test func kinds() {
        #expect(
            verdict(axes: Self.slots, udev: ["ID_INPUT": "1", "ID_INPUT_TOUCHPAD": "1"]).hasPrefix(
                "it is a touchpad, not"))
        #expect(verdict(axes: Self.slots, udev: ["ID_INPUT": "1"]).hasPrefix("it is another kind of device, not"))
        #expect(verdict(axes: Self.slots, udev: ["ID_PATH": "pci"]) == "slots 10")
        #expect(verdict(axes: Self.slots, keys: [0x145, 0x14a], properties: [0]).hasPrefix("it is a touchpad, not"))
        #expect(verdict(axes: Self.slots, keys: [0x145, 0x14a], properties: [1]) == "slots 10")
        #expect(verdict(axes: Self.slots, keys: [0x140, 0x14a]).hasPrefix("it is a tablet, not"))
        #expect(verdict(axes: [0: Self.range, 1: Self.range], keys: [0x110, 0x14a]).hasPrefix("it is a mouse, not"))
        #expect(
            verdict(axes: [0: Self.range, 1: Self.range, 2: Self.range], keys: []).hasPrefix("it is an accelerometer"))
        #expect(verdict(axes: Self.slots, udev: ["ID_INPUT_TOUCHSCREEN": "1"], matched: true) == "slots 10")
    }

    @Test func matchedByTheConfiguration() {
        #expect(verdict(axes: Self.slots, udev: ["ID_INPUT_TOUCHPAD": "1"], matched: true) == "slots 10!")
        #expect(verdict(axes: Self.slots, keys: [0x140], matched: true) == "slots 10!")
    }

    /// A refusal is one line that states the problem and its remedy.
    @Test func reasons() {
        let touchpad = ["ID_INPUT": "1", "ID_INPUT_TOUCHPAD": "1"]
        #expect(
            verdict(axes: Self.slots, udev: touchpad)
                == "it is a touchpad, not a touchscreen; match it in a [[device]] to use it anyway")
        var axes = Self.slots
        axes[0x36] = AxisRange(minimum: 5, maximum: 5)
        #expect(
            verdict(axes: axes)
                == "its y axis has the empty range 5 to 5; correct it with a udev hwdb entry (EVDEV_ABS)")
        axes[0x36] = nil
        #expect(
            verdict(axes: axes, matched: true) == "it has no pair of position axes, so fingers cannot be located")
        axes = Self.slots
        axes[0x2f] = AxisRange(minimum: 0, maximum: 64)
        #expect(verdict(axes: axes) == "it announces 65 slots; 1 to 64 are supported")
        let single = [0: Self.range, 1: Self.range]
        #expect(
            verdict(axes: single, keys: [], matched: true)
                == "it has neither slots nor BTN_TOUCH, so touches cannot be detected")
    }

    /// A match overrules the kind of a device, but cannot replace missing axes.
    @Test func matchHelpsNoBrokenDevice() {
        let touchpad = ["ID_INPUT_TOUCHPAD": "1"]
        var axes = Self.slots
        axes[0x35] = AxisRange(minimum: 10, maximum: 0)
        #expect(verdict(axes: axes, udev: touchpad, matched: true).contains("empty range"))
        axes[0x35] = nil
        #expect(verdict(axes: axes, udev: touchpad, matched: true).contains("position axes"))
    }

    /// A device without INPUT_PROP_DIRECT is accepted if udev or a [[device]] table calls it a touchscreen.
    @Test(arguments: [("ID_INPUT_TOUCHSCREEN", false, "slots 10"), ("ID_INPUT_TABLET", true, "slots 10!")])
    func notDirect(kind: String, isMatched: Bool, expected: String) {
        #expect(verdict(axes: Self.slots, properties: [], udev: [kind: "1"], matched: isMatched) == expected)
    }

    /// A device may lack ABS_X and ABS_Y, or the multitouch axes, or have only one axis of protocol A.
    @Test func axesInPairs() {
        #expect(
            verdict(axes: [0x35: Self.range, 0x36: Self.range, 0x2f: Self.slots[0x2f] ?? Self.range]) == "slots 10!")
        #expect(verdict(axes: [0x35: Self.range, 0: Self.range, 1: Self.range]) == "single")
        #expect(verdict(axes: [0x35: Self.range, 1: Self.range]).contains("another kind"))
    }

    /// Devices are accepted even if the resolution of their axes is absurd or missing; their size is then assumed.
    @Test(arguments: [0, 1, -5, .max] as [Int32])
    func resolution(resolution: Int32) {
        var axes = Self.slots
        for code in [0x35, 0x36] { axes[code] = AxisRange(minimum: 0, maximum: 4095, resolution: resolution) }
        #expect(verdict(axes: axes) == "slots 10")
        let mapping = AxisMapping(DeviceDescription(axes: axes), output: OutputSettings())
        #expect(!mapping.isSizeKnown)
        #expect(!mapping.warnings.isEmpty)
        #expect(mapping.point(x: 2048, y: 2048).x == mapping.panelSize.widthMillimeters / 2)
    }

    /// udev ignores the multitouch axes of a device that has every possible axis.
    @Test func allAxes() {
        let all = Dictionary(uniqueKeysWithValues: (0...0x3f).map { ($0, Self.range) })
        #expect(verdict(axes: all) == "single")
    }
}
