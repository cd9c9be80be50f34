// SPDX-License-Identifier: MIT
import ArgumentParser
import GesturePipeline
import GestureProtocol
import LinuxSystem

struct Expect: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check that touches cause the gestures that files expect.",
        discussion: """
            Plays the touches of each case of a file as gesturectl try does, and compares what comes with the lines after \
            ---: REGION NAME [PHASE] [KEY=VALUE ...]. They must come in this order, and others may come between them; \
            after "! " is what must not come, and "! *" forbids everything else. Options such as --config, --scene and \
            --size may stand above the touches, and in a paragraph of their own for all cases after it. Prints what \
            differs and why, as gesturectl explain does; the exit status is 1 if a case fails.

            With --play, the touches are played as by gesturectl play, and what comes is what the running daemon sends.
            """)

    @Argument(
        help: ArgumentHelp("The files.", valueName: "file"), completion: .file(extensions: ["expect"]))
    var files: [String]

    @OptionGroup var configuration: ConfigurationOptions

    @Flag(help: "Write into the files what came, for cases that fail and for those that expect nothing.")
    var update = false

    @Flag(help: "Play the touches on a virtual panel in their time, and compare what the running daemon sends.")
    var play = false

    @OptionGroup var socket: SocketOptions

    @OptionGroup var table: TableOptions

    func validate() throws {
        if socket.given != nil, !play { throw ValidationError("--socket is for --play; leave --socket out") }
    }

    func run() throws {
        var (count, failed) = (0, 0)
        let stage = try play ? LiveStage(socket) : nil
        for path in files {
            var file = try ExpectFile(path)
            var texts: [[String]?] = []
            for one in file.cases {
                count += 1
                let (isAsExpected, text) = try judge(one, of: file, on: stage)
                if !isAsExpected { failed += 1 }
                texts.append(isAsExpected ? nil : text)
            }
            guard update, texts.contains(where: { $0 != nil }) else { continue }
            file.replace(texts)
            try FileBytes.write(file.bytes, to: path)
        }
        let cases = count == 1 ? "1 case" : "\(count) cases"
        StandardOutput.write("\(cases), \(failed) \(update ? "updated" : "failed")\n")
        if failed > 0, !update { throw ToolError(.notFound, "") }
    }

    /// - Returns: whether the case is as expected, and what it has to expect if not.
    private func judge(
        _ one: ExpectFile.Case, of file: ExpectFile, on stage: LiveStage?
    ) throws -> (Bool, [String]) {
        let source = try source(one, of: file)
        for expectation in one.expected {
            guard let mistake = expectation.mistake(source.setup.regions) else { continue }
            throw file.fault(expectation.line, mistake.safe)
        }
        let updates = one.expected.contains(where: \.isUpdate)
        let replayed = Self.lines(of: source, updates: updates)
        let place = "\(file.path.safe):\(one.line)"
        let came = try stage?.lines(of: source, one.options, updates: updates, named: place) ?? replayed
        let difference = ExpectDifference(came, one.expected)
        let isAsExpected = difference.isEmpty && !one.expected.isEmpty
        let title = one.touches.split(separator: "\n").first.map { String($0).safe } ?? ""
        let verdict = isAsExpected ? "ok    " : update ? "update" : "FAILED"
        StandardOutput.write("\(verdict)  \(place)  \(title)\n")
        if !isAsExpected, !update {
            tell(difference, one, source)
            if !one.expected.isEmpty, !difference.isEmpty, ExpectDifference(replayed, one.expected).isEmpty {
                StandardOutput.write(
                    "  with this configuration it would be as expected; compare gesturectl status and regions\n")
            }
        }
        let held = one.expected.filter { rule in
            rule.isForbidden && rule.text != "! *" && !came.contains { rule.matches($0) }
        }
        return (isAsExpected, came.compactMap { Expectation($0)?.text } + held.map(\.text) + ["! *"])
    }

    private func tell(_ difference: ExpectDifference, _ one: ExpectFile.Case, _ source: ReplaySource) {
        if one.expected.isEmpty {
            StandardOutput.write("  it expects nothing; write lines after ---, or use --update\n")
        }
        for row in difference.rows {
            let text = row.text.safe
            let colors = table.colors.colors
            let line =
                switch row.kind {
                case .asExpected: "  " + text
                case .other: colors.paint("  " + text, .dim)
                case .missing: colors.paint("- " + text, .red) + "  did not come"
                case .forbidden: colors.paint("+ " + text, .red) + "  must not come"
                }
            StandardOutput.write("  \(line)\n")
        }
        source.explain(
            ExplanationOutput(
                filter: EventFilter.everything, table: table, isJSON: false, limit: .max, time: recordingTime),
            profile: one.options.profile, withSummary: false)
    }

    private func source(_ one: ExpectFile.Case, of file: ExpectFile) throws(ToolError) -> ReplaySource {
        let options = one.options
        let folder = file.path.lastIndex(of: "/").map { file.path[...$0] } ?? ""
        let given = options.config.map { $0.hasPrefix("/") ? $0 : folder + $0 }
        let config = configuration.isGiven ? configuration.files : configuration.files(and: given)
        return try TouchArguments.played(
            [one.touches], from: file.path, size: options.size?.size, hand: options.hand, seed: options.seed,
            config: config, scene: options.scene, profile: options.profile, device: options.device,
            rotation: options.rotation, isPlugged: play)
    }

    private static func lines(of source: ReplaySource, updates: Bool) -> [JSONValue] {
        var lines: [JSONValue] = []
        var writer = JSONWriter()
        source.run(LineInterest(updates: updates)) { line in
            guard line.event == .gesture else { return }
            writer.removeAll()
            line.write(number: 0, into: &writer)
            if let value = JSONValue(parsing: Array(writer.bytes.dropLast())) { lines.append(value) }
        }
        return lines
    }
}
