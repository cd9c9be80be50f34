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
            gesturectl waits for it. With --step it runs for the steps of drags (5mm), or of dials and rotations \
            (15deg): GESTURE_STEPS is the number of steps since the last run, negative to the left, down and \
            counterclockwise, and GESTURE_SIGN is + or -.
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

    @Option(
        help: ArgumentHelp("Run it for each step of a movement: 5mm of a drag, 15deg of a dial.", valueName: "step"))
    var step: StepSize?

    @Argument(
        parsing: .postTerminator, help: ArgumentHelp("The command and its arguments, after --.", valueName: "command"))
    var command: [String] = []

    func validate() throws {
        if command.isEmpty {
            throw ValidationError("there is no command to run; put it after --, as in gesturectl exec -r ok -- beep")
        }
        guard let step else { return }
        if stream.idle || phases.updates || !phases.phase.isEmpty {
            throw ValidationError("--step has phases of its own; leave out --phase, --updates and --idle")
        }
        let kinds = step.unit.kinds.map { $0.rawValue }
        guard filter.gesture.isEmpty || kinds.contains(where: { filter.passes(gesture: $0, name: nil) }) else {
            throw ValidationError(
                "a step in \(step.unit.rawValue) is one of a \(kinds.joined(separator: " or ")); leave out -g")
        }
    }

    func run() throws {
        try ChildCommand.check(command[0])
        let runner = try CommandRunner(command, timeout: timeout, count: counted.count, step: step)
        try socket.stayConnected(pause: runner.pause) { connection in
            try subscribe(connection)
            try runner.serve(connection) { filter.isWanted($0) && (leased || !$0.flag("leased")) }
        }
    }

    private func subscribe(_ connection: DaemonConnection) throws {
        guard let step else {
            return try filter.subscribe(
                connection, stream.events(orElse: [.gesture]), phases: phases.phases, devices: stream.device)
        }
        var filter = filter
        if filter.gesture.isEmpty { filter.gesture = step.unit.kinds.map { $0.rawValue } }
        // The other lines say that a panel may have got another size.
        try filter.subscribe(
            connection, [.gesture, .device, .config], phases: Set(GestureClient.Gesture.Phase.allCases),
            devices: stream.device)
    }

    /// Returns one variable for each value of the line: `GESTURE=swipe`, `GESTURE_START_X=923.0`.
    /// - Parameter steps: the number of steps for which the command runs; `nil` if it runs for the line.
    static func variables(_ event: JSONValue, steps: Int?) -> [(name: String, value: String)] {
        let values = variables(event)
        guard let steps else { return values }
        // A dial has a number of steps of its own, that since its begin.
        return values.filter { $0.name != "GESTURE_STEPS" }
            + [("GESTURE_STEPS", "\(steps)"), ("GESTURE_SIGN", steps < 0 ? "-" : "+")]
    }

    private static func variables(_ event: JSONValue) -> [(name: String, value: String)] {
        event.members.flatMap { member -> [(name: String, value: String)] in
            if member.key == "gesture" { return [("GESTURE", member.value.displayText)] }
            let name = "GESTURE_" + member.key.uppercased()
            guard member.value.isObject else { return [(name, member.value.displayText)] }
            return member.value.members.map { (name + "_" + $0.key.uppercased(), $0.value.displayText) }
        }
    }
}
