// SPDX-License-Identifier: MIT
import GestureTestSupport
import Testing

@Suite("Daemon: command line")
struct CommandLineTests {
    private func run(_ arguments: [String]) throws -> (status: Int32, output: String, errors: String) {
        try ChildProcess.run([BuildProducts.program("gestured")] + arguments)
    }

    @Test("--check exits with 0 for a valid file and with 78 and every diagnostic for an invalid one")
    func check() throws {
        let folder = try ScratchFolder()
        let good = try folder.write(TestConfiguration.button, to: "good.toml")
        #expect(try run(["--check", "-c", good]).status == 0)
        let wrong = try folder.write(TestConfiguration.wrong, to: "wrong.toml")
        let result = try run(["--check", "-c", wrong])
        #expect(result.status == 78)
        let said = result.output + result.errors
        #expect(said.contains("\(wrong):9:1: error: unknown key \"gestrues\""))
        #expect(said.contains("did you mean \"gestures\"?"))
    }

    @Test("the name of a file never moves the cursor")
    func hostileNames() throws {
        let folder = try ScratchFolder()
        for (text, status) in [(TestConfiguration.button, Int32(0)), (TestConfiguration.wrong, 78)] {
            let path = try folder.write(text, to: "a\u{1B}]0;x\u{7}\u{202E}.toml")
            let result = try run(["--check", "-c", path])
            #expect(result.status == status)
            let said = result.output + result.errors
            #expect(said.contains("/a\u{FFFD}]0;x\u{FFFD}\u{FFFD}.toml"))
            #expect(!said.contains("\u{1B}") && !said.contains("\u{202E}"))
        }
        #expect(!(try run(["\u{1B}[2J"]).errors.contains("\u{1B}")))
    }

    @Test("an invalid file at the start: exit status 78, its diagnostics, and no socket")
    func wrongStart() throws {
        let folder = try ScratchFolder()
        let wrong = try folder.write(TestConfiguration.wrong, to: "wrong.toml")
        let result = try run(["-c", wrong, "--socket", folder("socket")])
        #expect(result.status == 78)
        #expect(result.errors.contains(":9:1: error: "))
        #expect(try ChildProcess.run(["/bin/test", "!", "-e", folder("socket")]).status == 0)
    }

    @Test("--version and --help go to the standard output")
    func information() throws {
        let version = try run(["--version"])
        #expect(version.status == 0)
        #expect(version.output.hasPrefix("gestured "))
        let help = try run(["--help"])
        #expect(help.status == 0)
        for option in ["-c", "--conf-dir", "--socket", "--check", "--log-level", "--version", "--help"] {
            #expect(help.output.contains(option))
        }
        #expect(help.output.contains("with that file, even if it is given here, conf.d is read too"))
    }

    @Test(
        "unknown arguments: exit status 64 and the reason",
        arguments: [["--sokcet", "x"], ["--socket"], ["file"]])
    func unknown(arguments: [String]) throws {
        let result = try run(arguments)
        #expect(result.status == 64)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(arguments[0]))
    }

    @Test("a missing file: exit status 78 and its name")
    func noFile() throws {
        let result = try run(["--check", "-c", "/nowhere/gestured.toml"])
        #expect(result.status == 78)
        #expect(result.errors.contains("/nowhere/gestured.toml"))
    }
}
