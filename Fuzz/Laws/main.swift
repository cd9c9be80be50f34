// SPDX-License-Identifier: MIT
import Glibc
import GestureLaws

/// Plays random runs on all cores until there were enough, or one breaks a law.
let runsPerBatch: UInt64 = 200

/// Runs from `seed` on; up to the first that breaks a law.
@Sendable func playBatch(_ seed: UInt64, _ keepsGoing: Bool) -> (LawCampaign, [LawCampaign.Finding]) {
    var campaign = LawCampaign()
    var findings: [LawCampaign.Finding] = []
    for run in seed..<(seed &+ runsPerBatch) where !campaign.play(seed: run) {
        if let finding = campaign.finding { findings.append(finding) }
        if !keepsGoing { break }
    }
    return (campaign, findings)
}

/// Keeps all cores busy.
func playAll(_ options: Options) async -> Progress {
    var progress = Progress()
    var next = options.seed
    let keepsGoing = options.keepsGoing
    await withTaskGroup(of: (LawCampaign, [LawCampaign.Finding]).self) { group in
        for _ in 0..<max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) {
            group.addTask { [next] in playBatch(next, keepsGoing) }
            next += runsPerBatch
        }
        for await (campaign, findings) in group {
            progress.add(campaign)
            for finding in findings { progress.add(finding, shrinks: !keepsGoing) }
            progress.show()
            if progress.findings > 0, !keepsGoing { break }
            if progress.frames >= options.frames || progress.seconds >= Double(options.seconds ?? .max) { continue }
            group.addTask { [next] in playBatch(next, keepsGoing) }
            next += runsPerBatch
        }
    }
    return progress
}

guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
    print(Options.help)
    exit(64)
}
print("runs from --seed \(options.seed)")
var progress = await playAll(options)
progress.show(isEnd: true)
exit(progress.findings == 0 ? 0 : 1)
