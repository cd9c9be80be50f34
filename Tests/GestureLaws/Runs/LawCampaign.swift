// SPDX-License-Identifier: MIT
package import GestureEngine

/// Creates runs from their numbers, and plays each of them twice, the second time with a variation.
package struct LawCampaign: Sendable {
    /// The runs of a campaign.
    package enum Runs: Sendable {
        case all
        /// Runs on panels that are shared with an application.
        case shared
        /// Touches of fingers beside contacts that turn out to be palms.
        case palms
    }

    /// A run that violates a law.
    package struct Finding: Sendable, CustomStringConvertible {
        package var seed: UInt64
        package var check: LawCheck
        package var violation: LawViolation
        package var run: LawRun

        /// The violation, and a test that can be pasted, with the smallest run found that violates the same law.
        package var description: String {
            let smallest = Shrinker.smallest(self)
            let smallestViolation = check.violation(of: smallest) ?? violation
            return "run \(seed) breaks the law \(smallestViolation)\n\(SwiftText.test(smallest, check))"
        }
    }

    /// The approximate number of frames of a run.
    package static let framesPerRun = 300

    /// The number of frames that were played and checked. Frames of the second plays are not counted.
    package private(set) var frames = 0
    package private(set) var played = 0
    /// The number of events of each kind, without updates and failures.
    package private(set) var counts: [GestureKind: Int] = [:]
    /// The counts of the runs on shared panels.
    package private(set) var tally = SharedTally()
    package private(set) var finding: Finding?

    private let runs: Runs

    package init(_ runs: Runs = .all) { self.runs = runs }

    /// Plays the run with this number.
    /// - Returns: whether all laws held.
    @discardableResult
    package mutating func play(seed: UInt64) -> Bool {
        let run = runs == .palms ? PalmRun.make(seed: seed) : RandomRun.make(seed: seed, frames: Self.framesPerRun)
        let check = check(seed)
        frames += run.frameCount
        played += 1
        guard let violation = check.violation(of: run, &counts, &tally) else { return true }
        finding = Finding(seed: seed, check: check, violation: violation, run: run)
        return false
    }

    /// Selects the check for the run with this number.
    private func check(_ seed: UInt64) -> LawCheck {
        switch runs {
        case .all: Self.anyCheck(seed)
        case .shared: Self.sharedCheck(seed)
        case .palms: .palms
        }
    }

    /// Every fourth run is played on a whole panel.
    private static func anyCheck(_ seed: UInt64) -> LawCheck {
        if seed % 4 == 3 {
            let variants = PanelVariant.allCases
            return .panel(seed, variants[Int(seed / 4 % UInt64(variants.count))])
        }
        let fitting = Variation.fitting(seed: seed, isCoarse: RandomRun.isCoarse(seed))
        return .engine(fitting[Int(seed / 6 % UInt64(fitting.count))])
    }

    /// Ignores the lowest bit of the seed, because that selects the lines that clients subscribe to.
    private static func sharedCheck(_ seed: UInt64) -> LawCheck {
        .panel(seed, seed / 2 % 2 == 0 ? .sharedLift : .sharedPalm)
    }
}
