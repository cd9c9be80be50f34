// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GesturePipeline
import GestureProtocol
import GestureServer
import LinuxSystem
import TouchInput

/// Writes the lines that tell of devices and of the configuration.
enum NoticeLines {
    /// How a device came or went.
    enum DeviceChange { case added, removed }

    static func device(_ change: DeviceChange, _ device: AttachedDevice, into line: inout EventLine) {
        line.start(.device)
        line.body.append(change == .added ? ",\"change\":\"added\"" : ",\"change\":\"removed\"")
        line.body.appendKey("device")
        line.body.appendQuoted(device.device)
        line.body.appendKey("node")
        line.body.appendQuoted(device.node)
        line.body.appendKey("name")
        line.body.appendQuoted(device.name)
        line.finish()
    }

    /// - Parameters:
    ///   - isAccepted: `false`: the configuration before stays in force.
    ///   - generation: of the configuration that was read.
    ///   - audience: as in `EventLine`.
    static func configuration(
        isAccepted: Bool, generation: Int64, _ diagnostics: [Diagnostic], to audience: Int, into line: inout EventLine
    ) {
        line.start(.config, subject: audience)
        line.body.append(isAccepted ? ",\"change\":\"applied\"" : ",\"change\":\"rejected\"")
        line.body.appendKey("generation")
        line.body.appendInteger(generation)
        append(diagnostics, limit: longestLine - line.body.count, to: &line.body)
        line.finish()
    }

    /// What clients have changed.
    enum RuntimeChange { case scene, regions }

    static func runtime(_ change: RuntimeChange, generation: Int64, scene: String, into line: inout EventLine) {
        line.start(.config)
        line.body.append(change == .scene ? ",\"change\":\"scene\"" : ",\"change\":\"regions\"")
        line.body.appendKey("generation")
        line.body.appendInteger(generation)
        line.body.appendKey("scene")
        line.body.appendQuoted(scene)
        line.finish()
    }

    /// `,"diagnostics":[…]`: as many as fit into `limit` bytes, the first ones, and how many there are besides.
    static func append(_ diagnostics: [Diagnostic], limit: Int, to body: inout LineBuffer) {
        body.appendKey("diagnostics")
        body.append("[")
        let start = body.count
        for (i, diagnostic) in diagnostics.enumerated() {
            let before = body.count
            if i > 0 { body.append(",") }
            append(diagnostic, to: &body)
            if body.count - start > limit {
                body.truncate(to: before)
                if i > 0 { body.append(",") }
                let rest = Place(file: "")
                append(
                    Diagnostic(
                        severity: diagnostic.severity, code: .more, message: "and \(diagnostics.count - i) more",
                        place: rest),
                    to: &body)
                break
            }
        }
        body.append("]")
    }

    /// A line has 4 KiB; its head and end need some, and the last diagnostic, which counts the others.
    private static let longestLine = 3700

    /// More than all that a configuration is told of, a thousand of the usual length; the longest that are
    /// possible would be megabytes.
    static let longestReply = 512 * 1024

    private static func append(_ diagnostic: Diagnostic, to body: inout LineBuffer) {
        body.append(diagnostic.severity == .error ? "{\"severity\":\"error\"" : "{\"severity\":\"warning\"")
        body.appendKey("file")
        body.appendQuoted(diagnostic.file)
        body.appendKey("line")
        body.appendInteger(diagnostic.line)
        body.appendKey("column")
        body.appendInteger(diagnostic.column)
        body.appendKey("code")
        body.appendQuoted(diagnostic.code.rawValue)
        body.appendKey("message")
        body.appendQuoted(diagnostic.message)
        if let suggestion = diagnostic.suggestion {
            body.appendKey("suggestion")
            body.appendQuoted(suggestion)
        }
        body.append("}")
    }
}
