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
    static let largest = most * 5120 + 64
    static let mostValues = 2 + most * 7

    private let file: KeptFile

    /// - Parameter folder: the folder of the daemon's state; with `nil`, nothing is kept.
    init?(folder: String?) {
        guard let file = KeptFile(.outputs, in: folder) else { return nil }
        self.file = file
    }

    /// Writes the outputs to the disk. This may take a long time.
    func save(_ outputs: [String: OutputChange]) throws(SystemError) {
        guard !outputs.isEmpty else { return try file.keep(nil) }
        try file.keep(
            JSONWriter.line { json in
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

    func load() throws(UnreadableState) -> [String: OutputChange] {
        try file.read("a list of outputs") { json in
            guard let list = json["outputs"]?.array else { return nil }
            var outputs: [String: OutputChange] = [:]
            for entry in list.prefix(Self.most) {
                guard let device = entry["device"]?.string, let output = Self.output(entry) else { return nil }
                outputs[device] = output
            }
            return outputs
        } ?? [:]
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
