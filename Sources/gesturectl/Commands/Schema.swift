// SPDX-License-Identifier: MIT
import ArgumentParser
import Glibc
import LinuxSystem

/// `gesturectl schema`
struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the JSON schema of the configuration or of the protocol.",
        discussion: "From share/gestured beside the program, or from $GESTURED_SHARE.")

    enum Subject: String, ExpressibleByArgument, CaseIterable {
        case config, `protocol`

        var file: String { "\(rawValue).schema.json" }
    }

    @Argument(help: "config or protocol.")
    var subject: Subject

    func run() throws {
        var tried: [String] = []
        for folder in Self.folders() {
            let path = "\(folder)/\(subject.file)"
            if let bytes = try? FileBytes.read(path, limit: 1 << 20) { return StandardOutput.write(bytes) }
            tried.append(path)
        }
        throw ToolError(
            .noInput, "no \(subject.file) in \(tried.joined(separator: ", ").safe); install it, or set GESTURED_SHARE")
    }

    /// Where an installation puts it: PREFIX/bin/gesturectl has PREFIX/share/gestured.
    private static func folders() -> [String] {
        if let given = Environment.value("GESTURED_SHARE"), !given.isEmpty { return [given] }
        var buffer = [CChar](repeating: 0, count: 4096)
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard length > 0 else { return ["/usr/share/gestured"] }
        let program = String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let parts = program.split(separator: "/").dropLast(2)
        return ["/" + (parts + ["share", "gestured"]).joined(separator: "/")]
    }
}
