// SPDX-License-Identifier: MIT
import ContactTracking
package import GestureConfiguration
import GestureEngine
package import GesturePipeline
package import GestureProtocol
import TouchSharing

/// A recording and its panel as the daemon sets it up, with the idle times of the configuration.
package struct PanelReplay {
    private let recording: Recording
    private let configuration: Configuration
    private let setup: PanelSetup

    /// - Parameter setup: what the configuration makes of the recording's device.
    package init(_ recording: Recording, _ configuration: Configuration, _ setup: PanelSetup) {
        self.recording = recording
        self.configuration = configuration
        self.setup = setup
    }

    /// - Parameter isWanted: asked again and again; the replay ends when it says no.
    /// - Returns: `false` if it did not come to its end.
    package func run(
        _ interest: LineInterest, while isWanted: () -> Bool = { true }, _ sink: PanelPipeline.Sink
    ) -> Bool {
        var pipeline = PanelPipeline(setup, identifiers: recording.identifiers)
        pipeline.interest = interest
        pipeline.idle = idleWatch()
        // What an application gets is thrown away, but the lines say who gets a contact.
        if setup.share == .forward { pipeline.startSharing { _ in } }
        return RecordingReplay.run(recording, through: &pipeline, scenes: setup(in:), while: isWanted, sink)
    }

    /// As if the daemon had started with the first event.
    private func idleWatch() -> IdleWatch {
        let watch = IdleWatch()
        let first = recording.entries.lazy.compactMap { if case .event(let event) = $0 { event } else { nil } }.first
        let start = first?.time ?? Timestamp(microseconds: 0)
        _ = watch.apply(configuration.idle, in: configuration.runtime.scene, .reload, at: start)
        return watch
    }

    /// The panel in another scene; `nil`: in that of the start.
    private func setup(in scene: String?) -> PanelSetup {
        var result = setup
        var runtime = configuration.runtime
        runtime.scene = scene ?? runtime.scene
        let shown = configuration.applying(runtime).isShown
        let on = Dictionary(zip(configuration.regions.map { $0.id }, shown)) { $1 }
        for i in result.regions.indices { result.regions[i].isEnabled = on[result.regions[i].id] ?? true }
        return result
    }
}
