// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureProtocol

/// `gesturectl exec`
struct Exec: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run a command for each gesture.",
        discussion: """
            The command runs as you, never in the daemon: one at a time, without a shell. It gets the line of JSON on \
            its standard input, and its values in the environment: GESTURE_REGION, GESTURE_NAME, GESTURE_X, \
            GESTURE_START_X and so on; GESTURE is the kind. While it runs, later gestures wait; what is older than \
            two seconds by then is not run.
            """)

    @OptionGroup var socket: SocketOptions
    @OptionGroup var filter: EventFilter

    @Flag(help: "Also for every movement of drags and the like.")
    var updates = false

    @Argument(
        parsing: .postTerminator, help: ArgumentHelp("The command and its arguments, after --.", valueName: "command"))
    var command: [String]

    func validate() throws {
        if command.isEmpty { throw ValidationError("give the command after --: gesturectl exec -r ok -- beep") }
    }

    func run() throws {
        let connection = try socket.connect()
        let phases = ["begin"] + (updates ? ["update"] : []) + ["end", "cancel"]
        _ = try connection.reply(to: filter.subscription(["gesture"], phases: phases), id: 1)
        while true {
            guard case .line(let line) = try connection.next() else { throw connection.lost() }
            guard let event = JSONValue(parsing: line), event["event"]?.string == "gesture" else { continue }
            let status = try ChildCommand(command).run(input: line + [0x0A], variables: Self.variables(event))
            if status != 0 {
                StandardError.write("gesturectl: \(command[0].safe) ended with status \(status)\n")
            }
        }
    }

    /// One for each value of the line: `GESTURE=swipe`, `GESTURE_START_X=923.0`.
    static func variables(_ event: JSONValue) -> [(name: String, value: String)] {
        event.members.flatMap { member -> [(name: String, value: String)] in
            if member.key == "gesture" { return [("GESTURE", member.value.text)] }
            let name = "GESTURE_" + member.key.uppercased()
            guard member.value.isObject else { return [(name, member.value.text)] }
            return member.value.members.map { (name + "_" + $0.key.uppercased(), $0.value.text) }
        }
    }
}
