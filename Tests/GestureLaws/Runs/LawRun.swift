// SPDX-License-Identifier: MIT
package import GestureEngine

/// Regions and their arbitration settings: the parameters of an engine.
package struct LawWorld: Hashable, Sendable {
    package var regions: [Region]
    package var arbitration: ArbitrationSettings

    package init(_ regions: [Region], arbitration: ArbitrationSettings = ArbitrationSettings()) {
        self.regions = regions
        self.arbitration = arbitration
    }
}

/// All inputs of an engine, as plain data, so that a run that violates a law can be shrunk and printed as a test.
package struct LawRun: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        /// Changes the time by this number of microseconds, which may be negative.
        case wait(Int64)
        case frame([ContactChange])
        /// The loop wakes up without an event.
        case advance
        /// The regions of the world with this index replace the current ones.
        case reload(Int)
        case updates(Bool)
        case failures(Bool)
    }

    /// The worlds of the run; the engine starts with the first one.
    package var worlds: [LawWorld]
    package var size: Vector
    package var steps: [Step]

    package init(worlds: [LawWorld], size: Vector = Vector(dx: 200, dy: 100), steps: [Step]) {
        self.worlds = worlds
        self.size = size
        self.steps = steps
    }

    package var frameCount: Int {
        steps.count { if case .frame = $0 { true } else { false } }
    }
}
