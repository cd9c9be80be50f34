// SPDX-License-Identifier: MIT
package import GestureEngine

/// Regions, and what holds between their gestures: what an engine is made of.
package struct LawWorld: Hashable, Sendable {
    package var regions: [Region]
    package var arbitration: ArbitrationSettings

    package init(_ regions: [Region], arbitration: ArbitrationSettings = ArbitrationSettings()) {
        self.regions = regions
        self.arbitration = arbitration
    }
}

/// All that an engine is told in one life. Plain data: a run that breaks a law is made smaller and
/// printed as a test.
package struct LawRun: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        /// Microseconds since the step before; may be negative.
        case wait(Int64)
        case frame([ContactChange])
        /// The loop woke, and nothing had happened.
        case advance
        /// The regions of another world.
        case reload(Int)
        case updates(Bool)
        case failures(Bool)
    }

    /// The first is what the engine is made with.
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
