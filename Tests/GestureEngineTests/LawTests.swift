// SPDX-License-Identifier: MIT
import GestureEngine
@testable import GestureLaws
import GestureTestSupport
import Testing

/// Laws that hold for random regions and random touches. `scripts/long laws` plays 400 times as many frames.
@Suite("Laws")
struct LawTests {
    /// The number of frames in each stretch of runs. A run with a sanitizer sets fewer, because each frame takes ten
    /// times as long.
    private static let frames = LongRuns.count("law-frames") ?? 125_000

    /// Plays two stretches of runs, on two cores, with 250 000 frames in total.
    @Test("hold for random frames", arguments: [UInt64(0), 1_000_000_000])
    func random(first: UInt64) {
        var campaign = LawCampaign()
        var seed = first
        // Each kind of gesture must be recognized several times, or the laws were not tested. Shorter runs are exempt.
        func isPoor(_ kind: GestureKind) -> Bool { campaign.counts[kind, default: 0] < 5 }
        let most = Self.frames >= 125_000 ? 2 * Self.frames : Self.frames
        while campaign.frames < Self.frames || campaign.frames < most && GestureKind.allCases.contains(where: isPoor),
            campaign.play(seed: seed)
        {
            seed += 1
        }
        if let finding = campaign.finding { Issue.record("\(finding)") }
        guard Self.frames >= 125_000 else { return }
        for kind in GestureKind.allCases {
            #expect(!isPoor(kind), "\(kind): \(campaign.counts[kind, default: 0])")
        }
    }

    @Test("hold for random frames of shared panels only")
    func shared() {
        var campaign = LawCampaign(.shared)
        var seed: UInt64 = 0
        // The application's filter and the display must have an effect, or their laws are not tested.
        while campaign.frames < Self.frames / 10 || campaign.frames < Self.frames && !campaign.tally.isRich,
            campaign.play(seed: seed)
        {
            seed += 1
        }
        if let finding = campaign.finding { Issue.record("\(finding)") }
        // Recognized gestures are counted only in runs on an engine, not in runs on a panel.
        #expect(campaign.counts.isEmpty)
        #expect(campaign.tally.isRich, "\(campaign.tally)")
    }

    @Test("hold for fingers beside contacts that turn out to be palms")
    func palms() {
        var campaign = LawCampaign(.palms)
        var seed: UInt64 = 0
        func isPoor(_ kind: GestureKind) -> Bool { campaign.counts[kind, default: 0] < 3 }
        while campaign.frames < Self.frames
            || campaign.frames < 8 * Self.frames && PalmLaw.kinds.contains(where: isPoor),
            campaign.play(seed: seed)
        {
            seed += 1
        }
        if let finding = campaign.finding { Issue.record("\(finding)") }
        guard Self.frames >= 125_000 else { return }
        for kind in PalmLaw.kinds { #expect(!isPoor(kind), "\(kind)") }
    }

    /// The key is touched while the region around the lock has another profile, which it then keeps.
    @Test("hold for a pattern that is locked out while a profile changes")
    func profiledPattern() {
        let secret = pattern(["g2 r3", "g1 r1", "g1 r0"]) { ($0.attempts, $0.lockout) = (1, .milliseconds(3000)) }
        let world = LawWorld([
            region("r0", []), region("r2", (0, 0, 200, 100), parent: 0, [dial { $0.start = 0 }, secret]),
            region("r3", (79, 28, 132, 37), rules: [Gesture(tap(wait: true), name: "g1")]),
        ])
        let script = "down a 118,45; up a; down b 110,99; move b 107,99; reload 0"
        #expect(lawViolation([world], script, .panel(20_287_911, .profiled)) == nil)
    }

    @Test("are tried with every key of every gesture")
    func keys() {
        var maker = RandomGesture(RunRandom(1), isCoarse: false)
        for row in KindRow.all {
            var missing = Set(row.keys.map(\.name))
            for _ in 0..<400 {
                let settings = maker.settings(row.kind, isPlain: false)
                let differences = row.differences(settings)
                missing.subtract(differences.map(\.name))
                // A printed run names the keys that differ.
                let printed = differences.reduce(GestureSettings.standard(row.kind)) {
                    $0.with($1.name, $1.get(settings))
                }
                #expect(printed == settings)
            }
            #expect(missing.isEmpty, "\(row.word)")
        }
    }

    /// Every tap violates this law, so the shrinker must leave only the tap and its region.
    @Test("a run that violates a law is shrunk to a script")
    func shrinks() {
        var seed: UInt64 = 0
        var run = RandomRun.make(seed: seed, frames: 300)
        while !Self.taps(run) {
            seed += 1
            run = RandomRun.make(seed: seed, frames: 300)
        }
        #expect(run.steps.count > 500)
        var shrinker = Shrinker(run, isBroken: Self.taps)
        shrinker.shrink()
        let small = shrinker.run
        #expect(Self.taps(small))
        #expect(small.worlds.count == 1 && small.worlds[0].regions.count == 1, "\(small.worlds)")
        #expect(small.worlds[0].regions.map { $0.gestures.count } == [1])
        #expect(small.frameCount <= 2, "\(SwiftText.script(small))")
        #expect(small.worlds[0].regions[0].gestures[0].settings == .standard(.tap))
        // The shrunk run is printed as a touch script and as a test.
        #expect(SwiftText.script(small).hasPrefix("down a "))
        #expect(
            SwiftText.test(small, .engine(.again)).contains("lawViolation([world0], script, .engine(.again)) == nil"))
    }

    private static func taps(_ run: LawRun) -> Bool {
        LawPlayer.events(of: run).contains { if case .tap = $0.detail { true } else { false } }
    }
}
