// SPDX-License-Identifier: MIT
package import ContactTracking
package import GestureEngine

/// The state that a panel leaves to the one that takes its place, because whoever can unplug it must not shed it.
package struct PanelMemory: Hashable, Sendable {
    /// The wrong steps of patterns that are not forgotten yet.
    package var wrongSteps: [PatternKey: WrongSteps] = [:]
    /// The storms of ghost touches; `nil` if none is known.
    package var storms: StormMemory?

    package init() {}
}

extension PanelPipeline {
    package var memory: PanelMemory {
        var memory = PanelMemory()
        memory.wrongSteps = engine.wrongSteps
        memory.storms = tracker.stormMemory
        return memory
    }

    /// The number of changes of `memory.wrongSteps` so far.
    package var wrongStepsRevision: Int { engine.wrongStepsRevision }

    /// Takes the place of a panel. Call this before the first event.
    package mutating func restore(_ memory: PanelMemory) {
        engine.restore(memory.wrongSteps)
        if let storms = memory.storms { tracker.restore(storms) }
    }
}
