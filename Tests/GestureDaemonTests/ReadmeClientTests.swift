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

    /// The first code block in README.md that is in this language and connects to the socket.
    private func client(in language: Language) throws -> String {
        let text = try String(contentsOfFile: BuildProducts.root + "/README.md", encoding: .utf8)
        let blocks = text.components(separatedBy: "```")
        let candidates = stride(from: 1, to: blocks.count, by: 2).map { blocks[$0] }
            .filter { $0.hasPrefix(language.rawValue + "\n") && $0.contains("GESTURED_SOCKET") }
        let block = try #require(candidates.first, "README.md has no client in \(language.rawValue)")
        return String(block.dropFirst(language.rawValue.count + 1))
    }

    @Test("prints gestures and nothing else", arguments: Language.allCases)
    func prints(language: Language) throws {
        let harness = try PanelHarness(isProxied: true)
        let environment = ChildProcess.inherited.merging(["GESTURED_SOCKET": harness.daemon.socketPath]) { $1 }
        let program = try ChildProcess(language.command + [client(in: language)], environment: environment)
        // The program connects when it is ready and only receives later lines, so the test repeats the touch
        // until one arrives.
        var first: String?
        for finger in 1...200 where first == nil {
            try harness.panel.land(id: finger, x: 100, y: 100)
            try harness.panel.lift()
            first = program.output.next(within: 0.1)
        }
        let line = try #require(first.flatMap { JSONLine($0) }, "no line of JSON came")
        #expect(line["event"] == "gesture")
        #expect(line["gesture"] == "press" || line["gesture"] == "tap")
        // The client exits when the stream ends.
        #expect(try harness.daemon.stop() == .exited(0))
        #expect(try program.waitForExit() == .exited(0))
        #expect(program.output.transcript.allSatisfy { JSONLine($0)?["event"] == "gesture" })
    }
}
