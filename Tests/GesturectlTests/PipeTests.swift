// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

/// The output of a command cannot be written.
@Suite("Pipes without a reader")
struct PipeTests {
    /// A command line for each command of the tool.
    private static let lines = [
        "listen", "listen --json", "explain", "wait", "exec -- cat", "touches", "devices", "regions", "at 1 2",
        "status", "share", "doctor --quick", "check CONFIG", "reload", "enable left", "disable left", "scene",
        "profile", "activity", "rotate",
        "calibrate", "cancel left",
        "record",
        "replay RECORDING -c CONFIG", "explain RECORDING -c CONFIG", "convert RECORDING",
        "try 'tap left' -c CONFIG", "expect CASES -c CONFIG", "measure tap -c CONFIG",
        "measure tap --recording RECORDING -c CONFIG", "report --help", "schema config", "help", "--version",
        "--generate-completion-script zsh",
    ]

    @Test("every command ends silently", arguments: ["true", "head -n 0"])
    func quiet(reader: String) throws {
        let folder = try ScratchFolder()
        let panel = try FakePanel(in: folder)
        try panel.add()
        let daemon = try DaemonProcess(
            RoundTripTests.configuration.replacing(", wait = true", with: ""), in: folder, panel: panel,
            isProxied: true)
        _ = try daemon.connect(toPanel: "panel")
        let recording = BuildProducts.root + "/config/demo.evemu"
        let cases = try folder.write("tap left\n---\nleft *\n", to: "panel.expect")
        let installed = try InstalledTool()
        try FileManager.default.copyItem(
            atPath: BuildProducts.root + "/config/config.schema.json", toPath: installed.share + "/config.schema.json")
        let said = try ShellScript.run(
            ShellScript.awaitHangup
                + Self.lines.map { line in
                    let command = line.replacing("RECORDING", with: recording)
                        .replacing("CONFIG", with: folder("gestured.toml")).replacing("CASES", with: cases)
                    return "{ await_hangup; \"$TOOL\" \(command); echo \"\(line): $?\" >&3; } 3>&2 | \(reader)"
                }.joined(separator: "\n"),
            environment: [
                "GESTURED_SOCKET": daemon.socketPath, "TOOL": installed.program,
            ])
        let silent = ["enable left", "disable left", "activity", "cancel left"]
        #expect(said.errors == Self.lines.map { "\($0): \(silent.contains($0) ? 0 : 141)\n" }.joined())
    }

    @Test("the list has every command")
    func complete() throws {
        let names = try Tool.commandNames()
        let words = Self.lines.compactMap { $0.split(separator: " ").first }
        // `web` needs a running web bridge, and `play` makes a panel; `make test-web` and `make test-kernel` test them.
        let tested = words.filter { !$0.hasPrefix("-") }.map { String($0) } + ["web", "play"]
        #expect(names == Set(tested))
    }

    @Test("a write error ends with 74", arguments: ["> /dev/full", ">&-"])
    func full(redirection: String) throws {
        let recording = BuildProducts.root + "/config/demo.evemu"
        let configuration = BuildProducts.root + "/config/examples/terminal.toml"
        for command in ["replay", "explain"] {
            let said = try ShellScript.run("\"$TOOL\" \(command) \(recording) -c \(configuration) \(redirection)")
            #expect(said.status == 74)
            #expect(said.errors.hasPrefix("gesturectl: standard output: "))
        }
    }

    @Test("a recording goes on when only its messages have no reader")
    func recording() throws {
        let folder = try ScratchFolder()
        let daemon = try RecordTests.daemon()
        let said = try ShellScript.run(
            ShellScript.awaitHangup
                + "{ await_hangup; \"$TOOL\" record -o \(folder("r")) --socket \(daemon.path); echo $? >&2; } | true")
        #expect(said.errors.hasSuffix(" 4 frames in \(folder("r"))\n0\n"))
    }
}
