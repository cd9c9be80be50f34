// SPDX-License-Identifier: MIT
import ArgumentParser
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import LinuxSystem
import Recordings

/// Options for the configuration that a command reads.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        name: .withLetter("c"),
        help: ArgumentHelp(
            """
            Read this configuration; if several are given, later ones override. With \
            \(ConfigurationFiles.standardFile), conf.d is read too.
            """, valueName: "file"),
        completion: .file())
    var config: [String] = []

    @Option(
        help: ArgumentHelp("Read this folder instead of /etc/gestured/conf.d.", valueName: "folder"),
        completion: .directory)
    var confDir: String?

    var isGiven: Bool { !config.isEmpty || confDir != nil }

    /// The files to read: the installed ones if none are given.
    var files: ConfigurationFiles { files(and: []) }

    /// - Parameter arguments: files that are given without an option.
    func files(and arguments: [String]) -> ConfigurationFiles {
        let all = config + arguments
        return ConfigurationFiles(file: all.first, further: Array(all.dropFirst()), directory: confDir)
    }
}

/// Reads configurations as the daemon does and prints their errors and warnings.
enum ConfigurationLoading {
    /// Reads a configuration. Errors and warnings go to standard error.
    /// - Parameter addition: the path and text of one more file, which makes a configuration without other files
    ///   usable. Its own errors and warnings are not printed.
    /// - Throws: `ToolError` 66 if a file cannot be read or there is none, 78 if a file has errors.
    static func load(
        _ source: ConfigurationFiles, adding addition: (path: String, text: [UInt8])? = nil
    ) throws(ToolError) -> Configuration {
        let files = try files(source)
        if files.isEmpty, addition == nil {
            throw ToolError(.noInput, "\(Self.missing); pass a file with --config")
        }
        let outcome = ConfigurationReader.read(
            files + [addition].compactMap { $0 }, needsVersion: !files.isEmpty)
        show(outcome.diagnostics.filter { addition == nil || $0.file != addition?.path })
        guard let configuration = outcome.configuration else { throw ToolError(.configuration, "") }
        return configuration
    }

    static let missing = "there is no configuration in \(ConfigurationFiles.standardFolder)"

    /// Returns the panels that a configuration describes.
    static func panels(_ source: ConfigurationFiles) throws(ToolError) -> [PanelSetup] {
        let configuration = try load(source)
        return configuration.panelRules.map { PanelSetup(nominal: configuration, rule: $0) }
    }

    /// Lays the regions out on the first output that the configuration describes. The daemon itself checks every panel
    /// that is present.
    /// - Parameter withProfiles: whether to warn about what is impossible only with a profile, too.
    static func layout(
        of configuration: Configuration, withProfiles: Bool = false
    ) -> (regions: [Region], diagnostics: [Diagnostic]) {
        let rule = configuration.devices.first { !$0.ignore && $0.output.sizePixels != nil }
        let (size, isSizeKnown) = configuration.nominalPanel(for: rule)
        let found = configuration.regions(for: size, rule: rule, isSizeKnown: rule == nil || isSizeKnown)
        let warnings = withProfiles ? configuration.profileWarnings(for: size, rule: rule) : []
        return (found.regions, found.diagnostics + warnings)
    }

    /// Reads a configuration without printing its diagnostics. As in the daemon's log, there is a warning for each name
    /// in `[access]` that does not exist on this system, and for each file of `wake` that cannot be read.
    /// - Parameter change: returns the files to use instead of those that were read.
    /// - Throws: `ToolError` 66 if a file cannot be read.
    static func read(
        _ source: ConfigurationFiles, changedBy change: ([ConfigurationText]) -> [ConfigurationText] = { $0 }
    ) throws(ToolError) -> (configuration: Configuration?, diagnostics: [Diagnostic], paths: [String]) {
        let files = change(try files(source))
        let (configuration, diagnostics) = ConfigurationReader.read(files)
        let users = configuration?.accessLists { Users.number(of: $0, isGroup: $1) }.warnings ?? []
        let displays = configuration?.displayWarnings { DisplayPower.problem(file: $0, isReader: false) } ?? []
        return (configuration, diagnostics + users + displays, files.map(\.path))
    }

    static func show(_ diagnostics: [Diagnostic]) {
        let layout = StandardError.layout
        for diagnostic in diagnostics {
            let text = diagnostic.text { layout.plain(String($0)).columns }
            StandardError.write(layout.diagnostic(text) + "\n", in: layout)
        }
    }

