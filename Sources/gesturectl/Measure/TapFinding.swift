// SPDX-License-Identifier: MIT
import GestureEngine

/// Taps and double taps: how long they last, how far they stray, how far apart they are.
enum TapFinding {
    static func make(_ attempts: [[ContactTrack]], _ inUse: SettingsInUse, bounds: Rectangle) -> Finding? {
        let tracks = attempts.flatMap { $0 }
        guard let duration = Finding.Measure("duration", "ms", decimals: 0, tracks.map(\.duration)),
            let movement = Finding.Measure("movement", "mm", decimals: 1, tracks.map { $0.excursion() })
        else { return nil }
        var measures = [duration, movement]
        var keys: [MeasuredKey<TapSettings>] = [
            .init(
                key: "slop", unit: "mm", path: \.slop, measure: movement, bound: .atMost(step: 0.5),
                verb: "strayed", refuses: >),
            .init(
                key: "max_time", unit: "ms", path: \.maxTime.milliseconds, measure: duration,
                bound: .atMost(step: 50), verb: "took", refuses: >=),
        ]
        let pairs = attempts.filter { $0.count > 1 }
        let gaps = pairs.map { ($0[1].landed - $0[0].lifted).milliseconds }
        let distances = pairs.map { ($0[1].origin - $0[0].origin).length }
        if let gap = Finding.Measure("gap", "ms", decimals: 0, gaps),
            let distance = Finding.Measure("distance", "mm", decimals: 1, distances)
        {
            measures += [gap, distance]
            keys += [
                .init(
                    key: "gap", unit: "ms", path: \.gap.milliseconds, measure: gap, bound: .atMost(step: 10),
                    verb: "came after", refuses: >=),
                .init(
                    key: "distance", unit: "mm", path: \.distance, measure: distance, bound: .atMost(step: 1),
                    verb: "were apart", refuses: >),
            ]
        }
        var current = inUse.tap
        current.wait = false
        current.count = pairs.isEmpty ? 1 : 2
        var finding = Finding(
            table: "tap", measures: measures, keys: keys, inUse: current, builtIn: TapSettings(), attempts: attempts
        ) { GestureJudge(settings: .tap($0), bounds: bounds) }
        addRemarks(inUse, to: &finding)
        return finding
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
}
