// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureClient
import GestureConfiguration
import GestureProtocol

/// Names for shell completion, queried from the running daemon. If no daemon runs, completion offers no names and
/// prints no error.
enum DaemonNames {
    /// The timeout in milliseconds. It is short, because the user has pressed a key and waits.
    static let patience: CInt = 1000

    /// The ids of regions.
    static let regions = completion("regions") { $0.list("regions").map { $0.text("region") } }
    /// The ids of panels.
    static let devices = completion("devices") { $0.list("devices").map { $0.text("device") } }
    /// The kinds of gestures that at least one region has.
    static let gestures = completion("regions") { gestures($0, "gesture") }
    /// The names of gestures that at least one region has.
    static let names = completion("regions") { gestures($0, "name") }
    static let scenes = completion("status") { $0.texts("scenes") }
    static let profiles = completion("status") { $0.texts("profiles") }

    private static func gestures(_ reply: JSONValue, _ key: String) -> [String] {
        reply.list("regions").flatMap { $0.list("gestures").map { $0.text(key) } }
    }

    private static func completion(
        _ command: String, _ names: @escaping @Sendable (JSONValue) -> [String]
    ) -> CompletionKind {
        .custom { words, _, _ in
            guard
                let connection = try? DaemonConnection(path: socket(in: words), patience: patience),
                let reply = try? connection.reply(to: RequestLine(command))
            else { return [] }
            var found: [String] = []
            for name in names(reply.json) where isHarmless(name) && !found.contains(name) { found.append(name) }
            // zsh separates a name from its description with a colon.
            return CompletionShell.requesting == .zsh ? found.map { $0.replacing(":", with: "\\:") } : found
        }
    }

    /// Whether this is a valid identifier of a configuration, or the id of a panel such as `left@event5`.
    ///
    /// Other names are not offered, because bash expands the names that it receives, even quoted ones (`compgen -W`, and
    /// the files that `complete -o filenames` looks for), and any program may listen on the socket.
    private static func isHarmless(_ name: String) -> Bool {
        Identifier.mistake(in: name.replacing("@", with: "_")) == nil
    }

    /// Returns the socket given on the command line that is being completed, or the default one.
    private static func socket(in words: [String]) -> String {
        if let index = words.firstIndex(of: "--socket"), index + 1 < words.count { return words[index + 1] }
        let given = words.last { $0.hasPrefix("--socket=") }?.dropFirst("--socket=".count)
        if let given, !given.isEmpty { return String(given) }
        return GestureClient.defaultPath
    }
}
