// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureServer
import LinuxSystem

struct ReadFiles: Sendable {
    /// `nil` if there is an error.
    let configuration: Configuration?
    let diagnostics: [Diagnostic]
    /// The paths of the files; empty if there are none.
    var paths: [String] { texts.map { $0.path } }
    let texts: [ConfigurationText]
    /// Whether the diagnostics may concern private regions. Files with an error are searched for the word `private`,
    /// because their regions are unknown.
    let mayHidePrivate: Bool

    init(_ texts: [ConfigurationText]) {
        (configuration, diagnostics) = ConfigurationReader.read(texts)
        self.texts = texts
        let word = "private".utf8
        mayHidePrivate =
            configuration?.hasPrivateRegions
            ?? texts.contains { file in file.text.indices.contains { file.text[$0...].starts(with: word) } }
    }

    init(_ files: ConfigurationFiles) {
        do throws(ConfigurationFileError) {
            self.init(try files.read())
        } catch {
            self.init(error)
        }
    }

    private init(_ error: ConfigurationFileError) {
        configuration = nil
        texts = []
        mayHidePrivate = false
        diagnostics = [
            Diagnostic(
                severity: .error, code: .unreadable, message: error.reason, at: SourceLocation(file: error.path))
        ]
    }
}

/// The numeric ids of the users and groups that may do more than listen.
struct ResolvedAccess: Sendable {
    let lists: AccessLists
    /// A warning for each name of a user or group that does not exist.
    let warnings: [Diagnostic]

    init(_ configuration: Configuration) {
        let (lists, warnings) = configuration.accessLists { Users.number(of: $0, isGroup: $1) }
        self.lists = AccessLists(
            lists.map { AccessLists.Entry($0.right, users: $0.users, groups: $0.groups) })
        self.warnings = warnings
    }
}

/// The part of a reload that runs on a thread, because it would block the loop for longer than a touch may wait.
struct Reload: Sendable {
    struct Outcome: Sendable {
        let files: ReadFiles
        var access: ResolvedAccess?
        /// `nil` if the files have an error.
        var panels: PreparedPanels?
    }

    let source: ConfigurationFiles
    /// The changes made by clients when the reload began.
    let changes: RuntimeChanges
    let panels: [OpenPanel]

    func run() -> Outcome {
        var outcome = Outcome(files: ReadFiles(source))
        guard let configuration = outcome.files.configuration else { return outcome }
        outcome.access = ResolvedAccess(configuration)
        var kept = changes
        kept.adapt(to: configuration)
        outcome.panels = PreparedPanels(panels, configuration.applying(kept.state), warns: true)
        return outcome
    }
}
