// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

/// Types command lines into real shells on a terminal, with a running daemon.
@Suite("Completion in shells")
struct CompletionTests {
    private static let shells = ["bash", "zsh", "fish"].filter {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
    }

    /// Command lines and the completions that the shell must offer for each.
    private static let lines: [(line: String, names: [String])] = [
        ("gesturectl regions ", ["left", "right"]), ("gesturectl listen -r ", ["left", "right"]),
        ("gesturectl explain --region ", ["left", "right"]), ("gesturectl disable left ", ["right"]),
        ("gesturectl wait -g ", ["double_tap", "two_finger_tap"]), ("gesturectl at --device ", ["panel"]),
        ("gesturectl scene ", ["default", "night"]), ("gesturectl exec --name ", ["swipe"]),
        ("gesturectl sch", ["schema"]), ("gesturectl schema ", ["config", "protocol"]),
        ("gesturectl calibrate ", ["panel"]), ("gesturectl sh", ["share"]), ("gesturectl share --e", ["--enable"]),
    ]

    @Test("with names of the daemon, and of the tool", arguments: shells)
    func completes(shell: String) throws {
        let folder = try ScratchFolder()
        let panel = try FakePanel(in: folder)
        try panel.add()
        let night = "\n[[scene]]\nid = \"night\"\nregions = [\"left\"]\n"
        let daemon = try DaemonProcess(
            RoundTripTests.configuration + night, in: folder, panel: panel, isProxied: true)
        _ = try daemon.connect(toPanel: "panel")
        try install(in: folder)
        for (line, names) in Self.lines {
            let typed = try type(line, in: shell, folder, names, socket: daemon.socketPath)
            #expect(typed.status == 0, "\(shell): \(line): \(typed.output)\(typed.errors)")
        }
    }

    @Test("without a daemon prints no error", arguments: shells)
    func silent(shell: String) throws {
        let folder = try ScratchFolder()
        try install(in: folder)
        // Names that are built into the tool are still completed.
        let typed = try type("gesturectl regions -", in: shell, folder, ["--tree"], socket: folder("none"))
        #expect(typed.status == 0)
        let names = try Tool.run(
            ["---completion", "regions", "--", "positional@0", "0", "0", "gesturectl", "regions", ""],
            environment: ["GESTURED_SOCKET": folder("none"), "SAP_SHELL": "bash"])
        #expect(names.status == 0)
        #expect(names.output.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty)
        #expect(names.errors.isEmpty)
    }

    /// Names with shell syntax. If a shell executed one, it would create the file OWNED.
    private static let hostile = [
        "$(touch OWNED)", "`touch OWNED`", "'$(touch OWNED)'", "\"$(touch OWNED)\"", "\\$(touch OWNED)",
        "a;touch OWNED;",
        "x'$(touch OWNED)'y", "${x:=$(touch OWNED)}", "a:$(touch OWNED)", "<(touch OWNED)", "(touch OWNED)",
        "$((x[$(touch OWNED)]))", "*", "~root", "{a,b}", "-h", "a\n$(touch OWNED)", "a\t$(touch OWNED)",
        "[$(touch OWNED)]",
    ]

    @Test("does not offer names that no daemon should have", arguments: shells)
    func hostile(shell: String) throws {
        let folder = try ScratchFolder()
        try install(in: folder)
        let owned = folder("owned")
        let names = (Self.hostile + ["harmless", "good"]).map { $0.replacing("OWNED", with: owned) }
        let regions = try names.map { name in
            let id = String(decoding: try JSONEncoder().encode(name), as: UTF8.self)
            return #"{"region":\#(id),"device":"panel","gestures":[]}"#
        }
        let reply = #"{"reply":"regions","id":1,"ok":true,"regions":[\#(regions.joined(separator: ","))]}"#
        // Some shells call the tool more than once.
        for line in ["gesturectl regions ", "gesturectl listen -r "] {
            let daemon = try FakeDaemon(connections: 8) { _ in .init(reply) }
            let typed = try type(line, in: shell, folder, ["harmless", "good"], socket: daemon.path)
            #expect(typed.status == 0, "\(shell): \(typed.output)\(typed.errors)")
            #expect(!typed.output.contains("touch"), "\(shell): \(typed.output)")
            #expect(!FileManager.default.fileExists(atPath: owned), "\(shell): \(typed.output)")
        }
    }

    /// Installs the tool and its completions in `folder`, with their usual file names.
    private func install(in folder: ScratchFolder) throws {
        try FileManager.default.createDirectory(atPath: folder("bin"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder("bin/gesturectl"), withDestinationPath: BuildProducts.program("gesturectl"))
        // Generates the completions in the same way as `make build`.
        for (shell, file) in [("bash", "gesturectl"), ("zsh", "_gesturectl"), ("fish", "gesturectl.fish")] {
            let made = try Tool.run(["--generate-completion-script", shell])
            #expect(made.status == 0, "\(made.errors)")
            _ = try folder.write(made.output, to: file)
        }
    }

    private func type(
        _ line: String, in shell: String, _ folder: ScratchFolder, _ names: [String], socket: String
    ) throws -> Tool.Outcome {
        let program = BuildProducts.root + "/Tests/Tools/complete.py"
        return try Tool.run(
            [program, shell, folder.path, line] + names, environment: ["GESTURED_SOCKET": socket],
            program: "/usr/bin/python3")
    }
}
