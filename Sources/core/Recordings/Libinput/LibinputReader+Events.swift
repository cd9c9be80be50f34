// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine

extension LibinputReader {
    private static let eventForm = "[seconds, microseconds, type, code, value]"
    /// The latest time in microseconds, as in evemu files: 285 years.
    private static let latest: UInt64 = 1 << 53

    /// Reads the kernel's events. libinput's own events and HID reports are skipped.
    mutating func readEvents(_ recording: inout Recording) throws(RecordingError) {
        try eachElement("events") { reader, item throws(RecordingError) in
            guard item == .mappingStart else { throw reader.wrongType("an entry of events", "a mapping (\"evdev:\")") }
            let before = recording.entries.count
            var isStart = false
            try reader.eachKey("an entry of events", isOpen: true) { reader, key throws(RecordingError) in
                switch key {
                case "evdev":
                    try reader.eachElement("evdev of events") { reader, item throws(RecordingError) in
                        recording.entries.append(.event(try reader.readEvent(item)))
                    }
                case Self.ownKey: isStart = try reader.readMark(&recording)
                default: try reader.skip()
                }
            }
            // The mark may come after the events of its frame, so the events are removed afterwards.
            if isStart { recording.entries.removeSubrange(before...) }
        }
    }

    private mutating func readEvent(_ item: YamlStream.Item) throws(RecordingError) -> KernelEvent {
        guard item == .sequenceStart else { throw wrongType("an event", Self.eventForm) }
        let time = try time()
        let type = try integer("the type of an event", in: 0...0xFFFF)
        let code = try integer("the code of an event", in: 0...0xFFFF)
        let value = try value("the value of an event")
        try end("an event", Self.eventForm)
        return KernelEvent(
            time: time, type: UInt16(clamping: type), code: UInt16(clamping: code), value: value)
    }

    /// Reads seconds and microseconds. In a file of several devices, one may have sent an event before the start time of
    /// the file. libinput writes this negative time as an unsigned number; it is read as 0.
    private mutating func time() throws(RecordingError) -> Timestamp {
        let seconds = try timePart("seconds")
        let microseconds = try timePart("microseconds")
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (time, carry) = scaled.addingReportingOverflow(microseconds)
        if !overflow, !carry, time < Self.latest { return Timestamp(microseconds: Int64(time)) }
        guard !overflow, !carry, time >> 63 == 1 else {
            throw stream.error(.outOfRange, "the time is too large; the maximum is 285 years")
        }
        return Timestamp(microseconds: 0)
    }

    private mutating func timePart(_ what: String) throws(RecordingError) -> UInt64 {
        guard try stream.next() == .scalar else { throw wrongType("an event", Self.eventForm) }
        guard let value = Self.magnitude(stream.text[...]) else {
            throw stream.error(.badNumber, "\(quoted) is not a number of \(what); expected \(Self.eventForm)")
        }
        return value
    }

    /// Reads `gestured: start`, `gestured: resync`, and `gestured: {removed: [seconds, microseconds]}` or
    /// `suspended`.
    /// - Returns: whether the mark is `start`.
    private mutating func readMark(_ recording: inout Recording) throws(RecordingError) -> Bool {
        switch try stream.next() {
        case .scalar where stream.text == Array(Self.startMark.utf8):
            return true
        case .scalar where stream.text == Array("resync".utf8):
            recording.entries.append(.resynchronized)
            return false
        case .mappingStart:
            try eachKey("\"gestured\"", isOpen: true) { reader, key throws(RecordingError) in
                switch key {
                case "suspended": recording.entries.append(.suspended(try reader.markTime(key)))
                case "removed": recording.entries.append(.removed(try reader.markTime(key)))
                default: try reader.skip()
                }
            }
            return false
        case .scalar, .sequenceStart, .sequenceEnd, .mappingEnd, .end:
            throw stream.error(
                .unknownLine,
                "unknown mark; use one of start, resync, {removed: [seconds, microseconds]}, {suspended: [...]}")
        }
    }

    private mutating func markTime(_ mark: String) throws(RecordingError) -> Timestamp {
        let form = "[seconds, microseconds]"
        guard try stream.next() == .sequenceStart else { throw wrongType(mark, form) }
        let result = try time()
        try end(mark, form)
        return result
    }
}
