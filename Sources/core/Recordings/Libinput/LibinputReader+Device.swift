// SPDX-License-Identifier: MIT
import ContactTracking

extension LibinputReader {
    /// The parts of one device that have been read.
    struct DeviceParts {
        var device = LibinputDevice(recording: Recording(description: DeviceDescription()))
        var hasEvdev = false
        var hasName = false
        /// The axes in `codes`; each needs an entry in `absinfo`.
        var announcedAxes: [Int] = []
        /// The values of axes, which are under our own keys.
        var axisValues: [Int: Int32] = [:]
        /// Whether the version of our own keys has been read.
        var hasOwnVersion = false
    }

    private static let kernelValues = Int64(Int32.min)...Int64(Int32.max)
    private static let words: ClosedRange<Int64> = 0...0xFFFF
    private static let ids: ClosedRange<Int64> = 1...(1 << 53) - 1

    /// Reads a device whose mapping has just begun.
    mutating func readDevice() throws(RecordingError) -> LibinputDevice {
        let (line, column) = (stream.line, stream.column)
        var parts = DeviceParts()
        try eachKey("the device", isOpen: true) { reader, key throws(RecordingError) in
            switch key {
            case "node": parts.device.node = try reader.string("node")
            case "evdev": try reader.readEvdev(&parts)
            case "udev": try reader.readUdev(&parts)
            case "events": try reader.readEvents(&parts.device.recording)
            case Self.ownKey: try reader.readOwnKeys(&parts)
            default: try reader.skip()
            }
        }
        guard parts.hasEvdev, parts.hasName else {
            throw RecordingError(
                .noDescription, line: line, column: column,
                "the description of this device is missing (evdev with name, codes, absinfo); record it again")
        }
        for code in parts.announcedAxes where parts.device.recording.description.axes[code] == nil {
            throw RecordingError(
                .missingKey, line: line, column: column,
                "axis \(code) of this device has no absinfo; add \(code): [minimum, maximum, fuzz, flat, resolution]")
        }
        for (code, value) in parts.axisValues { parts.device.recording.description.axes[code]?.value = value }
        return parts.device
    }

    private mutating func readEvdev(_ parts: inout DeviceParts) throws(RecordingError) {
        parts.hasEvdev = true
        try eachKey("evdev") { reader, key throws(RecordingError) in
            switch key {
            case "name":
                parts.device.recording.description.name = try reader.string("name")
                parts.hasName = true
            case "id": try reader.readIdentity(&parts.device.recording.description)
            case "codes": try reader.readCodes(&parts)
            case "absinfo": try reader.readAxes(&parts.device.recording.description)
            case "properties":
                parts.device.recording.description.properties = Set(
                    try reader.codes("properties", below: EvemuReader.propertyCount))
            default: try reader.skip()
            }
        }
    }

    private mutating func readIdentity(_ description: inout DeviceDescription) throws(RecordingError) {
        let form = "id: [bus, vendor, product, version]"
        guard try stream.next() == .sequenceStart else { throw wrongType("id", "a list: \(form)") }
        description.bus = UInt16(clamping: try integer(form, in: Self.words))
        description.vendor = UInt16(clamping: try integer(form, in: Self.words))
        description.product = UInt16(clamping: try integer(form, in: Self.words))
        description.version = UInt16(clamping: try integer(form, in: Self.words))
        try end("id", form)
    }

    /// Reads the codes of keys and axes. Other codes are irrelevant for a panel.
    private mutating func readCodes(_ parts: inout DeviceParts) throws(RecordingError) {
        try eachKey("codes") { reader, key throws(RecordingError) in
            switch key {
            case "1":
                parts.device.recording.description.keys = Set(
                    try reader.codes("codes of EV_KEY", below: EvemuReader.keyCount))
            case "3": parts.announcedAxes = try reader.codes("codes of EV_ABS", below: EvemuReader.axisCount)
            default: try reader.skip()
            }
        }
    }

    private mutating func codes(_ what: String, below limit: Int) throws(RecordingError) -> [Int] {
        var codes: [Int] = []
        try eachElement(what) { reader, item throws(RecordingError) in
            codes.append(Int(try reader.integer("a code of \(what)", in: 0...Int64(limit - 1), item)))
        }
        return codes
    }

