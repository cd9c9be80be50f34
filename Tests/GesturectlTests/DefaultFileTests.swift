// SPDX-License-Identifier: MIT
import GestureTestSupport
import Glibc
import Testing

/// The tool and the daemon in a mount namespace, where `/etc` has `gestured` and an installation in the folder `prefix`.
@Suite("The installed default configuration", .enabled(if: getuid() == 0, "only root can mount a folder"))
struct DefaultFileTests {
    private static let standard = "/etc/gestured/gestured.toml"
    private static let installed = "/etc/prefix/share/gestured/gestured.toml"
    private static let part = "[[region]]\nid = \"ok\"\ngestures = [\"tap\"]\n"

    /// - Parameter script: shell commands. `$TOOL` and `$DAEMON` are installed programs, and the working folder has the
    ///   files `default.toml` and `part.toml`.
    private func run(_ script: String) throws -> Tool.Outcome {
        let folder = try ScratchFolder()
        try folder.write(ReplayTests.configuration, to: "default.toml")
        try folder.write(Self.part, to: "part.toml")
        try folder.write(script, to: "script")
        return try ShellScript.run(
            """
            cd \(folder.path)
            exec unshare --mount sh -ec '
            mount -t tmpfs none /etc
            mkdir -p /etc/gestured/conf.d /etc/prefix/bin /etc/prefix/share/gestured
            touch /etc/prefix/bin/gesturectl /etc/prefix/bin/gestured
            mount --bind "$TOOL" /etc/prefix/bin/gesturectl
            mount --bind "$DAEMON" /etc/prefix/bin/gestured
            cp default.toml \(Self.installed)
            TOOL=/etc/prefix/bin/gesturectl DAEMON=/etc/prefix/bin/gestured sh ./script'
            """, environment: ["DAEMON": BuildProducts.program("gestured")])
    }

    @Test("is used while the administrator has no file, and drop-ins override it")
    func fallback() throws {
        let alone = try run("$TOOL check")
        #expect(alone.status == 0)
        #expect(alone.errors == "gesturectl: there is no \(Self.standard); the installed default is used\n")
        #expect(alone.output.contains("long_press"))
        #expect(alone.output.hasSuffix("\n\(Self.installed): ok\n"), "\(alone.output)")
        let changed = try run("cp part.toml /etc/gestured/conf.d && $TOOL check && $DAEMON --check")
        #expect(changed.status == 0)
        #expect(changed.output.contains("tap") && !changed.output.contains("long_press"), "\(changed.output)")
        #expect(changed.output.hasSuffix("\n\(Self.installed), /etc/gestured/conf.d/part.toml: ok\n"))
    }

    @Test("is not used beside the file of the administrator, nor with files that are given")
    func ownFile() throws {
        let own = try run("sed s/long_press/drag/ default.toml > \(Self.standard) && $TOOL check")
        #expect(own.output.contains("drag") && !own.output.contains("long_press"), "\(own.output)")
        #expect(own.output.hasSuffix("\n\(Self.standard): ok\n"))
        #expect(try run("$TOOL check --conf-dir /etc/gestured/conf.d").output.contains("long_press"))
    }

    @Test(
        "is not used in place of a file that cannot be read",
        arguments: [
            (": > \(standard)", "no version; add the line: version = 1"),
            ("ln -s /nowhere \(standard)", "is a symbolic link that leads nowhere"),
            ("mkdir \(standard)", "is not a regular file"),
            ("rm -r /etc/gestured && ln -s /nowhere /etc/gestured", "is a symbolic link that leads nowhere"),
            ("cd /etc/gestured && rmdir conf.d && ln -s /nowhere conf.d", "is a symbolic link that leads nowhere"),
        ])
    func broken(change: String, message: String) throws {
        for command in ["$TOOL check", "$DAEMON --check"] {
            let outcome = try run("\(change) && \(command)")
            #expect(outcome.status != 0)
            #expect(outcome.errors.contains(message) && outcome.errors.contains("/etc/gestured"), "\(outcome.errors)")
        }
    }

    @Test("a file that a user may not read is an error")
    func unreadable() throws {
        let user = "setpriv --reuid 65534 --regid 65534 --clear-groups"
        let outcome = try run("touch \(Self.standard) && chmod 600 \(Self.standard) && \(user) $TOOL check")
        #expect(outcome.status == 66)
        #expect(outcome.errors == "gesturectl: \(Self.standard): Permission denied\n")
    }

    @Test("a missing file says what to copy", arguments: ["gestured.toml", "mqtt.toml"])
    func missing(name: String) throws {
        let option = name == "mqtt.toml" ? "--mqtt " : ""
        let folder = "/etc/prefix/share/gestured"
        let outcome = try run("touch \(folder)/mqtt.toml && $TOOL check \(option)/etc/gestured/\(name)")
        #expect(outcome.status == 66)
        #expect(
            outcome.errors
                == "gesturectl: /etc/gestured/\(name): No such file or directory; to change the defaults, copy \(folder)/\(name) there\n"
        )
    }

    @Test("the daemon falls back with a warning, and keeps only configurations of the administrator")
    func reload() throws {
        let outcome = try run(
            """
            export GESTURED_SOCKET=/etc/socket
            mkdir /etc/state
            $DAEMON --state-dir /etc/state 2> log &
            trap "kill $!" EXIT
            until $TOOL status > /dev/null 2>&1; do sleep 0.05; done
            files() { $TOOL status --json | grep -o "\\"files\\":[^]]*"; }
            files
            ls /etc/state
            cp default.toml \(Self.standard)
            $TOOL reload
            files
            until [ -e /etc/state/last-good.json ]; do sleep 0.05; done
            rm \(Self.standard)
            $TOOL reload
            files
            grep -o "there is no .*" log
            grep -c "this file is gone" log
            """)
        #expect(outcome.status == 0)
        let message = "\(Self.standard): warning: this file is gone, so the default \(Self.installed) is in use"
        #expect(outcome.errors.contains(message) || outcome.output.contains(message))
        let lines = outcome.output.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("configuration ") }
        let files = [Self.installed, Self.standard, Self.installed].map { "\"files\":[\"\($0)\"" }
        #expect(lines == files + ["there is no \(Self.standard); the default is in use", "1"])
    }
}
