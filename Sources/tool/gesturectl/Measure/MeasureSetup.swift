// SPDX-License-Identifier: MIT
import ContactTracking
import GestureClient
import GestureConfiguration
import GestureEngine
import GesturePipeline
import LinuxSystem
import Recordings

/// A panel as the daemon sets it up, and the settings that apply to it by default.
struct MeasureSetup {
    /// The id of an additional region, from whose gestures the default settings are read.
    private static let region = "gesturectl.measure"
    private static let text = """
        [[region]]
        id = "\(region)"
        shape = "full"
        gestures = ["tap", "swipe", "long_press"]
        """

    var panel: PanelSetup
    var inUse = SettingsInUse()

    /// - Parameters:
    ///   - config: the files of the configuration. Without files, the built-in settings are used.
    ///   - profile: the profile with which they apply; `nil`: `default`.
    ///   - source: the name that errors begin with.
    /// - Throws: `ToolError` 78 for a configuration with errors, 65 for a device that the daemon would not use.
    init(_ recording: Recording, config: ConfigurationFiles, profile: String? = nil, source: String) throws(ToolError) {
        let configuration = try ConfigurationLoading.load(config, adding: (Self.region, Array(Self.text.utf8)))
            .switched(profile: profile)
        panel = try PanelSetup(admitting: recording, configuration, source: source)
        let gestures = panel.regions.first { $0.id == Self.region }?.gestures ?? []
        for gesture in gestures {
            if case .tap(let settings) = gesture.settings { inUse.tap = settings }
            if case .swipe(let settings) = gesture.settings { inUse.swipe = settings }
            if case .longPress(let settings) = gesture.settings { inUse.longPress = settings }
        }
    }

    /// Takes the size of the panel from the daemon, which may have another configuration.
    /// - Returns: whether that changed anything.
    mutating func follow(_ output: GestureClient.Output?) -> Bool {
        guard let output,
            let rotation = OutputSettings.Rotation(degrees: output.rotation, isFlipped: output.isFlipped)
        else { return false }
        // The reply contains whole pixels and tenths of millimetres.
        let size = panel.size
        guard
            abs(size.widthPixels - output.width) > 0.5 || abs(size.heightPixels - output.height) > 0.5
                || abs(size.widthMillimeters - output.physicalWidth) > 0.051
                || abs(size.heightMillimeters - output.physicalHeight) > 0.051 || panel.output.rotation != rotation
        else { return false }
        panel.output.sizePixels = OutputSettings.Size(width: output.width, height: output.height)
        panel.output.sizeMillimeters = OutputSettings.Size(
            width: output.physicalWidth, height: output.physicalHeight)
        panel.output.rotation = rotation
        panel.mapping = AxisMapping(panel.description, output: panel.output)
        return true
    }
}

extension PanelSetup {
    /// The id of a recorded panel without a `[[device]]` in the configuration.
    static let fallbackName = "panel"

    /// Sets up the panel of a recording with a configuration. Warnings go to standard error.
    /// - Parameter source: the name that the error begins with.
    /// - Throws: `ToolError` 65 if the daemon would not use it.
    init(admitting recording: Recording, _ configuration: Configuration, source: String) throws(ToolError) {
        let name = recording.device ?? Self.fallbackName
        switch PanelDecision(recording.description, configuration, fallbackName: name) {
        case .ready(let setup):
            for warning in setup.warnings { StandardError.tell("warning: \(warning.safe)") }
            self = setup
        case .refused(_, let reason), .ignored(_, let reason):
            throw ToolError(
                .data, "\(source.safe): device \"\(recording.description.name.safe)\" refused: \(reason.safe)")
        }
    }
}
