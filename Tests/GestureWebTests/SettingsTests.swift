// SPDX-License-Identifier: MIT
#if Web
import BridgeProgram
import Foundation
import GestureConfiguration
import GestureTestSupport
import LinuxSystem
import Testing

@testable import GestureWeb

@Suite("web.toml")
struct SettingsTests {
    private func read(_ text: String) -> (settings: WebSettings?, headlines: [String]) {
        let (settings, diagnostics) = WebSettings.read(Array(text.utf8), path: "web.toml")
        return (settings, diagnostics.map { $0.headline })
    }

    @Test("All settings")
    func all() throws {
        let (settings, headlines) = read(
            """
            version = 1
            listen = "[::1]:9000"
            socket = "/run/other.sock"
            assets = "/usr/local/share/gestured/web"
            root = "/srv/kiosk"
            hosts = ["Kiosk.example"]
            origins = ["https://kiosk.example", "http://localhost:3000"]
            users = ["kiosk", 1000]
            commands = ["subscribe"]
            [limits]
            pages = 3
            body_mb = 2
            replay_seconds = 1
            """)
        #expect(headlines == [])
        var expected = WebSettings()
        expected.listen = .internet(host: "::1", port: 9000)
        expected.socket = "/run/other.sock"
        expected.assets = "/usr/local/share/gestured/web"
        expected.root = "/srv/kiosk"
        expected.hosts = ["kiosk.example"]
        expected.origins = ["https://kiosk.example", "http://localhost:3000"]
        expected.users = [.name("kiosk"), .number(1000)]
        expected.commands = ["subscribe"]
        expected.limits.pages = 3
        expected.limits.bodyMegabytes = 2
        expected.limits.replaySeconds = 1
        #expect(settings == expected)
    }

    @Test(
        "Each mistake is reported with its position",
        arguments: [
            (
                "listen = \"0.0.0.0:80\"",
                "web.toml:2:10: error: listen cannot be \"0.0.0.0:80\"; use \"127.0.0.1:8990\""
            ),
            ("listen = \"127.0.0.1:99999\"", "web.toml:2:10: error: listen cannot be"),
            ("listn = \"\"", "web.toml:2:1: error: unknown key \"listn\" in the file; did you mean \"listen\"?"),
            ("root = \"srv\"", "web.toml:2:8: error: root must be an absolute path"),
            ("origins = [\"kiosk.example\"]", "web.toml:2:12: error: an origin must be a scheme and a host"),
            ("origins = [\"https://kiosk.example/\"]", "web.toml:2:12: error: an origin must be"),
            ("origins = [\"null\"]", "web.toml:2:12: error: an origin must be"),
            ("hosts = [\"a b\"]", "web.toml:2:10: error: a host must be the name of a host"),
            ("users = [-1]", "web.toml:2:10: error: a uid is -1; it must be 0 to 4294967294"),
            ("users = [true]", "web.toml:2:10: error: a user must be a string, not a boolean"),
            ("commands = \"all\"", "web.toml:2:12: error: commands must be an array of commands, not a string"),
            ("commands = [\"subscrib\"]", "web.toml:2:13: error: a command cannot be \"subscrib\"; use one of "),
            ("[limits]\npages = 0", "web.toml:3:9: error: pages is 0; it must be 1 to 1024"),
            ("[limits]\npage = 1", "web.toml:3:1: error: unknown key \"page\" in [limits]; did you mean \"pages\"?"),
        ])
    func mistakes(line: String, headline: String) throws {
        let (settings, headlines) = read("version = 1\n" + line + "\n")
        #expect(settings == nil)
        #expect(try #require(headlines.first).hasPrefix(headline), "\(headlines)")
    }

    @Test("The version is required")
    func version() {
        #expect(read("").headlines == ["web.toml:1:1: error: no version; add the line: version = 1"])
        #expect(read("version = 2").headlines == ["web.toml:1:11: error: version is 2; it must be 1"])
    }

    @Test("The installed file lists every default")
    func installed() throws {
        let text = try String(contentsOfFile: BuildProducts.root + "/config/web.toml", encoding: .utf8)
        let on = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            guard line.hasPrefix("# "), line.contains(" = ") else { return String(line) }
            let isExample = ["root", "origins", "hosts", "users", "assets"].contains { line.hasPrefix("# \($0) =") }
            return isExample ? String(line) : String(line.dropFirst(2))
        }
        let (settings, headlines) = read(on.joined(separator: "\n"))
        #expect(headlines == [])
        #expect(settings == WebSettings())
        let examples = text.split(separator: "\n").map {
            $0.hasPrefix("# ") && $0.contains(" = ") ? $0.dropFirst(2) : $0
        }
        #expect(read(examples.joined(separator: "\n")).headlines == [])
    }

    @Test("Examples on the pages of the documentation are valid, and docs/web.md lists the commands")
    func page() throws {
        let text = try String(contentsOfFile: BuildProducts.root + "/docs/web.md", encoding: .utf8)
        let blocks = Document.blocks(in: "toml # web.toml")
        #expect(Set(blocks.map(\.path)) == ["docs/pages.md", "docs/tutorial.md"])
        let lists = blocks.map { block in
            let (settings, headlines) = read(block.text)
            #expect(headlines == [])
            return settings?.commands
        }
        // Each page that lists commands lists the same ones.
        #expect(Set(lists).count == 1)
        let commands = WebSettings.readOnlyCommands.map { "`\($0)`" }.joined(separator: ", ")
        #expect(text.contains("| what pages may ask the daemon | \(commands) |"))
    }

    @Test("The command line takes precedence, and its mistakes are named")
    func commandLine() throws {
        let options = try WebOptions(
            ["-c", "w.toml", "--listen=127.0.0.1:1", "--root", "/r", "--assets", "/a"], environmentSocket: "/s")
        #expect(options.file == "w.toml")
        let settings = options.applied(to: WebSettings())
        #expect(settings.listen == .internet(host: "127.0.0.1", port: 1))
        #expect([settings.root, settings.assets, settings.socket] == ["/r", "/a", "/s"])
        for (arguments, message) in [
            (
                ["--listen", "0.0.0.0:1"],
                "cannot listen at \"0.0.0.0:1\"; use 127.0.0.1:8990, [::1]:8990 or an absolute path"
            ),
            (["--check=yes"], "option --check takes no value"), (["--root"], "option --root needs a value"),
            (["--rot"], "unknown option \"--rot\"; gestured-web --help lists the options"),
        ] {
            #expect(throws: UsageError(message: message)) { _ = try WebOptions(arguments) }
        }
    }

    @Test("gestured-web(8) has the options of the help")
    func manual() throws {
        let page = try String(contentsOfFile: BuildProducts.root + "/docs/man/gestured-web.8", encoding: .utf8)
        func options(_ text: String, _ mark: String) -> Set<String> {
            Set(
                text.components(separatedBy: mark).dropFirst().map { String($0.prefix { $0.isLetter }) }.filter {
                    $0.count > 1
                })
        }
        #expect(options(WebOptions.help, "--") == options(page, "Fl -"))
    }
}
#endif
