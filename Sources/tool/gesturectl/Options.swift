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
            "The daemon's socket. (default: $GESTURED_SOCKET or \(InstalledFiles.socket))", valueName: "path"),
        completion: .file())
    var given: String?

    var path: String { given ?? GestureClient.defaultPath }

    func connect() throws -> DaemonConnection { try DaemonConnection(path: path) }

    /// The time between two attempts to connect, in microseconds.
    private static let retryDelay: Int64 = 1_000_000

    /// Connects to the daemon. If the daemon is not running or the connection is lost, it retries until `body` returns.
    /// - Parameters:
    ///   - pause: waits until a time on the monotonic clock, in microseconds.
    ///   - body: uses one connection; returns when the command is done.
    /// - Throws: errors of `body`, except those that mean that the daemon is not running.
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

extension NameSpecification {
    /// A name made from the property's name, and a letter that the value may follow directly: `-n1`.
    static func withLetter(_ letter: Character) -> Self { [.customShort(letter, allowingJoined: true), .long] }
}

/// An option for the phases of continuous gestures that a command handles.
struct PhaseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Show only this phase of continuous gestures: begin, update, end or cancel.", valueName: "phase"))
    var phase: [GestureClient.Gesture.Phase] = []

    @Flag(help: "Show every update of continuous gestures, such as drags.")
    var updates = false

    var phases: Set<GestureClient.Gesture.Phase> {
        let chosen: Set<GestureClient.Gesture.Phase> = phase.isEmpty ? [.begin, .end, .cancel] : Set(phase)
        return updates ? chosen.union([.update]) : chosen
    }
}

/// An option for the number of gestures after which a command ends.
struct CountOption: ParsableArguments {
    @Option(name: .withLetter("n"), help: ArgumentHelp("End after this number of gestures.", valueName: "n"))
    var count: Int?

    func validate() throws { try Self.check(count) }

    static func check(_ count: Int?) throws {
        if let count, count < 1 { throw ValidationError("--count is \(count); use a number of at least 1") }
    }
}

/// Options for the gestures that a command handles.
struct EventFilter: ParsableArguments {
    @Option(
        name: .withLetter("r"), help: ArgumentHelp("Show only these regions.", valueName: "glob"),
        completion: DaemonNames.regions)
    var region: [String] = []

    @Option(
        name: .withLetter("g"), help: ArgumentHelp("Show only these kinds of gestures.", valueName: "glob"),
        completion: DaemonNames.gestures)
    var gesture: [String] = []

    @Option(
        help: ArgumentHelp("Show only gestures and idle times with these names.", valueName: "glob"),
        completion: DaemonNames.names)
    var name: [String] = []

    /// Whether the command handles the line. It handles gestures, idle times that pass the filter, and touches that wake
    /// the display, but no lines about the daemon or a panel.
    func isWanted(_ event: JSONValue) -> Bool {
        switch event["event"]?.string {
        case "gesture": true
        case "idle": passes(event)
        // It has no name.
        case "wake": name.isEmpty
        default: false
        }
    }

    /// Whether a line is shown. The daemon filters gestures, but sends all idle times and wakes.
    func isShown(_ event: JSONValue) -> Bool {
        ["idle", "wake"].contains(event["event"]?.string) ? isWanted(event) : true
    }

