// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GesturePipeline
import Testing

@testable import Recordings

@Suite("Reading files of libinput record")
struct ReadingTests {
    private func read(_ text: String) throws(RecordingError) -> [LibinputDevice] {
        try LibinputReader.read(Array(text.utf8))
    }

    @Test("reads a device, its udev properties and its events, and skips everything else")
    func whole() throws {
        let devices = try read(Samples.file)
        #expect(devices.count == 1)
        #expect(devices[0].node == "/dev/input/event4")
        let recording = devices[0].recording
        #expect(
            recording.description
                == DeviceDescription(
                    name: "Panel: \"small\"", bus: 24, vendor: 1046, product: 911, version: 256, properties: [1],
                    keys: [330],
                    axes: [
                        47: AxisRange(minimum: 0, maximum: 1), 53: AxisRange(minimum: 0, maximum: 999, resolution: 10),
                        54: AxisRange(minimum: 0, maximum: 999, resolution: 10),
                        57: AxisRange(minimum: 0, maximum: 65535),
                    ],
                    udev: [
                        "ID_INPUT": "1", "ID_INPUT_TOUCHSCREEN": "1", "LIBINPUT_CALIBRATION_MATRIX": "1 0 0 0 1 0",
                    ]))
        #expect(
            recording.entries
                == Samples.events([
                    (0, 3, 57, 7), (0, 3, 53, 250), (0, 3, 54, 500), (0, 1, 330, 1), (0, 0, 0, 0), (84000, 3, 57, -1),
                    (84000, 1, 330, 0), (84000, 0, 0, 0),
                ]))
        #expect((recording.device, recording.nextContact, recording.nextSequence) == (nil, 1, 1))
        #expect(recording.slots.isEmpty)
        #expect(devices[0].isPanel)
    }

    @Test("several devices, each found by node, name and id")
    func devices() throws {
        let devices = try read(
            Samples.head.replacing("ndevices: 1", with: "ndevices: 2")
                + Samples.device(node: "/dev/input/event2", name: "Touchpad", property: 0) + "  events:\n"
                + Samples.device(node: "/dev/input/event4", name: "Panel") + Samples.tap)
        #expect(devices.map(\.isPanel) == [false, true])
        #expect(devices.map { $0.isNamed("event4") } == [false, true])
        #expect(devices.map { $0.isNamed("/dev/input/event2") } == [true, false])
        #expect(devices.map { $0.isNamed("Panel") } == [false, true])
        #expect(devices.map { $0.isNamed("") } == [false, false])
        #expect(devices.map(\.recording.entries.count) == [0, 8])
    }

    @Test("events before time 0 of a file are moved to its beginning")
    func early() throws {
        let events = try read(Samples.file.replacing("  0,  84000,", with: "18446744073709, 551000,"))[0].recording
            .events
        #expect(events.map(\.time.microseconds) == Array(repeating: 0, count: 8))
    }

    @Test(
        "mistakes are reported with location and remedy",
        arguments: [
            ("", 1, 1, "not a recording; a file of libinput record begins with \"version: 1\""),
            ("- 1\n", 1, 1, "not a recording; a file of libinput record begins with \"version: 1\""),
            ("version: 2\n", 1, 10, "the file has version 2; this gesturectl reads version 1; use a newer one"),
            ("version: x\n", 1, 10, "\"x\" is not a whole number; expected the version of the file"),
            (
                "ndevices: 1\n", 0, 0,
                "the key \"version\", which libinput record writes, is missing; make the recording again"
            ),
            ("version: 1\nversion: 1\n", 2, 1, "a second \"version\" in the file; keep one"),
            ("version: 1\n", 0, 0, "the file contains no device (\"devices:\"); record it again"),
            ("version: 1\ndevices:\n", 0, 0, "the file contains no device (\"devices:\"); record it again"),
            ("version: 1\ndevices: 3\n", 2, 10, "devices must be a list"),
            ("version: 1\ndevices: [3]\n", 2, 11, "a device must be a mapping with node, evdev, events"),
            (
                "version: 1\ndevices:\n- node: x\n", 3, 3,
                "the description of this device is missing (evdev with name, codes, absinfo); record it again"
            ),
            (
                "version: 1\n---\nversion: 1\n", 2, 1,
                "this is a second document; a file holds one recording, so split it here"
            ),
            ("a: &x [1]\nb: *x\n", 2, 4, "aliases are not supported in recordings; write the value out"),
            ("version: 1\n\tdevices:\n", 2, 1, "not YAML: found a tab character that violates indentation; indent"),
            ("ndevices: [1\n", 2, 1, "not YAML: did not find expected ',' or ']'; correct this line"),
            ("a: \u{1}\n", 1, 1, "control characters are not allowed; recordings are UTF-8 text"),
            ("a: " + String(repeating: "[", count: 40), 1, 35, "more than 32 levels; recordings have seven"),
        ])
    func mistakes(text: String, line: Int, column: Int, message: String) throws {
        try check(text, line, column, message)
    }

    @Test(
        "mistakes in a device are reported with location and remedy",
        arguments: [
            ("id: [24, 1046, 911, 256]", "id: [24, 1046]", "id: [bus, vendor, product, version] must be a number"),
            ("id: [24, 1046, 911, 256]", "id: [24, 1046, 911, 256, 1]", "id has too many values; expected id: [bus"),
            ("id: [24,", "id: [65536,", "id: [bus, vendor, product, version] is 65536; it must be 0 to 65535"),
            ("1: [330]", "1: [768]", "a code of codes of EV_KEY is 768; it must be 0 to 767"),
            ("3: [47,", "3: [64,", "a code of codes of EV_ABS is 64; it must be 0 to 63"),
            ("3: [47,", "3: [48, 47,", "axis 48 of this device has no absinfo; add 48: [minimum, maximum,"),
            ("      53: [0", "      64: [0", "the code of an axis is 64; it must be 0 to 63"),
            (
                "53: [0, 999,", "53: [0, 2147483648,",
                "[minimum, maximum, fuzz, flat, resolution] is 2147483648; it must be -2147"
            ),
            ("properties: [1]", "properties: [32]", "a code of properties is 32; it must be 0 to 31"),
            ("- ID_INPUT=1", "- ID_INPUT", "a property of udev must be KEY=VALUE"),
            ("name: \"", "nome: \"", "the description of this device is missing (evdev with name"),
            ("  3,  57,       7]", "65536, 57,       7]", "the type of an event is 65536; it must be 0 to 65535"),
            ("  3,  57,       7]", "  3,  57]", "the value of an event must be a number"),
            ("  3,  57,       7]", "  3,  57, 7, 7]", "an event has too many values; expected [seconds, microseconds,"),
            ("  3,  57,       7]", "  3,  57, 7.0]", "\"7.0\" is not a whole number; expected the value of an event"),
            ("[  0,      0,   3,  57", "[ -1,      0,   3,  57", "\"-1\" is not a number of seconds; expected"),
            ("[  0,      0,   3,  57", "[9007199255,    0,   3,  57", "the time is too large; the maximum is 285"),
            ("- libinput:", "- gestured:", "unknown mark; use one of start, resync, {removed"),
        ])
    func deviceMistakes(original: String, wrong: String, message: String) throws {
        let lines = Samples.file.split(separator: "\n", omittingEmptySubsequences: false)
        let place = try #require(lines.firstIndex { $0.contains(original) }) + 1
        let isWhole = message.hasPrefix("axis") || message.hasPrefix("the description")
        let isBehind = wrong == "- gestured:"
        try check(
            Samples.file.replacing(original, with: wrong), isWhole ? 12 : place + (isBehind ? 1 : 0), nil, message)
    }

    private func check(_ text: String, _ line: Int, _ column: Int?, _ message: String) throws {
        let error = #expect(throws: RecordingError.self) { try read(text) }
        #expect(error?.line == line)
        if let column { #expect(error?.column == column) }
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }

    @Test("refuses a file that is too large")
    func size() {
        let bytes = [UInt8](repeating: UInt8(ascii: "#"), count: LibinputReader.sizeLimit + 1)
        let error = #expect(throws: RecordingError.self) { try LibinputReader.read(bytes) }
        #expect(error?.code == .tooLarge)
    }

    @Test("reads or refuses a file that is cut at any byte")
    func cut() {
        let bytes = Array(Samples.file.utf8)
        var whole = 0
        for count in bytes.indices where (try? LibinputReader.read(Array(bytes[..<count]))) != nil {
            whole += 1
        }
        #expect(whole > 0 && whole < bytes.count)
    }

    @Test("deep nesting takes linear time", arguments: ["[", "{", "- ", "? ", "a: ["])
    func nesting(piece: String) {
        let error = #expect(throws: RecordingError.self) {
            try read("version: 1\nx: " + String(repeating: piece, count: 200_000))
        }
        #expect(error?.line ?? 0 > 0)
    }
}
