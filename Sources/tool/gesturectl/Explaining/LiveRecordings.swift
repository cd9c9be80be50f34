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

    /// The configuration of the daemon; `nil` if it cannot be read.
    private(set) var configuration: Configuration?
    private var current: [String: Recording] = [:]
    /// The panels as last reported by the daemon.
    var panels: [GestureClient.Device] = []
    /// The preceding recordings, whose last touches may not have been explained yet.
    private var previous: [String: Recording] = [:]
    /// The time of the last request for a new recording, in microseconds.
    private var asked: [String: Int64] = [:]

    /// Discards all recordings and uses the daemon's new configuration for the next ones.
    func reset(_ configuration: Configuration?) {
        self.configuration = configuration
        current = [:]
        previous = [:]
    }

    /// Handles a reply to `describe`. A recording can only begin while no gesture is in progress.
    func begin(_ reply: JSONValue) {
        guard reply["idle"]?.bool == true, let device = reply["device"]?.string,
            let recording = Recording(describing: reply, device: device)
        else { return }
        previous[device] = current[device]
        current[device] = recording
    }

    /// Handles a `frame` line.
    /// - Returns: the id of the panel, if a new recording of it should begin.
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

    /// Returns a search that replays the touches of the explanation; `nil`: they were not recorded.
    func search(_ explanation: Explanation) -> CureSearch? {
        recorded(explanation).map { CureSearch($0, $1, $2) }
    }

    /// Returns the settings of the explanation's panel; `nil` if they are not known.
    func setup(_ explanation: Explanation) -> PanelSetup? { recorded(explanation)?.2 }

    private func recorded(_ explanation: Explanation) -> (Recording, Configuration, PanelSetup)? {
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
        return (recording, configuration, setup)
    }
}

extension Configuration {
    /// Reads the configuration of a daemon: its files, with the changes made by clients. Regions that clients have
    /// defined are taken from the daemon's replies. These do not contain the settings of gestures, so the defaults of the
    /// files apply to them.
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
        let definitions = regions.definitions(without: Set(configuration.regions.map(\.id)))
        guard let rules = configuration.readDefinitions(definitions, file: "regions").rules else { return nil }
        runtime.definitions = rules
        for panel in panels { runtime.outputs[panel.id] = panel.output.map(OutputChange.init) }
        self = configuration.applying(runtime)
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

extension [GestureClient.Region] {
    /// Returns the regions that are in no file, as a client would define them. A region on several panels is returned
    /// once.
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
    /// - Parameter parent: the shape of the parent region. The result is relative to its upper left corner.
    fileprivate func definition(in parent: GestureClient.Shape?) -> GestureClient.RegionDefinition {
        var keys: [String: GestureClient.JSON] = ["z": .whole(z), "pass": .flag(isPass)]
        keys["margin"] = .text("\(margin)px")
        if let parent = self.parent { keys["parent"] = .text(parent) }
        if contacts != "together" { keys["contacts"] = .text(contacts) }
        let origin = parent?.corner ?? GestureClient.Point(x: 0, y: 0)
        return GestureClient.RegionDefinition(
            id: id, shape: shape?.json(from: origin) ?? [:],
            gestures: gestures.map { ["type": .text($0.kind.rawValue), "name": .text($0.name)] }, keys: keys)
    }
}

extension GestureClient.Shape {
    /// The upper left corner of the bounding box.
    fileprivate var corner: GestureClient.Point {
        switch self {
        case .rectangle(let x, let y, _, _): .init(x: x, y: y)
        case .circle(let center, let radius): .init(x: center.x - radius, y: center.y - radius)
        case .polygon(let corners): .init(x: corners.map(\.x).min() ?? 0, y: corners.map(\.y).min() ?? 0)
        }
    }

    /// Returns the shape as written in the configuration, in pixels from `origin`.
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
