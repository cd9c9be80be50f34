// SPDX-License-Identifier: MIT
import GestureProtocol

/// Requests as lines.
enum RequestText {
    /// - Returns: the line with its line feed.
    /// - Throws: `.refused` for one that is longer than the daemon takes: it would hang up.
    static func line(
        _ command: String, id: Int, _ keys: [(String, GestureClient.JSON)]
    ) throws(GestureClient.ClientError) -> [UInt8] {
        let bytes = JSONWriter.bytes { json in
            json.line { json in
                json.member("cmd", command)
                json.member("id", id)
                for (key, value) in keys {
                    json.key(named: key)
                    value.write(into: &json)
                }
            }
        }
        guard bytes.count <= ProtocolLimits.requestBytes else {
            throw .refused(
                .init(
                    command: command, code: .lineTooLong,
                    message: "a request has at most \(ProtocolLimits.requestBytes) bytes", diagnostics: []))
        }
        return bytes
    }
}
