// SPDX-License-Identifier: MIT
import GestureProtocol

/// Requests as lines.
enum RequestText {
    /// - Returns: the line with its line feed.
    /// - Throws: `.refused` for one that is longer than the daemon takes: it would hang up.
    static func line(
        _ command: String, id: Int, _ keys: [(String, GestureClient.JSON)]
    ) throws(GestureClient.ClientError) -> [UInt8] {
        var line = LineBuffer()
        line.append("{\"cmd\":")
        line.appendQuoted(command)
        line.append(",\"id\":")
        line.appendInteger(id)
        for (key, value) in keys {
            line.append(",")
            line.appendQuoted(key)
            line.append(":")
            value.write(into: &line)
        }
        line.append("}\n")
        let bytes = line.withBytes { Array($0) }
        guard bytes.count <= ProtocolLimits.requestBytes else {
            throw .refused(
                .init(
                    command: command, code: .lineTooLong,
                    message: "a request has at most \(ProtocolLimits.requestBytes) bytes", diagnostics: []))
        }
        return bytes
    }
}
