// SPDX-License-Identifier: MIT
import GestureConfiguration
import LinuxSystem

/// The configuration in force, and its origin.
///
/// A configuration with an error replaces nothing.
final class ConfigurationStore {
    /// The result of reading the files.
    enum Outcome: Hashable, Sendable {
        case accepted(warnings: [Diagnostic])
        /// There is at least one error. The previous configuration stays in force.
        case rejected([Diagnostic])
    }

    /// The files combined with the changes by clients.
    private(set) var current = Configuration()
    /// The changes by clients. A reload keeps those that fit the new files.
    var changes = RuntimeChanges() {
        didSet {
            let before = current
            current = written.applying(changes.state)
            if !current.looksSame(as: before) { hasOpenChange = true }
        }
    }
    /// Whether a change is visible to clients without access to private regions.
    private var hasOpenChange = false
    /// 1 for the first configuration, increased by each accepted one.
    private(set) var generation: Int64 = 0
    /// The paths of the files in force; empty without files.
    private(set) var files: [String] = []
    private(set) var last = Outcome.accepted(warnings: [])
    /// Whether the diagnostics of the last files may concern private regions.
    private(set) var hidesDiagnostics = false
    /// Whether no files have been accepted since the start. Then a kept configuration is in force, or no region at
    /// all.
    private(set) var isFallback = false
    /// The storage of the files in force for the next start.
    let kept: KeptConfiguration?
    /// The files in force, if they are not kept yet.
    private var unkept: [ConfigurationText]?

    private let source: ConfigurationFiles
    /// The files without the changes by clients.
    private(set) var written = Configuration()

    init(_ options: Options) {
        source = ConfigurationFiles(file: options.file, directory: options.configurationFolder)
        kept = KeptConfiguration(folder: options.stateFolder)
    }

    /// The input of a thread that reads the files again.
    func reload(panels: [OpenPanel]) -> Reload { Reload(source: source, changes: changes, panels: panels) }

    /// Reads the files and puts them in force.
    func read() -> Outcome { install(ReadFiles(source)) }

    /// Puts the files in force, combined with the current changes by clients.
    func install(_ files: ReadFiles) -> Outcome {
        let hadPrivate = current.hasPrivateRegions
        last = accept(files)
        // The line about the files goes to all clients.
        hasOpenChange = false
        hidesDiagnostics = hadPrivate || current.hasPrivateRegions || files.mayHidePrivate
        return last
    }

    /// The result of the last reading, for a client with or without access to private regions.
    func last(seesPrivate: Bool) -> Outcome {
        guard hidesDiagnostics || current.hasPrivateRegions, !seesPrivate else { return last }
        switch last {
        case .accepted: return .accepted(warnings: [])
        case .rejected: return .rejected([])
        }
    }

    /// Whether anything visible without access to private regions has changed since the last call.
    func takeOpenChange() -> Bool {
        defer { hasOpenChange = false }
        return hasOpenChange
    }

    /// Puts the kept configuration in force after the files were refused at the start, or else no region at all, so
    /// that the daemon runs when the files are corrected.
    /// - Returns: a message for the log.
    func fallBack() -> String {
        isFallback = true
        let refusal = "no region is in force until a reload: the files are refused, and"
        guard let kept else { return "\(refusal) without --state-dir no configuration is kept" }
        let texts: [ConfigurationText]?
        do throws(UnreadableState) {
            texts = try kept.load()
        } catch {
            return "\(refusal) so is the kept configuration: \(error)"
        }
        guard let texts else { return "\(refusal) no good configuration is kept in \(kept.path)" }
        let refused = last
        guard case .accepted = accept(ReadFiles(texts)) else {
            return "\(refusal) so is the configuration kept in \(kept.path)"
        }
        last = refused
        isFallback = true
        unkept = nil
        return "the files are refused; the last good configuration is in force, from \(kept.path)"
    }

    /// Returns the files in force if they are not kept yet, and marks them as kept.
    func takeUnkept() -> [ConfigurationText]? {
        defer { unkept = nil }
        return unkept
    }

    private func accept(_ read: ReadFiles) -> Outcome {
        guard let configuration = read.configuration else { return .rejected(read.diagnostics) }
        let file = read.paths.first ?? ConfigurationFiles.standardFile
        let warnings = [configuration.lostRegions(since: generation == 0 ? nil : written, file: file)].compactMap { $0 }
        written = configuration
        var kept = changes
        if generation == 0 { kept.scene = configuration.daemon.scene }
        kept.adapt(to: configuration)
        changes = kept
        generation += 1
        files = read.paths
        isFallback = false
        // Without files there is nothing to keep, because an unmounted /etc must not replace the last good files.
        unkept = self.kept == nil || read.texts.isEmpty ? nil : read.texts
        return .accepted(warnings: read.diagnostics + warnings)
    }
}
