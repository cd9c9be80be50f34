// SPDX-License-Identifier: MIT

/// The counts of a stream's lines.
package struct StreamTally: Hashable, Sendable {
    package internal(set) var lines = 0
    package internal(set) var updates = 0
    /// The number of lines that were merged into others.
    package internal(set) var merged = 0
    package internal(set) var overflows = 0
    /// The number of lines that were reported as lost.
    package internal(set) var dropped = 0

    package init() {}

    package mutating func add(_ other: Self) {
        lines += other.lines
        updates += other.updates
        merged += other.merged
        overflows += other.overflows
        dropped += other.dropped
    }
}
