// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureClient
import GesturePipeline
import GestureProtocol
import LinuxSystem

/// `gesturectl explain`
struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say for each touch what was recognized, what was not, and why.",
        discussion: """
            One paragraph for each touch of a region: who owned it, the way of the fingers, what came about (+) and \
            what did not (-), with what was measured, the limit, and the key of that gesture in the configuration; \
            where a little was missing, with the value that would have done. At the end a summary. With a recording \
            it explains that; needs no daemon then. Otherwise it goes on until it is interrupted (Ctrl-C).
            """)

    @OptionGroup var socket: SocketOptions
    @OptionGroup var filter: EventFilter

    @Argument(help: ArgumentHelp("Explain this recording.", valueName: "recording"), completion: .file())
    var recording: String?

    @Option(
        name: [.customShort("c"), .long], help: ArgumentHelp("The configuration for a recording.", valueName: "file"),
        completion: .file())
    var config: String?

    @Option(help: ArgumentHelp("Which device of several in a recording: node, name or id.", valueName: "device"))
    var device: String?

    @Option(name: [.customShort("n"), .long], help: ArgumentHelp("End after so many touches.", valueName: "n"))
    var count: Int?

    @Flag(help: "One line of JSON for each touch of a region, without a summary.")
    var json = false

    @OptionGroup var table: TableOptions

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count \(count): give at least 1") }
        if recording != nil, config == nil {
            throw ValidationError("a recording needs the configuration to explain it with: --config")
        }
        if recording == nil, config != nil {
            throw ValidationError("--config is for a recording; the daemon has its own")
        }
        if recording == nil, device != nil { throw ValidationError("--device is for a recording") }
    }

    func run() throws {
        if let recording, let config { return try explain(recording, config) }
        try LiveExplanation(
            connection: socket.connect(), signals: SignalWait(),
            output: output { LocalTime.of(monotonic: $0) }, limit: count ?? .max, patterns: filter.region
        ).run()
    }

    private func explain(_ recording: String, _ config: String) throws {
        let source = try ReplaySource(recording, device: device, config: config)
        let regions = ExplainedRegion.all(of: source.setup)
        var output = output(time: recordingTime)
        output.regions = regions
        var collector = ExplanationCollector(regions)
        var bytes = JSONWriter()
        source.run(LineInterest(updates: false, touches: true, failures: true)) { line in
            bytes.removeAll()
            line.write(number: 0, into: &bytes)
            guard output.touches < count ?? .max,
                let event = JSONValue(parsing: Array(bytes.bytes.dropLast()))
            else { return }
            for explanation in collector.take(event) { output.show(explanation) }
        }
        if output.touches < count ?? .max {
            for explanation in collector.advance(to: .max) { output.show(explanation) }
        }
        output.end()
    }

    private func output(time: @escaping (Int64) -> String) -> ExplanationOutput {
        ExplanationOutput(
            filter: ExplanationFilter(filter), colors: table.colors.colors, isJSON: json, withLegend: !table.noLegend,
            time: time)
    }
}
