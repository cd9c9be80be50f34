// SPDX-License-Identifier: MIT
import ContactTracking
package import GestureConfiguration
import GestureEngine
package import GesturePipeline
package import GestureProtocol
import TouchSharing

extension RecordingReplay {
    /// Runs a recording as the daemon would run its panel, including the idle times of the configuration. The display is
    /// on, except in scenes that say otherwise, because a recording does not contain its state.
    /// - Parameters:
    ///   - setup: the recording's device, set up by the configuration.
    ///   - isWanted: called repeatedly; the replay ends when it returns `false`.
    ///   - observer: receives the outputs instead of the sink.
    /// - Returns: `false` if the replay did not reach the end.
    @discardableResult
    package static func run(
        _ recording: Recording, _ configuration: Configuration, _ setup: PanelSetup, _ interest: LineInterest,
        while isWanted: () -> Bool = { true }, observer: ((PanelOutput) -> Void)? = nil,
        _ sink: PanelPipeline.Sink
    ) -> Bool {
        var pipeline = PanelPipeline(setup, identifiers: recording.identifiers)
        pipeline.interest = interest
        pipeline.observer = observer
        pipeline.idle = idleWatch(configuration, recording)
        if setup.wake != nil { guardWake(of: &pipeline, configuration) }
        // The events for applications are discarded, but sharing must be active, because lines name the receivers of
        // contacts.
        if setup.share == .forward { pipeline.startSharing { _ in } }
        return run(recording, through: &pipeline, scenes: { configuration.setup(setup, in: $0) }, while: isWanted, sink)
    }

    /// Keeps touches in dark scenes from gestures.
    private static func guardWake(of pipeline: inout PanelPipeline, _ configuration: Configuration) {
        let dark = configuration.darkScenes
        pipeline.guardWake { [watch = pipeline.idle] in
            dark.contains(watch?.scene ?? configuration.runtime.scene) ? .scene : nil
        }
    }

    /// Returns an idle watch that starts at the first event, as if the daemon had started then.
    private static func idleWatch(_ configuration: Configuration, _ recording: Recording) -> IdleWatch {
        let watch = IdleWatch()
        let first = recording.entries.lazy.compactMap { if case .event(let event) = $0 { event } else { nil } }.first
        let start = first?.time ?? Timestamp(microseconds: 0)
        _ = watch.apply(configuration.idle, in: configuration.runtime.scene, .reload, at: start)
        return watch
    }
}

extension Configuration {
    /// Returns the panel's setup in another scene, or in the initial scene if that is `nil`.
    fileprivate func setup(_ setup: PanelSetup, in scene: String?) -> PanelSetup {
        var result = setup
        let shown = inScene(scene).isShown
        let on = Dictionary(zip(regions.map { $0.id }, shown)) { $1 }
        for i in result.regions.indices { result.regions[i].isEnabled = on[result.regions[i].id] ?? true }
        return result
    }

    /// Returns the configuration in another scene, or in the initial scene if that is `nil`.
    fileprivate func inScene(_ scene: String?) -> Configuration {
        var runtime = runtime
        runtime.scene = scene ?? runtime.scene
        return applying(runtime)
    }
}
