// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine

extension EvemuReader {
    static let noteVersion: Int64 = 1
    /// The prefix of a note, after `#`.
    static let notePrefix = "gestured:"

    /// Reads a line that begins with `#`: the version of the file, a note, or a comment.
    mutating func comment(_ bytes: ArraySlice<UInt8>, line: Int) throws(RecordingError) {
        var fields = FieldScanner(bytes, line: line)
        switch fields.word() {
        case "EVEMU": try version(&fields)
        case Self.notePrefix: try note(&fields)
        default: break
        }
    }

    private func version(_ fields: inout FieldScanner) throws(RecordingError) {
        let word = fields.word()
        guard !["1.0", "1.1", "1.2", "1.3"].contains(word) else { return }
        throw RecordingError(
            .unsupportedVersion, line: fields.line, "this is not evemu 1.0 to 1.3; record it again with evemu 2.x")
    }

    private mutating func note(_ fields: inout FieldScanner) throws(RecordingError) {
        let word = fields.word()
        if word == "format" { return try format(&fields) }
        guard hasNotes else { return }
        switch word {
        case "device": recording.device = try string(&fields)
        case "name": recording.description.name = try string(&fields)
        case "phys": recording.description.phys = try string(&fields)
        case "uniq": recording.description.uniq = try string(&fields)
        case "udev": try property(&fields)
        case "next_contact": recording.nextContact = try identifier(&fields)
        case "next_sequence": recording.nextSequence = try identifier(&fields)
        case "next_private_contact": recording.nextPrivateContact = try identifier(&fields)
        case "next_private_sequence": recording.nextPrivateSequence = try identifier(&fields)
        case "value": try axisValue(&fields)
        case "slot": try slot(&fields)
        case "resync": recording.entries.append(.resynchronized)
        case "suspended": recording.entries.append(.suspended(Timestamp(microseconds: try fields.time())))
        case "removed": recording.entries.append(.removed(Timestamp(microseconds: try fields.time())))
        default:
            throw RecordingError(
                .unknownLine, line: fields.line,
                "unknown note; begin your own comments with a word other than \"gestured:\"")
        }
        try fields.end("a note has one line")
    }

    private mutating func format(_ fields: inout FieldScanner) throws(RecordingError) {
        let version = try fields.decimal("the version of the notes")
        guard version == Self.noteVersion else {
            throw RecordingError(
                .unsupportedVersion, line: fields.line,
                "notes have version \(version); this gesturectl reads version \(Self.noteVersion); use a newer one")
        }
        hasNotes = true
    }

    private mutating func property(_ fields: inout FieldScanner) throws(RecordingError) {
        let key = try string(fields.word(), line: fields.line)
        recording.description.udev[key] = try string(&fields)
    }

    private func identifier(_ fields: inout FieldScanner) throws(RecordingError) -> Int64 {
        let value = try fields.decimal("an id")
        guard value >= 1, value < 1 << 53 else {
            throw RecordingError(.outOfRange, line: fields.line, "the id is \(value); it must be 1 to 2^53")
        }
        return value
    }

    private mutating func axisValue(_ fields: inout FieldScanner) throws(RecordingError) {
        let code = try fields.hexadecimal("the code of an axis", atMost: Self.axisCount - 1)
        let value = try fields.value("the value of an axis")
        recording.description.axes[code]?.value = value
    }

    /// Reads the initial position of a slot. The slots must be in order, starting with 0.
    private mutating func slot(_ fields: inout FieldScanner) throws(RecordingError) {
        let number = try fields.decimal("the number of a slot")
        let x = try fields.value("the x coordinate of a slot")
        let y = try fields.value("the y coordinate of a slot")
        guard number == Int64(recording.slots.count), number < 64 else {
            throw RecordingError(.wrongOrder, line: fields.line, "slot \(number) is out of order; count from 0 to 63")
        }
        recording.slots.append(SlotState(x: x, y: y))
    }

    private func string(_ fields: inout FieldScanner) throws(RecordingError) -> String {
        try string(String(decoding: fields.rest(), as: UTF8.self), line: fields.line)
    }

    /// Reverses `EvemuWriter.escape`.
    private func string(_ text: String, line: Int) throws(RecordingError) -> String {
        var bytes: [UInt8] = []
        var input = Array(text.utf8)[...]
        if input.last == 0x0D { input.removeLast() }  // the line ends in CR LF
        while let byte = input.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            guard input.popFirst() == UInt8(ascii: "x"), let high = input.popFirst().flatMap(FieldScanner.hexDigit),
                let low = input.popFirst().flatMap(FieldScanner.hexDigit)
            else {
                throw RecordingError(
                    .badNumber, line: line,
                    "a \\ must be followed by x and two hexadecimal digits; write a plain one as \\x5c")
            }
            bytes.append(UInt8(clamping: high << 4 | low))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
