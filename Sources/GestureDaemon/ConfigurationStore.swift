// SPDX-License-Identifier: MIT
import GestureConfiguration
import LinuxSystem

/// The configuration in force, and where it comes from.
///
/// A configuration with an error replaces nothing.
final class ConfigurationStore {
    /// The result of reading.
    enum Outcome: Hashable, Sendable {
        case accepted(warnings: [Diagnostic])
        /// With at least one error; the configuration before stays in force.
        case rejected([Diagnostic])
    }

    /// The files with the changes by clients.
    private(set) var current = Configuration()
    /// Kept at a reload as far as they fit the new files.
    var changes = RuntimeChanges() {
        didSet {
            current = files(with: changes)
            if !hidesPrivate { hidesPrivate = current.regions.contains { $0.isPrivate } }
        }
    }
    /// Whether there has been a private region: from then on, those who may not see it have engines of their own. It
    /// stays so, because each change cancels everything under way.
    private(set) var hidesPrivate = false
    /// 1 for the first configuration, one more for each that was accepted since.
    private(set) var generation: Int64 = 0
    /// Paths of the files in force; empty when there are none.
    private(set) var files: [String] = []
    private(set) var last = Outcome.accepted(warnings: [])

    private let options: Options
    /// The files without the changes by clients.
    private(set) var written = Configuration()

    init(_ options: Options) {
        self.options = options
    }

    /// The files with other changes by clients.
    func files(with changes: RuntimeChanges) -> Configuration { written.applying(changes.state) }

    /// Reads the files again.
    func read() -> Outcome {
        last = load()
        return last
    }

    private func load() -> Outcome {
        let source: [(path: String, text: [UInt8])]
        do throws(ConfigurationFileError) {
            source = try ConfigurationFiles(file: options.configurationFile, directory: options.configurationFolder)
                .read()
        } catch {
            return .rejected([
                Diagnostic(
                    severity: .error, code: .unreadable, message: error.reason,
                    at: SourceLocation(file: error.path))
            ])
        }
        let result = ConfigurationReader.read(source)
        guard let configuration = result.configuration else { return .rejected(result.diagnostics) }
        let file = source.first?.path ?? ConfigurationFiles.standardFile
        let warnings = [configuration.lostRegions(since: generation == 0 ? nil : written, file: file)].compactMap { $0 }
        written = configuration
        var kept = changes
        if generation == 0 { kept.scene = configuration.daemon.scene }
        kept.adapt(to: configuration)
        changes = kept
        generation += 1
        files = source.map { $0.path }
        return .accepted(warnings: result.diagnostics + warnings)
    }
}
