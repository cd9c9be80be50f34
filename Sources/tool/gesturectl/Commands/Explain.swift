// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureClient
import GestureConfiguration
import GesturePipeline
import GestureProtocol
import LinuxSystem

struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Explain for each touch which gestures were recognized or failed, and why.",
        discussion: """
            Prints one paragraph for each touch of a region: the region that owned it, the path of the fingers, the \
            gestures that were recognized (+) and those that failed (-), with the measured value, the limit, and the \
            gesture's key in the configuration. For a near miss it shows the value that would have sufficed. A \
            summary follows at the end. With a recording it needs no daemon, and reads the installed configuration \
            unless --config is given; otherwise it runs until it is interrupted (Ctrl-C).
            """)

    @OptionGroup var socket: SocketOptions
    @OptionGroup var filter: EventFilter

    @Argument(help: ArgumentHelp("Explain this recording.", valueName: "recording"), completion: .file())
    var recording: String?

    @OptionGroup var configuration: ConfigurationOptions

    @Option(
        help: ArgumentHelp(
            "The device to use if the recording contains several: its node, name or id.", valueName: "device"))
    var device: String?

    @Option(
        help: ArgumentHelp("The scene for a recording. (default: the initial scene)", valueName: "id"),
        completion: DaemonNames.scenes)
    var scene: String?

    @Option(
        help: ArgumentHelp("The profile for a recording. (default: \"default\")", valueName: "id"),
        completion: DaemonNames.profiles)
    var profile: String?

    @Option(name: .withLetter("n"), help: ArgumentHelp("End after this number of touches.", valueName: "n"))
    var count: Int?

    @Flag(help: "Print a line of JSON for each touch of a region, without a summary.")
    var json = false

    @OptionGroup var table: TableOptions

    func validate() throws {
        try CountOption.check(count)
        guard recording == nil else { return }
        let given = [
            ("--config", configuration.isGiven), ("--device", device != nil), ("--scene", scene != nil),
            ("--profile", profile != nil),
        ]
        if let option = given.first(where: { $0.1 })?.0 {
            throw ValidationError("\(option) is for a recording; name the recording, or leave \(option) out")
        }
    }

    func run() throws {
        if let recording { return try explain(recording) }
        try LiveExplanation(
            connection: socket.connect(), signals: SignalWait(), output: output { LocalTime.of(monotonic: $0) }
        ).run()
    }

    private func explain(_ recording: String) throws {
        let source = try ReplaySource(
            recording, device: device, config: configuration.files, scene: scene, profile: profile)
        source.explain(output(time: recordingTime), profile: profile)
    }

    private func output(time: @escaping (Int64) -> String) -> ExplanationOutput {
        ExplanationOutput(filter: filter, table: table, isJSON: json, limit: count ?? .max, time: time)
    }
}

extension ReplaySource {
    /// Replays the source, and prints why its gestures were recognized or failed.
    func explain(_ output: consuming ExplanationOutput, profile: String?, withSummary: Bool = true) {
        var output = output
        output.collector.regions = GestureClient.Region.all(of: [setup]).regions
        output.collector.pixels = [setup.device.safe: PixelSize(setup.size)]
        output.filter.warn(output.collector.regions)
        let search = CureSearch(recording, configuration, setup)
        output.summary.profile = profile
        output.search = { _ in search }
        output.setup = { [setup] _ in setup }
        // Idle times may change the scene, which a replay does not report.
        let dark = configuration.darkScenes
        output.collector.scene = dark.count == 1 ? dark.first?.safe : nil
        let (device, interest) = (setup.device.safe, LineInterest(touches: true, frames: true, failures: true))
        let take: (PanelOutput) -> Void = { if !output.isFull { output.take(StoryEvent($0, device: device)) } }
        run(interest, while: { !output.isFull }, observer: take) { _ in }
        output.advance(to: .max)
        if withSummary { output.end() }
    }
}

/// Explains the daemon's events as they arrive.
struct LiveExplanation: ~Copyable {
    /// The interval at which it checks for complete touches, in microseconds.
    private static let tick: Int64 = 200_000

    let connection: DaemonConnection
    let signals: SignalWait
    var output: ExplanationOutput
    private let recordings = LiveRecordings()

