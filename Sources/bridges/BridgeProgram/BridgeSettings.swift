// SPDX-License-Identifier: MIT
package import GestureConfiguration
import LinuxSystem

/// The settings of a bridge. They are in one file, whose keys are declared in the same way as the daemon's.
package protocol BridgeSettings {
    /// The file to read if the command line does not name one. It need not exist.
    static var standardFile: String { get }
    /// The keys of the file, except `version`.
    static var keys: [Key<Self>] { get }

    /// The path of the daemon's socket.
    var socket: String { get set }

    /// The defaults.
    init()

    /// The errors in a file in which each key by itself is valid, as messages for the user.
    var contradictions: [String] { get }
    /// Problems that may be resolved while the bridge is running, as messages for the user.
    var warnings: [String] { get }
}

extension BridgeSettings {
    /// The forms of the keys of the file.
    package static var forms: [KeyForm] { ([.version] + keys).map { $0.form(in: Self()) } }

    package var contradictions: [String] { [] }
    package var warnings: [String] { [] }

    /// - Parameter path: the file; `nil` for the standard file, which may be missing.
    /// - Returns: the settings, which are `nil` if there is an error, and all diagnostics in the order of the text.
    package static func read(path: String?) -> (settings: Self?, diagnostics: [Diagnostic]) {
        let shown = path ?? standardFile
        do throws(ConfigurationFileError) {
            guard let text = try ConfigurationFiles.read(shown, mayBeMissing: path == nil) else { return (Self(), []) }
            return read(text, path: shown)
        } catch {
            return (nil, [mistake(.unreadable, error.reason, error.path)])
        }
    }

    /// - Parameter path: the name of the file in diagnostics.
    package static func read(_ text: [UInt8], path: String) -> (settings: Self?, diagnostics: [Diagnostic]) {
        let (settings, diagnostics) = ConfigurationReader.read(text, path: path, keys: keys, into: Self())
        let contradictions = (settings?.contradictions ?? []).map { mistake(.badValue, $0, path) }
        return (contradictions.isEmpty ? settings : nil, diagnostics + contradictions)
    }

    private static func mistake(_ code: DiagnosticCode, _ message: String, _ path: String) -> Diagnostic {
        Diagnostic(severity: .error, code: code, message: message, at: SourceLocation(file: path))
    }
}
