// SPDX-License-Identifier: MIT
import GesturePipeline

/// What panels have seen and made since the daemon started.
struct PanelCounts: Hashable, Sendable {
    /// Frames with a change.
    private(set) var frames = 0
    /// Gesture lines.
    private(set) var events = 0
    private(set) var resynchronizations = 0

    mutating func add(_ panel: Panel) {
        frames += panel.pipeline.frameCount
        events += panel.pipeline.eventCount
        resynchronizations += panel.pipeline.resynchronizationCount
    }
}
