// SPDX-License-Identifier: MIT

/// A law of the stream that a line breaks.
package struct StreamViolation: Hashable, Sendable, CustomStringConvertible {
    package enum Law: String, Hashable, Sendable, CaseIterable {
        /// Keys, their order, the forms of values, the length of a line.
        case form
        /// A word that the protocol does not know, or a kind that has no such phase.
        case word
        /// One `begin`, one `end` or `cancel`, nothing after it, `update` only between.
        case phase
        /// The id of a sequence is used for one region, once.
        case sequence
        /// `seq` without a gap that nothing explains.
        case seq
        /// Time goes forward.
        case time
        /// On the panel.
        case place
        /// What is gone says nothing.
        case gone
        /// `hello` first, `state` as it is, `bye` last.
        case order
        /// Ids of contacts are used once.
        case contact
        /// `n` counts by one, `count` and `fingers` are what the kind's name says.
        case count
    }

    package var law: Law
    /// From 1.
    package var line: Int
    package var text: String

    package var description: String { "line \(line) breaks the law of \(law.rawValue): \(text)" }
}
