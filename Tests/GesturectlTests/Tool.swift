// SPDX-License-Identifier: MIT
import Foundation

/// The real `gesturectl`, run to its end.
struct Tool {
    struct Outcome {
        var status: Int32
        var output: String
        var errors: String
    }

    /// The folder that holds the package.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The binary that was built together with the tests.
    static let binary: URL = {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }.map { URL(fileURLWithPath: $0) }
        let folder = bundle?.deletingLastPathComponent() ?? root.appendingPathComponent(".build/debug")
        return folder.appendingPathComponent("gesturectl")
    }()

    /// - Parameters:
    ///   - environment: added to a bare one without colours and sockets.
    ///   - lines: when given, the tool is interrupted (SIGINT) after so many lines of output.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], input: Data = Data(),
        interruptAfter lines: Int? = nil
    ) throws -> Outcome {
        let process = Process()
        process.executableURL = binary
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin", "TZ": "UTC"].merging(environment) { $1 }
        let (output, errors, standardInput) = (Pipe(), Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = standardInput
        try process.run()
        standardInput.fileHandleForWriting.write(input)
        try standardInput.fileHandleForWriting.close()
        var text = Data()
        while case let block = output.fileHandleForReading.availableData, !block.isEmpty {
            text.append(block)
            if let lines, text.count(where: { $0 == 0x0A }) >= lines { process.interrupt() }
        }
        let complaints = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
            errors: String(decoding: complaints, as: UTF8.self))
    }
}

/// A folder of its own for one test, gone with it.
final class TemporaryFolder {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("gctl-" + UUID().uuidString.prefix(8)).path
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String) throws -> String {
        let file = path + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        return file
    }
}
