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
