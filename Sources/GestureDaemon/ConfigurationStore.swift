// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureServer
import LinuxSystem
import TouchInput

/// The configuration in force, and where it comes from.
///
/// Everything is read and checked first: what has an error replaces nothing.
final class ConfigurationStore {
    /// What came of reading.
    enum Outcome: Hashable, Sendable {
        case accepted(warnings: [Diagnostic])
        /// With at least one error; the configuration before stays in force.
        case rejected([Diagnostic])
    }

    /// What the files say, with what clients have changed.
    private(set) var current = Configuration()
    /// Survives a reload as far as the new files have place for it.
    var changes = RuntimeChanges() {
        didSet { current = files(with: changes) }
    }
    /// 1 for the first configuration, one more for each that was accepted since.
    private(set) var generation: Int64 = 0
    /// Paths of the files in force; empty when there are none.
    private(set) var files: [String] = []
    private(set) var last = Outcome.accepted(warnings: [])

    private let options: Options
    /// What the files alone say.
    private(set) var written = Configuration()

    init(_ options: Options) {
        self.options = options
    }

    /// What would be in force with these changes by clients.
    func files(with changes: RuntimeChanges) -> Configuration { written.applying(changes.state) }

    /// Reads the files anew.
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
        written = configuration
        var kept = changes
        kept.adapt(to: configuration)
        changes = kept
        generation += 1
        files = source.map { $0.path }
        return .accepted(warnings: result.diagnostics)
    }
}
