// SPDX-License-Identifier: MIT
public import ArgumentParser
public import GestureClient
import GestureProtocol
import LinuxSystem

/// `gesturectl listen`
struct Listen: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print gestures as they happen.",
        discussion: """
            On a terminal one readable line for each event, otherwise the daemon's own lines of JSON. Goes on until \
            it is interrupted; when the daemon goes away the exit status is 69. Globs know * and ?; each option may \
            be given several times.
            """)

    @OptionGroup var socket: SocketOptions

    @OptionGroup var filter: EventFilter

    @Flag(help: "Also every movement of drags and the like.")
    var updates = false

    @Flag(name: [.long, .customLong("why")], help: "Also why gestures were not recognized.")
    var explain = false

    @Flag(help: "Also where the contacts are.")
    var touches = false

    @Flag(help: "Lines of JSON on a terminal too.")
    var json = false

    @OptionGroup var colors: ColorOptions

    @Option(name: [.customShort("n"), .long], help: ArgumentHelp("End after so many gestures.", valueName: "n"))
    var count: Int?

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count \(count): give at least 1") }
    }

    func run() throws {
        let connection = try socket.connect()
        var formatter = EventFormatter(colors: colors.colors)
        let readable = colors.isReadable(json: json)
        var left = count

        func show(_ line: [UInt8], _ event: JSONValue) {
            readable
                ? StandardOutput.write(formatter.line(event, time: LocalTime.now()))
                : StandardOutput.write(line + [0x0A])
        }

        // Before the reply come the lines that every new client gets.
        let reply = try connection.reply(to: subscription) { line in
            if let event = JSONValue(parsing: line), event["event"]?.string == "hello" { show(line, event) }
        }
        for glob in reply.json.list("unmatched") {
            StandardError.write("gesturectl: no region matches \"\(glob.displayText.safe)\" now\n")
        }
        while true {
            guard case .line(let line) = try connection.next() else { throw connection.lost() }
            guard let event = JSONValue(parsing: line), event["event"] != nil else { continue }
            show(line, event)
            guard event["event"]?.string == "gesture", let rest = left else { continue }
            if rest <= 1 { return }
            left = rest - 1
        }
    }

    private var subscription: RequestLine {
        filter.subscription(
            [.gesture, .device, .config] + (explain ? [.failed] : []) + (touches ? [.touches] : []),
            updates: updates)
    }
}

/// `gesturectl wait`
struct Wait: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Wait for one gesture, print it and end.",
        discussion: """
            The first line that the filters let through is printed as JSON. Of a continuous gesture that is its begin, \
            unless --phase says otherwise. With --timeout the exit status is 124 when nothing came in time.
            """)

    @OptionGroup var socket: SocketOptions
    @OptionGroup var filter: EventFilter

    @Option(help: ArgumentHelp("begin, update, end or cancel of a continuous gesture.", valueName: "phase"))
    var phase: [GestureClient.Gesture.Phase] = [.begin]

    @Option(help: ArgumentHelp("At most so long: 10, 1.5s, 500ms. (default: for ever)", valueName: "time"))
    var timeout: Seconds?

    func run() throws {
        let end = timeout.map { MonotonicClock.now() + $0.microseconds }
        let connection = try socket.connect()
        _ = try connection.reply(to: filter.subscription([.gesture], phases: Set(phase)))
        while true {
            switch try connection.next(until: end) {
            case .line(let line):
                guard JSONValue(parsing: line)?["event"]?.string == "gesture" else { continue }
                return StandardOutput.write(line + [0x0A])
            case .end: throw connection.lost()
            case .timeout: throw ToolError(.timeout, "no such gesture in time")
            case .ready: continue
            }
        }
    }
}

extension GestureClient.Gesture.Phase: ExpressibleByArgument {}
