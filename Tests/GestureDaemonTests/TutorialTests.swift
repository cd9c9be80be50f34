// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

@Suite("docs/tutorial.md: its program and its unit as printed")
struct TutorialTests {
    private func block(_ language: String) throws -> String {
        let page = try #require(Document("docs/tutorial.md"))
        return try #require(page.blocks.first { $0.language == language }).text + "\n"
    }

    @Test("the program in Python prints the expected lines")
    func program() throws {
        let harness = try PanelHarness(isProxied: true)
        let environment = ChildProcess.inherited.merging([
            "GESTURED_SOCKET": harness.daemon.socketPath, "PYTHONPATH": BuildProducts.root + "/clients/python",
            "PYTHONDONTWRITEBYTECODE": "1",
        ]) { $1 }
        let program = try ChildProcess(["python3", "-c", block("python")], environment: environment)
        // The program connects when it is ready and only receives later lines, so the test repeats the touch.
        var said: [String] = []
        for finger in 1...200 where !said.contains(where: { $0.hasPrefix("make ") }) {
            try harness.panel.land(id: finger, x: 100, y: 100)
            try harness.panel.lift()
            while let line = program.output.next(within: 0.1) { said.append(line) }
        }
        let tap = try #require(said.firstIndex { $0.hasPrefix("make ") }, "\(said)")
        let region = said[tap].dropFirst("make ".count)
        #expect(said.contains("\(region) looks pressed"))
        #expect(
            said.allSatisfy { $0 == said[tap] || $0 == "\(region) looks pressed" || $0 == "\(region) looks normal" })
    }

    @Test("each step that changes the daemon's configuration makes it read the file")
    func reloads() throws {
        let page = try #require(Document("docs/tutorial.md"))
        let steps = page.text.components(separatedBy: "\n## ").filter { $0.contains("```toml\n") }
        #expect(steps.count == 2)
        for step in steps { #expect(step.contains("\ngesturectl reload\n"), "\(step.prefix { $0 != "\n" })") }
    }

    @Test(
        "systemd accepts the unit of the page",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze"), "needs systemd-analyze"))
    func unit() throws {
        let folder = try ScratchFolder()
        // Avoids the need to install cage and Chromium.
        let text = try block("ini").replacing("/usr/bin/cage", with: "/bin/true")
        let file = try folder.write(text, to: "kiosk.service")
        let analysis = try ChildProcess(
            ["systemd-analyze", "verify", "--recursive-errors=no", file], environment: ChildProcess.inherited)
        #expect(try analysis.waitForExit() == .exited(0))
        #expect(analysis.output.transcript == [])
    }
}
