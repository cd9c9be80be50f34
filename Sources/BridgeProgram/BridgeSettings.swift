// SPDX-License-Identifier: MIT
package import GestureConfiguration
import LinuxSystem

/// The settings of a bridge: one file, whose keys are declared as the daemon's are.
package protocol BridgeSettings {
    /// The file that is read, if it is there, when the command line names none.
    static var standardFile: String { get }
    /// The keys of the file besides `version`.
    static var keys: [Key<Self>] { get }

    /// The defaults.
    init()

    /// Errors of a file whose keys are each right, in words for people.
    var contradictions: [String] { get }
    /// Faults that may go away while the bridge runs, in words for people.
    var warnings: [String] { get }
}

extension BridgeSettings {
    package var contradictions: [String] { [] }
    package var warnings: [String] { [] }

    /// - Parameter path: `nil`: the standard file, which may be missing.
    /// - Returns: no settings if there is an error; all diagnostics, in the order of the text.
    package static func read(path: String?) -> (settings: Self?, diagnostics: [Diagnostic]) {
        let shown = path ?? standardFile
        do throws(ConfigurationFileError) {
            guard let text = try ConfigurationFiles.read(shown, mayBeMissing: path == nil) else { return (Self(), []) }
            return read(text, path: shown)
        } catch {
            return (nil, [mistake(.unreadable, error.reason, error.path)])
        }
    }

    /// - Parameter path: what diagnostics call the file.
    package static func read(_ text: [UInt8], path: String) -> (settings: Self?, diagnostics: [Diagnostic]) {
        let (settings, diagnostics) = ConfigurationReader.read(text, path: path, keys: keys, into: Self())
        let contradictions = (settings?.contradictions ?? []).map { mistake(.badValue, $0, path) }
        return (contradictions.isEmpty ? settings : nil, diagnostics + contradictions)
    }

    private static func mistake(_ code: DiagnosticCode, _ message: String, _ path: String) -> Diagnostic {
        Diagnostic(severity: .error, code: code, message: message, at: SourceLocation(file: path))
    }
}
