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
            let before = current
            current = written.applying(changes.state)
            if !current.looksSame(as: before) { hasOpenChange = true }
        }
    }
    /// Whether something has changed that clients without the right `private` may see.
    private var hasOpenChange = false
    /// 1 for the first configuration, one more for each that was accepted since.
    private(set) var generation: Int64 = 0
    /// Paths of the files in force; empty when there are none.
    private(set) var files: [String] = []
    private(set) var last = Outcome.accepted(warnings: [])
    /// The diagnostics of the files that were read last may be about private regions.
    private(set) var hidesDiagnostics = false
    /// The files were refused at the start, and so was whatever was read since: in force is what was kept before, or no
    /// region at all.
    private(set) var isFallback = false
    /// Where the files in force are kept for the next start.
    let kept: KeptConfiguration?
    /// They are in force and not kept yet.
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

    /// Puts in force what was read, with the changes by clients as they are now.
    func install(_ files: ReadFiles) -> Outcome {
        let hadPrivate = current.hasPrivateRegions
        last = accept(files)
        // The line about the files goes to all clients.
        hasOpenChange = false
        hidesDiagnostics = hadPrivate || current.hasPrivateRegions || files.mayHidePrivate
        return last
    }

    /// The result of reading for a client with or without the right to see private regions.
    func last(seesPrivate: Bool) -> Outcome {
        guard hidesDiagnostics || current.hasPrivateRegions, !seesPrivate else { return last }
        switch last {
        case .accepted: return .accepted(warnings: [])
        case .rejected: return .rejected([])
        }
    }

    /// Whether something has changed since the last call that clients without the right `private` may see.
    func takeOpenChange() -> Bool {
        defer { hasOpenChange = false }
        return hasOpenChange
    }

    /// After files that were refused at the start: puts in force what was kept before, otherwise no region at all, so that
    /// the daemon is there when the files are mended.
    /// - Returns: what the log should say.
    func fallBack() -> String {
        isFallback = true
        guard let kept else {
            return "no region is in force until a reload: the files are refused, and without --state-dir none are kept"
        }
        let texts: [ConfigurationText]?
        do throws(UnreadableState) {
            texts = try kept.load()
        } catch {
            return "no region is in force until a reload: the files are refused, and so is what was kept: \(error)"
        }
        guard let texts else {
            return
                "no region is in force until a reload: the files are refused, and \(kept.path) has none that were good"
        }
        let refused = last
        guard case .accepted = accept(ReadFiles(texts)) else {
            return
                "no region is in force until a reload: the files are refused, and so is what was kept in \(kept.path)"
        }
        last = refused
        isFallback = true
        unkept = nil
        return "the files are refused; in force is the last good configuration, from \(kept.path)"
    }

    /// The files in force, if they are not kept yet; then they count as kept.
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
        // Without files there is nothing to fall back to: an /etc that is not mounted must not replace them.
        unkept = self.kept == nil || read.texts.isEmpty ? nil : read.texts
        return .accepted(warnings: read.diagnostics + warnings)
    }
}