    private mutating func readAxes(_ description: inout DeviceDescription) throws(RecordingError) {
        let form = "[minimum, maximum, fuzz, flat, resolution]"
        try eachKey("absinfo") { reader, _ throws(RecordingError) in
            let code = try reader.axisCode()
            guard try reader.stream.next() == .sequenceStart else {
                throw reader.wrongType("absinfo", "a list: \(form)")
            }
            var axis = AxisRange(minimum: try reader.value(form), maximum: try reader.value(form))
            axis.fuzz = try reader.value(form)
            axis.flat = try reader.value(form)
            axis.resolution = try reader.value(form)
            try reader.end("absinfo", form)
            description.axes[code] = axis
        }
    }

    /// Converts the key that has just been read to the code of an axis.
    private func axisCode() throws(RecordingError) -> Int {
        Int(try integer("the code of an axis", in: 0...Int64(EvemuReader.axisCount - 1), .scalar))
    }

    /// Reads a value of the kernel, which must fit into 32 bits.
    mutating func value(_ what: String) throws(RecordingError) -> Int32 {
        Int32(clamping: try integer(what, in: Self.kernelValues))
    }

    private mutating func readUdev(_ parts: inout DeviceParts) throws(RecordingError) {
        try eachKey("udev") { reader, key throws(RecordingError) in
            guard key == "properties" else { return try reader.skip() }
            try reader.eachElement("properties of udev") { reader, item throws(RecordingError) in
                guard item == .scalar, let sign = reader.stream.text.firstIndex(of: UInt8(ascii: "=")) else {
                    throw reader.wrongType("a property of udev", "KEY=VALUE")
                }
                let key = String(decoding: reader.stream.text[..<sign], as: UTF8.self)
                parts.device.recording.description.udev[key] = String(
                    decoding: reader.stream.text[(sign + 1)...], as: UTF8.self)
            }
        }
    }

    // MARK: Our own keys

    private mutating func readOwnKeys(_ parts: inout DeviceParts) throws(RecordingError) {
        try eachKey("\"gestured\"") { reader, key throws(RecordingError) in
            if key == "format" { return try reader.readOwnVersion(&parts) }
            guard parts.hasOwnVersion else {
                throw reader.stream.error(.missingKey, "the first key of \"gestured\" must be \"format: 1\"")
            }
            switch key {
            case "device": parts.device.recording.device = try reader.string("device")
            case "phys": parts.device.recording.description.phys = try reader.string("phys")
            case "uniq": parts.device.recording.description.uniq = try reader.string("uniq")
            case "next_contact": parts.device.recording.nextContact = try reader.integer("an id", in: Self.ids)
            case "next_sequence": parts.device.recording.nextSequence = try reader.integer("an id", in: Self.ids)
            case "next_private_contact":
                parts.device.recording.nextPrivateContact = try reader.integer("an id", in: Self.ids)
            case "next_private_sequence":
                parts.device.recording.nextPrivateSequence = try reader.integer("an id", in: Self.ids)
            case "slots": try reader.readSlots(&parts.device.recording)
            case "values":
                try reader.eachKey("values") { reader, _ throws(RecordingError) in
                    let code = try reader.axisCode()
                    parts.axisValues[code] = try reader.value("the value of an axis")
                }
            case "udev":
                try reader.eachKey("udev") { reader, key throws(RecordingError) in
                    parts.device.recording.description.udev[key] = try reader.string("a property of udev")
                }
            default: try reader.skip()
            }
        }
    }

    private mutating func readOwnVersion(_ parts: inout DeviceParts) throws(RecordingError) {
        let version = try integer("the format of \"gestured\"")
        guard version == Self.version else {
            throw stream.error(
                .unsupportedVersion,
                "these keys have format \(version); this gesturectl reads format \(Self.version); use a newer one")
        }
        parts.hasOwnVersion = true
    }

    private mutating func readSlots(_ recording: inout Recording) throws(RecordingError) {
        try eachElement("slots") { reader, item throws(RecordingError) in
            guard item == .sequenceStart else { throw reader.wrongType("a slot", "[x, y]") }
            guard recording.slots.count < Admission.maximumSlots else {
                throw reader.stream.error(
                    .outOfRange, "more than \(Admission.maximumSlots) slots; no panel has this many")
            }
            let x = try reader.value("a slot's [x, y]")
            recording.slots.append(SlotState(x: x, y: try reader.value("a slot's [x, y]")))
            try reader.end("a slot", "[x, y]")
        }
    }
}
