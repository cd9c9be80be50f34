// SPDX-License-Identifier: MIT

/// Which lines somebody wants, beyond those that everybody gets: nobody computes the others.
package struct LineInterest: Hashable, Sendable {
    /// Updates of continuous gestures.
    package var updates: Bool
    package var touches: Bool
    /// Raw kernel events.
    package var frames: Bool

    /// Why gestures were not recognized.
    package var failures: Bool

    package init(updates: Bool = false, touches: Bool = false, frames: Bool = false, failures: Bool = false) {
        self.updates = updates
        self.touches = touches
        self.frames = frames
        self.failures = failures
    }
}
