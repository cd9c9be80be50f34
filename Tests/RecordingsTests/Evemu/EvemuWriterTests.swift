// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GesturePipeline
import Recordings
import Testing

@Suite("Writing recordings")
struct EvemuWriterTests {
    /// A recording with a value for everything that a recording can contain.
    static func full() -> Recording {
        var description = DeviceDescription()
        description.name = "Goodix \\ Capacitive # TouchScreen"
        description.phys = "input/ts"
        description.uniq = " spaced "
        description.bus = 0x18
        description.vendor = 0x416
        description.product = 0xFFFF
        description.version = 1
        description.properties = [1, 0x1F]
        description.keys = [0, 0x14A, 0x2FF]
        let axis = AxisRange(minimum: .min, maximum: .max, fuzz: 1, flat: 2, resolution: 10, value: -7)
        let plain = AxisRange(minimum: 0, maximum: 0)
        description.axes = [0x35: axis, 0x36: plain, 0: plain, 0x3F: plain]
        description.udev = [
            "ID_PATH": "platform-fe205000.i2c", "ID_INPUT_TOUCHSCREEN": "1", "EMPTY": "", "A B": "two\nlines # 1",
        ]
        let time = Timestamp(microseconds: 83_912_044_123)
        let event = KernelEvent(time: time, type: 3, code: 0x39, value: -1)
        return Recording(
            description: description, device: "panel", nextContact: 91, nextSequence: 871,
            slots: [.init(x: 512, y: 300), .init(x: -1, y: 0)],
            entries: [
                .event(event), .event(KernelEvent(time: time, type: 0, code: 0, value: 0)), .resynchronized,
                .event(event), .suspended(Timestamp(microseconds: 83_912_044_123)),
                .removed(Timestamp(microseconds: 83_912_044_124)),
            ])
    }

    @Test("reads back the written recording")
    func identity() throws {
        let recording = Self.full()
        #expect(try EvemuReader.read(EvemuWriter.write(recording)) == recording)
    }

    @Test(
        "no text is lost",
        arguments: ["", " ", "a b", " a", "a ", "#", "a#", "\\", "\\x41", "\n", "\r", "\u{0}", "ä", "\t", "🖐"])
    func texts(text: String) throws {
        var recording = Self.full()
        recording.description.name = text
        recording.description.phys = text
        recording.device = text
        recording.description.udev = [text: text]
        if text.isEmpty { recording.description.udev = ["K": text] }
        #expect(try EvemuReader.read(EvemuWriter.write(recording)) == recording)
    }

    @Test("the text is evemu 1.3, the notes are comments")
    func text() {
        var recording = Self.full()
        recording.description.name = "panel"
        recording.description.keys = []
        recording.description.udev = ["ID_PATH": "pci-0"]
        recording.description.uniq = ""
        let lines = String(decoding: EvemuWriter.write(recording), as: UTF8.self).split(separator: "\n")
        let shown = lines.filter { !$0.hasPrefix("B: 01 00") && !$0.hasPrefix("A: 0") && !$0.hasPrefix("A: 3f") }
        #expect(
            shown.joined(separator: "\n") == """
                # EVEMU 1.3
                # gestured: format 1
                # gestured: device panel
                # gestured: phys input/ts
                # gestured: udev ID_PATH pci-0
                # gestured: next_contact 91
                # gestured: next_sequence 871
                # gestured: slot 0 512 300
                # gestured: slot 1 -1 0
                N: panel
                I: 0018 0416 ffff 0001
                P: 02 00 00 80 00 00 00 00
                B: 00 0b 00 00 00 00 00 00 00
                B: 03 01 00 00 00 00 00 60 80
                A: 35 -2147483648 2147483647 1 2 10
                A: 36 0 0 0 0 0
                # gestured: value 35 -7
                E: 83912.044123 0003 0039 -1
                E: 83912.044123 0000 0000 0
                # gestured: resync
                E: 83912.044123 0003 0039 -1
                # gestured: suspended 83912.044123
                # gestured: removed 83912.044124
                """)
    }

    @Test("notes are read only after the line with their format")
    func notes() throws {
        let header = EvemuReaderTests.header
        #expect(try read("# gestured: device a\n" + header).get().device == nil)
        #expect(try read("# gestured: format 1\n# gestured: device a\n" + header).get().device == "a")
    }

    @Test(
        "wrong notes are reported with their line and a remedy",
        arguments: [
            ("format 2", "line 1: notes have version 2; this gesturectl reads version 1"),
            ("format 1\n# gestured: slots", "line 2: unknown note"),
            ("format 1\n# gestured: next_contact 0", "line 2: the id is 0"),
            ("format 1\n# gestured: next_sequence 9007199254740992", "line 2: the id is 9007199254740992"),
            ("format 1\n# gestured: slot 1 0 0", "line 2: slot 1 is out of order"),
            ("format 1\n# gestured: slot 0 0", "line 2: the line ends too early"),
            ("format 1\n# gestured: phys a\\q", "line 2: a \\ must be followed"),
            ("format 1\n# gestured: removed 1", "line 2: \"1\" is not a time"),
        ])
    func wrongNotes(note: String, message: String) {
        guard case .failure(let error) = read("# gestured: " + note + "\n" + EvemuReaderTests.header) else {
            Issue.record("read without an error")
            return
        }
        #expect(error.description.hasPrefix(message), "\(error)")
    }
}
