// SPDX-License-Identifier: MIT
import Glibc
import GestureEngine
import GestureLaws

/// The totals of the runs on all cores.
struct Progress {
    private(set) var frames = 0
    private(set) var runs = 0
    private(set) var findings = 0
    private var counts: [GestureKind: Int] = [:]
    private var tally = SharedTally()
    private let start = ContinuousClock.now
    private var printed = ContinuousClock.now

    var seconds: Double {
        let time = (ContinuousClock.now - start).components
        return Double(time.seconds) + Double(time.attoseconds) / 1e18
    }

    mutating func add(_ campaign: LawCampaign) {
        frames += campaign.frames
        runs += campaign.played
        counts.merge(campaign.counts) { $0 + $1 }
        tally.add(campaign.tally)
    }

    /// Adds and prints a run that breaks a law.
    mutating func add(_ finding: LawCampaign.Finding, shrinks: Bool) {
        findings += 1
        write(shrinks ? "\(finding)" : "run \(finding.seed) \(finding.check): \(finding.violation)")
    }

    /// Prints a line every ten seconds, and one at the end.
    mutating func show(isEnd: Bool = false) {
        guard isEnd || ContinuousClock.now - printed > .seconds(10) else { return }
        printed = ContinuousClock.now
        let rate = Int(Double(frames) / max(seconds, 0.001))
        write("\(frames) frames in \(runs) runs, \(Int(seconds)) s, \(rate) frames/s, \(findings) violations")
        guard isEnd else { return }
        if tally.given > 0 { write("on shared panels: \(tally)") }
        guard !counts.isEmpty else { return }
        let kinds = GestureKind.allCases.map { "\($0) \(counts[$0, default: 0])" }
        write("recognized in runs of the engine alone: " + kinds.joined(separator: ", "))
    }

    private func write(_ text: String) {
        print(text)
        // The output is flushed so that a pipe receives the line immediately.
        fflush(nil)
    }
}
