// SPDX-License-Identifier: MIT
import ArgumentParser
import ContactTracking
import GesturePipeline
import GestureProtocol
import Recordings

/// Reads a recording from a file of either format.
extension LibinputDevice {
    /// - Parameter device: the device to use if there are several: its node, name or id; `nil`: the first
    ///   touchscreen.
    /// - Throws: `ToolError` 66 if the file cannot be read, 65 if it is not a recording.
    init(reading path: String, device: String?) throws(ToolError) {
        let bytes = try FileBytes.read(path, limit: LibinputReader.sizeLimit)
        let devices: [LibinputDevice]
        do throws(RecordingError) {
            devices = try RecordingFormat(path: path, head: bytes.prefix(65536)).read(bytes)
        } catch {
            throw Self.unusable(path, error)
        }
        self = try Self.choose(devices, path, device)
    }

    private static func choose(
        _ devices: [LibinputDevice], _ path: String, _ device: String?
    ) throws(ToolError) -> LibinputDevice {
        if let device {
            guard let meant = devices.first(where: { $0.isNamed(device) }) else {
                throw unknown(path, device, devices)
            }
            return meant
        }
        guard let chosen = devices.first(where: \.isPanel) ?? devices.first else {
            throw ToolError(.data, "\(path.safe): the recording contains no device")
        }
        if devices.count > 1 {
            StandardError.tell(
                "\(path.safe): using \(label(chosen)), one of \(devices.count) devices; choose another with --device")
        }
        return chosen
    }

    private static func unknown(_ path: String, _ device: String, _ devices: [LibinputDevice]) -> ToolError {
        let there = devices.map(label).joined(separator: ", ")
        return ToolError(.usage, "\(path.safe): no device \"\(device.safe)\"; the recording contains \(there)")
    }

    /// Returns a text such as `"Goodix" (/dev/input/event4)`.
    private static func label(_ device: LibinputDevice) -> String {
        let place = device.node.isEmpty ? device.recording.device ?? "" : device.node
        return "\"\(device.recording.description.name.safe)\"" + (place.isEmpty ? "" : " (\(place.safe))")
    }

    private static func unusable(_ path: String, _ error: RecordingError) -> ToolError {
        var place = path.safe
        if error.line > 0 { place += ":\(error.line)" }
        if error.line > 0, error.column > 0 { place += ":\(error.column)" }
        return ToolError(.data, "\(place): \(error.message)")
    }
}

extension RecordingFormat: ExpressibleByArgument {
    /// Returns the bytes of a whole file.
    func write(_ recording: Recording, node: String) -> [UInt8] {
        switch self {
        case .evemu: EvemuWriter.write(recording)
        case .libinput: LibinputWriter.write(recording, node: node, origin: .thisMachine)
        }
    }
}

extension LibinputWriter.Origin {
    /// The facts about this machine that libinput's recorder stores.
    static var thisMachine: Self {
        Self(
            program: "gesturectl \(Version.number)", system: system,
            kernel: firstLine(of: "/proc/sys/kernel/osrelease"), machine: firstLine(of: "/sys/class/dmi/id/modalias"))
    }

    /// The system, such as `debian:12`, from os-release(5).
    private static var system: String {
        var values: [String: String] = [:]
        for line in (FileBytes.text("/etc/os-release") ?? "").split(separator: "\n") {
            guard let sign = line.firstIndex(of: "=") else { continue }
            values[String(line[..<sign])] = line[line.index(after: sign)...].filter { $0 != "\"" && $0 != "'" }
        }
        guard let id = values["ID"] else { return "" }
        return values["VERSION_ID"].map { "\(id):\($0)" } ?? id
    }

    private static func firstLine(of path: String) -> String {
        FileBytes.text(path)?.split(separator: "\n").first.map(String.init) ?? ""
    }
}
