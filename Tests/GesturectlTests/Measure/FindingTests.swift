// SPDX-License-Identifier: MIT
import ContactTracking
import GestureConfiguration
import GestureEngine
import GestureTestSupport
import Testing

@testable import gesturectl

@Suite("Findings of measurements")
struct FindingTests {
    private func find(
        _ gesture: MeasuredGesture, _ attempts: [[ContactTrack]], _ settings: SettingsInUse = SettingsInUse()
    ) throws -> Finding {
        try #require(gesture.finding(attempts, settings, bounds: Attempts.bounds))
    }

    private func values(_ name: String, _ finding: Finding) -> [Double] {
        (finding.measures.first { $0.name == name }?.distribution.values ?? []).map { ($0 * 1000).rounded() / 1000 }
    }

    @Test("taps: duration and distance")
    func taps() throws {
        let finding = try find(
            .tap, [Attempts.tap(80), Attempts.tap(120, strays: 1.5), Attempts.tap(60, strays: -0.5)])
        #expect(values("duration", finding) == [60, 80, 120])
        #expect(values("movement", finding) == [0, 0.5, 1.5])
        #expect(finding.measures.count == 2)
    }

    @Test("the largest distance is used, not the last")
    func excursion() throws {
        #expect(values("movement", try find(.tap, [[Attempts.track(path: [2, 4, 1], lift: 50)]])) == [4])
    }

    @Test("double taps: the gap from lift to landing, and the distance of the landings")
    func doubleTaps() throws {
        let pair = [Attempts.track(1, x: 20, path: [2], lift: 80), Attempts.track(2, at: 230, x: 25, lift: 70)]
        let finding = try find(.tap, [pair])
        #expect(values("gap", finding) == [150])
        #expect(values("distance", finding) == [5])
        #expect(finding.refused == 0)
        var settings = SettingsInUse()
        settings.tap.gap = .milliseconds(150)
        #expect(try find(.tap, [pair], settings).refused == 1)
        #expect(try find(.tap, [pair], settings).limits.first { $0.key == "gap" }?.refused == 1)
        settings.tap.gap = .milliseconds(151)
        #expect(try find(.tap, [pair], settings).refused == 0)
    }

    @Test("swipes: the engine's measures")
    func swipes() throws {
        let finding = try find(.swipe, [Attempts.swipe(40, in: 200, silence: 50, slope: 1)])
        #expect(values("distance", finding) == [40])
        #expect(values("duration", finding) == [200])
        // The finger moves 40 mm in 150 ms; then 50 ms pass without a report.
        #expect(values("velocity", finding)[0] > 266 && values("velocity", finding)[0] < 267)
        #expect(values("silence", finding) == [50])
        #expect(values("deviation", finding) == [45])
        let still = try find(.swipe, [Attempts.tap(100)])
        #expect(values("distance", still) == [0])
        #expect(values("deviation", still) == [])
        #expect(still.refused == 1)
    }