    private static func files(_ source: ConfigurationFiles) throws(ToolError) -> [(path: String, text: [UInt8])] {
        do throws(ConfigurationFileError) {
            return try source.read()
        } catch {
            throw ToolError(error)
        }
    }
}

extension ToolError {
    /// The error for a name that does not exist, with the nearest name or else all names.
    /// - Parameter kind: the kind of the name, such as `scene`.
    static func unknown(_ kind: String, _ name: String, among names: [String]) -> ToolError {
        let nearest = Spelling.nearest(to: name, among: names)
        let cure =
            nearest.map { Spelling.hint($0.safe) } ?? "; the \(kind)s are \(names.map(\.safe).joined(separator: ", "))"
        return ToolError(.notFound, "no \(kind) \"\(name.safe)\"\(cure)")
    }

    /// The error for a file that cannot be read.
    init(_ error: ConfigurationFileError) { self.init(.noInput, "\(error.path.safe): \(error.reason)") }
}

extension Configuration {
    /// The panel on which touches are played if none is named: the first one with a size, or else the first one.
    var playedPanel: DeviceRule? { panelRules.first { $0?.output.sizePixels != nil } ?? panelRules[0] }

    /// Returns the configuration switched to a scene and a profile; `nil` leaves the one that is in force.
    /// - Throws: `ToolError` 1 for an unknown scene or profile.
    func switched(toScene scene: String? = nil, profile: String? = nil) throws(ToolError) -> Configuration {
        var runtime = runtime
        if let scene {
            guard sceneIDs.contains(scene) else { throw .unknown("scene", scene, among: sceneIDs) }
            runtime.scene = scene
        }
        if let profile {
            guard profileIDs.contains(profile) else { throw .unknown("profile", profile, among: profileIDs) }
            runtime.profile = profile
        }
        return applying(runtime)
    }

    /// Returns the configuration after a client has turned all panels, or unchanged if `rotation` is `nil`.
    /// - Parameter name: the id of a panel that no `[[device]]` matches.
    func turned(_ rotation: OutputSettings.Rotation?, _ name: String) -> Configuration {
        guard let rotation else { return self }
        var runtime = runtime
        for id in devices.map(\.id) + [name] { runtime.outputs[id] = OutputChange(rotation: rotation) }
        return applying(runtime)
    }
}

/// A recording, and its panel as the daemon would set it up.
struct ReplaySource {
    let recording: Recording
    let configuration: Configuration
    let setup: PanelSetup

    /// Loads the recording and the configuration. Warnings go to standard error.
    /// - Parameters:
    ///   - path: the recording, or a script of touches; `-`: a recording on standard input.
    ///   - device: the device to use if there are several.
    ///   - config: the files of the configuration.
    ///   - scene: the scene; `nil`: the initial one.
    ///   - profile: the profile; `nil`: `default`.
    ///   - rotation: the rotation of the output; `nil`: the configured one.
    /// - Throws: `ToolError`: 66 for an unreadable file, 78 for a configuration with errors, 65 for an unusable
    ///   recording or a device that the daemon would refuse, 1 for an unknown scene or profile.
    init(
        _ path: String, device: String?, config: ConfigurationFiles, scene: String? = nil, profile: String? = nil,
        rotation: OutputSettings.Rotation? = nil
    ) throws(ToolError) {
        if path.hasSuffix(TouchArguments.ending) {
            self = try TouchArguments.played(
                [path], config: config, scene: scene, profile: profile, device: device, rotation: rotation)
            return
        }
        let configured = try ConfigurationLoading.load(config).switched(toScene: scene, profile: profile)
        recording = try LibinputDevice(reading: path, device: device).recording
        configuration = configured.turned(rotation, recording.device ?? PanelSetup.fallbackName)
        setup = try PanelSetup(admitting: recording, configuration, source: path)
    }

    /// - Parameter recording: a recording of the panel of `setup`.
    init(_ recording: Recording, _ configuration: Configuration, _ setup: PanelSetup) {
        (self.recording, self.configuration, self.setup) = (recording, configuration, setup)
    }

    /// Replays the recording while `isWanted`, and prints a warning if gestures do not end.
    /// - Parameter observer: receives the outputs instead of the sink.
    func run(
        _ interest: LineInterest, while isWanted: () -> Bool = { true }, observer: ((PanelOutput) -> Void)? = nil,
        _ sink: PanelPipeline.Sink
    ) {
        let isComplete = RecordingReplay.run(
            recording, configuration, setup, interest, while: isWanted, observer: observer, sink)
        guard !isComplete, isWanted() else { return }
        StandardError.tell("a gesture was still waiting an hour after the last event; the replay ends there")
    }
}
