// SPDX-License-Identifier: MIT

package struct RotateSettings: Hashable, Sendable {
    /// Degrees by which the line between the two oldest contacts must have turned. Default 8: grail 7.2.
    package var start = 8.0

    package init() {}
}
