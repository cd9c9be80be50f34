// SPDX-License-Identifier: MIT
import ContactTracking
import GestureProtocol

/// Reads files of `libinput record` (format 1, libinput 1.10 and later), and the keys that `LibinputWriter` adds.
///
/// Unknown keys are skipped, as the format requires. Any input results in devices or in an error that names the line
/// and the column; no input causes a trap.
package struct LibinputReader: ~Copyable {
    /// The maximum size in bytes. An event of libinput's recorder, with its comments, takes three times as many bytes as
    /// an evemu event.
    package static let sizeLimit = 4 * EvemuReader.sizeLimit

    /// The supported version of the file and of our own keys.
    static let version: Int64 = 1
    /// The key of the mapping that contains our own keys.
    static let ownKey = "gestured"
    /// The mark of a frame that sets the slots to their initial positions. Only other players need it.
    static let startMark = "start"

    var stream: YamlStream
    private var devices: [LibinputDevice] = []
    private var hasVersion = false

    private init(_ stream: consuming YamlStream) {
        self.stream = stream
    }

    /// - Parameter bytes: the whole file.
    /// - Returns: the devices in the order of the file, at least one.
    package static func read(_ bytes: [UInt8]) throws(RecordingError) -> [LibinputDevice] {
        guard bytes.count <= sizeLimit else {
            throw RecordingError(
                .tooLarge, line: 0, "the file is larger than \(sizeLimit >> 20) MiB; shorten the recording")
        }
        return try bytes.withUnsafeBufferPointer { bytes throws(RecordingError) in
            var reader = LibinputReader(try YamlStream(bytes))
            try reader.readFile()
            return reader.devices
        }
    }

    private mutating func readFile() throws(RecordingError) {
        guard try stream.next() == .mappingStart else {
            throw stream.error(
                .wrongType, "not a recording; a file of libinput record begins with \"version: 1\"")
        }
        try eachKey("the file", isOpen: true) { reader, key throws(RecordingError) in
            switch key {
            case "version": try reader.readVersion()
            case "devices": try reader.readDevices()
            default: try reader.skip()
            }
        }
        _ = try stream.next()
        guard hasVersion else {
            throw RecordingError(
                .missingKey, line: 0,
                "the key \"version\", which libinput record writes, is missing; make the recording again")
        }
        guard !devices.isEmpty else {
            throw RecordingError(
                .noDescription, line: 0, "the file contains no device (\"devices:\"); record it again")
        }
    }

    private mutating func readVersion() throws(RecordingError) {
        let version = try integer("the version of the file")
        guard version == Self.version else {
            throw stream.error(
                .unsupportedVersion,
                "the file has version \(version); this gesturectl reads version \(Self.version); use a newer one")
        }
        hasVersion = true
    }

    private mutating func readDevices() throws(RecordingError) {
        try eachElement("devices") { reader, item throws(RecordingError) in
            guard item == .mappingStart else {
                throw reader.wrongType("a device", "a mapping with node, evdev, events")
            }
            reader.devices.append(try reader.readDevice())
        }
    }

    // MARK: Values

    /// Calls `body` with each key of a mapping. `body` must read the value.
    /// - Parameter isOpen: whether the start of the mapping has been read.
    mutating func eachKey(
        _ what: String, isOpen: Bool = false, _ body: (inout Self, String) throws(RecordingError) -> Void
    ) throws(RecordingError) {
        if !isOpen {
            let item = try stream.next()
            if isNothing(item) { return }
            guard item == .mappingStart else { throw wrongType(what, "a mapping (\"key: value\")") }
        }
        var seen: Set<String> = []
        while true {
            switch try stream.next() {
            case .scalar:
                let key = String(decoding: stream.text, as: UTF8.self)
                guard seen.insert(key).inserted else {
                    throw stream.error(.wrongOrder, "a second \(quoted) in \(what); keep one")
                }
                try body(&self, key)
            case .mappingEnd: return
            case .sequenceStart, .sequenceEnd, .mappingStart, .end: throw wrongType("a key of \(what)", "a word")
            }
        }
    }

    /// Calls `body` with the first item of each element of a sequence. `body` must read the rest of the element. A
    /// missing value is treated as an empty sequence, because libinput writes empty sequences this way.
    mutating func eachElement(
        _ what: String, _ body: (inout Self, YamlStream.Item) throws(RecordingError) -> Void
    ) throws(RecordingError) {
        let first = try stream.next()
        if isNothing(first) { return }
        guard first == .sequenceStart else { throw wrongType(what, "a list") }
        while true {
            let item = try stream.next()
            if item == .sequenceEnd { return }
            try body(&self, item)
        }
    }

    /// Skips the next value.
    mutating func skip() throws(RecordingError) {
        var depth = 0
        repeat {
            switch try stream.next() {
            case .mappingStart, .sequenceStart: depth += 1
            case .mappingEnd, .sequenceEnd: depth -= 1
            case .scalar: break
            case .end: return
            }
        } while depth > 0
    }

    mutating func string(_ what: String) throws(RecordingError) -> String {
        guard try stream.next() == .scalar else { throw wrongType(what, "a text") }
        return String(decoding: stream.text, as: UTF8.self)
    }

    mutating func integer(
        _ what: String, in range: ClosedRange<Int64> = Int64.min...Int64.max
    ) throws(RecordingError) -> Int64 {
        try integer(what, in: range, try stream.next())
    }

    /// - Parameter item: the last item that has been read.
    func integer(
        _ what: String, in range: ClosedRange<Int64>, _ item: YamlStream.Item
    ) throws(RecordingError) -> Int64 {
        guard item == .scalar else { throw wrongType(what, "a number") }
        guard let value = Self.integer(stream.text) else {
            throw stream.error(.badNumber, "\(quoted) is not a whole number; expected \(what)")
        }
        guard range.contains(value) else {
            throw stream.error(
                .outOfRange, "\(what) is \(value); it must be \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// Reads the end of a list of known length.
    mutating func end(_ what: String, _ form: String) throws(RecordingError) {
        guard try stream.next() == .sequenceEnd else {
            throw stream.error(.badNumber, "\(what) has too many values; expected \(form)")
        }
    }

    func wrongType(_ what: String, _ form: String) -> RecordingError {
        stream.error(.wrongType, "\(what) must be \(form)")
    }

    /// Whether a value is missing, as in `events:` at the end of a line.
    private func isNothing(_ item: YamlStream.Item) -> Bool {
        item == .scalar && stream.isPlain
            && (stream.text.isEmpty || stream.text == Array("~".utf8) || stream.text == Array("null".utf8))
    }

    /// Parses a decimal number, or a hexadecimal one with the prefix `0x`. A negative number begins with `-`. Returns `nil`
    /// if the text is not a number or does not fit into 64 bits.
    private static func integer(_ text: [UInt8]) -> Int64? {
        let isNegative = text.first == UInt8(ascii: "-")
        guard let magnitude = magnitude(isNegative ? text.dropFirst() : text[...]) else { return nil }
        if isNegative, magnitude == 1 << 63 { return .min }
        return Int64(exactly: magnitude).map { isNegative ? 0 &- $0 : $0 }
    }

    /// Parses a number without a sign.
    static func magnitude(_ text: ArraySlice<UInt8>) -> UInt64? {
        let isHexadecimal = text.starts(with: "0x".utf8)
        let digits = isHexadecimal ? text.dropFirst(2) : text
        guard let first = digits.first, FieldScanner.hexDigit(first) != nil else { return nil }
        return UInt64(String(decoding: digits, as: UTF8.self), radix: isHexadecimal ? 16 : 10)
    }

    /// The last scalar, for an error message.
    var quoted: String { SafeText.field(stream.text) }
}

/// One device of a file of `libinput record`.
package struct LibinputDevice: Hashable, Sendable {
    /// The path, such as `/dev/input/event4`; empty if the file does not contain it.
    package var node: String
    package var recording: Recording

    package init(node: String = "", recording: Recording) {
        self.node = node
        self.recording = recording
    }

    /// Whether `name` is the device's node (with or without `/dev/input/`), its name, or its id in the daemon.
    package func isNamed(_ name: String) -> Bool {
        DeviceName.matches(name, id: recording.device, node: node, reported: recording.description.name)
    }

    /// Whether the daemon would use the device even without a matching `[[device]]`.
    package var isPanel: Bool {
        let admission = Admission.decide(recording.description, matchedByConfiguration: false)
        return if case .accepted = admission { true } else { false }
    }
}
