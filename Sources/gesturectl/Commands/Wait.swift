// SPDX-License-Identifier: MIT
public import ArgumentParser
public import GestureClient
import GestureProtocol
import LinuxSystem

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
