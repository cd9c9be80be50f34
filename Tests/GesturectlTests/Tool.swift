// SPDX-License-Identifier: MIT
import Foundation
import GestureTestSupport
import StreamVerifier
import Testing

/// Runs the real `gesturectl` until it ends.
struct Tool {
    struct Outcome {
        var status: Int32
        var output: String
        var errors: String
    }

    /// Returns the names of all commands.
    static func commandNames() throws -> Set<String> {
        let dump = Data(try run(["--experimental-dump-help"]).output.utf8)
        let json = try #require(try JSONSerialization.jsonObject(with: dump) as? [String: Any])
        let command = try #require(json["command"] as? [String: Any])
        let names = try #require(command["subcommands"] as? [[String: Any]]).compactMap { $0["commandName"] as? String }
        #expect(names.count > 15)
        return Set(names)
    }

    /// - Parameters:
    ///   - environment: variables that are added to a minimal environment without colours and socket.
    ///   - program: another build of the tool.
    ///   - words: text on the standard error after which the tool is interrupted (SIGINT).
    static func run(
        _ arguments: [String], environment: [String: String] = [:], input: Data = Data(),
        program: String = BuildProducts.program("gesturectl"), interruptAt words: String? = nil
    ) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ChildProcess.inherited.merging(["PATH": "/usr/bin:/bin", "TZ": "UTC"]) { $1 }
            .merging(environment) { $1 }
        let (output, errors, standardInput) = (Pipe(), Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = standardInput
        try process.run()
        standardInput.fileHandleForWriting.write(input)
        try standardInput.fileHandleForWriting.close()
        var complaints = Data()
        if let words {
            // The tool's output before the interrupt is small enough for the pipe's buffer.
            while !String(decoding: complaints, as: UTF8.self).contains(words) {
                let block = errors.fileHandleForReading.availableData
                guard !block.isEmpty else { break }
                complaints.append(block)
            }
            process.interrupt()
        }
        let text = output.fileHandleForReading.readDataToEndOfFile()
        complaints.append(errors.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        let printed = String(decoding: text, as: UTF8.self)
        // Keeps the lines, so that they are checked against the schema.
        if arguments.first == "replay" {
            for line in printed.split(separator: "\n") where line.hasPrefix("{\"event\":") {
                LineArchive.shared?.keep(String(line))
            }
        }
        return Outcome(
            status: process.terminationStatus, output: printed,
            errors: String(decoding: complaints, as: UTF8.self))
    }
}
