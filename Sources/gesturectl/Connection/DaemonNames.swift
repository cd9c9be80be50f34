// SPDX-License-Identifier: MIT
import ArgumentParser
import GestureClient
import GestureConfiguration
import GestureProtocol

/// Names for a shell's completion: those that the daemon knows now. Without a daemon there are none, and no error
/// is shown.
enum DaemonNames {
    /// Milliseconds. Somebody has pressed a key and waits.
    static let patience: CInt = 1000

    /// Ids of regions.
    static let regions = completion("regions") { $0.list("regions").map { $0.text("region") } }
    /// Ids of panels.
    static let devices = completion("devices") { $0.list("devices").map { $0.text("device") } }
    /// Kinds of gestures that some region has.
    static let gestures = completion("regions") { gestures($0, "gesture") }
    /// Names of gestures that some region has.
    static let names = completion("regions") { gestures($0, "name") }
    static let scenes = completion("status") { $0.texts("scenes") }

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
            // zsh separates a name from its description by a colon.
            return CompletionShell.requesting == .zsh ? found.map { $0.replacing(":", with: "\\:") } : found
        }
    }

    /// Whether it is a name that a configuration may have, or one of a panel such as `left@event5`.
    ///
    /// No other is offered, because the socket may be anybody's: bash expands what it is given, and even what it has
    /// quoted (`compgen -W`, and the files that `complete -o filenames` looks for).
    private static func isHarmless(_ name: String) -> Bool {
        Identifier.mistake(in: name.replacing("@", with: "_")) == nil
    }

    /// The one that the line to complete names, if it names one.
    private static func socket(in words: [String]) -> String {
        if let index = words.firstIndex(of: "--socket"), index + 1 < words.count { return words[index + 1] }
        let given = words.last { $0.hasPrefix("--socket=") }?.dropFirst("--socket=".count)
        if let given, !given.isEmpty { return String(given) }
        return GestureClient.defaultPath
    }
}
