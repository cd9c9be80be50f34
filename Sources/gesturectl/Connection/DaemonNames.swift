// SPDX-License-Identifier: MIT
import GestureProtocol

/// Names that a shell completes: those that the daemon knows now. Without a daemon there are none,
/// and nothing is said: whoever completes has not asked yet.
enum DaemonNames {
    static func regions() -> [String] {
        names(of: "regions", in: "regions", key: "region")
    }

    static func devices() -> [String] {
        names(of: "devices", in: "devices", key: "device")
    }

    private static func names(of command: String, in list: String, key: String) -> [String] {
        let path = environment("GESTURED_SOCKET") ?? ""
        guard
            let connection = try? DaemonConnection(path: path.isEmpty ? SocketOptions.defaultPath : path),
            let reply = try? connection.reply(to: RequestLine(command, id: 1), id: 1)
        else { return [] }
        return (reply.json[list]?.elements ?? []).compactMap { ($0[key] ?? $0["id"])?.string?.safe }
    }
}
