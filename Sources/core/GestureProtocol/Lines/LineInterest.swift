// SPDX-License-Identifier: MIT

/// The optional lines that at least one receiver needs. Lines that are not listed here are always produced.
package struct LineInterest: Hashable, Sendable {
    /// Updates of continuous gestures.
    package var updates: Bool
    package var touches: Bool
    /// Raw kernel events.
    package var frames: Bool
    /// Failures of gestures.
    package var failures: Bool

    package init(updates: Bool = false, touches: Bool = false, frames: Bool = false, failures: Bool = false) {
        self.updates = updates
        self.touches = touches
        self.frames = frames
        self.failures = failures
    }

    package init(events: Set<EventName>, phases: Set<LinePhase>) {
        updates = events.contains(.gesture) && phases.contains(.update)
        touches = events.contains(.touches)
        frames = events.contains(.frame)
        failures = events.contains(.failed)
    }

    /// Adds the lines of another interest.
    package mutating func formUnion(_ other: Self) {
        updates = updates || other.updates
        touches = touches || other.touches
        frames = frames || other.frames
        failures = failures || other.failures
    }
}
