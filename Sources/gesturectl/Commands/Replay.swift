// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureClient
import GestureConfiguration
import GesturePipeline
import GestureProtocol

struct Replay: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the lines that the daemon would make of a recording.",
        discussion: """
            Reads evemu files (versions 1.0 to 1.3, description and events in one), files of libinput record, and what \
            gesturectl record wrote. Needs no daemon and no root; time is the recording's. On a terminal one readable \
            line for each event, otherwise the daemon's own lines of JSON. A device that the daemon would not use is \
            refused with the reason and status 65.
            """)

    @Argument(
        help: ArgumentHelp("The recording; - is the standard input.", valueName: "recording"),
        completion: .file())
    var recording: String

    @Option(
        name: [.customShort("c"), .long], help: ArgumentHelp("The configuration.", valueName: "file"),
        completion: .file())
    var config: String

    @Option(help: ArgumentHelp("Which device of several: node, name or id.", valueName: "device"))
    var device: String?

    @Option(help: "Kinds of lines, with commas: gesture, idle, failed, touches.")
    var events = ReplayEvents([.gesture, .idle])

    @OptionGroup var filter: EventFilter

    @Option(
        help: ArgumentHelp("In this scene. (default: the one of the start)", valueName: "id"),
        completion: DaemonNames.scenes)
    var scene: String?

    @Flag(help: "Without the movements of drags and the like.")
    var noUpdates = false

    @Flag(help: "Also why gestures were not recognized.")
    var explain = false

    @Flag(help: "Lines of JSON on a terminal too.")
    var json = false

    @OptionGroup var colors: ColorOptions

    func run() throws {
        let source = try ReplaySource(recording, device: device, config: config, scene: scene)
        filter.warn(GestureClient.Region.all(of: [source.setup]).regions, more: source.configuration.idle.map { $0.id })
        let names = explain ? events.names.union([.failed]) : events.names
        var output = ReplayOutput(
            formatter: EventFormatter(colors: colors.colors), isReadable: colors.isReadable(json: json), filter: filter)
        let interest = LineInterest(
            updates: !noUpdates, touches: names.contains(.touches), failures: names.contains(.failed))
        source.run(interest) { line in
            if names.contains(line.event) { output.write(line) }
        }
        output.flush()
    }
}

/// Which lines a replay prints: `gesture,idle,failed,touches`.
struct ReplayEvents: ExpressibleByArgument, Hashable {
    /// Those that a replay can make.
    private static let known: [EventName] = [.gesture, .idle, .failed, .touches]

    var names: Set<EventName>

    init(_ names: Set<EventName>) {
        self.names = names
    }

    init?(argument: String) {
        names = []
        for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let name = Self.known.first(where: { "\($0.word)" == word }) else { return nil }
            names.insert(name)
        }
    }

    var defaultValueDescription: String { names.map { "\($0.word)" }.sorted().joined(separator: ",") }
    static var allValueStrings: [String] { known.map { "\($0.word)" } }
}

/// Writes the lines of a replay, numbered: as on the socket or readable, many at once.
struct ReplayOutput: ~Copyable {
    /// The bytes of one write, about.
    private static let block = 1 << 16

    var formatter: EventFormatter
    let isReadable: Bool
    let filter: EventFilter
    private(set) var number: Int64 = 0
    private(set) var output: [UInt8] = []
    private(set) var line = JSONWriter()

    mutating func write(_ event: borrowing EventLine) {
        line.removeAll()
        event.write(number: number + 1, into: &line)
        let parsed = isReadable || !filter.isEmpty ? JSONValue(parsing: Array(line.bytes.dropLast())) : nil
        if let parsed, !filter.passes(parsed) { return }
        number += 1
        if isReadable, let parsed {
            output += Array(formatter.line(parsed, time: recordingTime(event.timeMicroseconds)).utf8)
        } else {
            line.withBytes { output.append(contentsOf: $0) }
        }
        if output.count >= Self.block { flush() }
    }

    mutating func flush() {
        StandardOutput.write(output)
        output.removeAll(keepingCapacity: true)
    }
}
