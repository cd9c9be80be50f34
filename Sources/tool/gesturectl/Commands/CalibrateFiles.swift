// SPDX-License-Identifier: MIT
import ContactTracking
import GestureClient
import GestureConfiguration
import LinuxSystem
import Recordings

/// The files of `gesturectl calibrate`.
extension Calibrate {
    /// The files to write for a panel.
    func files(of device: String) -> [CalibrationFile] {
        let folder = configuration.confDir ?? ConfigurationFiles.standardDirectory
        return [(CalibrationFile.Kind.configuration, write), (.rules, udev)].compactMap { kind, path in
            path.map { CalibrationFile(kind, screens ? .screen : .calibration, $0, device: device, folder: folder) }
        }
    }

    /// Removes the files that the tool has written for a panel, which need not be connected.
    func removeFiles() throws {
        func connected() throws -> String {
            let connection = try socket.connect()
            let panel = try connection.panel(device, choice: Self.choice)
            return panel.calibrationID(try connection.describe(panel.id).recording.description)
        }
        let id: String
        do {
            id = try connected()
        } catch let error as ToolError where device != nil && [.notFound, .unavailable].contains(error.status) {
            id = device ?? ""
        }
        var all = self
        (all.write, all.udev) = (write ?? "", udev ?? "")
        let files = all.files(of: id)
        var isThere = false
        for file in files where try file.remove() { isThere = true }
        if !isThere { StandardError.tell("there is no \(files.map(\.path.safe).joined(separator: " and no "))") }
    }

    /// Writes the files, if the configuration has no errors with them.
    /// - Parameter id: the id of a new `[[device]]`.
    func writeFiles(
        _ finding: PanelFinding, _ files: [CalibrationFile], _ panel: GestureClient.Device, _ id: String,
        _ description: DeviceDescription, _ configured: CalibrationConfiguration?
    ) throws {
        let match = configured?.match(description)
        let texts = files.map { $0.text(finding, device: configured?.id ?? id, description, match: match) }
        for (file, text) in zip(files, texts) where file.kind == .configuration {
            try configured?.check(with: text, at: file.path)
        }
        for (file, text) in zip(files, texts) { try file.write(text) }
        if match != nil, id != panel.id {
            StandardError.tell("after the reload, the panel has the id \(id)")
        }
        if finding.subject == .calibration { warnIfUnused(files, finding, panel.id, description) }
    }

    /// - Throws: `ToolError` 66 if nothing was touched.
    static func lastFinding(_ subject: PanelFinding.Subject, _ id: String) throws(ToolError) -> PanelFinding {
        if let finding = PanelFinding(last: subject, of: id) { return finding }
        throw ToolError(
            .noInput, "there are no last touches of \"\(id.safe)\" that this user has made; leave out --last")
    }

    /// Prints why the daemon will not use what was written.
    private func warnIfUnused(
        _ files: [CalibrationFile], _ finding: PanelFinding, _ device: String, _ description: DeviceDescription
    ) {
        guard !files.isEmpty, let matrix = AffineMatrix(parsing: finding.value),
            let now = try? ConfigurationLoading.read(configuration.files)
        else { return }
        let found = now.configuration?.rule(for: description)?.output.calibration ?? .udev
        if let file = files.first(where: { $0.kind == .configuration }) {
            if !now.paths.contains(file.path) {
                StandardError.tell(
                    "the configuration does not include \(file.path.safe); pass it to gestured with -c, or write to "
                        + ConfigurationFiles.standardDirectory)
            } else if found != .matrix(matrix) {
                StandardError.tell(
                    "a later file of the configuration has another calibration of \"\(device.safe)\"; remove it there")
            }
        } else if found != .udev {
            StandardError.tell(
                "the configuration has a calibration of \"\(device.safe)\", which the daemon uses instead of the rule; "
                    + "remove it, or pass --write too")
        }
    }
}
