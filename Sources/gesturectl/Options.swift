// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureClient
import GestureConfiguration
import GestureProtocol
import LinuxSystem
import Recordings

struct SocketOptions: ParsableArguments {
    @Option(
        name: .customLong("socket"),
        help: ArgumentHelp(
            "The daemon's socket. (default: $GESTURED_SOCKET or \(SharedFiles.socket))", valueName: "path"),
        completion: .file())
    var given: String?

    var path: String { given ?? GestureClient.defaultPath }

    func connect() throws -> DaemonConnection { try DaemonConnection(path: path) }

    /// Between two tries to connect, in microseconds.
    private static let retryDelay: Int64 = 1_000_000

    /// Connects, and connects again when the daemon goes and comes back.
    /// - Parameters:
    ///   - pause: waits until a time on the monotonic clock.
    ///   - body: uses one connection; returns when the command is done.
    /// - Throws: what `body` throws, unless it is that there is no daemon.
    func stayConnected(
        pause: (Int64) throws -> Void = { StandardOutput.wait(until: $0) }, _ body: (DaemonConnection) throws -> Void
    ) throws {
        var told: String?
        while true {
            do {
                return try body(try connect())
            } catch let error as ToolError where error.status == .unavailable {
                if error.message != told { StandardError.tell("\(error.message); waiting for it") }
                told = error.message
                try pause(MonotonicClock.now() + Self.retryDelay)
            }
        }
    }
}

/// Which phases of continuous gestures a command is about.
struct PhaseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Of continuous gestures only this: begin, update, end or cancel.", valueName: "phase"))
    var phase: [GestureClient.Gesture.Phase] = []

    @Flag(help: "Also every movement of drags and the like.")
    var updates = false

    var phases: Set<GestureClient.Gesture.Phase> {
        let chosen: Set<GestureClient.Gesture.Phase> = phase.isEmpty ? [.begin, .end, .cancel] : Set(phase)
        return updates ? chosen.union([.update]) : chosen
    }
}

/// After how many gestures a command ends.
struct CountOption: ParsableArguments {
    @Option(name: [.customShort("n"), .long], help: ArgumentHelp("End after so many gestures.", valueName: "n"))
    var count: Int?

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count \(count): give at least 1") }
    }
}

/// Which gestures a command is about.
struct EventFilter: ParsableArguments {
    @Option(
        name: .shortAndLong, help: ArgumentHelp("Only these regions.", valueName: "glob"),
        completion: DaemonNames.regions)
    var region: [String] = []

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Only these kinds of gestures.", valueName: "glob"),
        completion: DaemonNames.gestures)
    var gesture: [String] = []

    @Option(
        help: ArgumentHelp("Only gestures (and idle times) of these names.", valueName: "glob"),
        completion: DaemonNames.names)
    var name: [String] = []

    /// Whether a line is one of those that a command is about, not one about the daemon or a panel.
    func isWanted(_ event: JSONValue) -> Bool {
        event["event"]?.string == "gesture" || event["event"]?.string == "idle" && passes(event)
    }

    /// Whether a line is to be shown. The daemon filters gestures, but sends all idle times.
    func isShown(_ event: JSONValue) -> Bool { event["event"]?.string != "idle" || passes(event) }

    /// Subscribes to what passes, and warns of globs that match nothing.
    /// - Parameters:
    ///   - phases: of continuous gestures.
    ///   - devices: globs of panels; empty: all.
    ///   - event: gets the lines that come before the reply.
    func subscribe(
        _ connection: DaemonConnection, _ events: [GestureClient.Subscription.EventName],
        phases: Set<GestureClient.Gesture.Phase>, devices: [String] = [], event: ([UInt8]) throws -> Void = { _ in }
    ) throws {
        func globs(_ list: [String]) -> [String]? { list.isEmpty ? nil : list }
        let request = RequestLine.subscribe(
            .init(
                events: events, regions: globs(region), gestures: globs(gesture), names: globs(name), phases: phases,
                devices: globs(devices)))
        var names: [String]?
        if events.contains(.gesture), !name.isEmpty {
            let regions = try connection.reply(to: RequestLine("regions", id: 2), event: event).json
            names = GestureClient.Region.all(in: regions).gestureNames
        }
        let reply = try connection.reply(to: request, event: event)
        for glob in reply.json.list("unmatched") { Self.warn(aboutRegion: glob.displayText) }
        warnAboutKinds()
        if let names { warnAboutNames(names) }
    }

    /// Warns of globs that match nothing that there is.
    /// - Parameters:
    ///   - more: names of others than gestures.
    func warn(_ regions: [GestureClient.Region], more: [String] = []) {
        for glob in region where !regions.contains(where: { Glob(glob).matches($0.id) }) {
            Self.warn(aboutRegion: glob)
        }
        warnAboutKinds()
        warnAboutNames(regions.gestureNames + more)
    }

    private static func warn(aboutRegion glob: String) {
        StandardError.tell("no region matches \"\(glob.safe)\" now")
    }

    private func warnAboutNames(_ names: [String]) {
        for glob in name where !names.contains(where: { Glob(glob).matches($0) }) {
            let hint = Spelling.hint(Spelling.nearest(to: glob, among: names))
            StandardError.tell("no gesture is named \"\(glob.safe)\" now\(hint)")
        }
    }

    /// Warns of globs that match no kind of gesture.
    private func warnAboutKinds() {
        for glob in gesture where !GestureType.names.contains(where: { Glob(glob).matches($0) }) {
            let hint = Spelling.hint(Spelling.nearest(to: glob, among: GestureType.names))
            StandardError.tell("no kind of gesture matches \"\(glob.safe)\"\(hint)")
        }
    }

    /// Whether everything passes.
    var isEmpty: Bool { region.isEmpty && gesture.isEmpty && name.isEmpty }

    /// Whether a line of an event passes. One without a region does.
    func passes(_ event: JSONValue) -> Bool {
        passes(region: event["region"]?.string)
            && passes(gesture: event["gesture"]?.string, name: event["name"]?.string)
    }

    func passes(region: String?) -> Bool { Self.any(self.region, region) }

    func passes(gesture: String?, name: String?) -> Bool {
        Self.any(self.gesture, gesture) && Self.any(self.name, name)
    }

    private static func any(_ globs: [String], _ text: String?) -> Bool {
        guard !globs.isEmpty, let text else { return true }
        return globs.contains { Glob($0).matches(text) }
    }
}

