// SPDX-License-Identifier: MIT

/// Run after run, by number: each is made, played, and played in another way.
package struct LawCampaign: Sendable {
    /// A run that broke a law.
    package struct Finding: Sendable {
        package var seed: UInt64
        package var variation: Variation
        package var violation: LawViolation
        package var run: LawRun
    }

    /// Frames of one run, about.
    package static let framesPerRun = 300

    package private(set) var frames = 0
    package private(set) var runs = 0
    package private(set) var finding: Finding?

    package init() {}

    /// Plays the run with this number.
    /// - Returns: whether all laws held.
    @discardableResult
    package mutating func play(seed: UInt64) -> Bool {
        let run = RandomRun.make(seed: seed, frames: Self.framesPerRun)
        let variation = Self.variation(seed)
        frames += run.frameCount
        runs += 1
        guard let violation = LawPlayer.violation(of: run, variation) else { return true }
        finding = Finding(seed: seed, variation: variation, violation: violation, run: run)
        return false
    }

    /// What else the run with this number is played as.
    private static func variation(_ seed: UInt64) -> Variation {
        let fitting = Variation.fitting(seed: seed, isCoarse: RandomRun.isCoarse(seed))
        return fitting[Int(seed / 6 % UInt64(fitting.count))]
    }
}
