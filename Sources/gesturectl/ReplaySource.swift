// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GesturePipeline

/// A recording, and the panel that the daemon would make of its device.
struct ReplaySource {
    /// What a panel is called for which the configuration has no [[device]].
    private static let fallbackName = "panel"

    let recording: Recording
    let setup: PanelSetup

    /// Warnings go to the standard error.
    /// - Parameters:
    ///   - path: of the recording; `-` is the standard input.
    ///   - config: of the configuration.
    /// - Throws: `ToolError`: 66 for an unreadable file, 78 for a wrong configuration, 65 for an unusable
    ///   recording or a device that the daemon would refuse.
    init(_ path: String, config: String) throws(ToolError) {
        let configuration = try ConfigurationLoading.load(config)
        recording = try Self.read(path)
        let name = recording.device ?? Self.fallbackName
        switch PanelDecision(recording.description, configuration, fallbackName: name) {
        case .ready(let setup):
            for warning in setup.warnings { StandardError.write("gesturectl: warning: \(warning.safe)\n") }
            self.setup = setup
        case .refused(_, let reason), .ignored(_, let reason):
            throw ToolError(
                .data, "\(path.safe): device \"\(recording.description.name.safe)\" refused: \(reason.safe)")
        }
    }

    private static func read(_ path: String) throws(ToolError) -> Recording {
        let bytes = try FileBytes.read(path, limit: RecordingReader.sizeLimit)
        do throws(RecordingError) {
            return try RecordingReader.read(bytes)
        } catch {
            let place = error.line > 0 ? "\(path.safe):\(error.line)" : path.safe
            throw ToolError(.data, "\(place): \(error.message)")
        }
    }

    /// Runs it, and says when it cannot be run to its end.
    func run(_ interest: LineInterest, _ sink: PanelPipeline.Sink) {
        var pipeline = PanelPipeline(setup, identifiers: recording.identifiers)
        pipeline.interest = interest
        guard !RecordingReplay.run(recording, through: &pipeline, sink) else { return }
        StandardError.write("gesturectl: something still waited an hour after the last event; the replay ends there\n")
    }
}
