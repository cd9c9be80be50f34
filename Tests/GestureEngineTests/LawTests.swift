// SPDX-License-Identifier: MIT
import GestureEngine
import GestureLaws
import GestureTestSupport
import Testing

/// Random regions and random touches: whatever they are, these laws hold. `make fuzz-long` plays a
/// hundred times as many.
@Suite("Laws")
struct LawTests {
    /// Two stretches of runs, for two cores: a million frames together.
    @Test("hold for random frames", arguments: [UInt64(0), 1_000_000_000])
    func random(first: UInt64) {
        var campaign = LawCampaign()
        var seed = first
        while campaign.frames < 510_000, campaign.play(seed: seed) { seed += 1 }
        if let finding = campaign.finding { Issue.record("\(finding)") }
        // A player that touches nothing would prove nothing.
        let counts = campaign.counts
        for kind in GestureKind.allCases {
            #expect(counts[kind, default: 0] > 100, "\(kind): \(counts[kind, default: 0])")
        }
    }
}
