// SPDX-License-Identifier: MIT
import ContactTracking
import GestureProtocol
import Glibc
import LinuxSystem

/// A calibration as it is printed and written: with six decimals, which are less than a thousandth of a millimetre.
struct CalibrationNumbers: Hashable {
    /// The calibration that the texts contain.
    let matrix: AffineMatrix
    let finding: PanelFinding

    init(_ matrix: AffineMatrix) {
        let numbers = matrix.coefficients.map { fixed($0, 6) }
        self.matrix = AffineMatrix(parsing: numbers.joined(separator: " ")) ?? matrix
        finding = PanelFinding(
            .calibration, key: "calibration = [\(numbers.joined(separator: ", "))]",
            value: numbers.joined(separator: " "))
    }
}

/// Globs that match the name of a device in udev's rules and in TOML.
enum DeviceGlob {
    /// Returns a glob in which `*` stands for the parts of a name that could have a meaning in a rule, a glob or a string.
    static func matching(_ name: String) -> String {
        var glob = ""
        for scalar in name.unicodeScalars {
            let isPlain =
                scalar.isASCII
                && (scalar.properties.isAlphabetic || " 0123456789._,:/()+-".unicodeScalars.contains(scalar))
            if isPlain { glob.unicodeScalars.append(scalar) } else if glob.last != "*" { glob.append("*") }
        }
        return glob
    }
}

/// A file that contains only what has been found out about one panel. It can be replaced and removed without changing what a person
/// has written.
struct CalibrationFile {
    enum Kind {
        /// A file of the configuration.
        case configuration
        /// A file of rules for udev.
        case rules
    }

    private static let mark = "# Written by gesturectl "
    private static let rulesFolder = "/etc/udev/rules.d"
    /// The sizes of files that the tool has written are smaller.
    private static let sizeLimit = 1 << 16

    let kind: Kind
    let path: String

    /// - Parameters:
    ///   - path: the path that the user has given; empty: the default one.
    ///   - device: the id of the panel.
    ///   - folder: the folder of the configuration's files.
    init(_ kind: Kind, _ subject: PanelFinding.Subject, _ path: String, device: String, folder: String) {
        self.kind = kind
        let name = subject.fileName(of: device)
        switch kind {
        case .configuration: self.path = path.isEmpty ? "\(folder)/90-\(name).toml" : path
        case .rules: self.path = path.isEmpty ? "\(Self.rulesFolder)/99-gestured-\(name).rules" : path
        }
    }

    /// Fails if the file cannot be written, or if it is not a file of this tool. Changes nothing.
    /// - Throws: `ToolError` 73.
    func check() throws(ToolError) {
        try FileBytes.checkWritable(path)
        _ = try isThere()
    }

    /// Whether there is such a file.
    /// - Throws: `ToolError` 73 if somebody else has written it.
    private func isThere() throws(ToolError) -> Bool {
        guard access(path, F_OK) == 0 else { return false }
        let text = try FileBytes.read(path, limit: Self.sizeLimit)
        guard text.isEmpty || Self.isOwn(text) else {
            throw ToolError(
                .cannotCreate,
                "\(path.safe) was not written by gesturectl; pass another file, or move this one away")
        }
        return true
    }

    /// Whether the tool has written this text.
    static func isOwn(_ text: [UInt8]) -> Bool { text.starts(with: mark.utf8) }

    /// The contents of the file.
    /// - Parameter match: the line of the `[[device]]` that says to which devices it applies; `nil`: the configuration
    ///   already has a `[[device]]` with this id.
    func text(
        _ finding: PanelFinding, device: String, _ description: DeviceDescription, match: String?
    ) -> [UInt8] {
        let lines =
            switch kind {
            case .configuration:
                ["version = 1", ""] + finding.table(device: device, match: match)
            case .rules: [finding.rule(for: description)]
            }
        let text = "\(Self.mark)\(finding.subject.origin)\n" + lines.joined(separator: "\n") + "\n"
        return Array(text.utf8)
    }

    /// Writes the file, and prints what applies it.
    func write(_ text: [UInt8]) throws {
        _ = try isThere()
        try FileBytes.write(text, to: path)
        StandardError.tell("wrote \(path.safe); \(application)")
    }

    /// - Returns: whether there was such a file.
    func remove() throws -> Bool {
        guard try isThere() else { return false }
        try FileDestination(path).remove()
        StandardError.tell("removed \(path.safe); \(application)")
        return true
    }

    private var application: String {
        switch kind {
        case .configuration: "to apply this, run: gesturectl reload"
        case .rules:
            "to apply this, run: udevadm control --reload && udevadm trigger --subsystem-match=input, "
                + "and restart the compositor"
        }
    }
}
