// SPDX-License-Identifier: MIT

/// A violation of a law of the stream.
package struct StreamViolation: Hashable, Sendable, CustomStringConvertible {
    package enum Law: String, Hashable, Sendable, CaseIterable {
        /// Keys, their order, the forms of values, and the length of a line.
        case form
        /// An unknown word, or a phase that the kind does not have.
        case word
        /// One `begin`, one `end` or `cancel`, nothing after it, `update` only between.
        case phase
        /// The id of a sequence is used once, for one region.
        case sequence
        /// `seq` has no unexplained gap.
        case seq
        /// An `update` stands only for updates of its own gesture.
        case merge
        /// Time does not go back.
        case time
        /// Positions lie on the panel.
        case place
        /// A removed device has no events.
        case gone
        /// `hello` is first, `bye` is last, and `state` agrees with the stream.
        case order
        /// Ids of contacts are used once.
        case contact
        /// `n` increases by one; `count` and `fingers` match the name of the kind.
        case count
    }

    package var law: Law
    /// The number of the line, from 1.
    package var line: Int
    package var text: String

    package var description: String { "line \(line) breaks the law of \(law.rawValue): \(text)" }
}
