// SPDX-License-Identifier: MIT
import GestureConfiguration
import GesturePipeline
import GestureProtocol

/// Writes events about devices and the configuration.
enum EventLines {
    enum DeviceChange { case added, removed }

    static func device(
        _ change: DeviceChange, _ device: AttachedDevice, _ panel: Panel, into line: inout EventLine
    ) {
        line.start(.device, subject: panel.pipeline.panelSubject, identity: Int64(panel.pipeline.panel))
        line.body.member("change", change == .added ? "added" : "removed")
        line.body.member("device", device.device)
        line.body.member("node", device.node)
        line.body.member("name", device.name)
    }

    /// - Parameters:
    ///   - isAccepted: `false`: the configuration before stays in force.
    ///   - generation: of the configuration that was read.
    ///   - audience: as in `EventLine`.
    static func configuration(
        isAccepted: Bool, generation: Int64, _ diagnostics: [Diagnostic], to audience: EventLine.Audience,
        into line: inout EventLine
    ) {
        line.start(.config, to: audience)
        line.body.member("change", isAccepted ? "applied" : "rejected")
        line.body.member("generation", generation)
        write(diagnostics, limit: longestLine - line.body.bytes.count, to: &line.body)
    }

    enum RuntimeChange: String { case scene, regions }

    static func runtime(
        _ change: RuntimeChange, generation: Int64, scene: String, to audience: EventLine.Audience = .everybody,
        into line: inout EventLine
    ) {
        line.start(.config, to: audience)
        line.body.member("change", change.rawValue)
        line.body.member("generation", generation)
        line.body.member("scene", scene)
    }

    /// Writes `"diagnostics":[…]`: the first ones, as many as fit into `limit` bytes, and then how many more there are.
    static func write(_ diagnostics: [Diagnostic], limit: Int, to json: inout JSONWriter) {
        json.array("diagnostics") { json in
            var length = 0
            for (i, diagnostic) in diagnostics.enumerated() {
                let text = JSONWriter.bytes { diagnostic.write(into: &$0) }
                length += text.count + (i > 0 ? 1 : 0)
                guard length <= limit else {
                    let more = Diagnostic(
                        severity: diagnostic.severity, code: .more, message: "and \(diagnostics.count - i) more",
                        at: SourceLocation(file: ""))
                    return more.write(into: &json)
                }
                json.append(json: text)
            }
        }
    }

    /// The longest text of a `config` event up to its diagnostics' end: a line has 4 KiB, and the last diagnostic, which
    /// counts the others, needs some.
    private static let longestLine = 3699

    /// Bytes of diagnostics in a reply: thousands of the usual length. The longest possible would be megabytes.
    static let longestReply = 512 * 1024
}