    /// Subscribes to events that pass the filter, and warns about globs that match nothing.
    /// - Parameters:
    ///   - phases: the phases of continuous gestures.
    ///   - devices: globs for panels; empty: all.
    ///   - event: receives the lines that come before the reply.
    func subscribe(
        _ connection: DaemonConnection, _ events: [GestureClient.Subscription.EventName],
        phases: Set<GestureClient.Gesture.Phase>, devices: [String] = [], event: ([UInt8]) throws -> Void = { _ in }
    ) throws {
        func globs(_ list: [String]) -> [String]? { list.isEmpty ? nil : list }
        let devices = devices.isEmpty ? [] : Self.panels(devices, among: try connection.devices(event: event))
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

    /// Warns about globs that match no region or no gesture at present.
    /// - Parameters:
    ///   - more: names that globs may match, in addition to the names of gestures.
    func warn(_ regions: [GestureClient.Region], more: [String] = []) {
        for glob in region where !regions.contains(where: { Glob(glob).matches($0.id) }) {
            Self.warn(aboutRegion: glob)
        }
        warnAboutKinds()
        warnAboutNames(regions.gestureNames + more)
    }

    /// Replaces nodes and names of devices with their ids, and warns about globs that match no device at present. The
    /// device may be plugged in later.
    private static func panels(_ globs: [String], among devices: [GestureClient.Device]) -> [String] {
        globs.map { glob in
            if devices.contains(where: { Glob(glob).matches($0.id) }) { return glob }
            if let device = devices.first(where: { $0.isNamed(glob) }) { return device.id }
            let nearest = Spelling.nearest(to: glob, among: devices.map(\.id))
            let hint = nearest.map { Spelling.hint($0.safe) } ?? "; see gesturectl devices"
            StandardError.tell("no panel matches \"\(glob.safe)\" at present\(hint)")
            return glob
        }
    }

    private static func warn(aboutRegion glob: String) {
        StandardError.tell("no region matches \"\(glob.safe)\" at present")
    }

    private func warnAboutNames(_ names: [String]) {
        for glob in name where !names.contains(where: { Glob(glob).matches($0) }) {
            let hint = Spelling.hint(Spelling.nearest(to: glob, among: names))
            StandardError.tell("no gesture is named \"\(glob.safe)\" at present\(hint)")
        }
    }

    /// Warns about globs that match no kind of gesture.
    private func warnAboutKinds() {
        for glob in gesture where !GestureType.words.contains(where: { Glob(glob).matches($0) }) {
            let hint = Spelling.hint(Spelling.nearest(to: glob, among: GestureType.words))
            StandardError.tell("no kind of gesture matches \"\(glob.safe)\"\(hint)")
        }
    }

    /// Whether the filter passes everything.
    var isEmpty: Bool { region.isEmpty && gesture.isEmpty && name.isEmpty }

    /// Whether the line of an event passes. The globs for regions do not apply to a line without a region.
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

/// Options for the events that a command handles.
struct StreamOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Show only these panels.", valueName: "glob"), completion: DaemonNames.devices)
    var device: [String] = []

    @Flag(help: "Show idle and active changes, and touches that wake the display, instead of gestures.")
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

/// Options for the destination of a request and the form of its reply.
struct RequestOptions: ParsableArguments {
    @OptionGroup var socket: SocketOptions

    @Flag(help: "Print the daemon's reply as one line of JSON.")
    var json = false

    func connect() throws -> DaemonConnection { try socket.connect() }

    /// Sends a request, and with `--json` prints the reply as it arrived, including a refusal.
    /// - Parameter connection: the connection to use; `nil`: a new one.
    /// - Returns: the reply; `nil` if it has been printed.
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

/// Options for the file of a recording and its format.
struct RecordingOutput: ParsableArguments {
    @Option(
        name: [.customLong("output"), .customShort("o", allowingJoined: true)],
        help: ArgumentHelp("The file to write; - for standard output.", valueName: "file"),
        completion: .file())
    var path = "-"

    @Option(help: "evemu or libinput. (default: libinput if the output ends in .yml or .yaml, else evemu)")
    var format: RecordingFormat?

    func write(_ recording: Recording, node: String) throws(ToolError) {
        let format = format ?? RecordingFormat(endingOf: path) ?? .evemu
        try FileBytes.write(format.write(recording, node: node), to: path)
    }
}

/// Options for the form of a table.
struct TableOptions: ParsableArguments {
    @Flag(help: "Do not print the line of column names.")
    var noLegend = false

    @OptionGroup var colors: ColorOptions

    func write(_ table: Table) {
        StandardOutput.write(text(table))
    }

    func text(_ table: Table, withLegend: Bool = true) -> String {
        table.text(withLegend: withLegend && !noLegend, colors: colors.colors, in: StandardOutput.layout)
    }
}

/// Options for colours.
struct ColorOptions: ParsableArguments {
    @Option(help: "Colours: auto (on a terminal, unless NO_COLOR is set), always or never.")
    var color: ColorChoice = .auto

    var colors: Colors { Colors(isOn: color.isOn) }

    /// Whether events are shown as readable lines instead of the daemon's own lines.
    func isReadable(json: Bool) -> Bool { !json && (StandardOutput.isTerminal || color == .always) }
}

/// A time on the command line: `10`, `10s`, `1.5s`, `500ms`, `2min`, `1h`.
struct Seconds: ExpressibleByArgument, Hashable {
    var microseconds: Int64

    init?(argument: String) {
        guard let (value, unit) = Self.parts(of: argument), value > 0, value < 1e7 else { return nil }
        microseconds = Int64(value * (unit ?? .seconds).microseconds)
    }

    /// Splits a time into its number, which may be negative, and its unit. Returns `nil` if it does not consist of these.
    static func parts(of text: String) -> (value: Double, unit: TimeUnit?)? {
        let unit = TimeUnit.allCases.first { text.hasSuffix($0.rawValue) }
        guard let value = Double(text.dropLast(unit?.rawValue.count ?? 0)), value.isFinite else { return nil }
        return (value, unit)
    }
}
