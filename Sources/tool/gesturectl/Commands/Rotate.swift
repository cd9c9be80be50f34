// SPDX-License-Identifier: MIT
import ArgumentParser
import ContactTracking
import GestureClient
import GestureProtocol

struct Rotate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Turn a panel with its screen, or print how it is turned.",
        usage: """
            gesturectl rotate [<options>] [<device>] [<rotation>]
            gesturectl rotate [<options>] [<device>] --default
            """,
        discussion: """
            The rotations are those of wl_output: 0, 90, 180 and 270 degrees clockwise, and flipped, flipped-90, \
            flipped-180 and flipped-270. The service keeps the rotation over restarts, until --default. Cancels all \
            gestures on the panel.
            """)

    @OptionGroup var requests: RequestOptions

    @Argument(help: "The panel; it may be left out if there is only one.", completion: DaemonNames.devices)
    var device: String?

    @Argument(
        help: "The new rotation.", completion: .list(OutputSettings.Rotation.allCases.map(\.rawValue)))
    var rotation: String?

    @Flag(name: .customLong("default"), help: "Restore the rotation and the size of the configuration.")
    var isReset = false

    /// The words of the command line; a single word that is a rotation is not the name of a panel.
    private var words: (device: String?, rotation: String?) {
        guard rotation == nil, let device, Self.rotation(device) != nil else { return (device, rotation) }
        return (nil, device)
    }

    private static let known = OutputSettings.Rotation.allCases.map(\.rawValue)

    private static func rotation(_ word: String) -> OutputSettings.Rotation? {
        OutputSettings.Rotation(rawValue: word)
    }

    func validate() throws {
        guard let word = words.rotation else { return }
        guard !isReset else { throw ValidationError("--default cannot be combined with a rotation") }
        guard Self.rotation(word) == nil else { return }
        let hint = Spelling.nearest(to: word, among: Self.known).map { Spelling.hint($0) } ?? ""
        throw ValidationError("unknown rotation \"\(word.safe)\"; use \(Self.known.joined(separator: ", "))\(hint)")
    }

    func run() throws {
        let words = words
        if words.rotation == nil, !isReset { return try show(words.device) }
        let connection = try requests.connect()
        var keys: [(String, GestureClient.JSON)] = []
        if let device = words.device {
            // The output of a panel that is not connected can be reset.
            let id = try isReset ? (try? connection.panel(device).id) ?? device : connection.panel(device).id
            keys.append(("device", .text(id)))
        }
        if let rotation = words.rotation {
            keys.append(("rotation", Int(rotation).map { .whole($0) } ?? .text(rotation)))
        }
        try requests.send(RequestLine("set_output", keys), on: connection)
    }

    /// Prints the rotation of a panel, or with several panels their names and rotations.
    private func show(_ device: String?) throws {
        guard let reply = try requests.send(RequestLine("devices")) else { return }
        let panels = GestureClient.Device.all(in: reply.json).filter { panel in
            panel.output != nil && device.map { panel.id == $0 || panel.isNamed($0) } ?? true
        }
        guard let first = panels.first?.output else {
            let isNumber = device.flatMap { Int($0) } != nil
            let cure = isNumber ? "the rotations are \(Self.known.joined(separator: ", "))" : "see gesturectl devices"
            throw ToolError(.notFound, "no panel \(device.map { "\"\($0.safe)\" " } ?? "")is ready; \(cure)")
        }
        guard panels.count > 1 else { return StandardOutput.write(Self.word(first) + "\n") }
        let lines = panels.map { "\($0.id.safe) \($0.output.map(Self.word) ?? "-")\n" }
        StandardOutput.write(lines.joined())
    }

    /// The name of an output's rotation.
    static func word(_ output: GestureClient.Output) -> String {
        let rotation = OutputSettings.Rotation(degrees: output.rotation, isFlipped: output.isFlipped)
        return rotation?.rawValue ?? "\(output.rotation)"
    }
}
