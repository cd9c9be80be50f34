// SPDX-License-Identifier: MIT
import ContactTracking
import Foundation
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureTestSupport
import Testing

@testable import Recordings

@Suite("Writing files of libinput record")
struct WritingTests {
    private static let origin = LibinputWriter.Origin(program: "gesturectl 0", system: "debian:12")

    private func write(_ recording: Recording) -> [UInt8] {
        LibinputWriter.write(recording, node: "/dev/input/event4", origin: Self.origin)
    }

    @Test("writes the format of libinput's recorder, with additional keys")
    func form() throws {
        var recording = try LibinputReader.read(Array(Samples.file.utf8))[0].recording
        recording.device = "panel"
        recording.slots = [.init(x: 5, y: 6)]
        recording.description.axes[47]?.value = 1
        recording.description.axes[53]?.value = 7
        recording.description.udev["ID_PATH"] = "platform-x"
        recording.entries += [
            .resynchronized, .suspended(Timestamp(microseconds: 1_400_000)),
            .removed(Timestamp(microseconds: 1_500_000)),
        ]
        #expect(
            String(decoding: write(recording), as: UTF8.self) == """
                # libinput record
                version: 1
                ndevices: 1
                libinput:
                  version: "gesturectl 0"
                  git: "unknown"
                system:
                  os: "debian:12"
                  kernel: "unknown"
                  dmi: "unknown"
                devices:
                - node: "/dev/input/event4"
                  evdev:
                    name: "Panel: \\"small\\""
                    id: [24, 1046, 911, 256]
                    codes:
                      0: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] # EV_SYN
                      1: [330] # EV_KEY
                      3: [47, 53, 54, 57] # EV_ABS
                    absinfo:
                      47: [0, 1, 0, 0, 0]
                      53: [0, 999, 0, 0, 10]
                      54: [0, 999, 0, 0, 10]
                      57: [0, 65535, 0, 0, 0]
                    properties: [1]
                  udev:
                    properties:
                    - "ID_INPUT=1"
                    - "ID_INPUT_TOUCHSCREEN=1"
                    - "LIBINPUT_CALIBRATION_MATRIX=1 0 0 0 1 0"
                  gestured:
                    format: 1
                    device: "panel"
                    next_contact: 1
                    next_sequence: 1
                    slots: [[5, 6]]
                    values: {47: 1, 53: 7}
                    udev:
                      "ID_PATH": "platform-x"
                  events:
                  - gestured: start
                    evdev:
                    - [0, 0, 3, 47, 0]
                    - [0, 0, 3, 53, 5]
                    - [0, 0, 3, 54, 6]
                    - [0, 0, 3, 47, 1]
                    - [0, 0, 0, 0, 0]
                  - evdev:
                    - [0, 0, 3, 57, 7]
                    - [0, 0, 3, 53, 250]
                    - [0, 0, 3, 54, 500]
                    - [0, 0, 1, 330, 1]
                    - [0, 0, 0, 0, 0]
                  - evdev:
                    - [0, 84000, 3, 57, -1]
                    - [0, 84000, 1, 330, 0]
                    - [0, 84000, 0, 0, 0]
                  - gestured: resync
                  - gestured: {suspended: [1, 400000]}
                  - gestured: {removed: [1, 500000]}

                """)
    }

    @Test("reads back the written recording")
    func roundTrip() throws {
        for recording in [Samples.full, Recording(description: DeviceDescription())] {
            let devices = try LibinputReader.read(write(recording))
            #expect(devices == [LibinputDevice(node: "/dev/input/event4", recording: recording)])
        }
    }

    @Test("the initial slots are written as a frame that this reader does not play", arguments: [true, false])
    func start(isFirst: Bool) throws {
        var recording = try LibinputReader.read(Array(Samples.file.utf8))[0].recording
        recording.slots = [.init(x: 0, y: 0), .init(x: 5, y: 6)]
        var text = String(decoding: write(recording), as: UTF8.self)
        let mark = "  - gestured: start\n    evdev:\n"
        let events =
            "    - [0, 0, 3, 47, 1]\n    - [0, 0, 3, 53, 5]\n    - [0, 0, 3, 54, 6]\n    - [0, 0, 3, 47, 0]\n    - [0, 0, 0, 0, 0]\n"
        #expect(text.contains(mark + events))
        if !isFirst { text = text.replacing(mark + events, with: "  - evdev:\n" + events + "    gestured: start\n") }
        #expect(try LibinputReader.read(Array(text.utf8))[0].recording == recording)
        recording.slots = [.init(x: 0, y: 0)]
        #expect(!String(decoding: write(recording), as: UTF8.self).contains("start"))
    }

    @Test("a panel without slots has one initial position")
    func singleTouch() throws {
        var recording = Samples.full
        for code in [0x2F, 0x35, 0x36, 0x39] { recording.description.axes[code] = nil }
        recording.description.axes[1] = AxisRange(minimum: 0, maximum: 9)
        recording.slots = [.init(x: 3, y: 4)]
        #expect(
            String(decoding: write(recording), as: UTF8.self).contains(
                "evdev:\n    - [83912, 44123, 3, 0, 3]\n    - [83912, 44123, 3, 1, 4]\n    - [83912, 44123, 0, 0, 0]\n  - evdev:"
            ))
        #expect(try LibinputReader.read(write(recording))[0].recording == recording)
    }

    @Test("evemu to YAML and back gives the same file and the same replay")
    func evemu() throws {
        var recording = Samples.full
        recording.description.name = "x"
        recording.description.udev[""] = nil  // evemu's notes cannot contain an empty key
        let evemu = EvemuWriter.write(recording)
        let yaml = try LibinputReader.read(write(try EvemuReader.read(evemu)))[0].recording
        #expect(EvemuWriter.write(yaml) == evemu)
        #expect(lines(of: yaml) == lines(of: recording))
        #expect(lines(of: yaml).count > 2)
    }

    private func lines(of recording: Recording) -> [String] {
        let text =
            "[[device]]\nid = \"p\"\nmatch = { name = \"x\" }\n[[region]]\nid = \"all\"\nshape = \"full\"\ngestures = [\"press\", \"tap\", \"drag\"]\n"
        let reading = ConfigurationReader.read(text)
        let decision = PanelDecision(
            recording.description, reading.configuration ?? Configuration(), fallbackName: "panel")
        guard case .ready(let setup) = decision else {
            Issue.record("not played: \(decision) \(reading.diagnostics)")
            return []
        }
        var pipeline = PanelPipeline(setup, identifiers: recording.identifiers)
        var lines: [String] = []
        RecordingReplay.run(recording, through: &pipeline) { line in
            var buffer = JSONWriter()
            line.write(number: Int64(lines.count + 1), into: &buffer)
            lines.append(buffer.text)
        }
        return lines
    }

    /// Uses the same parser as `libinput replay`, and reads the parts of the file that are needed to create a device.
    @Test("Python's YAML parser, which libinput's replayer uses, reads the file")
    func python() throws {
        let folder = try ScratchFolder()
        let file = folder("r.yml")
        try Data(write(Samples.full)).write(to: URL(fileURLWithPath: file))
        let script = """
            import json, sys, yaml
            y = yaml.safe_load(open(sys.argv[1]))
            assert y["version"] == 1 and y["ndevices"] == len(y["devices"]) == 1
            device = y["devices"][0]
            evdev = device["evdev"]
            assert len(evdev["id"]) == 4 and not device.get("quirks")
            dict(prop.split("=", maxsplit=1) for prop in device["udev"]["properties"])
            for kind, codes in evdev["codes"].items():
                for code in codes:
                    if kind == 3: minimum, maximum, fuzz, flat, resolution = evdev["absinfo"][code]
            frames = [entry["evdev"] for entry in device["events"] if "evdev" in entry]
            assert all(isinstance(n, int) for frame in frames for event in frame for n in event)
            print(json.dumps([evdev["name"], [len(frame) for frame in frames], sum(frames, [])]))
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", script, file]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let json = try #require(try JSONSerialization.jsonObject(with: data) as? [Any])
        #expect(json[0] as? String == Samples.full.description.name)
        #expect(json[1] as? [Int] == [8, 3, 2, 10, 2, 1])
        let expected = Samples.full.events.map { event in
            let (seconds, rest) = event.time.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
            return [Int(seconds), Int(rest), Int(event.type), Int(event.code), Int(event.value)]
        }
        #expect((json[2] as? [[Int]])?.dropFirst(8).map { $0 } == expected)
    }
}
