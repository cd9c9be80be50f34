// SPDX-License-Identifier: MIT
import GestureLaws

/// The options of `fuzz-laws`.
struct Options: Sendable {
    static let help = """
        usage: fuzz-laws [--frames N] [--seconds S] [--seed N] [--keep-going] [--shared | --palms]
               fuzz-laws --private N [--seed N]
               fuzz-laws --pads N [--seed N]
          --frames N     stop after this number of frames (default: 100000000)
          --seconds S    stop after this number of seconds
          --seed N       the number of the first run (default: random)
          --private N    play this number of pairs of runs that differ only in touches of private regions
          --pads N       touch pads with secrets this number of times, several keys at once
          --keep-going   report each run that breaks a law, and continue (default: shrink it, print it and stop)
          --shared       play only panels that are shared with an application, with cancel = lift and palm
          --palms        play only fingers beside contacts that turn out to be palms, with and without these
        """

    var frames = 100_000_000
    var seconds: Int?
    var seed = UInt64.random(in: 0..<1 << 40)
    var keepsGoing = false
    var runs = LawCampaign.Runs.all
    /// The number of pairs of `PrivacyPair` to play instead of runs.
    var pairs: UInt64?
    /// The number of tries of `PadAttack` to play instead of runs.
    var padTries: Int?

    /// Returns `nil` if the arguments are invalid.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            switch option {
            case "--keep-going":
                keepsGoing = true
                continue
            case "--shared":
                runs = .shared
                continue
            case "--palms":
                runs = .palms
                continue
            default: break
            }
            guard let value = rest.popFirst().flatMap({ UInt64($0) }) else { return nil }
            switch option {
            case "--frames": frames = Int(clamping: value)
            case "--seconds": seconds = Int(clamping: value)
            case "--seed": seed = value
            case "--private": pairs = value
            case "--pads": padTries = Int(clamping: value)
            default: return nil
            }
        }
    }
}
