// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

@Suite("README: the clients as printed")
struct ReadmeClientTests {
    /// The languages of the README's clients, with the command that runs a program passed as the last
    /// argument.
    enum Language: String, CaseIterable {
        case shell = "sh"
        case python
        case javascript

        var command: [String] {
            switch self {
            case .shell: ["sh", "-c"]
            case .python: ["python3", "-c"]
            case .javascript: ["node", "-e"]
            }
        }
    }

    /// The first code block in README.md that is in this language and connects to the daemon.
    private func client(in language: Language) throws -> String {
        let blocks = try #require(Document("README.md")).blocks.filter { $0.language == language.rawValue }
        let block = blocks.first { $0.text.contains("GESTURED_SOCKET") || $0.text.contains("gestured.Client") }
        return try #require(block, "README.md has no client in \(language.rawValue)").text + "\n"
    }

    private func start(_ language: Language, _ daemon: DaemonProcess) throws -> ChildProcess {
        let environment = ChildProcess.inherited.merging([
            "GESTURED_SOCKET": daemon.socketPath, "PYTHONPATH": BuildProducts.root + "/clients/python",
            "PYTHONDONTWRITEBYTECODE": "1",
        ]) { $1 }
        return try ChildProcess(language.command + [client(in: language)], environment: environment)
    }

    /// The first line that the client prints. It connects when it is ready and only receives later lines, so this
    /// repeats the touch until one arrives.
    private func firstLine(of program: ChildProcess, _ harness: PanelHarness) throws -> String? {
        for finger in 1...200 {
            try harness.panel.land(id: finger, x: 100, y: 100)
            try harness.panel.lift()
            if let line = program.output.next(within: 0.1) { return line }
        }
        return nil
    }

    @Test("prints gestures and nothing else", arguments: [Language.shell, .javascript])
    func prints(language: Language) throws {
        let harness = try PanelHarness(isProxied: true)
        let program = try start(language, harness.daemon)
        let first = try firstLine(of: program, harness)
        let line = try #require(first.flatMap { JSONLine($0) }, "no line of JSON came")
        #expect(line["event"] == "gesture")
        #expect(line["gesture"] == "press" || line["gesture"] == "tap")
        // The client exits when the stream ends.
        #expect(try harness.daemon.stop() == .exited(0))
        #expect(try program.waitForExit() == .exited(0))
        #expect(program.output.transcript.allSatisfy { JSONLine($0)?["event"] == "gesture" })
    }

    @Test("the client in Python prints the region, the name and the phase of each gesture")
    func python() throws {
        let harness = try PanelHarness(isProxied: true)
        let program = try start(.python, harness.daemon)
        let first = try firstLine(of: program, harness)
        var said = [try #require(first, "no line came")]
        while let line = program.output.next(within: 0.5) { said.append(line) }
        let words = said.map { $0.split(separator: " ", omittingEmptySubsequences: false) }
        #expect(words.allSatisfy { $0.count == 3 })
        #expect(Set(words.map { $0[0] }).count == 1)
        #expect(words.contains { $0[1] == "press" && $0[2] == "begin" })
    }
}
