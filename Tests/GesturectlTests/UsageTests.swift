// SPDX-License-Identifier: MIT
import GestureTestSupport
import Glibc
import Testing

@Suite("Usage and exit status")
struct UsageTests {
    @Test(
        "wrong usage ends with 64 and one line with cause and remedy",
        arguments: [
            ["nonsense"], ["at", "1"], ["at", "1", "nan"], ["at", "1", "x"], ["at", "1", "2", "3"], ["at"],
            ["listen", "--colour"], ["listen", "-x"], ["listen", "--json=1"], ["listen", "a", "b"],
            ["listen", "-n", "0"], ["listen", "-n"], ["listen", "-n", "x"], ["exec", "-n", "0", "--", "true"],
            ["listen", "--phase", "middle"], ["listen", "--color", "red"], ["listen", "-nx"], ["listen", "-qx"],
            ["explain", "-n", "0"], ["explain", "-c", "a"], ["explain", "--device", "a"], ["explain", "--scene", "a"],
            ["regions", "--tree", "--json"], ["regions", "--svg"], ["replay"], ["convert"], ["exec"],
            ["exec", "true"], ["record", "--duration", "x"], ["wait", "--timeout", "-5"],
            ["record", "--format", "avi"],
            ["replay", "a", "--config", "b", "--events", "nonsense"], ["enable"], ["cancel"], ["cancel", "a", "b"],
            ["check", "--json", "--quiet"], ["check", "--mqtt", "a", "b"],
            ["check", "--web", "a", "b"], ["check", "--web", "--keys"], ["measure"], ["measure", "wave"],
            ["measure", "swipe", "--double"], ["schema", "toml"], ["web", "--address", "nowhere"], ["help", "lisen"],
            ["--json", "status"], ["--socket"], ["--socket", "/a"], [""], ["it's"], ["status", "it's"], ["a\nb"],
            ["status", "\u{1B}[31m"], ["-x"], ["-"], ["listen", "--", "x"],
        ])
    func usage(arguments: [String]) throws {
        let outcome = try Tool.run(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.wholeMatch(of: /gesturectl: [^\n]+; [^\n]+\n/) != nil, "\(outcome.errors)")
        #expect(!outcome.errors.contains("\u{1B}"))
    }

