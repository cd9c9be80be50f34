// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport

/// Runs commands and scripts of the project.
enum Shell {
    /// Runs a command line in the project's folder.
    ///
    /// - Returns: the exit status and the output.
    static func run(_ line: String, _ variables: [String: String] = [:]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", line]
        process.currentDirectoryURL = URL(fileURLWithPath: BuildProducts.root)
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}

extension ScratchFolder {
    /// Writes a script that takes the place of a program.
    func stub(_ name: String, _ body: String) throws {
        try write("#!/bin/sh\n" + body + "\n", to: name)
        chmod(self(name), 0o755)
    }
}
