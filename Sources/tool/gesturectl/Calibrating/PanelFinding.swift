// SPDX-License-Identifier: MIT
import ContactTracking
import Glibc
import LinuxSystem

/// A finding about a panel: a key of its `[[device]]`, and a property that udev sets for compositors.
struct PanelFinding: Hashable {
    enum Subject: String, CaseIterable {
        case calibration
        /// The output that the panel lies on.
        case screen
        /// The areas where contacts land that nobody makes.
        case mask

        /// The property that libinput reads. It has none for masks.
        var property: String { self == .screen ? "WL_OUTPUT" : "LIBINPUT_CALIBRATION_MATRIX" }

        /// The command that writes a file, and the way to undo it.
        var origin: String {
            switch self {
            case .calibration: "calibrate; gesturectl calibrate --reset removes it."
            case .screen: "calibrate; gesturectl calibrate --screens --reset removes it."
            case .mask: "measure noise; to undo it, remove this file."
            }
        }

        /// A part of the names of files.
        func fileName(of device: String) -> String {
            "\(rawValue)-\(String(device.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "-" }))"
        }
    }

    let subject: Subject
    /// The key of the `[[device]]`, with its value.
    let key: String
    /// The value of the property.
    let value: String

    init(_ subject: Subject, key: String, value: String) {
        (self.subject, self.key, self.value) = (subject, key, value)
    }

    /// The lines of the `[[device]]`.
    /// - Parameter match: the line that says to which devices it applies, if it needs one.
    func table(device: String, match: String?) -> [String] {
        ["[[device]]", "id = \"\(device)\""] + [match].compactMap { $0 } + [key]
    }

    /// The rule that sets the property for udev, and so for libinput.
    func rule(for device: DeviceDescription) -> String {
        let matches = [("ATTRS{name}", device.name), ("ENV{ID_PATH}", device.udev["ID_PATH"] ?? "")]
            .filter { !$0.1.isEmpty }.map { "\($0)==\"\(DeviceGlob.matching($1))\", " }
        return "ACTION!=\"remove\", SUBSYSTEM==\"input\", KERNEL==\"event*\", \(matches.joined())"
            + "ENV{\(subject.property)}=\"\(value)\""
    }
}

/// The last finding is kept for this user until it is written with `--last`.
extension PanelFinding {
    /// The size of a file is smaller.
    private static let sizeLimit = 1 << 12

    /// - Parameter device: `CalibrationConfiguration.id`.
    /// - Returns: `nil` if there is nothing that can be used.
    init?(last subject: Subject, of device: String) {
        guard let folder = Self.folders().last,
            let text = FileBytes.text("\(folder)/\(subject.fileName(of: device))"), text.utf8.count < Self.sizeLimit
        else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count == 3, lines[2].isEmpty, lines[1].allSatisfy({ $0.isASCII && !"\"\\".contains($0) }) else {
            return nil
        }
        if subject == .calibration, AffineMatrix(parsing: lines[1])?.isUsable != true { return nil }
        self.init(subject, key: lines[0], value: lines[1])
    }

    /// Keeps this for `--last`.
    /// - Returns: whether it could be kept.
    func keep(for device: String) -> Bool {
        let folders = Self.folders()
        for folder in folders { mkdir(folder, 0o700) }
        guard let folder = folders.last else { return false }
        let text = Array("\(key)\n\(value)\n".utf8)
        do throws(ToolError) {
            try FileBytes.write(text, to: "\(folder)/\(subject.fileName(of: device))", isPrivate: true)
            return true
        } catch {
            return false
        }
    }

    /// The folder of the files, after those that contain it.
    private static func folders() -> [String] {
        if let folder = Environment.value("XDG_STATE_HOME"), folder.hasPrefix("/") {
            return [folder, "\(folder)/gestured"]
        }
        guard let home = Environment.value("HOME"), home.hasPrefix("/") else { return [] }
        return ["\(home)/.local", "\(home)/.local/state", "\(home)/.local/state/gestured"]
    }
}
