// SPDX-License-Identifier: MIT
import Foundation
import GestureEngine
import GestureTestSupport
import Testing
import TouchScripts

@testable import GestureReport

/// Two runs with the same touches, one of them with touches of a private region between and beside them.
@Suite("private regions and the report")
struct PrivacyTests {
    /// A touch of the one region or of the other, beside which somebody may touch the private one.
    private struct Moment {
        var time: Int64
        var place: String
        var length: Int
        var isBeside: Bool
    }

    @Test("database and report are the same byte for byte, whether private regions are touched or not")
    func pairs() throws {
        for seed in 0..<UInt64(LongRuns.count("report-pairs") ?? 12) {
            let plain = try run(seed, touchesPrivate: false)
            let secret = try run(seed, touchesPrivate: true)
            #expect(plain.file == secret.file, "seed \(seed)")
            #expect(plain.reports == secret.reports, "seed \(seed)")
            #expect(!plain.reports.joined().contains("pin"))
        }
    }

    @Test("the comparison sees a touch of another region")
    func differs() throws {
        let (a, b) = (try run(1, touchesPrivate: false), try run(1, touchesPrivate: false, extra: true))
        #expect(a.file != b.file && a.reports != b.reports)
    }

    private func run(_ seed: UInt64, touchesPrivate: Bool, extra: Bool = false) throws -> (
        file: Data, reports: [String]
    ) {
        var random = SeededRandom(seed)
        let moments = (0..<40).map { index in
            Moment(
                time: Int64(index) * 90_000_000 + Int64(random.below(60_000_000)),
                place: random.pick(["200,200", "430,250", "900,550"]), length: 30 + random.below(200),
                isBeside: random.chance(50))
        }
        // The private touches have numbers of their own, so that they change nothing else.
        var other = SeededRandom(seed ^ 0xFFFF)
        let panel = try HeardPanel(HearingTests.kiosk, in: ScratchFolder(), background: ["screen"])
        for moment in moments {
            if touchesPrivate, other.chance(60), moment.time - panel.now > 20_000_000 {
                panel.wait(until: panel.now + Int64(other.below(10_000_000)))
                try panel.play(
                    other.pick(["tap 700,200", "hold 800ms 700,200", "swipe left from 700,200"]), seed: other.next())
            }
            panel.wait(until: moment.time)
            let (down, up) = ("down a \(moment.place)", "up a")
            if touchesPrivate, moment.isBeside {
                try panel.play(
                    "\(down); +10ms; down b 650,150; +10ms; up b; +\(moment.length - 20)ms; \(up)")
            } else {
                try panel.play("\(down); +\(moment.length)ms; \(up)")
            }
        }
        if extra { try panel.play("tap 200,200") }
        panel.wait(until: 4_000_000_000)
        panel.end()
        let output = ReportOutput(
            try panel.data(),
            GlassHealth(try ReportReader(path: panel.path).history(of: LocalDay(number: HeardPanel.firstDay))))
        return (
            try Data(contentsOf: URL(fileURLWithPath: panel.path)),
            ReportOptions.Form.allCases.map { String(decoding: output.bytes($0), as: UTF8.self) }
        )
    }
}
