// SPDX-License-Identifier: MIT

/// The rights that a client may have in addition to listening. Each one has a list of users in `[access]`:
/// `control_uids`, ….
package struct Rights: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The right to reload, to switch scenes and regions, and to change the definitions of other clients.
    package static let control = Rights(rawValue: 1)
    /// The right to lease regions.
    package static let define = Rights(rawValue: 2)
    /// The right to see the positions of all fingers: `touches`, `frame`, `describe`.
    package static let raw = Rights(rawValue: 4)
    /// The right to see events in private regions.
    package static let seesPrivate = Rights(rawValue: 8)

    /// All rights with their names on the wire, and what they allow.
    package static let named: [(right: Rights, word: String, action: String)] = [
        (.control, "control", "control the daemon"), (.define, "define", "define regions"),
        (.raw, "raw", "see where fingers are"), (.seesPrivate, "private", "see private regions"),
    ]

    /// The rights of root and of the daemon's own user.
    package static let all: Rights = [.control, .define, .raw, .seesPrivate]

    /// - Parameter words: names on the wire. Unknown ones are ignored.
    package init(words: [String]) { self.init(Self.named.filter { words.contains($0.word) }.map(\.right)) }

    /// The names on the wire.
    package var words: [String] { Self.named.filter { contains($0.right) }.map { $0.word } }

    /// The error for a user who lacks these rights.
    /// - Parameters:
    ///   - subject: the refused command or argument, in quotes.
    ///   - needsAll: `false` if one of the rights is enough.
    ///   - files: the paths of the configuration.
    package func denial(
        of subject: String, to user: UInt32, needsAll: Bool = false, files: [String]
    ) -> RequestError {
        let lists = words.map { "\($0)_uids" }.joined(separator: needsAll ? " and " : " or ")
        let actions = Self.named.filter { contains($0.right) }.map(\.action).joined(separator: " or ")
        return RequestError(
            .permissionDenied,
            "\(Self.refused(user)) \(actions) (\(subject)); \(Self.cure) \(lists) \(Self.remedy(in: files))")
    }

    /// Returns the end of a sentence that begins with `add "NAME" to LIST`.
    /// - Parameter files: the paths of the configuration. A list in a later file replaces one in an earlier file. The
    ///   installed default is not named, because an upgrade would undo the change.
    package static func remedy(in files: [String]) -> String {
        let own = files.filter { !$0.hasSuffix("/share/gestured/gestured.toml") }
        let others = own.count > 1 ? " (or of the later file that sets the list)" : ""
        let new = files.isEmpty ? "/etc/gestured/gestured.toml" : "a new file /etc/gestured/conf.d/50-access.toml"
        return "in [access] of \(own.first ?? new)\(others), then run, as root: gesturectl reload"
    }

    private static let cure = "add this user to"
    private static func refused(_ user: UInt32) -> String { "uid \(user) may not" }

    /// Returns the message of a denial with the name of the user. The daemon sends the number, because a look-up of the
    /// name can block for seconds if the users are in a directory service.
    package static func naming(_ user: UInt32, _ name: String, in message: String) -> String {
        let (refused, named) = (refused(user), "user \(name) may not")
        // `firstRange(of:)` would link a megabyte of the standard library's regular expressions.
        guard message.hasPrefix(refused),
            let place = message.indices.first(where: { message[$0...].hasPrefix(cure) })
        else { return message }
        return named + message[..<place].dropFirst(refused.count) + "add \"\(name)\" to"
            + message[place...].dropFirst(cure.count)
    }
}
