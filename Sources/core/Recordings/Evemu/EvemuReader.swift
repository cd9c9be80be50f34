// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine

/// Reads evemu files of versions 1.0 to 1.3 that contain a description and events, and the notes that `EvemuWriter`
/// adds to them.
///
/// Any input results in a recording or in an error that names the line; no input causes a trap.
package struct EvemuReader {
    /// The maximum size in bytes. An hour of ten fingers takes 40 MiB.
    package static let sizeLimit = 64 << 20

    /// `KEY_CNT` from linux/input-event-codes.h. The constants below are `ABS_CNT`, `INPUT_PROP_CNT` and `EV_CNT`.
    package static let keyCount = 0x300
    package static let axisCount = 0x40
    package static let propertyCount = 0x20
    static let typeCount = 0x20

    var recording = Recording(description: DeviceDescription())
    private var hasName = false
    private var hasCapabilities = false
    private var hasEvents = false
    private var propertyBits = 0
    private var typeBits = [Int](repeating: 0, count: typeCount)
    /// The axes in `B:` lines. Axes without an `A:` line are given evemu's default range.
    private var axes: Set<Int> = []
    /// Whether the version of the notes has been read. Until then, notes are treated as plain comments.
    var hasNotes = false

    private init() {}

    /// - Parameter bytes: the whole file.
    package static func read(_ bytes: [UInt8]) throws(RecordingError) -> Recording {
        guard bytes.count <= sizeLimit else {
            throw RecordingError(.tooLarge, line: 0, "the file is larger than 64 MiB; shorten the recording")
        }
        var reader = EvemuReader()
        var line = 0
        var start = bytes.startIndex
        while start < bytes.endIndex {
            line += 1
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.endIndex
            try reader.read(bytes[start..<end], line: line)
            start = end + 1
        }
        return try reader.finish()
    }

    private mutating func read(_ bytes: ArraySlice<UInt8>, line: Int) throws(RecordingError) {
        let text = bytes.drop(while: FieldScanner.isSpace)
        guard let first = text.first else { return }
        if first == UInt8(ascii: "#") { return try comment(text.dropFirst(), line: line) }
        guard text.dropFirst().first == UInt8(ascii: ":") else { throw unknown(line) }
        var fields = FieldScanner(text.dropFirst(2), line: line)
        if first != UInt8(ascii: "E"), hasEvents {
            throw RecordingError(
                .wrongOrder, line: line, "the description comes after the first event; a file holds one device")
        }
        switch first {
        case UInt8(ascii: "N"): try name(&fields)
        case UInt8(ascii: "I"): try identity(&fields)
        case UInt8(ascii: "P"): try properties(&fields)
        case UInt8(ascii: "B"): try bits(&fields)
        case UInt8(ascii: "A"): try axis(&fields)
        case UInt8(ascii: "L"), UInt8(ascii: "S"): break  // lights and switches are irrelevant for panels
        case UInt8(ascii: "E"): try event(&fields)
        default: throw unknown(line)
        }
    }

    private func unknown(_ line: Int) -> RecordingError {
        RecordingError(
            .unknownLine, line: line,
            "not a line of an evemu file; each begins with N: I: P: B: A: L: S: E: or #")
    }

    /// Reads the name: the rest of the line, including `#`, without surrounding white space.
    private mutating func name(_ fields: inout FieldScanner) throws(RecordingError) {
        guard !hasName else {
            throw RecordingError(.wrongOrder, line: fields.line, "this is a second N: line; a file holds one device")
        }
        hasName = true
        var name = fields.rest()
        while let last = name.last, FieldScanner.isSpace(last) { name.removeLast() }
        recording.description.name = String(decoding: name, as: UTF8.self)
    }

    private mutating func identity(_ fields: inout FieldScanner) throws(RecordingError) {
        let form = "I: bus vendor product version"
        recording.description.bus = UInt16(clamping: try fields.hexadecimal(form, atMost: 0xFFFF))
        recording.description.vendor = UInt16(clamping: try fields.hexadecimal(form, atMost: 0xFFFF))
        recording.description.product = UInt16(clamping: try fields.hexadecimal(form, atMost: 0xFFFF))
        recording.description.version = UInt16(clamping: try fields.hexadecimal(form, atMost: 0xFFFF))
        try fields.end("expected \(form)")
    }

    private mutating func properties(_ fields: inout FieldScanner) throws(RecordingError) {
        recording.description.properties.formUnion(
            try Self.mask(&fields, from: &propertyBits, below: Self.propertyCount))
    }

    private mutating func bits(_ fields: inout FieldScanner) throws(RecordingError) {
        let type = try fields.hexadecimal("the type of a B: line", atMost: Self.typeCount - 1)
        hasCapabilities = true
        let limit = type == EventCode.evAbs ? Self.axisCount : Self.keyCount
        let bits = try Self.mask(&fields, from: &typeBits[type], below: limit)
        if type == EventCode.evKey { recording.description.keys.formUnion(bits) }
        if type == EventCode.evAbs { axes.formUnion(bits) }
    }

    /// Reads eight bytes of a mask, which may span several lines, and returns the numbers of the set bits.
    private static func mask(
        _ fields: inout FieldScanner, from base: inout Int, below limit: Int
    ) throws(RecordingError) -> [Int] {
        var set: [Int] = []
        for byte in 0..<8 {
            let value = try fields.hexadecimal("eight bytes of a mask", atMost: 0xFF)
            for bit in 0..<8 where value >> bit & 1 == 1 { set.append(base + byte * 8 + bit) }
        }
        try fields.end("a mask has eight bytes per line")
        if let last = set.last, last >= limit {
            throw RecordingError(
                .outOfRange, line: fields.line,
                "bit \(String(last, radix: 16)) is beyond the kernel's last code \(String(limit - 1, radix: 16))")
        }
        base = min(base + 64, keyCount)
        return set
    }

    private mutating func axis(_ fields: inout FieldScanner) throws(RecordingError) {
        let code = try fields.hexadecimal("the code of an axis", atMost: Self.axisCount - 1)
        let minimum = try fields.value("the minimum of an axis")
        var axis = AxisRange(minimum: minimum, maximum: try fields.value("the maximum of an axis"))
        axis.fuzz = try fields.value("the fuzz of an axis")
        axis.flat = try fields.value("the flat of an axis")
        if !fields.isAtEnd { axis.resolution = try fields.value("the resolution of an axis") }  // since 1.2
        try fields.end("expected A: code minimum maximum fuzz flat resolution")
        hasCapabilities = true
        recording.description.axes[code] = axis
    }

    private mutating func event(_ fields: inout FieldScanner) throws(RecordingError) {
        guard hasName, hasCapabilities else { throw incomplete(line: fields.line) }
        hasEvents = true
        let time = try fields.time()
        let type = try fields.hexadecimal("the type of an event", atMost: 0xFFFF)
        let code = try fields.hexadecimal("the code of an event", atMost: 0xFFFF)
        let value = try fields.value("the value of an event")
        try fields.end("expected E: seconds.microseconds type code value")
        recording.entries.append(
            .event(
                KernelEvent(
                    time: Timestamp(microseconds: time), type: UInt16(clamping: type), code: UInt16(clamping: code),
                    value: value)))
    }

    private func incomplete(line: Int) -> RecordingError {
        RecordingError(
            .noDescription, line: line,
            "the description of the device is missing (N:, B: and A: lines before the first E:); "
                + "put the output of evemu-describe before the events")
    }

    private func finish() throws(RecordingError) -> Recording {
        guard hasName, hasCapabilities else { throw incomplete(line: 0) }
        var recording = recording
        for code in axes where recording.description.axes[code] == nil {
            // The default range that evemu uses for an axis without one.
            recording.description.axes[code] = AxisRange(minimum: 0, maximum: 1)
        }
        if !hasNotes { Self.addMissingSlots(&recording) }
        return recording
    }

    /// Adds missing slots to a description that was written by hand after the recording.
    ///
    /// Only devices with slots send a tracking id of -1, and only those without slots send `SYN_MT_REPORT`, so
    /// the events reveal the kind of device.
    private static func addMissingSlots(_ recording: inout Recording) {
        let axes = recording.description.axes
        let (slot, id) = (Int(EventCode.absMTSlot), Int(EventCode.absMTTrackingID))
        guard axes[id] != nil, axes[slot] == nil else { return }
        var hasLift = false
        var lastSlot: Int32 = 0
        for event in recording.events {
            switch (event.type, event.code) {
            case (EventCode.evSyn, EventCode.synMTReport): return
            case (EventCode.evAbs, EventCode.absMTTrackingID): hasLift = hasLift || event.value < 0
            case (EventCode.evAbs, EventCode.absMTSlot): lastSlot = max(lastSlot, event.value)
            default: break
            }
        }
        if hasLift { recording.description.axes[slot] = AxisRange(minimum: 0, maximum: lastSlot) }
    }
}
