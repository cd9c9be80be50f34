// SPDX-License-Identifier: MIT
import GestureTestSupport
import Glibc
import Testing

@Suite("Usage and exit status")
struct UsageTests {
    @Test(
        "wrong usage ends with 64 and shows the right usage",
        arguments: [
            ["nonsense"], ["at", "1"], ["at", "1", "nan"], ["at", "1", "x"], ["listen", "--colour"],
            ["listen", "-n", "0"], ["exec", "-n", "0", "--", "true"], ["listen", "--phase", "middle"],
            ["explain", "-n", "0"], ["explain", "a"], ["explain", "-c", "a"],
            ["regions", "--tree", "--json"], ["replay"], ["replay", "a"],
            ["record", "--duration", "x"],
            ["replay", "a", "--config", "b", "--events", "nonsense"],
        ])
    func usage(arguments: [String]) throws {
        let outcome = try Tool.run(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("Usage:"))
    }

    @Test("help and version end with 0", arguments: [["--help"], ["--version"], ["replay", "--help"], []])
    func help(arguments: [String]) throws {
        let outcome = try Tool.run(arguments)
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        #expect(!outcome.output.isEmpty)
    }

    @Test(
        "without a daemon the status is 69, with path, cause and remedy",
        arguments: [
            ["wait"], ["devices"], ["regions"], ["at", "1", "2"], ["status"], ["reload"], ["record"], ["explain"],
            ["status", "--clients"], ["scene"],
        ])
    func noDaemon(arguments: [String]) throws {
        let path = "/nonexistent/gestured.sock"
        for outcome in [
            try Tool.run(arguments + ["--socket", path]),
            try Tool.run(arguments, environment: ["GESTURED_SOCKET": path]),
        ] {
            #expect(outcome.status == 69)
            #expect(outcome.output.isEmpty)
            #expect(
                outcome.errors == """
                    gesturectl: \(path): no daemon: No such file or directory; start the daemon \
                    (systemctl start gestured), or name its socket with --socket

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
