// SPDX-License-Identifier: MIT
package import GestureConfiguration
import LinuxSystem

/// Reads `mqtt.toml`.
package enum MQTTSettingsFile {
    /// - Parameter path: `nil`: the standard file, which may be missing.
    /// - Returns: no settings if there is an error; all diagnostics, in the order of the text.
    package static func read(path: String?) -> (settings: MQTTSettings?, diagnostics: [Diagnostic]) {
        let shown = path ?? MQTTSettings.standardFile
        do throws(ConfigurationFileError) {
            guard let text = try ConfigurationFiles.read(shown, mayBeMissing: path == nil) else {
                return (MQTTSettings(), [])
            }
            return read(text, path: shown)
        } catch {
            return (nil, [Self.error(.unreadable, error.reason, error.path)])
        }
    }

    package static func read(_ text: [UInt8], path: String) -> (settings: MQTTSettings?, diagnostics: [Diagnostic]) {
        let (settings, diagnostics) = ConfigurationReader.read(
            text, path: path, keys: MQTTSettings.keys, into: MQTTSettings())
        let contradictions = (settings?.contradictions ?? []).map { Self.error(.badValue, $0, path) }
        return (contradictions.isEmpty ? settings : nil, diagnostics + contradictions)
    }

    private static func error(_ code: DiagnosticCode, _ message: String, _ path: String) -> Diagnostic {
        Diagnostic(severity: .error, code: code, message: message, at: SourceLocation(file: path))
    }
}
