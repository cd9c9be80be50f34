// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureClient
import GestureProtocol

struct Exec: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run a command for each gesture.",
        discussion: """
            The command runs as you, never in the daemon; one command at a time, without a shell. It receives the \
            line of JSON on its standard input and its values in the environment: GESTURE_REGION, GESTURE_NAME, \
            GESTURE_X, GESTURE_START_X and so on; GESTURE is the kind. Later gestures wait while it runs; a gesture \
            that has waited for more than two seconds is skipped with a message. If a command fails, a message is \
            printed, and the next one runs. The command ends when gesturectl ends. If the daemon is not running, \
            gesturectl waits for it.
            """)

    @OptionGroup var socket: SocketOptions
    @OptionGroup var filter: EventFilter
    @OptionGroup var stream: StreamOptions

    @OptionGroup var phases: PhaseOptions
    @OptionGroup var counted: CountOption

    @Flag(help: "Also run it for gestures of regions that clients have defined, whose names they choose.")
    var leased = false

    @Option(
        help: ArgumentHelp("End a command that exceeds this time: 10s, 500ms. (default: never)", valueName: "time"))
    var timeout: Seconds?

    @Argument(
        parsing: .postTerminator, help: ArgumentHelp("The command and its arguments, after --.", valueName: "command"))
    var command: [String] = []

    func validate() throws {
        if command.isEmpty {
            throw ValidationError("there is no command to run; put it after --, as in gesturectl exec -r ok -- beep")
        }
    }

    func run() throws {
        try ChildCommand.check(command[0])
        let runner = try CommandRunner(command, timeout: timeout, count: counted.count)
        try socket.stayConnected(pause: runner.pause) { connection in
            try filter.subscribe(
                connection, stream.events(orElse: [.gesture]), phases: phases.phases, devices: stream.device)
            try runner.serve(connection) { filter.isWanted($0) && (leased || !$0.flag("leased")) }
        }
    }

    /// Returns one variable for each value of the line: `GESTURE=swipe`, `GESTURE_START_X=923.0`.
    static func variables(_ event: JSONValue) -> [(name: String, value: String)] {
        event.members.flatMap { member -> [(name: String, value: String)] in
            if member.key == "gesture" { return [("GESTURE", member.value.displayText)] }
            let name = "GESTURE_" + member.key.uppercased()
            guard member.value.isObject else { return [(name, member.value.displayText)] }
            return member.value.members.map { (name + "_" + $0.key.uppercased(), $0.value.displayText) }
        }
    }
}
