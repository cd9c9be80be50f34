// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GesturePipeline
import GestureTestSupport
import Recordings
import Testing

/// Reads text as a recording, or returns the error.
func read(_ text: String) -> Result<Recording, RecordingError> {
    do throws(RecordingError) {
        return .success(try EvemuReader.read(Array(text.utf8)))
    } catch {
        return .failure(error)
    }
}

@Suite("Reading recordings")
struct EvemuReaderTests {
    static let header = """
        N: panel
        I: 0018 0416 038f 0100
        P: 02 00 00 00 00 00 00 00
        B: 00 0b 00 00 00 00 00 00 00
        B: 01 00 00 00 00 00 00 00 00
        B: 03 03 00 00 00 00 80 60 02
        A: 00 0 1919 0 0 10
        A: 01 0 1079 0 0
        A: 2f 0 9 0 0 0
        A: 35 0 1919 4 5 10
        A: 36 -5 1079 0 0 10

        """

    @Test("reads a whole description")
    func description() throws {
        let description = try read(Self.header).get().description
        #expect(description.name == "panel")
        #expect(description.bus == 0x18)
        #expect(description.vendor == 0x416)
        #expect(description.product == 0x38f)
        #expect(description.version == 0x100)
        #expect(description.properties == [1])
        #expect(description.keys.isEmpty)
        #expect(description.axes.keys.sorted() == [0, 1, 0x2f, 0x35, 0x36, 0x39])
        #expect(description.axes[0x35]?.maximum == 1919)
        #expect(description.axes[0x35]?.fuzz == 4)
        #expect(description.axes[0x35]?.flat == 5)
        #expect(description.axes[0x35]?.resolution == 10)
        #expect(description.axes[0x36]?.minimum == -5)
        #expect(description.axes[0x39]?.maximum == 1, "no A: line: evemu's range")
    }

    @Test("masks continue from line to line")
    func masks() throws {
        let keys = (0..<6).map { $0 == 5 ? "B: 01 00 04 00 00 00 00 00 00\n" : "B: 01 00 00 00 00 00 00 00 00\n" }
        let description = try read("N: a\n" + keys.joined()).get().description
        #expect(description.keys == [0x14a])
    }

    @Test(
        "a name is everything after N:",
        arguments: [
            ("N: a # b \n", "a # b"), ("N:a\r\n", "a"), ("N: \n", ""), ("N: Größe\n", "Größe"), ("  N: x\n", "x"),
        ])
    func names(line: String, name: String) throws {
        #expect(try read(line + "B: 01 00 00 00 00 00 00 00 00\n").get().description.name == name)
    }

    @Test(
        "an event is read to the microsecond",
        arguments: [
            ("E: 0.000001 0003 0039 5", Int64(1), 3, 0x39, Int32(5)),
            ("E: 1.8000 0003 0039 5", 1_008_000, 3, 0x39, 5),
            ("E: 1.008000 0003 0039 5", 1_008_000, 3, 0x39, 5),
            ("E: 12.0 3 39 -1", 12_000_000, 3, 0x39, -1),
            ("E: 12.999999 0003 0039 0012\t# EV_ABS / ABS_MT_TRACKING_ID   12", 12_999_999, 3, 0x39, 12),
            ("E: 9007199254.740991 0000 0000 -2147483648", 9_007_199_254_740_991, 0, 0, .min),
            ("E: 1.1 FFFF ffff 2147483647\r", 1_000_001, 0xFFFF, 0xFFFF, .max),
        ])
    func events(line: String, time: Int64, type: Int, code: Int, value: Int32) throws {
        let recording = try read(Self.header + line + "\n").get()
        let event = try #require(recording.events.first)
        #expect(event.time.microseconds == time)
        #expect(Int(event.type) == type)
        #expect(Int(event.code) == code)
        #expect(event.value == value)
    }

    @Test("a file without a version line and without its last line end is evemu 1.0")
    func oldest() throws {
        let recording = try read(Self.header + "E: 0.0 0000 0000 0").get()
        #expect(recording.events.count == 1)
        #expect(recording.device == nil)
        #expect(recording.nextContact == 1)
        #expect(recording.slots.isEmpty)
    }

    @Test(
        "slots in the events are added only to an assumed header without slots",
        arguments: [
            ("E: 0.1 3 39 5\nE: 0.2 3 39 -1\n", Int32(0)), ("E: 0.1 3 2f 4\nE: 0.2 3 39 -1\n", 4),
            ("E: 0.1 3 39 5\n", nil), ("E: 0.1 3 39 -1\nE: 0.1 0 2 0\n", nil),
        ])
    func missingSlots(events: String, last: Int32?) throws {
        let header = "N: a\nA: 35 0 1 0 0\nA: 36 0 1 0 0\nA: 39 0 1 0 0\n"
        #expect(try read(header + events).get().description.axes[0x2F]?.maximum == last)
        #expect(try read("# gestured: format 1\n" + header + events).get().description.axes[0x2F] == nil)
        #expect(try read(header + "A: 2f 0 9 0 0\n" + events).get().description.axes[0x2F]?.maximum == 9)
    }

