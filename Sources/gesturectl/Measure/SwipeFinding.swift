// SPDX-License-Identifier: MIT
import GestureEngine

/// Swipes: how far, how long, how fast at the lift, how straight.
enum SwipeFinding {
    /// Everything that moved is a swipe to these: what the engine measures of it shows.
    private static var lenient: SwipeSettings {
        var settings = SwipeSettings()
        settings.minDistance = 0
        settings.minVelocity = 0
        settings.maxTime = .milliseconds(3_600_000)
        settings.rest = .milliseconds(3_600_000)
        return settings
    }

    static func make(_ attempts: [[ContactTrack]], _ inUse: SettingsInUse, bounds: Rectangle) -> Finding? {
        let judge = GestureJudge(settings: .swipe(lenient), bounds: bounds)
        let details = attempts.map { attempt -> SwipeDetail? in
            guard case .swipe(let detail) = judge.recognized(attempt)?.detail else { return nil }
            return detail
        }
        // What did not move at all has a distance, and no direction.
        let tracks = attempts.compactMap(\.last)
        guard let distance = Finding.Measure("distance", "mm", decimals: 1, details.map { $0?.distance ?? 0 }),
            let duration = Finding.Measure("duration", "ms", decimals: 0, tracks.map(\.duration)),
            let velocity = Finding.Measure("velocity", "mm/s", decimals: 0, details.map { $0?.speed ?? 0 }),
            let silence = Finding.Measure("silence", "ms", decimals: 0, tracks.map(\.silence))
        else { return nil }
        let deviation = Finding.Measure(
            "deviation", "deg", decimals: 1, details.compactMap { $0.map { Self.deviation($0.angle) } })

        var current = inUse.swipe
        current.directions = SwipeSettings().directions
        var finding = Finding(
            table: "swipe", measures: [distance, duration, velocity, silence] + [deviation].compactMap { $0 },
            limits: limits(current, distance, duration, velocity, silence, deviation),
            proposals: proposals(distance, duration, velocity, silence),
            refused: GestureJudge(settings: .swipe(current), bounds: bounds).refused(attempts), refusedThen: 0)
        if let limit = current.maxDeviation, let deviation { addDeviation(limit, deviation, to: &finding) }
        if let least = finding.value("min_distance"), least <= inUse.tap.slop {
            finding.remarks.append(
                "min_distance is within tap slop (\(shortest(inUse.tap.slop)) mm): such swipes are taps, too")
        }
        finding.refusedThen = GestureJudge(settings: .swipe(applied(finding.proposals, to: current)), bounds: bounds)
            .refused(attempts)
        return finding
    }

    /// Degrees from the nearest of left, right, up and down.
    static func deviation(_ angle: Double) -> Double {
        let rest = angle.magnitude.truncatingRemainder(dividingBy: 90)
        return min(rest, 90 - rest)
    }

    private static func limits(
        _ current: SwipeSettings, _ distance: Finding.Measure, _ duration: Finding.Measure,
        _ velocity: Finding.Measure, _ silence: Finding.Measure, _ deviation: Finding.Measure?
    ) -> [Finding.Limit] {
        var limits: [Finding.Limit] = [
            .init(
                key: "min_distance", value: current.minDistance, unit: "mm",
                refused: distance.distribution.values.count { $0 < current.minDistance }),
            .init(
                key: "max_time", value: current.maxTime.milliseconds, unit: "ms",
                refused: duration.distribution.values.count { $0 > current.maxTime.milliseconds }),
            .init(
                key: "min_velocity", value: current.minVelocity, unit: "mm/s",
                refused: velocity.distribution.values.count { $0 < current.minVelocity }),
            .init(
                key: "rest", value: current.rest.milliseconds, unit: "ms",
                refused: current.minVelocity > 0
                    ? silence.distribution.values.count { $0 > current.rest.milliseconds } : 0),
        ]
        if let limit = current.maxDeviation, let deviation {
            limits.append(
                .init(
                    key: "max_deviation", value: limit, unit: "deg",
                    refused: deviation.distribution.values.count { $0 > limit }))
        }
        return limits
    }

    private static func proposals(
        _ distance: Finding.Measure, _ duration: Finding.Measure, _ velocity: Finding.Measure,
        _ silence: Finding.Measure
    ) -> [Finding.Proposal] {
        let builtIn = SwipeSettings()
        return [
            .atLeast(
                "min_distance", distance.distribution, builtIn: builtIn.minDistance, least: 2, step: 1, unit: "mm",
                "went"),
            .atMost(
                "max_time", duration.distribution, builtIn: builtIn.maxTime.milliseconds, step: 50, unit: "ms", "took"),
            .atLeast(
                "min_velocity", velocity.distribution, builtIn: builtIn.minVelocity, least: 5, step: 5, unit: "mm/s",
                "had"),
            .atMost(
                "rest", silence.distribution, builtIn: builtIn.rest.milliseconds, step: 10, unit: "ms",
                "were silent before the lift for"),
        ]
    }

    /// Only where somebody wants straight swipes; half a right angle is no limit.
    private static func addDeviation(_ limit: Double, _ deviation: Finding.Measure, to finding: inout Finding) {
        let wanted = Finding.Proposal.atMost(
            "max_deviation", deviation.distribution, builtIn: limit, step: 1, unit: "deg", "deviated by")
        finding.remarks.append(
            "max_deviation: \(wanted.reason.replacing("built-in ", with: "")); " + "now \(shortest(limit)), "
                + (wanted.value > limit ? "\(shortest(min(45, wanted.value))) would do" : "which does"))
    }

    private static func applied(_ proposals: [Finding.Proposal], to current: SwipeSettings) -> SwipeSettings {
        var settings = current
        for proposal in proposals {
            switch proposal.key {
            case "min_distance": settings.minDistance = proposal.value
            case "max_time": settings.maxTime = Interval(milliseconds: proposal.value)
            case "min_velocity": settings.minVelocity = proposal.value
            case "rest": settings.rest = Interval(milliseconds: proposal.value)
            default: break
            }
        }
        return settings
    }
}
