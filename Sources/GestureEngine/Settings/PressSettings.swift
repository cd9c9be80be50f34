// SPDX-License-Identifier: MIT

/// The numbers of a press.
package struct PressSettings: Hashable, Sendable {
    /// How often a press that is held says so (timed press); `nil`: never.
    package var progress: Interval?

    package init(progress: Interval? = nil) {
        self.progress = progress
    }
}
