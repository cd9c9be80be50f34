// SPDX-License-Identifier: MIT
import GestureEngine
import GestureLaws
import Testing

/// Who may not see private regions cannot learn where they are touched. `fuzz-laws --private` plays more pairs.
@Suite("Private regions")
struct PrivacyTests {
    @Test(
        "two runs that differ only in where they are touched are the same to others", arguments: [UInt64(0), 1_000_000])
    func pairs(first: UInt64) {
        var sum = PrivacyPair.Outcome()
        for seed in first..<(first + 1500) {
            let outcome = PrivacyPair.play(seed: seed)
            if let violation = outcome.violation {
                Issue.record("pair \(seed): \(violation)")
                return
            }
            sum.add(outcome)
        }
        // Pairs without such touches, or without any line, would prove nothing.
        #expect(sum.hidden > 1000 && sum.entered > 10 && sum.events > 10_000, "\(sum)")
    }

    @Test("such pairs differ where nothing is hidden")
    func differ() {
        let count = (UInt64(0)..<200).count { PrivacyPair.play(seed: $0, hides: false).violation != nil }
        #expect(count > 100, "\(count)")
    }
}
