// SPDX-License-Identifier: MIT
import GesturePipeline
import Recordings

/// A recording, and the panel that the daemon would make of its device.
struct ReplaySource {
    let recording: Recording
    let setup: PanelSetup

    /// Warnings go to the standard error.
    /// - Parameters:
    ///   - path: of the recording; `-` is the standard input.
    ///   - device: which device of several.
    ///   - config: of the configuration.
    /// - Throws: `ToolError`: 66 for an unreadable file, 78 for a wrong configuration, 65 for an unusable
    ///   recording or a device that the daemon would refuse.
    init(_ path: String, device: String?, config: String) throws(ToolError) {
        let configuration = try ConfigurationLoading.load(config)
        recording = try RecordingFile(path, device: device).recording
        setup = try PanelSetup(admitting: recording, configuration, place: path)
    }

    /// Runs it, and says when it cannot be run to its end.
    func run(_ interest: LineInterest, _ sink: PanelPipeline.Sink) {
        var pipeline = PanelPipeline(setup, identifiers: recording.identifiers)
        pipeline.interest = interest
        guard !RecordingReplay.run(recording, through: &pipeline, sink) else { return }
        StandardError.write("gesturectl: something still waited an hour after the last event; the replay ends there\n")
    }
}
