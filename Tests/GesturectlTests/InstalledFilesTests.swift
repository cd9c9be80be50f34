// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Glibc
import Testing

/// The commands that read a configuration, with files in `/etc/gestured` of a mount namespace.
@Suite("The installed configuration", .enabled(if: getuid() == 0, "only root can mount a folder"))
struct InstalledFilesTests {
    private static let part = "[[region]]\nid = \"ok\"\ngestures = [\"tap\"]\n"

    /// - Parameters:
    ///   - part: the text of the file in `conf.d`.
    ///   - place: the working folder.
    ///   - isInstalled: whether `/etc/gestured` has files.
    private func run(
        _ line: String, part: String = part, in place: String = ".", isInstalled: Bool = true
    ) throws -> Tool.Outcome {
        let folder = try ScratchFolder()
        try folder.write(ReplayTests.configuration, to: "gestured.toml")
        try folder.write(part, to: "10-part.toml")
        try folder.write(Self.part.replacing("tap", with: "drag"), to: "more.toml")
        try folder.write(ReplayTests.header + ReplayTests.tap, to: "tap.evemu")
        return try ShellScript.run(
            """
            cd \(folder.path)
            exec unshare --mount sh -c 'mount -t tmpfs none /etc && mkdir -p /etc/gestured/conf.d &&
            \(isInstalled ? "cp gestured.toml /etc/gestured && cp 10-part.toml /etc/gestured/conf.d &&" : "") cd \(place) && "$TOOL" \(line)'
            """)
    }

    @Test(
        "is read with conf.d unless other files are given; later files override",
        arguments: [
            ("replay tap.evemu", ["tap"]), ("replay tap.evemu -c /etc/gestured/gestured.toml", ["tap"]),
            ("replay tap.evemu -c gestured.toml", ["press", "tap", "press"]),
            ("replay tap.evemu -c gestured.toml -c more.toml", []),
            ("replay tap.evemu -c /etc/gestured/gestured.toml -c more.toml", []),
            ("replay tap.evemu -c gestured.toml --conf-dir /etc/gestured/conf.d", ["tap"]),
        ])
    func replay(line: String, gestures: [String]) throws {
        let outcome = try run(line)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n").compactMap { JSONLine(String($0)) }
        #expect(lines.compactMap { $0["gesture"] } == gestures)
    }

    @Test(
        "is the same for all commands that read it",
        arguments: [
            "explain tap.evemu", "regions -c /etc/gestured/gestured.toml", "check", "check /etc/gestured/gestured.toml",
            "regions --conf-dir /etc/gestured/conf.d",
        ])
    func others(line: String) throws {
        let outcome = try run(line)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("tap"))
        #expect(!outcome.output.contains("press"))
    }

    @Test(
        "is the same however its path is written",
        arguments: [("check gestured.toml", "/etc/gestured"), ("check /etc/gestured/../gestured/./gestured.toml", ".")])
    func spelled(line: String, place: String) throws {
        let outcome = try run(line, in: place)
        #expect(outcome.output.contains("tap") && !outcome.output.contains("press"), "\(outcome.output)")
        #expect(try run("check gestured.toml").output.contains("press"))
    }

    @Test("doctor counts the warnings that check shows")
    func doctor() throws {
        let part = "[[region]]\nid = \"out\"\nshape = { rect = [5000, 0, 10, 10] }\n"
        #expect(try run("check", part: part).output.hasSuffix(": ok, 1 warning\n"))
        let line = try run("doctor --quick --json --socket /nonexistent", part: part).output
        #expect(line.contains("0 errors, 1 warning; first: "), "\(line)")
        #expect(line.contains("region \\\"out\\\" can never be hit"), "\(line)")
        let wrong = try run("doctor --quick --json --socket /nonexistent", part: part + "x = 1\n").output
        #expect(wrong.contains("1 error, 0 warnings; first: "), "\(wrong)")
    }

    @Test("check without any files says what the daemon would use")
    func none() throws {
        let outcome = try run("check", isInstalled: false)
        #expect(outcome.status == 0)
        #expect(
            outcome.errors
                == "gesturectl: there is no configuration in /etc/gestured, so the daemon would use none; pass a file to check it\n"
        )
        for options in ["", " --quiet", " --json"] {
            let settings = try run("check --mqtt" + options)
            #expect(settings.status == 0)
            #expect(
                settings.errors == "gesturectl: there is no /etc/gestured/mqtt.toml; the built-in settings are used\n")
            #expect(settings.output.isEmpty == (options != " --json"))
        }
    }

    @Test("a missing one is an error with a remedy", arguments: ["replay tap.evemu", "explain tap.evemu"])
    func missing(line: String) throws {
        let outcome = try run(line, isInstalled: false)
        #expect(outcome.status == 66)
        #expect(
            outcome.errors == "gesturectl: there is no configuration in /etc/gestured; pass a file with --config\n")
    }
}
