// SPDX-License-Identifier: MIT
import GestureEngine

/// Taps, and double taps: how long, how far they stray, how far apart they are.
enum TapFinding {
    static func make(_ attempts: [[ContactTrack]], _ inUse: SettingsInUse, bounds: Rectangle) -> Finding? {
        let tracks = attempts.flatMap { $0 }
        guard let duration = Finding.Measure("duration", "ms", decimals: 0, tracks.map(\.duration)),
            let movement = Finding.Measure("movement", "mm", decimals: 1, tracks.map { $0.excursion() })
        else { return nil }
        let builtIn = TapSettings()
        var current = inUse.tap
        current.wait = false
        current.count = attempts.contains { $0.count > 1 } ? 2 : 1
        var finding = Finding(
            table: "tap", measures: [duration, movement],
            limits: [
                .init(
                    key: "slop", value: current.slop, unit: "mm",
                    refused: movement.distribution.values.count { $0 > current.slop }),
                .init(
                    key: "max_time", value: current.maxTime.milliseconds, unit: "ms",
                    refused: duration.distribution.values.count { $0 >= current.maxTime.milliseconds }),
            ],
            proposals: [
                .atMost("slop", movement.distribution, builtIn: builtIn.slop, step: 0.5, unit: "mm", "strayed"),
                .atMost(
                    "max_time", duration.distribution, builtIn: builtIn.maxTime.milliseconds, step: 50, unit: "ms",
                    "took"),
            ],
            refused: GestureJudge(settings: .tap(current), bounds: bounds).refused(attempts), refusedThen: 0)
        addPairs(attempts.filter { $0.count > 1 }, current, to: &finding)
        addRemarks(inUse, to: &finding)
        finding.refusedThen = GestureJudge(settings: .tap(applied(finding.proposals, to: current)), bounds: bounds)
            .refused(attempts)
        return finding
    }

    private static func addPairs(_ pairs: [[ContactTrack]], _ current: TapSettings, to finding: inout Finding) {
        let gaps = pairs.map { ($0[1].landed - $0[0].lifted).milliseconds }
        let distances = pairs.map { ($0[1].origin - $0[0].origin).length }
        guard let gap = Finding.Measure("gap", "ms", decimals: 0, gaps),
            let distance = Finding.Measure("distance", "mm", decimals: 1, distances)
        else { return }
        let builtIn = TapSettings()
        finding.measures += [gap, distance]
        finding.limits += [
            .init(
                key: "gap", value: current.gap.milliseconds, unit: "ms",
                refused: gaps.count { $0 >= current.gap.milliseconds }),
            .init(
                key: "distance", value: current.distance, unit: "mm",
                refused: distances.count { $0 > current.distance }),
        ]
        finding.proposals += [
            .atMost(
                "gap", gap.distribution, builtIn: builtIn.gap.milliseconds, step: 10, unit: "ms",
                "came after"),
            .atMost(
                "distance", distance.distribution, builtIn: builtIn.distance, step: 1, unit: "mm", "were apart"),
        ]
    }

    private static func addRemarks(_ inUse: SettingsInUse, to finding: inout Finding) {
        let delay = inUse.longPress.delay.milliseconds
        if let time = finding.value("max_time"), time > delay {
            finding.remarks.append(
                "max_time is longer than long_press delay (\(shortest(delay)) ms): where a region has both, that ends a tap"
            )
        }
        if let slop = finding.value("slop"), slop > inUse.swipe.minDistance {
            finding.remarks.append(
                "slop is more than swipe min_distance (\(shortest(inUse.swipe.minDistance)) mm): short swipes are taps, too"
            )
        }
    }

    private static func applied(_ proposals: [Finding.Proposal], to current: TapSettings) -> TapSettings {
        var settings = current
        for proposal in proposals {
            switch proposal.key {
            case "slop": settings.slop = proposal.value
            case "max_time": settings.maxTime = Interval(milliseconds: proposal.value)
            case "gap": settings.gap = Interval(milliseconds: proposal.value)
            case "distance": settings.distance = proposal.value
            default: break
            }
        }
        return settings
    }
}

extension Finding {
    /// What is proposed for a key.
    func value(_ key: String) -> Double? { proposals.first { $0.key == key }?.value }
}
