// SPDX-License-Identifier: MIT
import GestureLaws

var campaign = LawCampaign()
let start = ContinuousClock.now
var seed = CommandLine.arguments.count > 2 ? UInt64(CommandLine.arguments[2]) ?? 0 : 0
let target = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 1000 : 1000
while campaign.frames < target {
    defer { seed += 1 }
    if !campaign.play(seed: seed), let finding = campaign.finding {
        if CommandLine.arguments.count > 3 {
            print(finding)
            continue
        }
        print("seed \(seed) \(finding.check): \(finding.violation)")
    }
}
print("\(campaign.frames) frames, \(campaign.runs) runs in \(ContinuousClock.now - start)")
print(campaign.counts)
