// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport

/// Runs a shell script in which `$TOOL` is the real `gesturectl`.
enum ShellScript {
    /// Defines the shell function `await_hangup`, which returns when the standard output no longer has a reader.
    static let awaitHangup = "await_hangup() { (trap '' PIPE; while printf x; do :; done) 2>/dev/null; }\n"

    static func run(_ script: String, environment: [String: String] = [:]) throws -> Tool.Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script]
        process.environment = ["PATH": "/usr/bin:/bin", "TOOL": BuildProducts.program("gesturectl")]
            .merging(environment) { $1 }
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let complaints = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Tool.Outcome(
            status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
            errors: String(decoding: complaints, as: UTF8.self))
    }
}
