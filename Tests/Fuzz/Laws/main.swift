// SPDX-License-Identifier: MIT
import Glibc
import GestureLaws

/// The number of runs in a batch, which one task plays.
let runsPerBatch: UInt64 = 200

/// Plays a batch of runs starting with number `seed`. It stops at the first run that breaks a law, unless
/// `--keep-going` is set.
@Sendable func playBatch(_ seed: UInt64, _ options: Options) -> (LawCampaign, [LawCampaign.Finding]) {
    var campaign = LawCampaign(options.runs)
    var findings: [LawCampaign.Finding] = []
    for run in seed..<(seed &+ runsPerBatch) where !campaign.play(seed: run) {
        if let finding = campaign.finding { findings.append(finding) }
        if !options.keepsGoing { break }
    }
    return (campaign, findings)
}

/// Plays batches on all cores until the requested number of frames or seconds is reached or a run breaks a law.
func playAll(_ options: Options) async -> Progress {
    var progress = Progress()
    var next = options.seed
    await withTaskGroup(of: (LawCampaign, [LawCampaign.Finding]).self) { group in
        for _ in 0..<max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) {
            group.addTask { [next] in playBatch(next, options) }
            next += runsPerBatch
        }
        for await (campaign, findings) in group {
            progress.add(campaign)
            for finding in findings { progress.add(finding, shrinks: !options.keepsGoing) }
            progress.show()
            if progress.findings > 0, !options.keepsGoing { break }
            if progress.frames >= options.frames || progress.seconds >= Double(options.seconds ?? .max) { continue }
            group.addTask { [next] in playBatch(next, options) }
            next += runsPerBatch
        }
    }
    return progress
}

guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
    print(Options.help)
    exit(64)
}
let kindsOfPairs: [(text: String, play: @Sendable (UInt64) -> PrivacyPair.Outcome)] = [
    ("private touches differ", { PrivacyPair.play(seed: $0, variesPrivate: true) }),
    ("open touches differ", { PrivacyPair.play(seed: $0, variesPrivate: false) }),
    ("private touches of a panel differ", { PanelPrivacyPair.play(seed: $0) }),
]

/// Plays pairs on all cores, starting with number `seed`, up to the first one that differs. Each number is played three
/// times: with different contacts in private regions, with different contacts elsewhere, and with different contacts in
/// the private regions of a whole panel.
func playPairs(_ count: UInt64, from seed: UInt64) async -> PrivacyPair.Outcome {
    var sum = PrivacyPair.Outcome()
    let cores = UInt64(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    await withTaskGroup(of: PrivacyPair.Outcome.self) { group in
        for core in 0..<cores {
            group.addTask {
                var sum = PrivacyPair.Outcome()
                for pair in stride(from: seed &+ core, to: seed &+ count, by: Int(cores)) where sum.violation == nil {
                    for (text, play) in kindsOfPairs {
                        var outcome = play(pair)
                        let text = "pair \(pair), \(text)"
                        outcome.violation = outcome.violation.map { LawViolation($0.law, "\(text): \($0.text)") }
                        sum.add(outcome)
                    }
                }
                return sum
            }
        }
        for await outcome in group { sum.add(outcome) }
    }
    return sum
}

/// Attacks pads on all cores, each one this often.
func attackPads(_ tries: Int, from seed: UInt64) async -> [String: PadAttack.Outcome] {
    let triesPerPad = 500
    let cores = UInt64(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    let pads = UInt64(max(1, tries / triesPerPad))
    var sums: [String: PadAttack.Outcome] = [:]
    await withTaskGroup(of: [String: PadAttack.Outcome].self) { group in
        for core in 0..<cores {
            group.addTask {
                var sums: [String: PadAttack.Outcome] = [:]
                for pad in stride(from: seed &+ core, to: seed &+ pads, by: Int(cores)) {
                    var attack = PadAttack(seed: pad)
                    attack.play(tries: triesPerPad)
                    sums[attack.name, default: PadAttack.Outcome()].add(attack.outcome)
                }
                return sums
            }
        }
        for await part in group { sums.merge(part) { $0.adding($1) } }
    }
    return sums
}

if let pairs = options.pairs {
    print("pairs from --seed \(options.seed)")
    let outcome = await playPairs(pairs, from: options.seed)
    print(
        "\(pairs) pairs of each kind: \(outcome.varied) contacts that differ, \(outcome.crossed) movements of others over them, "
            + "\(outcome.events) events of others; \(outcome.violation.map { "\($0)" } ?? "no difference")")
    exit(outcome.violation == nil ? 0 : 1)
}
if let tries = options.padTries {
    print("pads from --seed \(options.seed)")
    let attacks = await attackPads(tries, from: options.seed)
    for (pad, outcome) in attacks.sorted(by: { $0.key < $1.key }) { print("\(pad): \(outcome)") }
    exit(attacks.values.contains { $0.isTooOften } ? 1 : 0)
}
print("runs from --seed \(options.seed)")
var progress = await playAll(options)
progress.show(isEnd: true)
exit(progress.findings == 0 ? 0 : 1)
