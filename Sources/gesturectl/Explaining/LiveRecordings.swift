// SPDX-License-Identifier: MIT
import GestureClient
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import LinuxSystem
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
    /// What a daemon runs with: its files, and what clients have changed. Regions that clients have defined are as the
    /// daemon describes them; the settings of their gestures it does not tell, so these are those of the files.
    /// - Returns: nil when a file cannot be read, or is wrong by now.
    init?(status: JSONValue, regions: [GestureClient.Region]) {
        let paths = status["config"]?.texts("files") ?? []
        guard let first = paths.first,
            let files = try? ConfigurationFiles(file: first, further: Array(paths.dropFirst())).read(),
            let configuration = ConfigurationReader.read(files).configuration
        else { return nil }
        var runtime = RuntimeState()
        runtime.scene = status["scene"]?.string ?? RuntimeState.defaultScene
        runtime.switchedOff = Set(regions.filter { !$0.isEnabled }.map(\.id))
        let definitions = regions.definitions(without: Set(configuration.regions.map(\.id)))
        guard let rules = configuration.readDefinitions(definitions, file: "regions").rules else { return nil }
        runtime.definitions = rules
        self = configuration.applying(runtime)
    }
}

extension [GestureClient.Region] {
    /// Those that no file has, as a client would define them; each once, whatever panels have it.
    fileprivate func definitions(without known: Set<String>) -> [JSONValue] {
        var seen = known
        return compactMap { region -> JSONValue? in
            guard seen.insert(region.id).inserted else { return nil }
            let parent = first { $0.id == region.parent && $0.device == region.device }
            return JSONValue(parsing: JSONWriter.bytes { region.definition(in: parent?.shape).json.write(into: &$0) })
        }
    }
}

extension GestureClient.Region {
    /// - Parameter parent: its shape is relative to the upper left corner of this one.
    fileprivate func definition(in parent: GestureClient.Shape?) -> GestureClient.RegionDefinition {
        var keys: [String: GestureClient.JSON] = ["z": .whole(z), "pass": .flag(isPass)]
        keys["margin"] = .text("\(margin)px")
        if let parent = self.parent { keys["parent"] = .text(parent) }
        if isEach { keys["contacts"] = "each" }
        let origin = parent?.corner ?? GestureClient.Point(x: 0, y: 0)
        return GestureClient.RegionDefinition(
            id: id, shape: shape?.json(from: origin) ?? [:],
            gestures: gestures.map { ["type": .text($0.kind.rawValue), "name": .text($0.name)] }, keys: keys)
    }
}

extension GestureClient.Shape {
    /// The upper left corner of the box around it.
    fileprivate var corner: GestureClient.Point {
        switch self {
        case .rectangle(let x, let y, _, _): .init(x: x, y: y)
        case .circle(let center, let radius): .init(x: center.x - radius, y: center.y - radius)
        case .polygon(let corners): .init(x: corners.map(\.x).min() ?? 0, y: corners.map(\.y).min() ?? 0)
        }
    }

    /// As the configuration has it, in pixels from `origin`.
    fileprivate func json(from origin: GestureClient.Point) -> GestureClient.JSON {
        func point(_ point: GestureClient.Point) -> GestureClient.JSON {
            [.number(point.x - origin.x), .number(point.y - origin.y)]
        }
        return switch self {
        case .rectangle(let x, let y, let width, let height):
            ["rect": [.number(x - origin.x), .number(y - origin.y), .number(width), .number(height)]]
        case .circle(let center, let radius): ["circle": ["center": point(center), "radius": .number(radius)]]
        case .polygon(let corners): ["polygon": .list(corners.map(point))]
        }
    }
}
