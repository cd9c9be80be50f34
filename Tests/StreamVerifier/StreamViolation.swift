// SPDX-License-Identifier: MIT

/// A violation of a law of the stream.
package struct StreamViolation: Hashable, Sendable, CustomStringConvertible {
    package enum Law: String, Hashable, Sendable, CaseIterable {
        /// A line is compact JSON with numbers in their formats, and has at most the maximum length.
        case form
        /// Events, gestures and phases are known, and a gesture has only phases of its kind.
        case word
        /// A gesture has one `begin` and then one `end` or `cancel`, and updates only between them.
        case phase
        /// The number of a sequence is used only once and for one region.
        case sequence
        /// Gaps in `seq` are explained by other lines.
        case seq
        /// Only updates of one gesture are merged into an `update`.
        case merge
        /// Time does not decrease.
        case time
        /// Positions lie on the panel.
        case place
        /// A removed device sends no events.
        case gone
        /// `hello` is first, `bye` is last, and `state` agrees with the stream.
        case order
        /// The id of a contact is used only once.
        case contact
        /// `n` increases by one; `count` and `fingers` match the name of the kind.
        case count
    }

    package var law: Law
    /// The number of the line in the stream, starting at 1.
    package var line: Int
    package var text: String

    package var description: String { "line \(line) breaks the law of \(law.rawValue): \(text)" }
}
