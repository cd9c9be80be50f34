// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GestureProtocol

/// Writes evemu 1.3 with notes. `EvemuReader` reads it back without loss, and `evemu-play` plays it.
package struct EvemuWriter {
    private var text = TextWriter()

    private init() {}

    /// Returns the whole file.
    package static func write(_ recording: Recording) -> [UInt8] {
        var text: [UInt8] = []
        write(recording, inPiecesOf: .max) { text = $0 }
        return text
    }

    /// Returns the file in pieces of whole lines, so that it need not fit in memory as a whole.
    /// - Parameter size: the size of a piece in bytes. A piece may exceed it by the rest of its last line.
    package static func write(_ recording: Recording, inPiecesOf size: Int, _ take: ([UInt8]) -> Void) {
        var writer = EvemuWriter()
        writer.writeNotes(of: recording)
        writer.writeDescription(recording.description)
        for entry in recording.entries {
            if writer.text.bytes.count >= size {
                take(writer.text.bytes)
                writer.text = TextWriter()
            }
            writer.write(entry)
        }
        take(writer.text.bytes)
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
        if recording.nextPrivateContact != 1 { note("next_private_contact \(recording.nextPrivateContact)") }
        if recording.nextPrivateSequence != 1 { note("next_private_sequence \(recording.nextPrivateSequence)") }
        for (number, slot) in recording.slots.enumerated() { note("slot \(number) \(slot.x) \(slot.y)") }
    }

    private mutating func writeDescription(_ description: DeviceDescription) {
        let name = Self.escape(description.name)
        line("N: " + name)
        if name != description.name { note("name " + name) }
        let identity = [description.bus, description.vendor, description.product, description.version]
        line("I: " + identity.map { padded($0, to: 4, radix: 16) }.joined(separator: " "))
        writeMask("P:", description.properties, upTo: 0x40)
        line("B: 00 0b 00 00 00 00 00 00 00")  // EV_SYN, EV_KEY, EV_ABS, as evemu writes it
        writeMask("B: 01", description.keys, upTo: EvemuReader.keyCount)
        writeMask("B: 03", Set(description.axes.keys), upTo: EvemuReader.axisCount)
        let axes = description.axes.sorted { $0.key < $1.key }
        for (code, axis) in axes {
            let numbers = [axis.minimum, axis.maximum, axis.fuzz, axis.flat, axis.resolution]
            line("A: " + padded(code, to: 2, radix: 16) + " " + numbers.map { "\($0)" }.joined(separator: " "))
        }
        for (code, axis) in axes where axis.value != 0 {
            note("value " + padded(code, to: 2, radix: 16) + " \(axis.value)")
        }
    }

    private mutating func writeMask(_ prefix: String, _ bits: Set<Int>, upTo limit: Int) {
        for base in stride(from: 0, to: limit, by: 64) {
            var line = prefix
            for byte in stride(from: base, to: base + 64, by: 8) {
                let value = (0..<8).reduce(0) { $0 | (bits.contains(byte + $1) ? 1 << $1 : 0) }
                line += " " + padded(value, to: 2, radix: 16)
            }
            self.line(line)
        }
    }

    private mutating func write(_ entry: Recording.Entry) {
        switch entry {
        case .event(let event):
            let codes = [event.type, event.code].map { padded($0, to: 4, radix: 16) }
            line("E: \(Self.time(event.time)) \(codes[0]) \(codes[1]) \(event.value)")
        case .resynchronized: note("resync")
        case .suspended(let time): note("suspended " + Self.time(time))
        case .removed(let time): note("removed " + Self.time(time))
        }
    }

    /// Returns `seconds.microseconds`.
    private static func time(_ time: Timestamp) -> String {
        let (seconds, microseconds) = TextWriter.parts(time)
        return "\(seconds)." + padded(microseconds, to: 6)
    }

    private mutating func note(_ text: String) { line("# gestured: " + text) }

    private mutating func line(_ line: String) { text.line(line) }

    /// Escapes a text so that it fits on one line. Control characters, `\`, spaces at both ends, and `#` at the
    /// beginning are written as `\xNN`.
    /// - Parameter spaces: whether all spaces are escaped.
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
            output.append(contentsOf: ("\\x" + padded(byte, to: 2, radix: 16)).utf8)
        }
        return String(decoding: output, as: UTF8.self)
    }
}
