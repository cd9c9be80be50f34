// SPDX-License-Identifier: MIT
public import ArgumentParser
public import GestureClient
import GestureProtocol
import LinuxSystem

struct Listen: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print gestures as they happen.",
        discussion: """
            On a terminal one readable line for each event, otherwise the daemon's own lines of JSON. Goes on until \
            it is interrupted, and waits for the daemon when there is none. Globs know * and ?; each option may be \
            given several times.
            """)

    @OptionGroup var socket: SocketOptions

    @OptionGroup var filter: EventFilter

    @OptionGroup var stream: StreamOptions
    @OptionGroup var phases: PhaseOptions

    @Flag(name: [.long, .customLong("why")], help: "Also why gestures were not recognized.")
    var explain = false

    @Flag(help: "Also where the contacts are.")
    var touches = false

    @Flag(help: "Lines of JSON on a terminal too.")
    var json = false

    @OptionGroup var colors: ColorOptions

    @OptionGroup var counted: CountOption

    func run() throws {
        var formatter = EventFormatter(colors: colors.colors)
        let readable = colors.isReadable(json: json)
        var left = counted.count

        func show(_ line: [UInt8], _ event: JSONValue) {
            readable
                ? StandardOutput.write(formatter.line(event, time: LocalTime.now()))
                : StandardOutput.write(line + [0x0A])
        }

        try socket.stayConnected { connection in
            // Before the reply come the lines that every new client gets.
            try filter.subscribe(connection, events, phases: phases.phases, devices: stream.device) { line in
                if let event = JSONValue(parsing: line), event["event"]?.string == "hello" { show(line, event) }
            }
            while true {
                guard case .line(let line) = try connection.next() else { throw connection.lost() }
                guard let event = JSONValue(parsing: line), event["event"] != nil, filter.isShown(event)
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
        abstract: "Wait for one gesture, print it and end.",
        discussion: """
            The first line that the filters let through is printed as JSON. Of a continuous gesture that is its begin, \
            unless --phase says otherwise. With --timeout the exit status is 124 when nothing came in time.
            """)

    @OptionGroup var socket: SocketOptions
    @OptionGroup var filter: EventFilter
    @OptionGroup var stream: StreamOptions

    @Option(help: ArgumentHelp("begin, update, end or cancel of a continuous gesture.", valueName: "phase"))
    var phase: [GestureClient.Gesture.Phase] = [.begin]

    @Option(help: ArgumentHelp("At most so long: 10, 1.5s, 500ms. (default: for ever)", valueName: "time"))
    var timeout: Seconds?

    func run() throws {
        let end = timeout.map { MonotonicClock.now() + $0.microseconds }
        let connection = try socket.connect()
        try filter.subscribe(connection, stream.events(orElse: [.gesture]), phases: Set(phase), devices: stream.device)
        while true {
            switch try connection.next(until: end) {
            case .line(let line):
                guard JSONValue(parsing: line).map(filter.isWanted) == true else { continue }
                return StandardOutput.write(line + [0x0A])
            case .end: throw connection.lost()
            case .timeout: throw ToolError(.timeout, "no such gesture in time")
            case .ready: continue
            }
        }
    }
}

extension GestureClient.Gesture.Phase: ExpressibleByArgument {}
