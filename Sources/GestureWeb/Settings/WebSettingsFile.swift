// SPDX-License-Identifier: MIT
#if Web
import GestureConfiguration
import LinuxSystem

/// Reads `web.toml`.
enum WebSettingsFile {
    /// - Returns: no settings if there is an error; all diagnostics, in the order of the text.
    static func read(_ options: WebOptions) -> (settings: WebSettings?, diagnostics: [Diagnostic]) {
        let path = options.file ?? WebSettings.standardFile
        do throws(ConfigurationFileError) {
            guard let text = try ConfigurationFiles.read(path, mayBeMissing: options.file == nil) else {
                return (options.applied(to: WebSettings()), [])
            }
            let result = read(text, path: path)
            return (result.settings.map { options.applied(to: $0) }, result.diagnostics)
        } catch {
            let location = SourceLocation(file: error.path)
            return (nil, [Diagnostic(severity: .error, code: .unreadable, message: error.reason, at: location)])
        }
    }

    static func read(_ text: [UInt8], path: String) -> (settings: WebSettings?, diagnostics: [Diagnostic]) {
        ConfigurationReader.read(text, path: path, keys: WebSettings.keys, into: WebSettings())
    }
}
#endif