    @Test(
        "degrees from the nearest axis",
        arguments: [(0, 0), (10, 10), (80, 10), (90, 0), (-100, 10), (180, 0), (135, 45)])
    func deviation(angle: Double, expected: Double) { #expect(Finding.deviation(angle) == expected) }

    @Test("holds: movement after the press has begun is ignored")
    func holds() throws {
        let early = (1...60).map { $0 < 50 ? 1.0 : 8.0 }
        let finding = try find(.hold, [[Attempts.track(path: early, lift: 700)]])
        #expect(values("drift", finding) == [1])
        #expect(values("in all", finding) == [8])
        #expect(values("duration", finding) == [700])
        #expect(finding.refused == 0)
        let late = (1...60).map { $0 < 49 ? 1.0 : 8.0 }
        #expect(try find(.hold, [[Attempts.track(path: late, lift: 700)]]).refused == 1)
    }

    @Test("the limits match the engine's, on both sides", arguments: MeasuredGesture.allCases, [1, 2, 3])
    func agreement(gesture: MeasuredGesture, seed: UInt64) throws {
        var random = SeededRandom(seed)
        var settings = SettingsInUse()
        settings.swipe.maxDeviation = 20
        for _ in 0..<200 {
            let attempt: [ContactTrack]
            switch gesture {
            case .tap:
                attempt = Attempts.tap(
                    .random(in: 496...504, using: &random), strays: .random(in: 0...4, using: &random))
            case .hold:
                attempt = Attempts.tap(
                    .random(in: 496...504, using: &random), strays: .random(in: 3...7, using: &random))
            case .swipe:
                let duration = Int64.random(in: 200...520, using: &random)
                attempt = Attempts.swipe(
                    .random(in: 8...60, using: &random), in: duration,
                    silence: .random(in: 0...160, using: &random), slope: .random(in: -0.5...0.5, using: &random))
            }
            let finding = try find(gesture, [attempt], settings)
            let isBeyond = finding.limits.contains { $0.refused > 0 }
            #expect(isBeyond == (finding.refused > 0), "\(finding.limits)")
        }
    }

    @Test(
        "95 % plus a quarter, rounded away from the measured values, and never stricter than the default",
        arguments: [
            ([1.0], 3, "95 % strayed at most 1 mm, the built-in 3 mm is enough"),
            ([2.4], 3, "95 % strayed at most 2.4 mm"),
            ([2.5], 3.5, "95 % strayed at most 2.5 mm"), ([4], 5, "95 % strayed at most 4 mm"),
            ([4.1], 5.5, "95 % strayed at most 4.1 mm"),
        ])
    func upperProposals(values: [Double], expected: Double, reason: String) throws {
        let proposal = Finding.Proposal(
            "slop", try #require(Finding.Measure("movement", "mm", decimals: 1, values)), .atMost(step: 0.5),
            builtIn: 3,
            "strayed")
        #expect(proposal.value == expected)
        #expect(proposal.reason == reason)
    }

    @Test(
        "never more than the configuration allows, on both sides",
        arguments: [
            (799_960.0, 999_950.0, "mm", ""), (800_000, 1_000_000, "mm", ""),
            (800_001, 1_000_000, "mm", ", the configuration allows at most 1000000 mm"),
            (2_880_000, 3_600_000, "ms", ""),
            (2_880_001, 3_600_000, "ms", ", the configuration allows at most 3600000 ms"),
            (1e300, 3_600_000, "ms", ", the configuration allows at most 3600000 ms"),
        ])
    func most(seen: Double, expected: Double, unit: String, words: String) throws {
        let proposal = Finding.Proposal(
            "slop", try #require(Finding.Measure("movement", unit, decimals: 1, [seen])), .atMost(step: 50), builtIn: 3,
            "strayed")
        #expect(proposal.value == expected)
        #expect(proposal.reason == "95 % strayed at most \(shortest(seen)) \(unit)\(words)")
    }

    @Test("the configuration accepts the proposals for absurd attempts", arguments: MeasuredGesture.allCases)
    func absurd(gesture: MeasuredGesture) throws {
        let attempts = [
            [
                Attempts.track(1, path: [9e8], lift: 9_000_000_000),
                Attempts.track(2, at: 20_000_000_000, x: -9e9, path: [9e8], lift: 9_000_000_000),
            ]
        ]
        let finding = try find(gesture, attempts)
        let outcome = ConfigurationReader.read(finding.toml)
        #expect(outcome.configuration != nil)
        #expect(outcome.diagnostics.filter { $0.severity == .error }.isEmpty, "\(finding.toml)")
    }

    @Test(
        "proposals for lower limits", arguments: [([20.0], 10), ([14], 10), ([13.3], 9), ([8], 6), ([1], 2)])
    func lowerProposals(values: [Double], expected: Double) throws {
        let proposal = Finding.Proposal(
            "min_distance", try #require(Finding.Measure("distance", "mm", decimals: 1, values)), .atLeast(2, step: 1),
            builtIn: 10, "went")
        #expect(proposal.value == expected)
    }

    /// Slow, shaky or short attempts, for which all proposed values differ from the defaults.
    private static let hard: [(MeasuredGesture, [[ContactTrack]])] = [
        (.tap, (0..<20).map { Attempts.tap(700 + Int64($0) * 10, strays: 3 + Double($0) / 5) }),
        (
            .tap,
            (0..<20).map {
                [
                    Attempts.track(1, lift: 600),
                    Attempts.track(2, at: 950 + Int64($0), x: 33, path: [4], lift: 90),
                ]
            }
        ),
        (.swipe, (0..<20).map { Attempts.swipe(5 + Double($0) / 10, in: 800, silence: 160 + Int64($0)) }),
        (.hold, (0..<20).map { Attempts.tap(300 + Int64($0) * 10, strays: 6) }),
    ]

    @Test("the configuration accepts the proposals, which refuse fewer attempts", arguments: 0..<4)
    func toml(index: Int) throws {
        let (gesture, attempts) = Self.hard[index]
        let finding = try find(gesture, attempts)
        #expect(finding.refused == 20)
        #expect(finding.refusedThen < 3)
        #expect(!finding.proposals.isEmpty)
        let region = """

            [[region]]
            id = "all"
            shape = "full"
            gestures = ["tap", "swipe", "long_press"]
            """
        let outcome = ConfigurationReader.read(finding.toml + region)
        #expect(outcome.diagnostics.isEmpty, "\(finding.toml)")
        let configuration = try #require(outcome.configuration)
        let size = PanelSize(widthPixels: 200, heightPixels: 100, widthMillimeters: 200, heightMillimeters: 100)
        for settings in configuration.regions(for: size).regions[0].gestures.map(\.settings) {
            switch (settings, gesture) {
            case (.tap(let tap), .tap):
                #expect(finding.value("slop") == tap.slop)
                #expect(finding.value("max_time") == tap.maxTime.milliseconds)
                if index == 1 {
                    #expect(finding.value("gap") == tap.gap.milliseconds)
                    #expect(finding.value("distance") == tap.distance)
                }
            case (.swipe(let swipe), .swipe):
                #expect(finding.value("min_distance") == swipe.minDistance)
                #expect(finding.value("max_time") == swipe.maxTime.milliseconds)
                #expect(finding.value("min_velocity") == swipe.minVelocity)
                #expect(finding.value("rest") == swipe.rest.milliseconds)
            case (.longPress(let longPress), .hold):
                #expect(finding.value("slop") == longPress.slop)
                #expect(finding.value("delay") == longPress.delay.milliseconds)
            default: break
            }
        }
    }

    @Test("remarks state how the proposals affect other gestures")
    func remarks() throws {
        #expect(
            try find(.tap, Self.hard[0].1).remarks.contains { $0.hasPrefix("max_time is longer than long_press delay") }
        )
        #expect(
            try find(.tap, [Attempts.tap(90, strays: 12)]).remarks.contains { $0.hasPrefix("slop is greater than") })
        #expect(
            try find(.swipe, [Attempts.swipe(3, in: 100)]).remarks.contains {
                $0.hasPrefix("min_distance is within tap slop")
            })
        #expect(try find(.hold, Self.hard[3].1).remarks.contains { $0.hasPrefix("delay is shorter than tap max_time") })
        var settings = SettingsInUse()
        settings.swipe.maxDeviation = 20
        let crooked = try find(.swipe, [Attempts.swipe(40, in: 200, slope: 0.4)], settings)
        #expect(crooked.remarks == ["max_deviation: 95 % deviated by at most 21.8 deg; now 20, 28 would suffice"])
        #expect(try find(.tap, [Attempts.tap(90)]).remarks.isEmpty)
    }
}
