// SPDX-License-Identifier: MIT
import GestureEngine

/// Resting fingers: how far they drift until a long press would begin, and how long they rest.
enum HoldFinding {
    static func make(_ attempts: [[ContactTrack]], _ inUse: SettingsInUse, bounds: Rectangle) -> Finding? {
        let tracks = attempts.compactMap(\.last)
        var current = inUse.longPress
        current.fingers = 1
        // What comes once the press has begun, such as the roll of a finger that lifts, changes nothing.
        let drifts = tracks.map { $0.excursion(before: $0.landed + current.delay) }
        guard let drift = Finding.Measure("drift", "mm", decimals: 1, drifts),
            let whole = Finding.Measure("in all", "mm", decimals: 1, tracks.map { $0.excursion() }),
            let duration = Finding.Measure("duration", "ms", decimals: 0, tracks.map(\.duration))
        else { return nil }
        let builtIn = LongPressSettings()
        let delay = current.delay.milliseconds
        var proposals: [Finding.Proposal] = [
            .atMost("slop", drift.distribution, builtIn: builtIn.slop, step: 0.5, unit: "mm", "drifted")
        ]
        let held = Finding.Proposal.atLeast(
            "delay", duration.distribution, builtIn: builtIn.delay.milliseconds, least: 200, step: 50, unit: "ms",
            "held")
        // A delay is a decision about menus, not about fingers: only what people do not reach is changed.
        if held.value < delay { proposals.append(held) }
        var finding = Finding(
            table: "long_press", measures: [drift, whole, duration],
            limits: [
                .init(key: "slop", value: current.slop, unit: "mm", refused: drifts.count { $0 > current.slop }),
                .init(key: "delay", value: delay, unit: "ms", refused: tracks.count { $0.duration < delay }),
            ],
            proposals: proposals,
            refused: GestureJudge(settings: .longPress(current), bounds: bounds).refused(attempts), refusedThen: 0)
        if let time = finding.value("delay"), time < inUse.tap.maxTime.milliseconds {
            finding.remarks.append(
                "delay is shorter than tap max_time (\(shortest(inUse.tap.maxTime.milliseconds)) ms): "
                    + "where a region has both, it ends slow taps")
        }
        var then = current
        if let slop = finding.value("slop") { then.slop = slop }
        if let delay = finding.value("delay") { then.delay = Interval(milliseconds: delay) }
        finding.refusedThen = GestureJudge(settings: .longPress(then), bounds: bounds).refused(attempts)
        return finding
    }
}
