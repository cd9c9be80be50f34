// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

/// The programs accept the command lines in the documentation.
@Suite("Commands in the documentation")
struct DocumentedCommandsTests {
    /// Each line that begins with the name of a program: in backticks, in shell blocks, and in the examples of
    /// manual pages.
    private static let commands: [String] = {
        let root = BuildProducts.root
        let pages = ["docs", "docs/man"].flatMap { folder in
            ((try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")) ?? []).map {
                "\(folder)/\($0)"
            }
        }
        var commands: Set<String> = []
        for page in ["README.md"] + pages {
            guard let text = try? String(contentsOfFile: "\(root)/\(page)", encoding: .utf8) else { continue }
            for line in text.split(separator: "\n") {
                if line.hasPrefix(".Dl ") {
                    commands.insert(String(line.dropFirst(4).replacing("\\-", with: "-")))
                } else {
                    let parts = line.split(separator: "`", omittingEmptySubsequences: false)
                    for (index, part) in parts.enumerated() where index % 2 == 1 { commands.insert(String(part)) }
                }
            }
            let blocks = text.components(separatedBy: "\n```")
            for block in blocks where block.hasPrefix("sh\n") {
                for line in block.split(separator: "\n").dropFirst() { commands.insert(String(line)) }
            }
        }
        // Recipes and the touches of the README need their own configurations, with which other tests run them.
        let elsewhere = Set((CookbookTests.recipes.map(\.command) + [TryTests.readme]).map { $0.prefix { $0 != "\n" } })
        return commands.filter {
            ($0.hasPrefix("gesturectl ") || $0.hasPrefix("gestured -")) && !elsewhere.contains($0[...])
        }.sorted()
    }()

    @Test("exist")
    func some() {
        #expect(Self.commands.count > 15)
        #expect(Self.commands.contains("gesturectl check FILE"))
        #expect(Self.commands.contains("gesturectl explain -g swipe"))
        #expect(Self.commands.contains("gestured -c FILE --socket PATH"))
    }

    @Test("work with a daemon", arguments: commands)
    func run(command: String) throws {
        let folder = try ScratchFolder()
        let panel = try FakePanel(in: folder)
        try panel.add()
        let image = folder("image")
        let installed = try InstalledTool()
        try FileManager.default.createDirectory(atPath: image + installed.share, withIntermediateDirectories: true)
        try folder.write("", to: "image\(installed.share)/gestured-share.conf")
        let daemon = try DaemonProcess(Self.configuration, in: folder, panel: panel, isProxied: true)
        _ = try daemon.connect(toPanel: "panel")
        // Commands that need arguments get some. Commands that do not end by themselves end because their
        // output pipe is closed.
        let needed = [
            "gesturectl exec": " -- true", "gesturectl play": " RECORDING", "gesturectl replay": " RECORDING -c FILE",
            "gesturectl replay --explain": " RECORDING -c FILE", "gesturectl disable": " ok",
            "gesturectl measure": " swipe", "gesturectl record -o panel.yml": " --duration 100ms",
            "gestured --check": " -c FILE", "gesturectl try": " -c FILE 'tap ok'",
            "gesturectl expect": " --help", "gesturectl report": " --help", "gesturectl report --forget": " --help",
            "gesturectl report --days 28 --html": " --help",
        ]
        let alone = command.components(separatedBy: " || ")[0].components(separatedBy: " > ")[0]
        // No command may change the machine that runs the tests.
        var line = alone + (alone.hasPrefix("gesturectl share") ? " --root \(image)" : needed[alone] ?? "")
        if !line.contains(" -o ") {
            for name in ["their-recording.yml", "panel.yml", "panel.evemu"] { line.replace(name, with: "RECORDING") }
        }
        if ["replay", "explain"].contains(where: line.contains), line.contains("RECORDING"), !line.contains(" -c ") {
            line += " -c FILE"
        }
        line = line.replacing("/etc/gestured/gestured.toml", with: "FILE")
            .replacing("/usr/share/gestured/demo.evemu", with: "RECORDING")
            .replacing("/usr/share/gestured/demo.toml", with: BuildProducts.root + "/config/demo.toml")
            .replacing("RECORDING", with: BuildProducts.root + "/config/demo.evemu")
            .replacing("panel.yml", with: folder("panel.yml")).replacing("FILE", with: folder("gestured.toml"))
            .replacing("PATH", with: folder("other"))
        // The programs that `exec` starts need not be installed.
        let program = line.components(separatedBy: " -- ").dropFirst().first?.split(separator: " ").first ?? "true"
        try FileManager.default.createDirectory(atPath: folder("programs"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder("programs/\(program)"), withDestinationPath: "/bin/true")
        var environment = [
            "GESTURED_SOCKET": daemon.socketPath, "DAEMON": BuildProducts.program("gestured"),
            "TOOL": installed.program, "PATH": folder("programs") + ":/usr/bin:/bin",
        ]
        // No panel may appear on the machine that runs the tests, even if root runs them.
        let isPlay = line.hasPrefix("gesturectl play")
        if isPlay { environment = try FakeMachine(in: folder, uinput: .denied).environment(over: environment) }
        let said = try ShellScript.run(
            """
            \(ShellScript.awaitHangup)
            gesturectl() { timeout -s KILL 120 "$TOOL" "$@"; }
            gestured() { timeout -s TERM 1 env \(panel.environment.map { "\($0)=\($1)" }.joined(separator: " ")) "$DAEMON" "$@"; }
            { await_hangup; \(line); echo "status $?" >&3; } 3>&2 | true
            """,
            environment: environment)
        let status = said.errors.split(separator: "\n").last { $0.hasPrefix("status ") }?.dropFirst("status ".count)
        // Status 124: `timeout` has ended the daemon, as intended.
        // Status 69: this build has no web bridge.
        // Status 77: `play` must not make a panel.
        // Status 1: `doctor` has found problems, such as a missing service.
        let expected =
            line.hasPrefix("gesturectl web")
            ? ["69"] : isPlay ? ["77"] : line.hasPrefix("gesturectl doctor") ? ["0", "1", "141"] : ["0", "141", "124"]
        #expect(expected.contains(String(status ?? "")), "\(line): \(said.errors)")
    }

    private static let configuration =
        panelTable([1920, 1080], millimeters: [344, 194]) + """
            [[region]]
            id = "ok"
            shape = "full"
            gestures = ["press", "tap"]
            [[scene]]
            id = "locked"
            regions = []
            """
}
