// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

@Suite("docs/application.md: its configuration and its commands as printed")
struct ApplicationPageTests {
    private let blocks: [Document.Block]

    init() throws {
        blocks = try #require(Document("docs/application.md")).blocks
    }

    private func write(to folder: ScratchFolder) throws -> [String] {
        try blocks.filter { $0.language == "toml" }.enumerated().map { number, block in
            try folder.write(block.text, to: "\(number).toml")
        }
    }

    @Test("the blocks together are a configuration without warnings")
    func check() throws {
        let folder = try ScratchFolder()
        let said = try ChildProcess.run([BuildProducts.program("gesturectl"), "check"] + write(to: folder))
        #expect(said.status == 0 && said.output.hasSuffix(": ok\n"), "\(said)")
    }

    /// The commands that swayidle runs when the display goes off, and on.
    private func commands() throws -> [String] {
        let line = try #require(blocks.first { $0.text.hasPrefix("swayidle ") }).text
        let parts = line.components(separatedBy: "'")
        try #require(parts.count == 5 && parts[0].hasSuffix("timeout 600 ") && parts[2] == " resume ")
        return [parts[1], parts[3]]
    }

    @Test("the commands of swayidle set the scenes, and switch the outputs")
    func idle() throws {
        let harness = try PanelHarness(
            panelTable() + "wake = {}\nshare = \"grab\"\n"
                + blocks.filter { $0.language == "toml" }[3].text.replacing("version = 1\n", with: ""))
        let programs = harness.folder("programs")
        try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: programs + "/gesturectl", withDestinationPath: BuildProducts.program("gesturectl"))
        try harness.folder.write("#!/bin/sh\necho \"$@\"\n", to: "programs/wlopm")
        chmod(programs + "/wlopm", 0o755)
        let environment = ChildProcess.inherited.merging([
            "GESTURED_SOCKET": harness.daemon.socketPath, "PATH": "\(programs):/usr/bin:/bin",
        ]) { $1 }
        for (command, (outputs, scene)) in zip(try commands(), [("--off *", "dark"), ("--on *", "open")]) {
            let said = try ChildProcess.run(["sh", "-c", command], environment: environment)
            #expect(said.status == 0 && said.output.contains(outputs + "\n"), "\(said)")
            let now = try ChildProcess.run([programs + "/gesturectl", "scene"], environment: environment)
            #expect(now.output == scene + "\n")
        }
    }
}
