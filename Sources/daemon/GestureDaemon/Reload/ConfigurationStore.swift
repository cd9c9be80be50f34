// SPDX-License-Identifier: MIT
import GestureConfiguration
import LinuxSystem

/// The current configuration, and information about where it comes from.
///
/// A configuration with an error is rejected, and the current one stays active.
final class ConfigurationStore {
    /// The result of reading the files.
    enum Outcome: Hashable, Sendable {
        case accepted(warnings: [Diagnostic])
        /// There is at least one error. The previous configuration stays active.
        case rejected([Diagnostic])
    }

    /// The configuration from the files, with the changes made by clients.
    private(set) var current = Configuration()
    /// The changes made by clients. A reload keeps those that fit the new files.
    var changes = RuntimeChanges() {
        didSet {
            let before = current
            current = written.applying(changes.state)
            if !current.looksSame(as: before) || changes.currentSceneEnd != oldValue.currentSceneEnd {
                hasOpenChange = true
            }
        }
    }
    /// Whether there has been a change, since `takeOpenChange` was last called, that is visible to clients without access
    /// to private regions. After a reload, only a change of the scene or the profile counts.
    private(set) var hasOpenChange = false
    /// The number of configurations that have been accepted since the start.
    private(set) var generation: Int64 = 0
    /// The paths of the accepted files; empty if there are none.
    private(set) var files: [String] = []
    private(set) var last = Outcome.accepted(warnings: [])
    /// Whether the diagnostics of the last files may concern private regions.
    private(set) var hidesDiagnostics = false
    /// Whether the files were refused at the start and none have been accepted since. If so, the kept configuration is
    /// used, or there are no regions.
    private(set) var isFallback = false
    /// Stores the accepted files for the next start.
    let kept: KeptConfiguration?
    /// Stores the outputs set by clients for the next start.
    let keptOutputs: KeptOutputs?
    /// The accepted files, if they are not stored yet.
    private var unkept: [ConfigurationText]?

    private let source: ConfigurationFiles
    /// The configuration from the files, without the changes made by clients.
    private(set) var written = Configuration()

    init(_ options: Options) {
        source = ConfigurationFiles(file: options.file, directory: options.configurationFolder)
        kept = KeptConfiguration(folder: options.stateFolder)
        keptOutputs = KeptOutputs(folder: options.stateFolder)
    }

    /// Creates the work for a thread that reads the files again.
    func reload(panels: [OpenPanel]) -> Reload { Reload(source: source, changes: changes, panels: panels) }

    /// Reads the files and applies them.
    func read() -> Outcome {
        // No client is connected yet.
        defer { hasOpenChange = false }
        return install(ReadFiles(source))
    }

    /// Applies files that were read, combined with the changes made by clients so far.
    func install(_ files: ReadFiles) -> Outcome {
        let hadPrivate = current.hasPrivateRegions
        last = accept(files)
        hidesDiagnostics = hadPrivate || current.hasPrivateRegions || files.mayHidePrivate
        return last
    }

    /// The result of the last attempt to read the files, as shown to a client with or without access to private
    /// regions.
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

    /// Applies the kept configuration after the files were refused at the start. If there is none that can be used, the
    /// daemon runs without regions until the files are corrected and reloaded.
    /// - Returns: a message for the log.
    func fallBack() -> String {
        isFallback = true
        let refusal = "the files are refused, so no region is active until they are corrected and reloaded;"
        guard let kept else { return "\(refusal) without --state-dir, no earlier configuration is kept" }
        let texts: [ConfigurationText]?
        do throws(UnreadableState) {
            texts = try kept.load()
        } catch {
            return "\(refusal) the kept configuration cannot be read: \(error)"
        }
        guard let texts else { return "\(refusal) no good configuration is kept in \(kept.path)" }
        let refused = last
        guard case .accepted = accept(ReadFiles(texts)) else {
            return "\(refusal) the configuration kept in \(kept.path) is refused as well"
        }
        last = refused
        isFallback = true
        unkept = nil
        hasOpenChange = false
        return "the files are refused; using the last good configuration from \(kept.path)"
    }

    /// Returns the accepted files if they are not stored yet, and marks them as stored.
    func takeUnkept() -> [ConfigurationText]? {
        defer { unkept = nil }
        return unkept
    }

    private func accept(_ read: ReadFiles) -> Outcome {
        guard let configuration = read.configuration else { return .rejected(read.diagnostics) }
        let file = read.paths.first ?? ConfigurationFiles.standardFile
        let (isFirst, before) = (generation == 0, changes)
        var kept = changes
        kept.adapt(to: configuration)
        let warnings = [
            isFirst ? nil : Self.lostFile(files, read.paths),
            configuration.lostRegions(since: isFirst ? nil : written, file: file),
            kept.sceneWarning(since: before, file: file),
            kept.lostProfile(since: before, file: file),
        ].compactMap { $0 }
        written = configuration
        changes = kept
        // Other changes need no line of their own, because all clients receive a line about the files.
        hasOpenChange = !kept.showsSameScene(as: before) || kept.profile != before.profile
        generation += 1
        files = read.paths
        isFallback = false
        // Without a file of the administrator's, nothing is stored, so that the last good files survive if /etc is not
        // mounted.
        let isOwn = read.paths.contains { $0 != ConfigurationFiles.defaultFile }
        unkept = self.kept != nil && isOwn ? read.texts : nil
        return .accepted(warnings: read.diagnostics + warnings)
    }

    /// Returns a warning if the default has replaced the administrator's file.
    private static func lostFile(_ before: [String], _ now: [String]) -> Diagnostic? {
        guard before.first == ConfigurationFiles.standardFile, now.first == ConfigurationFiles.defaultFile else {
            return nil
        }
        return Diagnostic(
            severity: .warning, code: .fewRegions,
            message: "this file is gone, so the default \(ConfigurationFiles.defaultFile) is in use",
            at: SourceLocation(file: ConfigurationFiles.standardFile))
    }
}