/// Which lines of the stream a command is about.
struct StreamOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Only these panels.", valueName: "glob"), completion: DaemonNames.devices)
    var device: [String] = []

    @Flag(help: "Idle times, not gestures: nobody has touched a panel for so long, or somebody has again.")
    var idle = false

    func events(
        orElse others: [GestureClient.Subscription.EventName]
    ) -> [GestureClient.Subscription.EventName] { idle ? [.idle] : others }
}

extension RequestLine {
    static func subscribe(_ subscription: GestureClient.Subscription, id: Int = 1) -> Self {
        RequestLine("subscribe", id: id, subscription.keys)
    }
}

/// Where a request goes, and how its reply is shown.
struct RequestOptions: ParsableArguments {
    @OptionGroup var socket: SocketOptions

    @Flag(help: "Print the daemon's reply as one line of JSON.")
    var json = false

    func connect() throws -> DaemonConnection { try socket.connect() }

    /// Sends a request, and prints the reply as it came with `--json`, also one that refuses.
    /// - Parameter connection: nil: a new one.
    /// - Returns: the reply; nil when it has been printed.
    @discardableResult
    func send(_ request: RequestLine, on connection: DaemonConnection? = nil) throws -> Reply? {
        do {
            let reply = try (connection ?? connect()).reply(to: request)
            guard json else { return reply }
            StandardOutput.write(reply.line + [0x0A])
            return nil
        } catch let error as ToolError {
            if json, let line = error.reply { StandardOutput.write(line + [0x0A]) }
            throw error
        }
    }
}

/// Where a recording is written, and how.
struct RecordingOutput: ParsableArguments {
    @Option(
        name: [.customLong("output"), .customShort("o")],
        help: ArgumentHelp("Where to write; - is the standard output.", valueName: "file"),
        completion: .file())
    var path = "-"

    @Option(help: "evemu or libinput. (default: by the ending of the output, .yml and .yaml, else evemu)")
    var format: RecordingFormat?

    func write(_ recording: Recording, node: String) throws(ToolError) {
        let format = format ?? RecordingFormat(endingOf: path) ?? .evemu
        try FileBytes.write(format.write(recording, node: node), to: path)
    }
}

/// How a table is shown.
struct TableOptions: ParsableArguments {
    @Flag(help: "Print no line of column names.")
    var noLegend = false

    @OptionGroup var colors: ColorOptions

    func write(_ table: Table) {
        StandardOutput.write(table.text(withLegend: !noLegend, colors: colors.colors))
    }
}

/// Whether output is coloured.
struct ColorOptions: ParsableArguments {
    @Option(help: "Colours: auto (on a terminal, unless NO_COLOR is set), always or never.")
    var color: ColorChoice = .auto

    var colors: Colors { Colors(isOn: color.isOn) }

    /// Whether events are shown as readable lines, not as the daemon's own.
    func isReadable(json: Bool) -> Bool { !json && (StandardOutput.isTerminal || color == .always) }
}

/// A time on the command line: `10`, `10s`, `1.5s`, `500ms`, `2min`, `1h`.
struct Seconds: ExpressibleByArgument, Hashable {
    var microseconds: Int64

    init?(argument: String) {
        let unit = TimeUnit.allCases.first { argument.hasSuffix($0.rawValue) }
        guard let value = Double(argument.dropLast(unit?.rawValue.count ?? 0)), value.isFinite, value > 0, value < 1e7
        else { return nil }
        microseconds = Int64(value * (unit ?? .seconds).microseconds)
    }
}
