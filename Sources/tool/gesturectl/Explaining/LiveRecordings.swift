// SPDX-License-Identifier: MIT
import ContactTracking
import GestureClient
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import LinuxSystem
import Recordings

/// Records panels while their touches are explained, so that the touches can be replayed with other settings.
final class LiveRecordings {
    /// The number of entries after which a new recording begins.
    private static let longest = 20_000
    /// The pause between two attempts to begin a recording, in microseconds.
    private static let pause: Int64 = 500_000

    /// A recording, and the configuration with the regions that clients had defined when it began.
    private struct Run {
        var recording: Recording
        let configuration: Configuration
    }

    /// The configuration of the daemon without the regions that clients have defined; `nil` if it cannot be read.
    private(set) var configuration: Configuration?
    private var current: [String: Run] = [:]
    /// The panels as last reported by the daemon.
    var panels: [GestureClient.Device] = []
    /// The preceding recordings, whose last touches may not have been explained yet.
    private var previous: [String: Run] = [:]
    /// The regions that clients have defined, by panel.
    private var leased: [String: Set<String>] = [:]
    /// The time of the last request for a new recording, in microseconds.
    private var asked: [String: Int64] = [:]

    /// Discards all recordings and uses the daemon's new configuration for the next ones.
    /// - Parameter regions: the daemon's regions.
    func reset(_ configuration: Configuration?, _ regions: [GestureClient.Region]) {
        self.configuration = configuration
        leased = Dictionary(grouping: regions.filter(\.isLeased), by: \.device).mapValues { Set($0.map(\.id)) }
        current = [:]
        previous = [:]
    }

    /// Handles a reply to `describe`. A recording can only begin while no gesture is in progress. It cannot begin if an
    /// older daemon does not tell the definitions of all regions, because a replay would give their touches to others.
    /// - Returns: whether one has begun.
    @discardableResult
    func begin(_ reply: JSONValue) -> Bool {
        let definitions = reply.list("definitions")
        guard reply["idle"]?.bool == true, let device = reply["device"]?.string,
            leased[device]?.isSubset(of: definitions.map { $0.text("id") }) != false,
            let recording = Recording(describing: reply, device: device),
            let configuration = configuration?.defining(definitions)
        else { return false }
        previous[device] = current[device]
        current[device] = Run(recording: recording, configuration: configuration)
        return true
    }

    /// Handles a `frame` line.
    /// - Returns: the id of the panel, if a new recording of it should begin.
    func append(_ frame: JSONValue) -> String? {
        guard configuration != nil, let device = frame["device"]?.string,
            let time = frame.time("time_us").map(Int64.init)
        else { return nil }
        let isRecorded = current[device]?.recording.append(frame: frame) == true
        let isLong = (current[device]?.recording.entries.count ?? 0) > Self.longest
        guard !isRecorded || isLong, time - (asked[device] ?? .min / 2) >= Self.pause else { return nil }
        asked[device] = time
        return device
    }

    /// Returns a search that replays the touches of the explanation; `nil`: they were not recorded.
    func search(_ explanation: Explanation) -> CureSearch? {
        recorded(explanation).map { CureSearch($0, $1, $2) }
    }

    /// Returns the settings of the explanation's panel; `nil` if they are not known.
    func setup(_ explanation: Explanation) -> PanelSetup? { recorded(explanation)?.2 }

    private func recorded(_ explanation: Explanation) -> (Recording, Configuration, PanelSetup)? {
        let runs = [current[explanation.device], previous[explanation.device]].compactMap(\.self)
        let run = runs.first { $0.recording.entries.first?.time.map { $0.microseconds <= explanation.time } == true }
        guard let run,
            case .ready(let setup) = PanelDecision(
                run.recording.description, run.configuration, fallbackName: explanation.device)
        else { return nil }
        return (run.recording, run.configuration, setup)
    }
}

extension Configuration {
    /// Reads the configuration of a daemon: its files, with the changes made by clients except the regions that they have
    /// defined.
    /// - Parameter panels: the panels, with the outputs to which clients may have mapped them.
    /// - Returns: `nil` if a file cannot be read, or now has errors.
    init?(status: JSONValue, regions: [GestureClient.Region], panels: [GestureClient.Device] = []) {
        let paths = status["config"]?.texts("files") ?? []
        guard let first = paths.first,
            let files = try? ConfigurationFiles(file: first, further: Array(paths.dropFirst())).read(),
            let configuration = ConfigurationReader.read(files).configuration
        else { return nil }
        var runtime = RuntimeState()
        runtime.scene = status["scene"]?.string ?? RuntimeState.defaultScene
        runtime.profile = status.profile
        runtime.switchedOff = Set(regions.filter { !$0.isEnabled }.map(\.id))
        for panel in panels { runtime.outputs[panel.id] = panel.output.map(OutputChange.init) }
        self = configuration.applying(runtime)
    }

    /// - Parameter definitions: the regions that clients have defined.
    /// - Returns: `nil` if this version cannot read them.
    fileprivate func defining(_ definitions: [JSONValue]) -> Configuration? {
        var runtime = runtime
        guard let rules = readDefinitions(definitions, file: "definitions").rules else { return nil }
        runtime.definitions = rules
        return applying(runtime)
    }
}

extension OutputChange {
    /// - Parameter output: an output as reported by the daemon, in whole pixels.
    fileprivate init(_ output: GestureClient.Output) {
        self.init(
            rotation: OutputSettings.Rotation(degrees: output.rotation, isFlipped: output.isFlipped),
            sizePixels: .init(width: output.width, height: output.height))
    }
}
