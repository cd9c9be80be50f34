// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

/// Files of `libinput record` and evemu, in all commands that read and write recordings.
@Suite("Files of libinput record")
struct LibinputFileTests {
    static func device(_ name: String, node: String, property: Int) -> String {
        """
        - node: \(node)
          evdev:
            name: "\(name)"
            id: [24, 1046, 911, 256]
            codes:
              1: [\(property == 1 ? "330" : "325, 330")] # EV_KEY
              3: [47, 53, 54, 57] # EV_ABS
            absinfo:
              47: [0, 1, 0, 0, 0]
              53: [0, 999, 0, 0, 0]
              54: [0, 999, 0, 0, 0]
              57: [0, 65535, 0, 0, 0]
            properties: [\(property)]

        """
    }

    static let head = "# libinput record\nversion: 1\nndevices: 1\ndevices:\n"
    static let tap = """
          events:
          - evdev:
            - [  5,      0,   3,  57,       7] # EV_ABS / ABS_MT_TRACKING_ID      7
            - [  5,      0,   3,  53,     250] # EV_ABS / ABS_MT_POSITION_X     250 (+250)
            - [  5,      0,   3,  54,     500] # EV_ABS / ABS_MT_POSITION_Y     500 (+500)
            - [  5,      0,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +0ms
          - evdev:
            - [  5,  84000,   3,  57,      -1] # EV_ABS / ABS_MT_TRACKING_ID     -1
            - [  5,  84000,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +84ms

        """
    static let single = head + device("Small panel", node: "/dev/input/event4", property: 1) + tap
    static let several =
        head.replacing("ndevices: 1", with: "ndevices: 2")
        + device("Touchpad", node: "/dev/input/event2", property: 0) + "  events:\n"
        + device("Small panel", node: "/dev/input/event4", property: 1) + tap

    let folder: ScratchFolder
    let configuration: String

    init() throws {
        folder = try ScratchFolder()
        configuration = try folder.write(ReplayTests.configuration, to: "gestured.toml")
    }

    private func replay(_ recording: String, _ options: [String] = []) throws -> Tool.Outcome {
        try Tool.run(["replay", "-", "-c", configuration] + options, input: Data(recording.utf8))
    }

    @Test("replay prints the same as for an evemu file with the same events")
    func same() throws {
        let evemu = try replay(ReplayTests.header + ReplayTests.tap)
        let yaml = try replay(Self.single)
        #expect(yaml.status == 0)
        #expect(yaml.errors.isEmpty)
        #expect(yaml.output == evemu.output)
        #expect(yaml.output.split(separator: "\n").count == 3)
    }

    @Test("with several devices it plays the touchscreen, or the chosen one")
    func several() throws {
        let first = try replay(Self.several)
        #expect(
            first.errors
                == "gesturectl: -: using \"Small panel\" (/dev/input/event4), one of 2 devices; "
                + "choose another with --device\n")
        #expect(first.output == (try replay(Self.single).output))
        for word in ["/dev/input/event4", "event4", "Small panel"] {
            let chosen = try replay(Self.several, ["--device", word])
            #expect(chosen.errors.isEmpty)
            #expect(chosen.output == first.output)
        }
        let other = try replay(Self.several, ["--device", "event2"])
        #expect(other.output.isEmpty)
        let unknown = try replay(Self.several, ["--device", "event9"])
        #expect(unknown.status == 64)
        #expect(
            unknown.errors == """
                gesturectl: -: no device "event9"; the recording contains "Touchpad" (/dev/input/event2), \
                "Small panel" (/dev/input/event4)

                """)
        let evemu = try replay(ReplayTests.header, ["--device", "event9"])
        #expect(evemu.errors == "gesturectl: -: no device \"event9\"; the recording contains \"Small panel\"\n")
    }

    @Test(
        "mistakes are reported with line and column, and exit status 65",
        arguments: [
            (
                "  5,  84000,   3,  57", "  5,  84000,   3,  5x",
                "-:25:27: \"5x\" is not a whole number; expected the code of an event"
            ),
            (
                "version: 1", "version: 2",
                "-:2:10: the file has version 2; this gesturectl reads version 1; use a newer one"
            ),
            (
                "  events:", "\tevents:",
                "-:18:1: not YAML: found character that cannot start any token; indent with spaces"
            ),
        ])
    func mistakes(original: String, wrong: String, message: String) throws {
        let outcome = try replay(Self.single.replacing(original, with: wrong))
        #expect(outcome.status == 65)
        #expect(outcome.errors.hasPrefix("gesturectl: \(message)"), "\(outcome.errors)")
    }

    @Test("the file extension decides the format")
    func endings() throws {
        let file = try folder.write("nonsense\n", to: "x.yml")
        let outcome = try Tool.run(["replay", file, "-c", configuration])
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("x.yml:1:1: not a recording; a file of libinput record begins with"))
        let other = try Tool.run(["replay", try folder.write("nonsense\n", to: "x"), "-c", configuration])
        #expect(other.errors.contains("x:1: not a line of an evemu file"))
    }

    @Test("convert loses no event, in either direction")
    func convert() throws {
        let notes = "# gestured: format 1\n# gestured: next_contact 91\n# gestured: next_sequence 871\n"
        let text = ReplayTests.header + ReplayTests.tap + "# gestured: removed 5.100000\n"
        let evemu = try folder.write(notes + text, to: "a.evemu")
        let yaml = folder("b.yml")
        #expect(try Tool.run(["convert", evemu, "-o", yaml]).status == 0)
        #expect(try String(contentsOfFile: yaml, encoding: .utf8).hasPrefix("# libinput record\nversion: 1\n"))
        let again = try Tool.run(["convert", yaml])
        let straight = try Tool.run(["convert", evemu, "--format", "evemu"])
        #expect(again.status == 0)
        #expect(again.output == straight.output)
        #expect(again.output.hasSuffix(ReplayTests.tap + "# gestured: removed 5.100000\n"))
        let replays = try [evemu, yaml].map { try Tool.run(["replay", $0, "-c", configuration]).output }
        #expect(replays[0] == replays[1])
        #expect(replays[0].contains(#""sequence":871"#))
        #expect(
            try Tool.run(["convert", yaml, "--format", "libinput"]).output
                == String(contentsOfFile: yaml, encoding: .utf8))
        let wrong = try Tool.run(["convert", yaml, "-o", "/nonexistent/x"])
        #expect(wrong.status == 73)
    }

    @Test("record writes the chosen format, or the one of the file extension")
    func record() throws {
        let evemu = try Tool.run(["record", "--socket", try RecordTests.daemon().path])
        let yaml = try Tool.run(["record", "--format", "libinput", "--socket", try RecordTests.daemon().path])
        #expect(yaml.status == 0)
        #expect(yaml.output.contains("\n    name: \"Goodix\"\n"))
        #expect(yaml.output.hasSuffix("  - gestured: {removed: [1, 4]}\n"))
        let file = folder("r.yaml")
        let named = try Tool.run(["record", "-o", file, "--socket", try RecordTests.daemon().path])
        #expect(named.status == 0)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == yaml.output)
        #expect(try Tool.run(["convert", file]).output == evemu.output)
    }
}
