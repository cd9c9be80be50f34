// SPDX-License-Identifier: MIT
package import GestureEngine

/// Run after run, by number: each is made, played, and played in another way.
package struct LawCampaign: Sendable {
    /// A run that broke a law.
    package struct Finding: Sendable, CustomStringConvertible {
        package var seed: UInt64
        package var check: LawCheck
        package var violation: LawViolation
        package var run: LawRun

        /// What is wrong, and a test to paste: the smallest run that breaks the same law.
        package var description: String {
            let smallest = Shrinker.smallest(self)
            let smallestViolation = check.violation(of: smallest) ?? violation
            return "run \(seed) breaks the law \(smallestViolation)\n\(SwiftText.test(smallest, check))"
        }
    }

    /// Frames of one run, about.
    package static let framesPerRun = 300

    /// Frames that were played and held to the laws; those of second plays are not counted.
    package private(set) var frames = 0
    package private(set) var runs = 0
    /// Events of each kind, updates and failures not counted.
    package private(set) var counts: [GestureKind: Int] = [:]
    package private(set) var finding: Finding?

    private let isShared: Bool

    /// - Parameter isShared: only panels that are shared with an application.
    package init(isShared: Bool = false) { self.isShared = isShared }

    /// Plays the run with this number.
    /// - Returns: whether all laws held.
    @discardableResult
    package mutating func play(seed: UInt64) -> Bool {
        let run = RandomRun.make(seed: seed, frames: Self.framesPerRun)
        let check = isShared ? Self.sharedCheck(seed) : Self.check(seed)
        frames += run.frameCount
        runs += 1
        guard let violation = check.violation(of: run, &counts) else { return true }
        finding = Finding(seed: seed, check: check, violation: violation, run: run)
        return false
    }

    /// How the run with this number is played: every fourth by a whole panel.
    private static func check(_ seed: UInt64) -> LawCheck {
        if seed % 4 == 3 {
            let variants = PanelVariant.allCases
            return .panel(seed, variants[Int(seed / 4 % UInt64(variants.count))])
        }
        let fitting = Variation.fitting(seed: seed, isCoarse: RandomRun.isCoarse(seed))
        return .engine(fitting[Int(seed / 6 % UInt64(fitting.count))])
    }

    /// Not every second one: what lines are wanted depends on that.
    private static func sharedCheck(_ seed: UInt64) -> LawCheck {
        .panel(seed, seed / 2 % 2 == 0 ? .sharedLift : .sharedPalm)
    }
}
