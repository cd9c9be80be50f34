// SPDX-License-Identifier: MIT
import ArgumentParser
import ContactTracking
import GestureClient
import GestureConfiguration
import GesturePipeline
import GestureProtocol

struct Replay: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the lines that the daemon would send for a recording.",
        discussion: """
            Reads evemu files (versions 1.0 to 1.3, with description and events in one file), files of libinput \
            record, and files of gesturectl record. Needs no daemon and no root, and reads the installed configuration \
            unless --config is given; times are those of the recording. On a terminal it prints one readable line for \
            each event, without updates of continuous gestures; otherwise the daemon's own lines of JSON, with \
            updates. The display is on, unless the scene says that it is off. A device that the daemon would not use is \
            refused with the reason and status 65.
            """)

    @Argument(
        help: ArgumentHelp("The recording; - for standard input.", valueName: "recording"),
        completion: .file())
    var recording: String

    @Option(
        help: ArgumentHelp(
            "The device to use if the recording contains several: its node, name or id.", valueName: "device"))
    var device: String?

    @OptionGroup var options: ReplayOptions

    @Flag(help: "Also print why gestures were not recognized.")
    var explain = false

    func run() throws {
        try options.replay(
            ReplaySource(
                recording, device: device, config: options.configuration.files, scene: options.scene,
                profile: options.profile, rotation: options.rotation), failures: explain)
    }
}

/// The options of a replay: what it is replayed with, and what it prints.
struct ReplayOptions: ParsableArguments {
    @OptionGroup var configuration: ConfigurationOptions

    @Option(help: "Kinds of lines, separated by commas: gesture, idle (with wake), failed, touches.")
    var events = ReplayEvents([.gesture, .idle])

    @OptionGroup var filter: EventFilter

    @Option(
        help: ArgumentHelp("The scene. (default: the initial scene)", valueName: "id"),
        completion: DaemonNames.scenes)
    var scene: String?

    @Option(
        help: ArgumentHelp("The profile. (default: \"default\")", valueName: "id"),
        completion: DaemonNames.profiles)
    var profile: String?

    @Option(
        help: ArgumentHelp(
            "How the panel was turned: 0, 90, 180, 270, flipped, flipped-90, flipped-180 or flipped-270. "
                + "(default: as in the configuration)", valueName: "rotation"))
    var rotation: OutputSettings.Rotation?

    @Flag(
        inversion: .prefixedNo,
        help: "Print updates of continuous gestures, such as drags. (default: only as lines of JSON)")
    var updates: Bool?

    @Flag(help: "Print lines of JSON on a terminal too.")
    var json = false

    @OptionGroup var colors: ColorOptions

    /// Replays a source, and prints its lines.
    /// - Parameter failures: whether to print failures, too.
    /// - Returns: the number of lines.
    @discardableResult
    func replay(_ source: ReplaySource, failures: Bool = false) throws -> Int64 {
        filter.warn(GestureClient.Region.all(of: [source.setup]).regions, more: source.configuration.idle.map { $0.id })
        var names = failures ? events.names.union([.failed]) : events.names
        if names.contains(.idle) { names.insert(.wake) }
        let isReadable = colors.isReadable(json: json)
        var output = ReplayOutput(
            formatter: EventFormatter(colors: colors.colors, layout: StandardOutput.layout),
            isReadable: isReadable, filter: filter)
        let interest = LineInterest(
            updates: updates ?? !isReadable, touches: names.contains(.touches), failures: names.contains(.failed))
        source.run(interest) { line in
            if names.contains(line.event) { output.write(line) }
        }
        output.flush()
        return output.number
    }
}

/// The kinds of lines that a replay prints: `gesture,idle,failed,touches`.
struct ReplayEvents: ExpressibleByArgument, Hashable {
    /// The kinds that a replay can produce.
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

/// Numbers the lines of a replay and writes them in large blocks, either as the daemon sends them or as readable text.
struct ReplayOutput: ~Copyable {
    /// The approximate size of one write in bytes.
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

extension OutputSettings.Rotation: ExpressibleByArgument {
    /// Empty, because a message with all eight words would have a line for each.
    package static var allValueStrings: [String] { [] }
}
