// SPDX-License-Identifier: MIT
import ContactTracking
import GestureClient
import GestureConfiguration
import LinuxSystem

extension GestureClient.Device {
    /// The id of the panel's `[[device]]`, from which the names of the files follow. If the id on the wire contains the
    /// node, which may be that of another panel after a boot, it is made of the panel's identity.
    func calibrationID(_ description: DeviceDescription) -> String {
        guard node.hasSuffix("/\(id)") || id.contains("@") else { return id }
        let name = description.name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : " " }
        let words = String(name).lowercased().prefix(40).split(separator: " ").joined(separator: "-")
        // FNV-1a, because the hashes of the standard library differ in each process.
        let hash = description.identity.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return "\(words.isEmpty ? "panel" : words)-\(String(hash, radix: 16))"
    }

    /// - Throws: `ToolError` 64 if a file would also be for another panel, because it has the same name and no place.
    func checkDistinct(_ description: DeviceDescription, on connection: DaemonConnection) throws {
        guard calibrationID(description) != id, (description.udev["ID_PATH"] ?? "").isEmpty,
            let other = try connection.devices().first(where: { $0.name == name && $0.node != node })
        else { return }
        throw ToolError(
            .usage,
            "\"\(id.safe)\" and \"\(other.id.safe)\" have the same name and no ID_PATH in udev, so a file would be for "
                + "both; leave out --write and --udev")
    }
}

/// The `[[device]]` of a panel in the configuration.
struct CalibrationConfiguration {
    /// The id of the `[[device]]`.
    let id: String
    private let source: ConfigurationFiles
    /// Whether a file that the tool has not written has a `[[device]]` with the id of the panel.
    private let isThere: Bool

    /// - Throws: `ToolError` 66 or 78 if the configuration cannot be used, 64 if the panel shares its `[[device]]`.
    /// - Parameter id: the id of a new `[[device]]`.
    init(_ source: ConfigurationFiles, _ panel: GestureClient.Device, id: String) throws(ToolError) {
        let (configuration, diagnostics, paths) = try ConfigurationLoading.read(source) { files in
            files.filter { !CalibrationFile.isOwn($0.text) }
        }
        self.source = source
        if configuration == nil, !paths.isEmpty {
            ConfigurationLoading.show(diagnostics)
            throw ToolError(.configuration, "")
        }
        guard !panel.id.contains("@") else {
            throw ToolError(
                .usage,
                "\"\(panel.id.safe)\" shares its [[device]] with another panel; give it one of its own, with path in match"
            )
        }
        isThere = configuration?.devices.contains { $0.id == panel.id } == true
        self.id = isThere ? panel.id : id
    }

    /// Checks the configuration with a new or replaced file.
    /// - Throws: `ToolError` 78 if it would have errors, which are printed.
    func check(with text: [UInt8], at path: String) throws(ToolError) {
        let (configuration, diagnostics, _) = try ConfigurationLoading.read(source) { files in
            files.filter { $0.path != path } + [(path, text)]
        }
        guard configuration == nil else { return }
        ConfigurationLoading.show(diagnostics)
        throw ToolError(
            .configuration, "the configuration would have errors with \(path.safe); nothing was written; correct them")
    }

    /// The line that says to which devices a new `[[device]]` applies; `nil` if there is one.
    func match(_ description: DeviceDescription) -> String? { isThere ? nil : Self.match(description) }

    /// The line that selects this panel.
    static func match(_ description: DeviceDescription) -> String {
        let keys = [("name", description.name), ("path", description.udev["ID_PATH"] ?? "")].filter { !$0.1.isEmpty }
            .map { "\($0) = \"\(DeviceGlob.matching($1))\"" }
        return "match = { \(keys.joined(separator: ", ")) }"
    }
}
