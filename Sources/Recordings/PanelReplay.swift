// SPDX-License-Identifier: MIT
import ContactTracking
package import GestureConfiguration
import GestureEngine
package import GesturePipeline
package import GestureProtocol
import TouchSharing

extension RecordingReplay {
    /// Runs a recording as the daemon would run its panel, with the idle times of the configuration.
    /// - Parameter setup: what the configuration makes of the recording's device.
    /// - Returns: `false` if it did not come to its end.
    package static func run(
        _ recording: Recording, _ configuration: Configuration, _ setup: PanelSetup, _ interest: LineInterest,
        _ sink: PanelPipeline.Sink
    ) -> Bool {
        var pipeline = PanelPipeline(setup, identifiers: recording.identifiers)
        pipeline.interest = interest
        pipeline.idle = idleWatch(configuration, recording)
        // What an application gets is thrown away, but the lines say who gets a contact.
        if setup.share == .forward { pipeline.startSharing { _ in } }
        return run(recording, through: &pipeline, scenes: { configuration.setup(setup, in: $0) }, sink)
    }

    /// As if the daemon had started with the first event.
    private static func idleWatch(_ configuration: Configuration, _ recording: Recording) -> IdleWatch {
        let watch = IdleWatch()
        let first = recording.entries.lazy.compactMap { if case .event(let event) = $0 { event } else { nil } }.first
        let start = first?.time ?? Timestamp(microseconds: 0)
        _ = watch.apply(configuration.idle, in: configuration.runtime.scene, .reload, at: start)
        return watch
    }
}

extension Configuration {
    /// The panel in another scene; `nil`: in that of the start.
    fileprivate func setup(_ setup: PanelSetup, in scene: String?) -> PanelSetup {
        var result = setup
        var runtime = runtime
        runtime.scene = scene ?? runtime.scene
        let shown = applying(runtime).isShown
        let on = Dictionary(zip(regions.map { $0.id }, shown)) { $1 }
        for i in result.regions.indices { result.regions[i].isEnabled = on[result.regions[i].id] ?? true }
        return result
    }
}
