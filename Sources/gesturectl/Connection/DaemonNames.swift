// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureProtocol

/// Names that a shell completes: those that the daemon knows now. Without a daemon there are none,
/// and nothing is said: whoever completes has not asked yet.
enum DaemonNames {
    /// Whoever has pressed a key waits a second for the daemon, not longer.
    private static let patience: CInt = 1000

    /// Ids of regions.
    static let regions = completion("regions", "regions") { [$0["region"]?.string] }
    /// Ids of panels.
    static let devices = completion("devices", "devices") { [$0["device"]?.string] }
    /// Kinds of gestures that some region has.
    static let gestures = completion("regions", "regions") { names("gesture", $0) }
    /// Names of gestures that some region has.
    static let names = completion("regions", "regions") { names("name", $0) }
    static let scenes = completion("status", "scenes") { [$0.string] }

    private static func names(_ key: String, _ region: JSONValue) -> [String?] {
        (region["gestures"]?.elements ?? []).map { $0[key]?.string }
    }

    private static func completion(
        _ command: String, _ list: String, _ names: @escaping @Sendable (JSONValue) -> [String?]
    ) -> CompletionKind {
        .custom { words, _, _ in
            guard
                let connection = try? DaemonConnection(path: socket(in: words), patience: patience),
                let reply = try? connection.reply(to: RequestLine(command, id: 1), id: 1)
            else { return [] }
            var found: [String] = []
            for name in (reply.json[list]?.elements ?? []).flatMap(names) {
                if let name, !found.contains(name.safe) { found.append(name.safe) }
            }
            return found
        }
    }

    /// The one that the line to complete names, if it names one.
    private static func socket(in words: [String]) -> String {
        if let index = words.firstIndex(of: "--socket"), index + 1 < words.count { return words[index + 1] }
        let given = words.last { $0.hasPrefix("--socket=") }?.dropFirst("--socket=".count)
        if let given, !given.isEmpty { return String(given) }
        let path = environment("GESTURED_SOCKET") ?? ""
        return path.isEmpty ? SocketOptions.defaultPath : path
    }
}
