// SPDX-License-Identifier: MIT
import ContactTracking
import GestureEngine
import GestureProtocol

/// Writes the format of `libinput record`, for `libinput replay` and libinput's developers. `LibinputReader`
/// reads it back without loss.
///
/// Data for which the format has no key is written under `gestured:`, which other readers skip as the format requires.
/// A resynchronisation is written as a frame with the whole slot table, so that other players reach the same table.
package struct LibinputWriter {
    /// The facts about the machine that libinput's recorder writes; empty if unknown.
    package struct Origin: Hashable, Sendable {
        /// The program that writes the file.
        package var program: String
        /// The system in the form of os-release(5): `debian:12`.
        package var system: String
        /// The release of the kernel in the form of uname(2).
        package var kernel: String
        /// The contents of `/sys/class/dmi/id/modalias`.
        package var machine: String

        package init(program: String, system: String = "", kernel: String = "", machine: String = "") {
            self.program = program
            self.system = system
            self.kernel = kernel
            self.machine = machine
        }
    }

    /// The prefixes of properties that libinput's recorder writes; other properties are written under our own keys.
    private static let libinputProperties = ["ID_INPUT", "LIBINPUT", "EVDEV_ABS", "MOUSE_DPI", "POINTINGSTICK_"]

    private var text = TextWriter()
    /// Whether more events can be appended to the current entry of `events`.
    private var isInFrame = false

    private init() {}

    /// Returns the whole file, with one device.
    /// - Parameter node: the path of the device; empty if unknown.
    package static func write(_ recording: Recording, node: String = "", origin: Origin) -> [UInt8] {
        var writer = LibinputWriter()
        writer.writeHead(origin)
        writer.line("devices:")
        writer.line("- node: " + Self.quote(node))
        writer.writeEvdev(recording.description)
        writer.writeUdev(recording.description)
        writer.writeOwnKeys(recording)
        writer.line(recording.entries.isEmpty ? "  events: []" : "  events:")
        writer.writeStart(recording)
        for entry in recording.entries { writer.write(entry) }
        return writer.text.bytes
    }

    private mutating func writeHead(_ origin: Origin) {
        line("# libinput record")
        line("version: \(LibinputReader.version)")
        line("ndevices: 1")
        line("libinput:")
        line("  version: " + Self.quote(origin.program))
        line("  git: \"unknown\"")
        line("system:")
        line("  os: " + Self.quote(origin.system.isEmpty ? "unknown" : origin.system))
        line("  kernel: " + Self.quote(origin.kernel.isEmpty ? "unknown" : origin.kernel))
        line("  dmi: " + Self.quote(origin.machine.isEmpty ? "unknown" : origin.machine))
    }

    private mutating func writeEvdev(_ description: DeviceDescription) {
        line("  evdev:")
        line("    name: " + Self.quote(description.name))
        line("    id: [\(description.bus), \(description.vendor), \(description.product), \(description.version)]")
        line("    codes:")
        line("      0: \(Self.list(0...15)) # EV_SYN")
        if !description.keys.isEmpty { line("      1: \(Self.list(description.keys.sorted())) # EV_KEY") }
        let axes = description.axes.sorted { $0.key < $1.key }
        if !axes.isEmpty {
            line("      3: \(Self.list(axes.map(\.key))) # EV_ABS")
            line("    absinfo:")
        }
        for (code, axis) in axes {
            let numbers = [axis.minimum, axis.maximum, axis.fuzz, axis.flat, axis.resolution]
            line("      \(code): \(Self.list(numbers))")
        }
        line("    properties: \(Self.list(description.properties.sorted()))")
    }

    private mutating func writeUdev(_ description: DeviceDescription) {
        let properties = description.udev.sorted { $0.key < $1.key }.filter { Self.isForLibinput($0.key) }
        line("  udev:")
        line(properties.isEmpty ? "    properties: []" : "    properties:")
        for (key, value) in properties { line("    - " + Self.quote(key + "=" + value)) }
    }

    private mutating func writeOwnKeys(_ recording: Recording) {
        let description = recording.description
        line("  \(LibinputReader.ownKey):")
        line("    format: \(LibinputReader.version)")
        if let device = recording.device { line("    device: " + Self.quote(device)) }
        if !description.phys.isEmpty { line("    phys: " + Self.quote(description.phys)) }
        if !description.uniq.isEmpty { line("    uniq: " + Self.quote(description.uniq)) }
        line("    next_contact: \(recording.nextContact)")
        line("    next_sequence: \(recording.nextSequence)")
        if recording.nextPrivateContact != 1 { line("    next_private_contact: \(recording.nextPrivateContact)") }
        if recording.nextPrivateSequence != 1 { line("    next_private_sequence: \(recording.nextPrivateSequence)") }
        if !recording.slots.isEmpty {
            line("    slots: [" + recording.slots.map { "[\($0.x), \($0.y)]" }.joined(separator: ", ") + "]")
        }
        let values = description.axes.sorted { $0.key < $1.key }.filter { $0.value.value != 0 }
        if !values.isEmpty {
            line("    values: {" + values.map { "\($0.key): \($0.value.value)" }.joined(separator: ", ") + "}")
        }
        let properties = description.udev.sorted { $0.key < $1.key }.filter { !Self.isForLibinput($0.key) }
        if !properties.isEmpty { line("    udev:") }
        for (key, value) in properties { line("      " + Self.quote(key) + ": " + Self.quote(value)) }
    }

    /// Writes the frame with the initial positions, which other players need. Our own reader skips it.
    private mutating func writeStart(_ recording: Recording) {
        let frame = recording.startFrame
        guard !frame.isEmpty else { return }
        line("  - \(LibinputReader.ownKey): \(LibinputReader.startMark)")
        line("    evdev:")
        for event in frame { writeEvent(event) }
    }

    private mutating func writeEvent(_ event: KernelEvent) {
        let (seconds, microseconds) = TextWriter.parts(event.time)
        line("    - [\(seconds), \(microseconds), \(event.type), \(event.code), \(event.value)]")
    }

    private mutating func write(_ entry: Recording.Entry) {
        switch entry {
        case .event(let event):
            if !isInFrame { line("  - evdev:") }
            writeEvent(event)
            isInFrame = !event.endsFrame
        case .resynchronized:
            line("  - \(LibinputReader.ownKey): resync")
            isInFrame = false
        case .suspended(let time): writeMark("suspended", time)
        case .removed(let time): writeMark("removed", time)
        }
    }

    private mutating func writeMark(_ word: String, _ time: Timestamp) {
        let (seconds, microseconds) = TextWriter.parts(time)
        line("  - \(LibinputReader.ownKey): {\(word): [\(seconds), \(microseconds)]}")
        isInFrame = false
    }

    private mutating func line(_ line: String) { text.line(line) }

    private static func list(_ numbers: some Sequence<some BinaryInteger>) -> String {
        "[" + numbers.map { "\($0)" }.joined(separator: ", ") + "]"
    }

    /// Whether a property can be written in libinput's list, where the name ends at the first `=`.
    private static func isForLibinput(_ key: String) -> Bool {
        libinputProperties.contains { key.hasPrefix($0) } && !key.contains("=")
    }

    /// Returns a text in double quotes for one line of YAML 1.1. Characters that YAML does not regard as printable, or that
    /// end a line, are escaped.
    static func quote(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22, 0x5C: quoted += "\\" + String(scalar)
            case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD, 0x10000...0x10FFFF:
                quoted.unicodeScalars.append(scalar)
            // Four digits suffice, because all escaped characters are below U+10000.
            default: quoted += "\\u" + padded(scalar.value, to: 4, radix: 16)
            }
        }
        return quoted + "\""
    }
}