    @Test(
        "mistakes in words are named, with a suggestion",
        arguments: [
            ("lisen", #"there is no command "lisen"; did you mean "listen"?"#),
            ("dev", #"there is no command "dev"; did you mean "devices"?"#),
            ("--hlep", #"unknown option "--hlep"; did you mean "--help"?"#),
            ("help lisen", #"there is no command "lisen"; did you mean "listen"?"#),
            ("nonsense", #"there is no command "nonsense"; gesturectl --help lists the commands"#),
            ("listen --colour", #"unknown option "--colour"; did you mean "--color"?"#),
            ("status --far", #"unknown option "--far"; see gesturectl status --help"#),
            (
                "--json status",
                #"unknown option "--json"; options come after the command; gesturectl --help lists the commands"#
            ),
            ("at 1", #"missing expected argument "<y>"; see gesturectl at --help"#),
            ("listen -nx", #"the value "x" is invalid for "-n <n>"; use a whole number"#),
            (
                "record --duration x",
                #"the value "x" is invalid for "--duration <time>"; use a time such as 10s, 1.5s or 500ms"#
            ),
            (
                "listen --color red",
                #"the value "red" is invalid for "--color <color>"; use "auto", "always" or "never""#
            ),
            ("schema toml", #"the value "toml" is invalid for "<config_or_protocol>"; use "config" or "protocol""#),
            (
                "exec --step 5 -- beep",
                #"the value "5" is invalid for "--step <step>"; use a length such as 5mm, or an angle such as 15deg"#
            ),
            (
                "exec --step 5mm --updates -- beep",
                "--step has phases of its own; leave out --phase, --updates and --idle"
            ),
            (
                "exec --step 5mm -g dial -- beep",
                "a step in mm is one of a drag; leave out -g"
            ),
            ("exec beep", "there is no command to run; put it after --, as in gesturectl exec -r ok -- beep"),
        ])
    func mistakes(line: String, message: String) throws {
        let outcome = try Tool.run(line.split(separator: " ").map(String.init))
        #expect(outcome.errors == "gesturectl: \(message)\n")
    }

    @Test("--socket may come before the command, and a value directly after a letter")
    func forms() throws {
        let path = "/nonexistent/gestured.sock"
        for line in ["--socket \(path) wait -rok", "--socket=\(path) wait -gtap", "wait -r ok --socket \(path)"] {
            let outcome = try Tool.run(line.split(separator: " ").map(String.init))
            #expect(outcome.status == 69, "\(outcome.errors)")
            #expect(outcome.errors.hasPrefix("gesturectl: \(path): no daemon: "))
        }
    }

    @Test(
        "help and version end with 0",
        arguments: [
            ["--help"], ["--version"], ["replay", "--help"], [], ["help"], ["help", "replay"],
            ["--socket", "/a", "--help"],
        ])
    func help(arguments: [String]) throws {
        let outcome = try Tool.run(arguments)
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        #expect(!outcome.output.isEmpty)
    }

    @Test("the help of --config says that conf.d belongs to the installed file")
    func installed() throws {
        for command in ["check", "replay", "regions"] {
            let words = try Tool.run([command, "--help"]).output.split { $0 == " " || $0 == "\n" }
            let text = words.joined(separator: " ")
            #expect(text.contains("With /etc/gestured/gestured.toml, conf.d is read too."), "\(text)")
        }
    }

    @Test(
        "without a daemon the status is 69, with path, cause and remedy",
        arguments: [
            ["wait"], ["devices"], ["regions"], ["at", "1", "2"], ["status"], ["reload"], ["record"], ["explain"],
            ["status", "--clients"], ["scene"], ["rotate"], ["rotate", "90"],
        ])
    func noDaemon(arguments: [String]) throws {
        let path = "/nonexistent/gestured.sock"
        for (outcome, place) in [
            (try Tool.run(arguments + ["--socket", path]), "given with --socket"),
            (try Tool.run(arguments, environment: ["GESTURED_SOCKET": path]), "in $GESTURED_SOCKET"),
        ] {
            #expect(outcome.status == 69)
            #expect(outcome.output.isEmpty)
            #expect(
                outcome.errors == """
                    gesturectl: \(path): no daemon: No such file or directory; start the daemon \
                    (systemctl start gestured), or check the path \(place)

                    """)
        }
    }

    @Test(
        "a forbidden socket is reported with its users", .enabled(if: getuid() == 0, "only root can change the user")
    )
    func forbidden() throws {
        let folder = try ScratchFolder()
        let daemon = try FakeDaemon { _ in .init() }
        // Other users may have no access to the tool's folder, so a copy is used.
        let tool = folder("gesturectl")
        let made = try ShellScript.run(
            """
            cp "$TOOL" \(tool) && chmod 755 \(folder.path) && chmod 660 \(daemon.path) && chmod 755 "$(dirname \(daemon.path))" &&
            setpriv --reuid=65534 --regid=65534 --clear-groups \(tool) status --socket \(daemon.path)
            """)
        #expect(made.status == 77)
        #expect(
            made.errors == """
                gesturectl: \(daemon.path): Permission denied; add your user to group gestured \
                (usermod -aG gestured USER) and log in again

                """)
    }

    @Test("a socket without a daemon is reported differently from a missing one")
    func stale() throws {
        let folder = try ScratchFolder()
        let path = try folder.write("", to: "socket")
        let outcome = try Tool.run(["status", "--socket", path])
        #expect(outcome.status == 69)
        #expect(outcome.errors.contains("Connection refused; the daemon has stopped"))
    }
}
