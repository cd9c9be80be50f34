// SPDX-License-Identifier: MIT
import GestureEngine

/// Resting contacts: how far they drift until a long press would begin, and how long they rest.
enum HoldFinding {
    static func make(_ attempts: [[ContactTrack]], _ inUse: SettingsInUse, bounds: Rectangle) -> Finding? {
        let tracks = attempts.compactMap(\.last)
        var current = inUse.longPress
        current.fingers = 1
        let delay = current.delay
        // Movement after the press has begun, such as the roll of a lifting finger, changes nothing.
        let drifts = tracks.map { $0.excursion(before: $0.landed + delay) }
        guard let drift = Finding.Measure("drift", "mm", decimals: 1, drifts),
            let whole = Finding.Measure("in all", "mm", decimals: 1, tracks.map { $0.excursion() }),
            let duration = Finding.Measure("duration", "ms", decimals: 0, tracks.map(\.duration))
        else { return nil }
        let keys: [MeasuredKey<LongPressSettings>] = [
            .init(
                key: "slop", unit: "mm", path: \.slop, measure: drift, bound: .atMost(step: 0.5),
                verb: "drifted", refuses: >),
            // How long a press takes is a matter of the program. It is shortened only where people do not hold so long.
            .init(
                key: "delay", unit: "ms", path: \.delay.milliseconds, measure: duration,
                bound: .atLeast(200, step: 50), verb: "held", refuses: <, isUseful: { $0 < delay.milliseconds }),
        ]
        var finding = Finding(
            table: "long_press", measures: [drift, whole, duration], keys: keys, inUse: current,
            builtIn: LongPressSettings(), attempts: attempts
        ) { GestureJudge(settings: .longPress($0), bounds: bounds) }
        let maxTime = inUse.tap.maxTime.milliseconds
        if let time = finding.value("delay"), time < maxTime {
            finding.remarks.append(
                "delay is shorter than tap max_time (\(shortest(maxTime)) ms): "
                    + "where a region has both, it ends slow taps")
        }
        return finding
    }
}
