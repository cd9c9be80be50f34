// SPDX-License-Identifier: MIT

/// The numbers of a rotation, in millimetres, degrees and times.
package struct RotateSettings: Hashable, Sendable {
    /// Degrees by which the line between the two oldest contacts must have turned. Default 8: grail 7.2.
    package var start = 8.0

    package init() {}
}
