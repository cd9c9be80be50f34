// SPDX-License-Identifier: MIT
public import ArgumentParser
public import GestureClient
import GestureProtocol
import LinuxSystem

struct Listen: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print gestures as they happen.",
        discussion: """
            Prints one readable line for each event on a terminal, otherwise the daemon's own lines of JSON. Runs \
            until it is interrupted, and waits for the daemon if it is not running. Globs may contain * and ?. Each \
            option may be given several times.
            """)

    @OptionGroup var socket: SocketOptions

    @OptionGroup var filter: EventFilter

    @OptionGroup var stream: StreamOptions
    @OptionGroup var phases: PhaseOptions

    @Flag(name: [.long, .customLong("why")], help: "Also print why gestures were not recognized.")
    var explain = false

    @Flag(help: "Also print the positions of contacts.")
    var touches = false

    @Flag(name: .customLong("no-leased"), help: "Leave out regions that clients have defined, whose names they choose.")
    var hidesLeased = false

    @Flag(help: "Print lines of JSON on a terminal too.")
    var json = false

    @OptionGroup var colors: ColorOptions

    @OptionGroup var counted: CountOption

    func run() throws {
        var formatter = EventFormatter(colors: colors.colors)
        let readable = colors.isReadable(json: json)
        var left = counted.count

        func show(_ line: [UInt8], _ event: JSONValue) {
            guard readable else { return StandardOutput.write(line + [0x0A]) }
            // The terminal may have been resized since the last line.
            formatter.layout = StandardOutput.layout
            StandardOutput.write(formatter.line(event, time: LocalTime.now()), in: formatter.layout)
        }

        try socket.stayConnected { connection in
            // The lines that every new client gets come before the reply.
            try filter.subscribe(connection, events, phases: phases.phases, devices: stream.device) { line in
                if let event = JSONValue(parsing: line), event["event"]?.string == "hello" { show(line, event) }
            }
            while true {
                guard case .line(let line) = try connection.next() else { throw connection.lost() }
                guard let event = JSONValue(parsing: line), event["event"] != nil, filter.isShown(event),
                    !(hidesLeased && event.flag("leased"))
                else { continue }
                show(line, event)
                guard filter.isWanted(event), let rest = left else { continue }
                if rest <= 1 { return }
                left = rest - 1
            }
        }
    }

    private var events: [GestureClient.Subscription.EventName] {
        stream.events(orElse: [.gesture, .idle, .device, .config]) + (explain ? [.failed] : [])
            + (touches ? [.touches] : [])
    }
}

struct Wait: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Wait for one gesture, print it, and exit.",
        discussion: """
            Prints the first line that passes the filters as JSON. For a continuous gesture, this is its begin line \
            unless --phase is given. If --timeout expires, the exit status is 124.
            """)

    @OptionGroup var socket: SocketOptions
    @OptionGroup var filter: EventFilter
    @OptionGroup var stream: StreamOptions

    @Flag(help: "Also wait for gestures of regions that clients have defined, whose names they choose.")
    var leased = false

    @Option(help: ArgumentHelp("Phase of a continuous gesture: begin, update, end or cancel.", valueName: "phase"))
    var phase: [GestureClient.Gesture.Phase] = [.begin]

    @Option(help: ArgumentHelp("Wait no longer than this: 10, 1.5s, 500ms. (default: forever)", valueName: "time"))
    var timeout: Seconds?

    func run() throws {
        let end = timeout.map { MonotonicClock.now() + $0.microseconds }
        let connection = try socket.connect()
        try filter.subscribe(connection, stream.events(orElse: [.gesture]), phases: Set(phase), devices: stream.device)
        while true {
            switch try connection.next(until: end) {
            case .line(let line):
                guard let event = JSONValue(parsing: line), filter.isWanted(event), leased || !event.flag("leased")
                else { continue }
                return StandardOutput.write(line + [0x0A])
            case .end: throw connection.lost()
            case .timeout: throw ToolError(.timeout, "no such gesture within the timeout")
            case .ready: continue
            }
        }
    }
}

extension GestureClient.Gesture.Phase: ExpressibleByArgument {}
