// SPDX-License-Identifier: MIT
import GestureTestSupport

/// Runs a shell script in which `$TOOL` is the real `gesturectl`.
enum ShellScript {
    /// Defines the shell function `await_hangup`, which returns when the standard output no longer has a reader.
    static let awaitHangup = "await_hangup() { (trap '' PIPE; while printf x; do :; done) 2>/dev/null; }\n"

    static func run(_ script: String, environment: [String: String] = [:]) throws -> Tool.Outcome {
        let variables = ChildProcess.inherited
            .merging(["PATH": "/usr/bin:/bin", "TOOL": BuildProducts.program("gesturectl")]) { $1 }
            .merging(environment) { $1 }
        let said = try ChildProcess.run(["/bin/sh", "-c", script], environment: variables)
        return Tool.Outcome(status: said.status, output: said.output, errors: said.errors)
    }
}
