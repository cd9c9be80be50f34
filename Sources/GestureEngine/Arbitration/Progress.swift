// SPDX-License-Identifier: MIT

/// How far a gesture has come in the sequence of its region.
enum Progress: UInt8, Hashable, Sendable, BitwiseCopyable {
    /// Comes after gestures that have not been recognized yet: it is not told of contacts.
    case dormant
    case possible
    /// Has begun, and nobody has been told: a gesture that it gives way to is still possible.
    case withheld
    case recognized
    case failed
}
