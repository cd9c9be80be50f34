// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine

/// Writes evemu 1.3 with notes. `EvemuReader` reads it back without loss, and `evemu-play` plays it.
package struct EvemuWriter {
    package private(set) var bytes: [UInt8] = []

    private init() {}

    /// The whole file.
    package static func write(_ recording: Recording) -> [UInt8] {
        var writer = EvemuWriter()
        writer.writeNotes(of: recording)
        writer.writeDescription(recording.description)
        for entry in recording.entries { writer.write(entry) }
        return writer.bytes
    }

    private mutating func writeNotes(of recording: Recording) {
        let description = recording.description
        line("# EVEMU 1.3")
        note("format \(EvemuReader.noteVersion)")
        if let device = recording.device { note("device " + Self.escape(device)) }
        if !description.phys.isEmpty { note("phys " + Self.escape(description.phys)) }
        if !description.uniq.isEmpty { note("uniq " + Self.escape(description.uniq)) }
        for (key, value) in description.udev.sorted(by: { $0.key < $1.key }) {
            note("udev " + Self.escape(key, spaces: true) + " " + Self.escape(value))
        }
        note("next_contact \(recording.nextContact)")
        note("next_sequence \(recording.nextSequence)")
        for (number, slot) in recording.slots.enumerated() { note("slot \(number) \(slot.x) \(slot.y)") }
    }

    private mutating func writeDescription(_ description: DeviceDescription) {
        let name = Self.escape(description.name)
        line("N: " + name)
        if name != description.name { note("name " + name) }
        let identity = [description.bus, description.vendor, description.product, description.version]
        line("I: " + identity.map { Self.hexadecimal(Int($0), 4) }.joined(separator: " "))
        writeMask("P:", description.properties, upTo: 0x40)
        line("B: 00 0b 00 00 00 00 00 00 00")  // EV_SYN, EV_KEY, EV_ABS, as evemu writes it
        writeMask("B: 01", description.keys, upTo: EvemuReader.keyCount)
        writeMask("B: 03", Set(description.axes.keys), upTo: EvemuReader.axisCount)
        let axes = description.axes.sorted { $0.key < $1.key }
        for (code, axis) in axes {
            let numbers = [axis.minimum, axis.maximum, axis.fuzz, axis.flat, axis.resolution]
            line("A: " + Self.hexadecimal(code, 2) + " " + numbers.map { "\($0)" }.joined(separator: " "))
        }
        for (code, axis) in axes where axis.value != 0 {
            note("value " + Self.hexadecimal(code, 2) + " \(axis.value)")
        }
    }

    private mutating func writeMask(_ prefix: String, _ bits: Set<Int>, upTo limit: Int) {
        for base in stride(from: 0, to: limit, by: 64) {
            var text = prefix
            for byte in stride(from: base, to: base + 64, by: 8) {
                let value = (0..<8).reduce(0) { $0 | (bits.contains(byte + $1) ? 1 << $1 : 0) }
                text += " " + Self.hexadecimal(value, 2)
            }
            line(text)
        }
    }

    private mutating func write(_ entry: Recording.Entry) {
        switch entry {
        case .event(let event):
            bytes.append(contentsOf: [UInt8(ascii: "E"), UInt8(ascii: ":"), UInt8(ascii: " ")])
            append(event.time)
            line(
                " " + Self.hexadecimal(Int(event.type), 4) + " " + Self.hexadecimal(Int(event.code), 4)
                    + " \(event.value)")
        case .resynchronized: note("resync")
        case .removed(let time):
            bytes.append(contentsOf: "# gestured: removed ".utf8)
            append(time)
            line("")
        }
    }

    /// `seconds.microseconds`. No kernel time is before 0; such a time becomes 0.
    private mutating func append(_ time: Timestamp) {
        let (seconds, rest) = max(0, time.microseconds).quotientAndRemainder(dividingBy: 1_000_000)
        bytes.append(contentsOf: "\(seconds).".utf8)
        var digit: Int64 = 100_000
        while digit > 0 {
            bytes.append(UInt8(truncatingIfNeeded: 0x30 + rest / digit % 10))
            digit /= 10
        }
    }

    private mutating func note(_ text: String) { line("# gestured: " + text) }

    private mutating func line(_ text: String) {
        bytes.append(contentsOf: text.utf8)
        bytes.append(0x0A)
    }

    private static func hexadecimal(_ value: Int, _ digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    /// A text for one line, with control characters, `\`, spaces at both ends and `#` at the beginning as `\xNN`.
    /// - Parameter spaces: whether all spaces are written so.
    static func escape(_ text: String, spaces: Bool = false) -> String {
        let input = Array(text.utf8)
        var output: [UInt8] = []
        for (index, byte) in input.enumerated() {
            let atEnd = index == 0 || index == input.count - 1
            let escaped =
                byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\\")
                || byte == 0x20 && (atEnd || spaces) || byte == UInt8(ascii: "#") && index == 0
            guard escaped else {
                output.append(byte)
                continue
            }
            output.append(contentsOf: ("\\x" + hexadecimal(Int(byte), 2)).utf8)
        }
        return String(decoding: output, as: UTF8.self)
    }
}
