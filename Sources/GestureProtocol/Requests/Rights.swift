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

    /// All rights with their names on the wire.
    package static let named: [(right: Rights, word: String)] = [
        (.control, "control"), (.define, "define"), (.raw, "raw"), (.seesPrivate, "private"),
    ]

    /// The rights of root and of the daemon's own user.
    package static let all: Rights = [.control, .define, .raw, .seesPrivate]

    /// The names on the wire.
    package var words: [String] { Self.named.filter { contains($0.right) }.map { $0.word } }

    /// The error for a user who lacks these rights.
    /// - Parameters:
    ///   - subject: the refused command or argument, in quotes.
    ///   - needsAll: `false` if one of the rights is enough.
    package func denial(of subject: String, to user: UInt32, needsAll: Bool = false) -> RequestError {
        let lists = words.map { "\($0)_uids" }.joined(separator: needsAll ? " and " : " or ")
        return RequestError(.permissionDenied, "uid \(user) may not use \(subject): add it to \(lists) in [access]")
    }
}
