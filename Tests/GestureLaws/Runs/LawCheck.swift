// SPDX-License-Identifier: MIT
import GestureEngine

/// Selects whether a run is played on an engine or on a panel, and how it differs in the second play.
package enum LawCheck: Hashable, Sendable, CustomStringConvertible {
    case engine(Variation?)
    /// A whole panel, from kernel events to lines. The number is the seed for choices that the run does not determine.
    case panel(UInt64, PanelVariant?)
    /// An engine, with and without the contacts that turn out to be palms.
    case palms

    /// The first law that the run violates; `nil` if there is none.
    package func violation(of run: LawRun) -> LawViolation? {
        var counts: [GestureKind: Int] = [:]
        var tally = SharedTally()
        return violation(of: run, &counts, &tally)
    }

    func violation(
        of run: LawRun, _ counts: inout [GestureKind: Int], _ tally: inout SharedTally
    ) -> LawViolation? {
        switch self {
        case .engine(let variation): LawPlayer.violation(of: run, variation, &counts)
        case .panel(let seed, let variant): PanelPlayer.violation(of: run, seed: seed, variant, &tally)
        case .palms: PalmLaw.violation(of: run, &counts)
        }
    }

    package var description: String {
        switch self {
        case .engine(nil): ".engine(nil)"
        case .engine(let variation?): ".engine(.\(variation))"
        case .panel(let seed, nil): ".panel(\(seed), nil)"
        case .panel(let seed, let variant?): ".panel(\(seed), .\(variant))"
        case .palms: ".palms"
        }
    }
}
