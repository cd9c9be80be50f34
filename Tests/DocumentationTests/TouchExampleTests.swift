// SPDX-License-Identifier: MIT
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureTestSupport
import Recordings
import Testing
import TouchScripts

/// The `touch` code blocks in the pages and in `Tests/Cases/gestures.md`. Each contains regions, a touch script, `---`,
/// and the expected transcript. A `touch-why` block also expects failures. A `touch-lines` block expects the lines of
/// the socket, on a panel with one pixel per millimetre.
@Suite("Examples of touches in the documentation")
struct TouchExampleTests {
    private static let blocks = Document.blocks(in: "touch")
    private static let all = (Document.all + [Document("Tests/Cases/gestures.md")].compactMap { $0 })
        .flatMap(\.blocks).filter { $0.language.hasPrefix("touch") && !$0.language.hasPrefix("touches") }

    @Test("show the events of the engine", arguments: all)
    func transcript(block: Document.Block) throws {
        let head = block.lines.prefix { $0.hasPrefix("#") }
        let rest = block.lines.dropFirst(head.count)
        let line = try #require(rest.firstIndex(of: "---"), "no line ---")
        let example = ExampleRegions(Array(head))
        #expect(example.mistakes == [])
        // The pages use names of the protocol, and the transcript names of the engine.
        let script = camelCased(rest[..<line].joined(separator: "\n"))
        let expected = rest[(line + 1)...].joined(separator: "\n")
        if block.language == "touch-lines" {
            #expect(lines(example, script) == expected)
        } else {
            let isWhy = block.language == "touch-why"
            let transcript = simulate(
                example.regions, script, arbitration: example.arbitration, updates: !isWhy, failures: isWhy)
            #expect(snakeCased(transcript) == expected)
        }
    }

    @Test("are what gesturectl try prints", arguments: blocks)
    func tried(block: Document.Block) throws {
        let head = block.lines.prefix { $0.hasPrefix("#") }
        let text = block.lines.dropFirst(head.count).prefix { $0 != "---" }.joined(separator: "\n")
        let example = ExampleRegions(Array(head))
        let configuration = try #require(example.configuration)
        let setup = PanelSetup(virtual: configuration, rule: nil, size: ExampleRegions.panel)
        let recording = try ScriptPlayer.recording(of: TouchScript([text]), on: setup, by: .steady, seed: 1)
        var lines: [String] = []
        var writer = JSONWriter()
        RecordingReplay.run(recording, configuration, setup, LineInterest(updates: true)) { line in
            guard line.event == .gesture else { return }
            writer.removeAll()
            line.write(number: Int64(lines.count + 1), into: &writer)
            lines.append(String(writer.text.dropLast()))
        }
        #expect(lines.joined(separator: "\n") == self.lines(example, camelCased(text)))
    }

    @Test("include one for each kind of gesture")
    func kinds() {
        #expect(Self.all.contains { $0.path == "Tests/Cases/gestures.md" })
        let transcripts = Self.blocks.compactMap { block in
            block.lines.firstIndex(of: "---").map { block.lines[($0 + 1)...].joined(separator: "\n") }
        }
        for kind in GestureType.names {
            #expect(transcripts.contains { $0.contains(" \(kind) ") || $0.contains(".\(kind) ") }, "\(kind)")
        }
        for phase in ["begin", "update", "end", "cancel"] {
            #expect(transcripts.contains { $0.contains(" \(phase) ") || $0.contains(" \(phase)\n") }, "\(phase)")
        }
    }

    private func lines(_ example: ExampleRegions, _ text: String) -> String {
        let script = TouchScript(text)
        let bounds = ExampleRegions.panel.bounds
        var engine = GestureEngine(example.regions, arbitration: example.arbitration, bounds: bounds)
        var time = Timestamp(microseconds: 0)
        var events: [GestureEvent] = []
        for step in script.steps {
            switch step {
            case .wait(let interval): time = time + interval
            case .frame(let changes): engine.process(TouchFrame(time: time, changes: changes), into: &events)
            case .advance, .reload, .updates, .failures: Issue.record("not for examples: \(step)")
            }
        }
        while let deadline = engine.nextDeadline { engine.advance(to: deadline, into: &events) }
        var encoder = ExampleEncoder(example.regions, size: ExampleRegions.panel)
        var lines = script.mistakes
        for event in events { lines.append(encoder.line(event)) }
        return lines.joined(separator: "\n")
    }

    private func snakeCased(_ text: String) -> String {
        text.map { $0.isUppercase ? "_" + $0.lowercased() : String($0) }.joined()
    }

    private func camelCased(_ text: String) -> String {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        return parts[0] + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
