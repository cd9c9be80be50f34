// SPDX-License-Identifier: MIT
import ContactTracking
import GestureProtocol
import LinuxSystem

/// The outputs that clients have set, kept in the folder of the daemon's state until they are reset.
struct KeptOutputs: Sendable {
    /// The maximum number of outputs. Each belongs to a panel, so more would be a mistake of a client.
    static let most = 64
    /// The maximum size of the file in bytes. A key has at most three texts of the kernel with 256 bytes each, of which JSON
    /// escapes make six times as many.
    private static let largest = most * 5120 + 64

    private let file: StateFile

    /// - Parameter folder: the folder of the daemon's state; with `nil`, nothing is kept.
    init?(folder: String?) {
        guard let folder, !folder.isEmpty else { return nil }
        file = StateFile(folder + "/outputs.json")
    }

    /// Writes the outputs to the disk. This may take a long time.
    func save(_ outputs: [String: OutputChange]) throws(SystemError) {
        guard !outputs.isEmpty else { return try file.remove() }
        try file.replace(
            with: JSONWriter.line { json in
                json.array("outputs") { json in
                    for (device, output) in outputs.sorted(by: { $0.key < $1.key }) {
                        json.object { json in
                            json.member("device", device)
                            if output.isOutsider { json.member("private", false) }
                            if let rotation = output.rotation { json.member("rotation", rotation.rawValue) }
                            guard let size = output.sizePixels else { return }
                            json.array("size") { json in
                                for side in [size.width, size.height] { json.value(Int64(side)) }
                            }
                        }
                    }
                }
            })
    }

    /// The outputs that were last kept.
    /// - Throws: an error for the log, with the path and the problem.
    func load() throws(UnreadableState) -> [String: OutputChange] {
        let bytes: [UInt8]?
        do throws(SystemError) {
            bytes = try file.read(limit: Self.largest)
        } catch {
            throw UnreadableState(description: "\(error)")
        }
        guard let bytes else { return [:] }
        guard let list = JSONValue(parsing: bytes)?["outputs"]?.array else {
            throw UnreadableState(description: "\(file.path): it is not a list of outputs")
        }
        var outputs: [String: OutputChange] = [:]
        for entry in list.prefix(Self.most) {
            guard let device = entry["device"]?.string, let output = Self.output(entry) else {
                throw UnreadableState(description: "\(file.path): it contains something other than outputs")
            }
            outputs[device] = output
        }
        return outputs
    }

    private static func output(_ entry: JSONValue) -> OutputChange? {
        let (rotation, size) = (entry["rotation"]?.string, entry["size"]?.array)
        let pixels = size?.compactMap(\.integer).filter { ProtocolLimits.outputPixels.contains($0) }
        let isOutsider = entry["private"].map { $0.bool != true } ?? false
        let output = OutputChange(rotation: rotation, size: pixels, isOutsider: isOutsider)
        guard (rotation == nil) == (output.rotation == nil), (size == nil) == (output.sizePixels == nil) else {
            return nil
        }
        return output
    }
}

extension OutputChange {
    /// - Parameters:
    ///   - rotation: the name of a rotation.
    ///   - size: width and height.
    ///   - isOutsider: whether a client without access to private regions sets it.
    init(rotation: String?, size: [Int64]?, isOutsider: Bool) {
        self.init(rotation: rotation.flatMap { OutputSettings.Rotation(rawValue: $0) }, isOutsider: isOutsider)
        if let size, size.count == 2 { sizePixels = .init(width: Double(size[0]), height: Double(size[1])) }
    }
}
