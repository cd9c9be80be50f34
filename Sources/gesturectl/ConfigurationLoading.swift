// SPDX-License-Identifier: MIT
import GestureConfiguration
import LinuxSystem

/// Reads configurations as the daemon does, and says what is wrong with them.
enum ConfigurationLoading {
    /// Errors and warnings go to the standard error.
    /// - Parameter path: this file alone, as with the daemon's `-c`; nil: what the daemon reads when
    ///   it is told nothing.
    /// - Throws: `ToolError` 66 when a file cannot be read, 78 when one is wrong.
    static func load(_ path: String?) throws(ToolError) -> Configuration {
        let outcome = try read(path)
        show(outcome.diagnostics)
        guard let configuration = outcome.configuration else { throw ToolError(.configuration, "") }
        return configuration
    }

    /// The same, but says nothing of what it finds.
    /// - Throws: `ToolError` 66 when a file cannot be read.
    static func read(_ path: String?) throws(ToolError)
        -> (configuration: Configuration?, diagnostics: [Diagnostic])
    {
        ConfigurationReader.read(try files(path))
    }

    static func show(_ diagnostics: [Diagnostic]) {
        for diagnostic in diagnostics { StandardError.write("\(diagnostic)\n") }
    }

    /// The texts that make up the configuration.
    /// - Throws: `ToolError` 66.
    static func files(_ path: String?) throws(ToolError) -> [(path: String, text: [UInt8])] {
        do throws(ConfigurationFileError) {
            let files = try ConfigurationFiles(file: path).read()
            if files.isEmpty { StandardError.write("gesturectl: no configuration in /etc/gestured\n") }
            return files
        } catch {
            throw ToolError(.noInput, "\(error.path.safe): \(error.reason)")
        }
    }
}
