// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Glibc
import Testing

@testable import GestureDaemon

/// Each file that the daemon keeps, and what somebody may have put in its place.
@Suite("Daemon: kept files")
struct KeptFileTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// The reason why the file is not used.
    private func refusal(_ file: KeptFile) -> String? {
        do throws(UnreadableState) {
            _ = try file.read()
            return nil
        } catch {
            return error.description
        }
    }

    @Test("a file that is too large, a link, a folder or another user's is not used", arguments: KeptFile.Name.allCases)
    func distrusted(name: KeptFile.Name) throws {
        let file = try #require(KeptFile(name, in: folder.path))
        #expect(try file.read() == nil)
        try folder.write(String(repeating: " ", count: name.most.bytes), to: name.rawValue)
        #expect(try file.read()?.count == name.most.bytes)
        try folder.write(String(repeating: " ", count: name.most.bytes + 1), to: name.rawValue)
        #expect(refusal(file) == "read \(file.path): File too large")
        unlink(file.path)
        try folder.write("", to: "elsewhere")
        symlink("elsewhere", file.path)
        #expect(refusal(file) == "open \(file.path): Too many levels of symbolic links")
        unlink(file.path)
        mkdir(file.path, 0o700)
        #expect(refusal(file) == "read: Is a directory")
        try file.keep(nil)
        #expect(rmdir(file.path) == 0)
        for name in [file.path, file.path + ".new"] { mkfifo(name, 0o600) }
        try file.keep([])
        #expect(try file.read() == [])
        unlink(file.path)
        mkfifo(file.path, 0o600)
        _ = try file.open(beginning: [])
        #expect(try file.read() == [])
        if chown(file.path, 4711, gid_t.max) == 0 { #expect(refusal(file) == "\(file.path) belongs to another user") }
        try file.keep(nil)
        #expect(try file.read() == nil && !file.exists)
    }

    @Test(
        "the daemon reports each damaged file once, works without, and replaces it",
        arguments: [
            "", "{", "{}", "[]", "1", "x\n", #"{"scene":1,"panels":{},"outputs":7,"files":[[]]}"#,
            String(repeating: "[", count: 4000), String(repeating: #"{"a":"#, count: 4000),
            String(repeating: "\0", count: 12_000_000),
        ])
    func damaged(text: String) throws {
        for name in KeptFile.Name.allCases where name != .off {
            try folder.write(text, to: name == .contacts ? "event0" : name.rawValue)
        }
        let panel = try FakePanel(in: folder)
        try panel.add()
        let daemon = try DaemonProcess(
            TestConfiguration.button, in: try ScratchFolder(), panel: panel, arguments: ["--state-dir", folder.path],
            environment: ["RUNTIME_DIRECTORY": folder.path])
        let client = try daemon.connect(toPanel: "panel")
        for warning in ["the saved scene", "the saved outputs", "what the previous process has kept of panels"] {
            #expect(daemon.log.components(separatedBy: "ignoring \(warning)").count == 2, "\(daemon.log)")
        }
        try panel.land(id: 1, x: 100, y: 100)
        try client.wait(for: "gesture press begin ok")
        for request in [
            #""set_scene","scene":"default","for_ms":600000"#, #""set_output","device":"panel","rotation":90"#,
        ] {
            #expect(try client.request("{\"cmd\":\(request),\"id\":1}").flag("ok") == true)
        }
        // A thread writes it.
        #expect(waitUntil { (try? String(contentsOfFile: folder("last-good.json"), encoding: .utf8)) != text })
        #expect(try daemon.stop() == .exited(0))
        for (name, beginning) in [("scene", "{\"scene\":"), ("outputs.json", "{\"outputs\":"), ("event0", "/")] {
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder(name))).starts(with: Data(beginning.utf8)))
        }
        #expect(access(folder("starts"), F_OK) != 0)
    }
}
