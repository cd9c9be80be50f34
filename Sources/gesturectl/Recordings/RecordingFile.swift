// SPDX-License-Identifier: MIT
import ContactTracking
import GesturePipeline
import Recordings

/// A recording in a file, whichever of the two formats it is in.
struct RecordingFile {
    var recording: Recording
    /// Of the device where it was recorded; empty when the file does not say.
    var node: String

    /// - Parameter device: which device of several: its node, its name or its id; nil: the first touchscreen.
    /// - Throws: `ToolError` 66 when it cannot be read, 65 when it is no recording.
    init(_ path: String, device: String?) throws(ToolError) {
        let bytes = try FileBytes.read(path, limit: LibinputReader.sizeLimit)
        let devices: [LibinputDevice]
        do throws(RecordingError) {
            switch RecordingFormat(path: path, head: bytes.prefix(65536)) {
            case .evemu: devices = [LibinputDevice(recording: try EvemuReader.read(bytes))]
            case .libinput: devices = try LibinputReader.read(bytes)
            }
        } catch {
            throw Self.unusable(path, error)
        }
        let chosen = try Self.choose(devices, path, device)
        (recording, node) = (chosen.recording, chosen.node)
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
            throw ToolError(.data, "\(path.safe): no device")
        }
        if devices.count > 1 {
            StandardError.write(
                "gesturectl: \(path.safe): \(label(chosen)) of \(devices.count) devices; choose another with --device\n"
            )
        }
        return chosen
    }

    private static func unknown(_ path: String, _ device: String, _ devices: [LibinputDevice]) -> ToolError {
        let there = devices.map(label).joined(separator: ", ")
        return ToolError(.usage, "\(path.safe): no device \"\(device.safe)\"; there is \(there)")
    }

    /// `"Goodix" (/dev/input/event4)`
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
