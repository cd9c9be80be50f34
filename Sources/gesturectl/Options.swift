// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureClient
import GestureConfiguration
import GestureProtocol
import Recordings

/// Where the daemon is.
struct SocketOptions: ParsableArguments {
    @Option(
        name: .customLong("socket"),
        help: ArgumentHelp(
            "The daemon's socket. (default: $GESTURED_SOCKET or \(GestureClient.systemPath))", valueName: "path"),
        completion: .file())
    var given: String?

    var path: String { given ?? GestureClient.defaultPath }

    func connect() throws -> DaemonConnection { try DaemonConnection(path: path) }
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
        help: ArgumentHelp("Only gestures of these names.", valueName: "glob"), completion: DaemonNames.names)
    var name: [String] = []

    /// The request for what passes.
    func subscription(_ events: [GestureClient.Subscription.EventName], updates: Bool) -> RequestLine {
        subscription(events, phases: updates ? [.begin, .update, .end, .cancel] : [.begin, .end, .cancel])
    }

    /// - Parameter phases: of continuous gestures.
    func subscription(
        _ events: [GestureClient.Subscription.EventName], phases: Set<GestureClient.Gesture.Phase>
    ) -> RequestLine {
        func globs(_ list: [String]) -> [String]? { list.isEmpty ? nil : list }
        return .subscribe(
            .init(
                events: events, regions: globs(region), gestures: globs(gesture), names: globs(name), phases: phases))
    }
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

    /// Sends a request, and prints the reply as it came with `--json`.
    /// - Parameter connection: nil: a new one.
    /// - Returns: the reply; nil when it has been printed.
    @discardableResult
    func send(_ request: RequestLine, on connection: DaemonConnection? = nil) throws -> Reply? {
        let reply = try (connection ?? connect()).reply(to: request)
        guard json else { return reply }
        StandardOutput.write(reply.line + [0x0A])
        return nil
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

/// Names for a shell's completion: those that the daemon knows now. Without a daemon there are none, and no error
/// is shown.
enum DaemonNames {
    /// Milliseconds. Somebody has pressed a key and waits.
    private static let patience: CInt = 1000

    /// Ids of regions.
    static let regions = completion("regions") { $0.list("regions").map { $0.text("region") } }
    /// Ids of panels.
    static let devices = completion("devices") { $0.list("devices").map { $0.text("device") } }
    /// Kinds of gestures that some region has.
    static let gestures = completion("regions") { gestures($0, "gesture") }
    /// Names of gestures that some region has.
    static let names = completion("regions") { gestures($0, "name") }
    static let scenes = completion("status") { $0.texts("scenes") }

    private static func gestures(_ reply: JSONValue, _ key: String) -> [String] {
        reply.list("regions").flatMap { $0.list("gestures").map { $0.text(key) } }
    }

    private static func completion(
        _ command: String, _ names: @escaping @Sendable (JSONValue) -> [String]
    ) -> CompletionKind {
        .custom { words, _, _ in
            guard
                let connection = try? DaemonConnection(path: socket(in: words), patience: patience),
                let reply = try? connection.reply(to: RequestLine(command))
            else { return [] }
            var found: [String] = []
            for name in names(reply.json) where isHarmless(name) && !found.contains(name) { found.append(name) }
            // zsh separates a name from its description by a colon.
            return CompletionShell.requesting == .zsh ? found.map { $0.replacing(":", with: "\\:") } : found
        }
    }

    /// Whether it is a name that a configuration may have, or one of a panel such as `left@event5`.
    ///
    /// No other is offered, because the socket may be anybody's: bash expands what it is given, and even what it has
    /// quoted (`compgen -W`, and the files that `complete -o filenames` looks for).
    private static func isHarmless(_ name: String) -> Bool {
        Identifier.mistake(in: name.replacing("@", with: "_")) == nil
    }

    /// The one that the line to complete names, if it names one.
    private static func socket(in words: [String]) -> String {
        if let index = words.firstIndex(of: "--socket"), index + 1 < words.count { return words[index + 1] }
        let given = words.last { $0.hasPrefix("--socket=") }?.dropFirst("--socket=".count)
        if let given, !given.isEmpty { return String(given) }
        return GestureClient.defaultPath
    }
}
