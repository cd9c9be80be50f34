// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureClient
import GestureProtocol

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

/// How a reply is shown.
struct ReplyOptions: ParsableArguments {
    @Flag(help: "Print the daemon's reply as one line of JSON.")
    var json = false

    /// Sends a request, and prints the reply as it came with `--json`.
    /// - Returns: the reply; nil when it has been printed.
    func ask(_ connection: DaemonConnection, _ request: RequestLine) throws -> Reply? {
        let reply = try connection.reply(to: request)
        guard json else { return reply }
        StandardOutput.write(reply.line + [0x0A])
        return nil
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
}

/// A time on the command line: `10`, `10s`, `1.5s`, `500ms`, `2min`.
struct Seconds: ExpressibleByArgument, Hashable {
    var microseconds: Int64

    init?(argument: String) {
        let units = [("ms", 1e3), ("min", 60e6), ("s", 1e6), ("", 1e6)]
        guard let (suffix, factor) = units.first(where: { argument.hasSuffix($0.0) }),
            let value = Double(argument.dropLast(suffix.count)), value.isFinite, value > 0, value < 1e7
        else { return nil }
        microseconds = Int64(value * factor)
    }
}
