// SPDX-License-Identifier: MIT
import GestureClient
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import Recordings

/// Records panels while their touches are explained, so that these can be replayed with other settings.
final class LiveRecordings {
    /// A recording is begun anew after so many entries.
    private static let longest = 20_000
    /// How long after one attempt to begin a recording the next one is made, in microseconds.
    private static let pause: Int64 = 500_000

    /// What the daemon runs with; nil when that cannot be read.
    private(set) var configuration: Configuration?
    private var current: [String: Recording] = [:]
    /// The one before: touches of its end may not have been explained.
    private var previous: [String: Recording] = [:]
    /// When a new recording was last asked for, in microseconds.
    private var asked: [String: Int64] = [:]

    /// Forgets everything: from now on the daemon runs with this configuration.
    func reset(_ configuration: Configuration?) {
        self.configuration = configuration
        current = [:]
        previous = [:]
    }

    /// Takes a reply to `describe`: a recording can only begin while nothing is under way.
    func begin(_ reply: JSONValue) {
        guard reply["idle"]?.bool == true, let device = reply["device"]?.string,
            let recording = Recording(describing: reply, device: device)
        else { return }
        previous[device] = current[device]
        current[device] = recording
    }

    /// Takes a `frame` line.
    /// - Returns: the panel, if a new recording should begin.
    func append(_ frame: JSONValue) -> String? {
        guard configuration != nil, let device = frame["device"]?.string,
            let time = frame.time("time_us").map(Int64.init)
        else { return nil }
        let isRecorded = current[device]?.append(frame: frame) == true
        let isLong = (current[device]?.entries.count ?? 0) > Self.longest
        guard !isRecorded || isLong, time - (asked[device] ?? .min / 2) >= Self.pause else { return nil }
        asked[device] = time
        return device
    }

    /// For the touches of a panel; nil: they were not recorded.
    func search(_ explanation: Explanation) -> CureSearch? {
        func began(_ recording: Recording?) -> Recording? {
            recording.flatMap { recording in
                recording.entries.first?.time.map { $0.microseconds <= explanation.time } == true ? recording : nil
            }
        }
        guard let configuration,
            let recording = began(current[explanation.device]) ?? began(previous[explanation.device]),
            case .ready(let setup) = PanelDecision(
                recording.description, configuration, fallbackName: explanation.device)
        else { return nil }
        return CureSearch(recording, configuration, setup)
    }
}

extension Configuration {
    /// What a daemon runs with: its files, and what clients have changed.
    /// - Returns: nil when a file cannot be read, or is wrong by now.
    init?(status: JSONValue, regions: [GestureClient.Region]) {
        var files: [(path: String, text: [UInt8])] = []
        for path in status["config"]?.texts("files") ?? [] {
            guard let text = try? FileBytes.read(path, limit: LibinputReader.sizeLimit) else { return nil }
            files.append((path, text))
        }
        guard !files.isEmpty, let configuration = ConfigurationReader.read(files).configuration else { return nil }
        var runtime = RuntimeState()
        runtime.scene = status["scene"]?.string ?? RuntimeState.defaultScene
        runtime.switchedOff = Set(regions.filter { !$0.isEnabled }.map(\.id))
        self = configuration.applying(runtime)
    }
}
