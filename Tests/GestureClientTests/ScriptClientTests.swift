// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import Testing

/// Runs the tests of the clients in other languages against the daemon of this build.
@Suite("Clients in other languages pass their own tests")
struct ScriptClientTests {
    enum Language: String {
        case python, javascript

        var program: String { self == .python ? "pytest-3" : "node" }

        var command: [String] {
            let folder = BuildProducts.root + "/clients/" + rawValue
            return switch self {
            case .python: [program, "-W", "error", folder]
            case .javascript: [program, "--test", folder + "/gestured.test.mjs", folder + "/lies.test.mjs"]
            }
        }

        var isThere: Bool {
            let folders = (ChildProcess.inherited["PATH"] ?? "").split(separator: ":")
            return folders.contains { FileManager.default.isExecutableFile(atPath: $0 + "/" + program) }
        }
    }

    @Test("Python", .enabled(if: Language.python.isThere, "there is no pytest-3 on the PATH"))
    func python() throws { try run(.python) }

    @Test("JavaScript", .enabled(if: Language.javascript.isThere, "there is no node on the PATH"))
    func javascript() throws { try run(.javascript) }

    private func run(_ language: Language) throws {
        var environment = ChildProcess.inherited
        // The daemon runs behind a proxy that writes violations of the protocol to the daemon's log. The
        // harnesses of the clients check that log.
        let programs = try ScratchFolder()
        try FileManager.default.createSymbolicLink(
            atPath: programs("gestured"), withDestinationPath: BuildProducts.program("proxied-gestured"))
        try FileManager.default.createSymbolicLink(
            atPath: programs("gesturectl"), withDestinationPath: BuildProducts.program("gesturectl"))
        environment["PROGRAMS"] = programs.path
        _ = try BuildProducts.fakePanel()
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        let (status, output, errors) = try ChildProcess.run(
            language.command, environment: environment, within: 1200)
        // Prints the output from the first failed test on, if the output names one.
        let all = (output + errors).split(separator: "\n")
        let first = all.firstIndex { $0.contains("not ok") || $0.contains("FAILURES") || $0.contains("ERRORS") }
        let lines = (first.map { all[$0...].prefix(60) } ?? all.suffix(60)).joined(separator: "\n")
        #expect(status == 0, "\(language.command.joined(separator: " ")):\n\(lines)")
    }
}