    /// Runs until it is interrupted, or the connection to the daemon ends.
    consuming func run() throws {
        output.search = { [recordings] in recordings.search($0) }
        output.setup = { [recordings] in recordings.setup($0) }
        try begin()
        defer { output.end() }
        while !output.isFull {
            let deadline = output.collector.isWaiting ? MonotonicClock.now() + Self.tick : nil
            switch try connection.next(until: deadline, orReadable: signals.rawValue) {
            case .line(let line): try take(line)
            case .timeout: output.advance(to: MonotonicClock.now())
            case .ready: return output.advance(to: .max)
            case .end:
                output.advance(to: .max)
                throw connection.lost()
            }
        }
    }

    private mutating func begin() throws {
        var capabilities: [String] = []
        let regions = try connection.reply(to: RequestLine("regions")) { line in
            if case .hello(let hello)? = JSONValue(parsing: line).map(GestureClient.Event.init) {
                capabilities = hello.capabilities
            }
        }
        take(regions: regions.json)
        if capabilities.contains("routes") {
            try beginRecordings()
        } else {
            StandardError.tell(
                "the daemon is older than this tool: where fingers land, and which key to change, is not shown")
            _ = try connection.reply(to: subscription([]))
        }
        let devices = Set(output.collector.regions.map(\.device)).sorted()
        guard !devices.isEmpty else {
            return StandardError.tell("no region on a panel that is ready; see gesturectl devices")
        }
        output.filter.warn(output.collector.regions)
        StandardOutput.endIfUnread()
        let names = devices.map { "\"\($0)\"" }.joined(separator: ", ")
        StandardError.tell("touch \(names); end with Ctrl-C")
    }

    private mutating func beginRecordings() throws {
        do {
            _ = try connection.reply(to: subscription([.touches, .frame, .idle]))
            take(devices: try connection.reply(to: RequestLine("devices", id: 6)) { try take($0) }.json)
            for device in begin(try connection.reply(to: RequestLine("status", id: 4)).json) {
                // Requested before the user is asked to touch the panel. If the daemon refuses, nothing is recorded.
                let reply = try? connection.reply(to: describe(device)) { try take($0) }
                if let reply { recordings.begin(reply.json) }
            }
        } catch let error as ToolError where error.status == .noPermission {
            // While a region is private, only some users may see where it is touched.
            StandardError.tell("where fingers land is not shown: \(error.message)")
            _ = try connection.reply(to: subscription([]))
        }
    }

    private func subscription(_ more: [GestureClient.Subscription.EventName]) -> RequestLine {
        .subscribe(.init(events: [.gesture, .failed, .config, .device] + more), id: 2)
    }

    private mutating func take(_ line: [UInt8]) throws {
        guard let event = JSONValue(parsing: line) else { return }
        if event["ok"]?.bool == true { return take(reply: event) }
        switch event["event"]?.string {
        case "gesture", "failed", "touches", "wake", "state": output.take(StoryEvent(event))
        case "frame":
            output.take(StoryEvent(event))
            if let device = recordings.append(event) { connection.send(describe(device)) }
        case "config", "device":
            output.take(StoryEvent(event))
            // The regions and the outputs may have changed. The reply to `status` begins new recordings, which need both.
            connection.send(RequestLine("regions", id: 3))
            connection.send(RequestLine("devices", id: 6))
            connection.send(RequestLine("status", id: 4))
        case "overflow":
            StandardError.tell("lines were lost: this terminal was too slow")
        default: break
        }
    }

    private mutating func take(reply: JSONValue) {
        switch reply["reply"]?.string {
        case "regions": take(regions: reply)
        case "status": for device in begin(reply) { connection.send(describe(device)) }
        case "devices": take(devices: reply)
        case "describe": recordings.begin(reply)
        default: break
        }
    }

    /// Discards the recordings.
    /// - Returns: the panels for which to send `describe`; each reply starts a new recording.
    private func begin(_ status: JSONValue) -> [String] {
        let regions = output.collector.regions
        recordings.reset(Configuration(status: status, regions: regions, panels: recordings.panels), regions)
        return recordings.configuration == nil ? [] : Set(regions.map(\.device)).sorted()
    }

    private func describe(_ device: String) -> RequestLine {
        RequestLine("describe", id: 5, [("device", .text(device))])
    }

    private mutating func take(devices reply: JSONValue) {
        recordings.panels = GestureClient.Device.all(in: reply)
        for device in recordings.panels {
            if let output = device.output { self.output.collector.pixels[device.id.safe] = PixelSize(output) }
        }
    }

    private mutating func take(regions reply: JSONValue) {
        output.collector.regions = GestureClient.Region.all(in: reply)
    }
}