    @Test(
        "mistakes are reported with their line and a remedy",
        arguments: [
            ("", "the description of the device is missing"),
            ("E: 0.0 0000 0000 0\n", "line 1: the description of the device is missing"),
            ("N: a\nN: b\n", "line 2: this is a second N: line"),
            ("hello\n", "line 1: not a line of an evemu file"),
            ("N: a\nX: 1\n", "line 2: not a line of an evemu file"),
            ("# EVEMU 2.0\n", "line 1: this is not evemu 1.0 to 1.3"),
            ("N: a\nI: 0018 0416 038f\n", "line 2: the line ends too early"),
            ("N: a\nI: 0018 0416 038f 0100 1\n", "line 2: too many fields, from \"1\" on"),
            ("N: a\nI: 10000 0 0 0\n", "line 2: I: bus vendor product version \"10000\" is too large"),
            ("N: a\nB: 01 0g 00 00 00 00 00 00 00\n", "line 2: \"0g\" is not a hexadecimal number"),
            ("N: a\nB: 20 00 00 00 00 00 00 00 00\n", "line 2: the type of a B: line \"20\" is too large"),
            ("N: a\nP: 00 00 00 00 01 00 00 00\n", "line 2: bit 20 is beyond the kernel's last code 1f"),
            ("N: a\nA: 40 0 1 0 0\n", "line 2: the code of an axis \"40\" is too large"),
            ("N: a\nA: 35 0 1 0\n", "line 2: the line ends too early"),
            ("N: a\nA: 35 0 2147483648 0 0\n", "line 2: the maximum of an axis 2147483648 is too large"),
            ("N: a\nA: 35 0 1 0 0 0 0\n", "line 2: too many fields"),
            (header + "E: 0 0000 0000 0\n", "line 12: \"0\" is not a time"),
            (header + "E: -1.0 0000 0000 0\n", "line 12: \"-1.0\" is not a time"),
            (header + "E: 0.0000000 0000 0000 0\n", "line 12: \"0.0000000\" is not a time"),
            (header + "E: 0.-1 0000 0000 0\n", "line 12: \"0.-1\" is not a time"),
            (header + "E: 9007199254.740992 0000 0000 0\n", "line 12: time \"9007199254.740992\" is too large"),
            (header + "E: 999999999999999999.0 0000 0000 0\n", "line 12: time \"999999999999999999.0\" is too large"),
            (header + "E: 0.0 10000 0000 0\n", "line 12: the type of an event \"10000\" is too large"),
            (header + "E: 0.0 0000 0000\n", "line 12: the line ends too early"),
            (header + "E: 0.0 0000 0000 99999999999999999999\n", "line 12: \"99999999999999999999\" is not a decimal"),
            (header + "E: 0.0 0000 0000 0\nA: 00 0 1 0 0\n", "line 13: the description comes after the first event"),
        ])
    func errors(text: String, message: String) {
        guard case .failure(let error) = read(text) else {
            Issue.record("read without an error")
            return
        }
        #expect(error.description.hasPrefix(message), "\(error)")
    }

    @Test("an error message has no control characters")
    func hostileText() {
        guard case .failure(let error) = read("N: a\nI: \u{1B}[31m\(String(repeating: "x", count: 99)) 0 0 0\n") else {
            Issue.record("read without an error")
            return
        }
        #expect(error.description.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
        #expect(error.description.utf8.count < 200)
    }

    @Test("refuses more than 64 MiB without reading them")
    func size() {
        let bytes = [UInt8](repeating: 0x0A, count: EvemuReader.sizeLimit + 1)
        #expect(throws: RecordingError.self) { try EvemuReader.read(bytes) }
    }

    @Test("arbitrary bytes do not make the reader trap", arguments: 0..<200 as Range<UInt64>)
    func random(seed: UInt64) {
        var generator = SeededRandom(seed)
        let whole = Array((Self.header + "# gestured: format 1\n# gestured: slot 0 1 2\nE: 1.5 0003 0039 -1\n").utf8)
        var bytes = whole
        for _ in 0..<Int.random(in: 1...20, using: &generator) {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes.insert(UInt8.random(in: 0x20...0x7E, using: &generator), at: place)
            case 2: bytes.removeSubrange(place..<min(bytes.count, place + 5))
            default: bytes.insert(contentsOf: whole.suffix(40), at: place)
            }
            if bytes.isEmpty { bytes = whole }
        }
        if let recording = try? EvemuReader.read(bytes) {
            #expect(read(String(decoding: EvemuWriter.write(recording), as: UTF8.self)) == .success(recording))
        }
    }
}
