// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import LinuxSystem
import Recordings

/// Reads configurations as the daemon does, and prints their errors and warnings.
enum ConfigurationLoading {
    /// Errors and warnings go to the standard error.
    /// - Parameters:
    ///   - path: this file alone, as with the daemon's `-c`; nil: what the daemon reads without it.
    ///   - addition: the text of one more file. Its own errors and warnings are not shown.
    /// - Throws: `ToolError` 66 when a file cannot be read, 78 when one is wrong.
    static func load(
        _ path: String?, adding addition: (path: String, text: [UInt8])? = nil
    ) throws(ToolError) -> Configuration {
        let files = try files(ConfigurationFiles(file: path))
        let outcome = ConfigurationReader.read(
            files + [addition].compactMap { $0 }, needsVersion: !files.isEmpty)
        show(outcome.diagnostics.filter { addition == nil || $0.file != addition?.path })
        guard let configuration = outcome.configuration else { throw ToolError(.configuration, "") }
        return configuration
    }

    /// The panels that a configuration describes.
    static func panels(_ path: String) throws(ToolError) -> [PanelSetup] {
        let configuration = try load(path)
        return configuration.panelRules.map { PanelSetup(nominal: configuration, rule: $0) }
    }

    /// The same without printing. Names in `[access]` that no user of this system has are warnings, as in the daemon's
    /// log.
    /// - Throws: `ToolError` 66 when a file cannot be read.
    static func read(_ source: ConfigurationFiles) throws(ToolError)
        -> (configuration: Configuration?, diagnostics: [Diagnostic])
    {
        let (configuration, diagnostics) = ConfigurationReader.read(try files(source))
        let users = configuration?.accessLists { Users.number(of: $0, isGroup: $1) }.warnings ?? []
        return (configuration, diagnostics + users)
    }

    static func show(_ diagnostics: [Diagnostic]) {
        for diagnostic in diagnostics { StandardError.write(diagnostic.text { $0.columns } + "\n") }
    }

    private static func files(_ source: ConfigurationFiles) throws(ToolError) -> [(path: String, text: [UInt8])] {
        do throws(ConfigurationFileError) {
            let files = try source.read()
            if files.isEmpty { StandardError.tell("no configuration in /etc/gestured") }
            return files
        } catch {
            throw ToolError(.noInput, "\(error.path.safe): \(error.reason)")
        }
    }
}

extension Configuration {
    /// The configuration after a switch to a scene; nil: as it is.
    /// - Throws: `ToolError` 1 for an unknown scene.
    func inScene(_ scene: String?) throws(ToolError) -> Configuration {
        guard let scene else { return self }
        guard sceneIDs.contains(scene) else {
            let hint = Spelling.hint(Spelling.nearest(to: scene, among: sceneIDs))
            throw ToolError(.notFound, "no scene \"\(scene.safe)\"\(hint)")
        }
        var runtime = RuntimeState()
        runtime.scene = scene
        return applying(runtime)
    }
}

/// A recording, and its panel as the daemon would set it up.
struct ReplaySource {
    let recording: Recording
    let configuration: Configuration
    let setup: PanelSetup

    /// Warnings go to the standard error.
    /// - Parameters:
    ///   - path: of the recording; `-` is the standard input.
    ///   - device: which device of several.
    ///   - config: of the configuration.
    ///   - scene: nil: the one of the start.
    /// - Throws: `ToolError`: 66 for an unreadable file, 78 for a wrong configuration, 65 for an unusable
    ///   recording or a device that the daemon would refuse, 1 for an unknown scene.
    init(_ path: String, device: String?, config: String, scene: String? = nil) throws(ToolError) {
        configuration = try ConfigurationLoading.load(config).inScene(scene)
        recording = try LibinputDevice(reading: path, device: device).recording
        setup = try PanelSetup(admitting: recording, configuration, source: path)
    }

    /// Replays it, and prints a warning when it does not end.
    func run(_ interest: LineInterest, _ sink: PanelPipeline.Sink) {
        guard !RecordingReplay.run(recording, configuration, setup, interest, sink) else { return }
        StandardError.tell("something still waited an hour after the last event; the replay ends there")
    }
}
